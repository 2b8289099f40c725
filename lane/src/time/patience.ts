// How long callers wait for a lane before they call it unhealthy.
import type { Clock } from './clock.ts';

/** A lane that does not answer a read within this is not well. */
const PATIENCE_MS = 500;

/** Null if there is no answer in time, or none at all. */
export function withPatience<T>(clock: Clock, answer: Promise<T>): Promise<T | null> {
  return new Promise((resolve) => {
    const stop = clock.setAlarm(PATIENCE_MS, () => resolve(null));
    answer.then(
      (value) => {
        stop();
        resolve(value);
      },
      () => {
        stop();
        resolve(null);
      },
    );
  });
}
