// What a defect looks like inside the engine: an assertion that names itself and stops the lane.
import { assert, Defect } from '@sibyl/money';

export { assert, Defect };

export function assertNever(value: never): never {
  throw new Defect(`unexpected value: ${String(value)}`);
}

/** Unwraps what the state promises to hold; its absence is a defect, never a user's mistake. */
export function present<T>(value: T | undefined | null, what: string): T {
  if (value === undefined || value === null) throw new Defect(`missing: ${what}`);
  return value;
}
