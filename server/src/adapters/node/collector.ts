// V8's collector of garbage, told who may have the other cores.
import { setFlagsFromString } from 'node:v8';

const ALONE = '--no-parallel-scavenge';
const IN_PARALLEL = '--parallel-scavenge';

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
