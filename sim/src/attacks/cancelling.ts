// How operators cancel a market in the arena: one halts it, looks at the preview and proposes, another confirms.
import {
  DEFAULT_PARAMETERS,
  type FairValue,
  fairValue,
  isMoved,
  isShallow,
  lastDayValue,
  type MarketId,
  type ProposeVoid,
} from '@sibyl/engine';
import { type Arena, DAY, HOUR } from './arena.ts';

export type Window = ProposeVoid['window'];

export interface Cancelling {
  readonly window: Window;
  readonly cause: ProposeVoid['cause'];
}

/** Cancels a market that has traded, in as many steps as it takes. */
export function cancelMarket(
  arena: Arena,
  marketId: MarketId,
  { window, cause }: Cancelling,
): void {
  halt(arena, marketId);
  const { payout: expected } = valueAt(arena, marketId, window);
  const body = { marketId, cause, reason: 'arena', evidence: ['arena'], window, excluded: [] };
  arena.operate({ type: 'propose_void', ...body, expected });
  arena.advance(arena.state.parameters.resolution.voidNoticeMs + HOUR);
  const ruling = { type: 'rule_resolution', marketId, ruling: 'upheld', result: null } as const;
  arena.operate(ruling, 'another');
  for (let step = 0; step < STEPS_MAX; step += 1) {
    if (arena.get(marketId).status === 'cancelled') return;
    arena.advance(1);
  }
  throw new Error('the market is not cancelled');
}

const STEPS_MAX = 1_000;

/** Stops trading, so that the preview stays what it is. */
export function halt(arena: Arena, marketId: MarketId): void {
  const { status, halted } = arena.get(marketId);
  if (status !== 'active' || halted) return;
  arena.operate({ type: 'halt_market', marketId, untilMs: null, reason: 'arena' });
}

export function valueAt(arena: Arena, marketId: MarketId, window: Window): FairValue {
  const value = fairValue(arena.state, arena.get(marketId), window, []);
  if ('code' in value) throw new Error(`no value: ${value.code}`);
  return value;
}

/** The last day of journal time before trading stopped. */
export function lastDay(arena: Arena): NonNullable<Window> {
  return dayBefore(arena.nowMs);
}

/** Only whole slices count, so that a day of them may need a slice more. */
function dayBefore(toMs: number): NonNullable<Window> {
  return { fromMs: toMs - DAY - DEFAULT_PARAMETERS.fairValue.sliceMaxMs, toMs };
}

const FAMILIES_MIN = 5;

/**
 * The window that attentive operators name: none unless the preview flags the default one as thin or moved, or shows it
 * as far from the price that the news supports as would be flagged as moved. Else, of the last days and weeks, the one
 * whose payout is nearest to that price, latest first.
 */
export function windowNamed(
  arena: Arena,
  marketId: MarketId,
  { families, fairPips }: { readonly families: number; readonly fairPips: number },
): Window {
  const { movedPips } = arena.state.parameters.fairValue;
  const usual = valueAt(arena, marketId, null);
  const isFar = Math.abs(usual.payout[0]! - fairPips) > movedPips;
  if (families >= FAMILIES_MIN && !isFar && !isFlagged(arena, marketId, usual)) return null;
  let best: Window = lastDay(arena);
  let nearest: number | null = null;
  for (const window of windowsBefore(arena.nowMs)) {
    const value = fairValue(arena.state, arena.get(marketId), window, []);
    if ('code' in value) continue;
    const away = Math.abs(value.payout[0]! - fairPips);
    if (nearest !== null && away >= nearest) continue;
    nearest = away;
    best = window;
  }
  return best;
}

/** Whether the engine itself asks for a window: a thin book, or another price in the last day. */
function isFlagged(arena: Arena, marketId: MarketId, usual: FairValue): boolean {
  const market = arena.get(marketId);
  const recent = lastDayValue(arena.state, market, []);
  if ('code' in recent) throw new Error(`no value: ${recent.code}`);
  return isShallow(market, usual) || isMoved(arena.state, usual, recent);
}

/** Days before weeks. */
function windowsBefore(stopMs: number): readonly NonNullable<Window>[] {
  const ends = [0, 1, 2, 3, 4, 5, 6].map((days) => stopMs - days * DAY);
  const weeks = ends.map((toMs) => ({ fromMs: toMs - 7 * DAY, toMs }));
  return [...ends.map(dayBefore), ...weeks];
}

/** What shares are worth at so many pips each. */
export function worth(
  arena: Arena,
  marketId: MarketId,
  name: string,
  payout: readonly number[],
): bigint {
  let sum = 0n;
  for (const [outcome, pips] of payout.entries())
    sum += BigInt(arena.lots(name, marketId, outcome)) * BigInt(pips);
  return sum;
}

/**
 * A market in fifty is cancelled: what a settlement costs is lost 49 times for each gain. A price held against visitors
 * is not worth it at such odds, whatever the cancellation brings.
 */
export function lossCounted(loss: bigint): bigint {
  return 49n * loss;
}
