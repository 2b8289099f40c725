// V8's collector of garbage, told who may have the other cores, and that threads need no heap as large as the server's.
import { setFlagsFromString } from 'node:v8';

const ALONE = '--no-parallel-scavenge';
const IN_PARALLEL = '--parallel-scavenge';

/** In place of what the main thread began with, which no V8 reads again for a heap that stands; zero is V8's own size. */
const THREAD_HEAP = [
  '--min-semi-space-size=0',
  '--max-semi-space-size=4',
  '--initial-old-space-size=0',
];

/** Threads that start from now on keep their latest garbage in a few MB: each would take 64 for nothing else. */
export function sparingThreads(): void {
  for (const flag of THREAD_HEAP) setFlagsFromString(flag);
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
