// The circuit breaker: a price that runs too far too fast halts its market for a while.
import type { State } from '../state.ts';
import type { Turn } from '../turn.ts';
import type { Market } from './market.ts';
import { shownPrices } from './mid.ts';

const BREAKER_REASON = 'circuit_breaker';

/** Looks at the pool's prices after a command that moved them. */
export function watchPrices(turn: Turn, market: Market): void {
  const { state } = turn;
  if (market.pool === null || market.halted || !isWatched(state, market)) return;
  const { movePips, windowMs, haltMs } = state.parameters.breaker;
  const { recentPrices } = market;
  const prices = shownPrices(market);
  forgetBefore(market, state.nowMs - windowMs);
  const limit = BigInt(movePips) * MICRO_PER_PIP;
  const isRunaway = recentPrices.some((seen) => hasMoved(seen.prices, prices, limit));
  recentPrices.push({ atMs: state.nowMs, prices });
  if (isRunaway) halt(turn, market, BREAKER_REASON, state.nowMs + haltMs);
}

/** Starts watching afresh from the prices of this moment: at creation and after a halt. */
export function startWatch(state: State, market: Market): void {
  market.recentPrices.length = 0;
  if (market.pool === null || !isWatched(state, market)) return;
  market.recentPrices.push({ atMs: state.nowMs, prices: shownPrices(market) });
}

export function halt(turn: Turn, market: Market, reason: string, untilMs: number | null): void {
  market.halted = true;
  market.haltReason = reason;
  market.haltedUntilMs = untilMs;
  turn.events.push({ type: 'market_halted', marketId: market.id, reason, untilMs });
  if (untilMs !== null) {
    turn.state.timers.add({ dueMs: untilMs, kind: 'market_resume', subject: market.id });
  }
}

const MICRO_PER_PIP = 100n;

function isWatched(state: State, market: Market): boolean {
  const { breaker, marketType } = market.template.definition;
  return breaker ?? (state.lane === 'live' && marketType !== 'fast');
}

/** The prices in force at the start of the window stay: a move counts from there. */
function forgetBefore(market: Market, startMs: number): void {
  const { recentPrices } = market;
  let stale = 0;
  while (stale + 1 < recentPrices.length && recentPrices[stale + 1]!.atMs <= startMs) stale += 1;
  if (stale > 0) recentPrices.splice(0, stale);
}

function hasMoved(from: readonly bigint[], to: readonly bigint[], limit: bigint): boolean {
  return from.some((price, index) => {
    const move = to[index]! - price;
    return move >= limit || move <= -limit;
  });
}
