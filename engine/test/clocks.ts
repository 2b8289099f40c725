// The lane's clocks, for tests.
import type { State } from '../src/state/state.ts';

/** Trading time up to now (CM12). */
export function tradingMs({ nowMs, idleSpans }: State): number {
  return idleSpans.reduce((ms, { fromMs, toMs }) => ms - (toMs - fromMs), nowMs);
}
