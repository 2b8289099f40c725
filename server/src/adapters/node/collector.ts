// V8's collector of garbage, told who may have the other cores, and that threads need no heap as large as the server's.
import { setFlagsFromString } from 'node:v8';

const ALONE = '--no-parallel-scavenge';
const IN_PARALLEL = '--parallel-scavenge';

/** What the main thread began with; no V8 reads them again for a heap that stands. */
const HEAP_SIZES = ['--min-semi-space-size', '--max-semi-space-size', '--initial-old-space-size'];

/** Threads that start from now on begin with V8's own sizes: each would take 64 MB for nothing but its latest garbage. */
export function sparingThreads(): void {
  for (const flag of HEAP_SIZES) setFlagsFromString(`${flag}=0`);
}

/**
 * While nobody is served, helpers collect the young generation together with the main thread: that costs more CPU and
 * takes half the time. A process that was not started to collect alone is left as it is. V8 reads the flag at the
 * beginning of every collection.
 */
export async function collectingInParallel<T>(act: () => Promise<T>): Promise<T> {
  if (!process.execArgv.includes(ALONE)) return act();
  setFlagsFromString(IN_PARALLEL);
  try {
    return await act();
  } finally {
    setFlagsFromString(ALONE);
  }
}
