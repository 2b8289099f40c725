// The time that a question about earnings covers.
import { type ApiError, fail } from '../../handling/handler.ts';

export interface Range {
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
  readonly firstDay: number;
  readonly lastDay: number;
}

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
const DAYS_MAX = 366;

export function readRange(
  { from_ms: from, to_ms: to }: { readonly from_ms?: number; readonly to_ms?: number },
  nowMs: number,
): Range | ApiError {
  // The day that has begun is in it, so that what was just traded is.
  const toMs = to ?? (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS;
  const fromMs = from ?? Math.max(0, toMs - DEFAULT_DAYS * DAY_MS);
  if (fromMs >= toMs) {
    return fail('VALIDATION_FAILED', { field: 'to_ms', expected: 'after from_ms' });
  }
  if (toMs - fromMs > DAYS_MAX * DAY_MS) {
    const expected = `at most ${DAYS_MAX} days after from_ms`;
    return fail('VALIDATION_FAILED', { field: 'to_ms', expected });
  }
  const firstDay = Math.floor(fromMs / DAY_MS);
  return { fromMs, toMs, firstDay, lastDay: Math.floor((toMs - 1) / DAY_MS) };
}

export function dayText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, DAY_LENGTH);
}

const DAY_LENGTH = 10;
