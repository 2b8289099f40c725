// The minute mark: every active market's prices and its makers' quality are sampled.
import type { Pips } from '@sibyl/money';
import type { PriceSide } from '../book/side.ts';
import type { AccountId } from '../identity.ts';
import { type Order, remainingLots } from '../order/order.ts';
import type { QualityParameters } from '../parameters.ts';
import type { Holding } from '../position/holding.ts';
import type { State } from '../state.ts';
import type { Turn } from '../turn.ts';
import type { Market } from './market.ts';
import { midPips } from './mid.ts';
import { countMarks, markOf } from './price-average.ts';
import {
  enoughPoints,
  markScore,
  noteScore,
  orderPoints,
  twoSided,
  windowQuality,
} from './quality.ts';

/**
 * A mark is sampled when a command comes before the next one. Marks passed while none came, the engine being down,
 * count as absent for quality; prices are still counted, at once for books and later for pools.
 */
export function sampleMarkets(turn: Turn, dueMs: number, commandMs: number): void {
  const { state } = turn;
  const { sampleMs } = state.parameters.quality;
  if (dueMs !== state.nextSampleMs) return;
  const lastMs = markOf(commandMs, sampleMs) * sampleMs;
  const active = activeMarkets(state);
  if (active.length === 0) {
    state.nextSampleMs = 0;
    return;
  }
  if (dueMs < lastMs) {
    const bookOnly = active.filter((market) => market.pool === null);
    for (const market of bookOnly) countMarks(state, market);
    armSample(state, bookOnly.length > 0 ? dueMs + sampleMs : lastMs);
    return;
  }
  for (const market of active) {
    countMarks(state, market);
    sampleQuality(turn, market);
  }
  armSample(state, dueMs + sampleMs);
}

/** Called when a market becomes active: marks are only waited for while there is something to sample. */
export function startSampling(state: State): void {
  if (state.nextSampleMs > 0) return;
  const { sampleMs } = state.parameters.quality;
  armSample(state, (markOf(state.nowMs, sampleMs) + 1) * sampleMs);
}

function armSample(state: State, dueMs: number): void {
  state.nextSampleMs = dueMs;
  state.timers.add({ dueMs, kind: 'sample', subject: '' });
}

/** In ascending order of id, so that a restored state samples in the same order. */
function activeMarkets(state: State): readonly Market[] {
  const active: Market[] = [];
  for (const market of state.markets.values()) if (market.status === 'active') active.push(market);
  return active.sort((a, b) => (a.id < b.id ? -1 : 1));
}

function sampleQuality(turn: Turn, market: Market): void {
  const { quality } = turn.state.parameters;
  tallyMakers(turn.state, market);
  const changed: AccountId[] = [];
  for (const holding of market.holdings.values()) {
    const { tally } = holding;
    const isAbsent = holding.samples === null || holding.samples.length === 0;
    if (tally === null && isAbsent && holding.quality === 0) continue;
    holding.tally = null;
    holding.samples ??= [];
    const points = tally === null ? 0 : tally.total;
    noteScore(
      holding.samples,
      market.samplesTaken,
      markScore(points, market.outcomes.length, quality),
    );
    const score = windowQuality(holding.samples, market.samplesTaken, quality);
    if (score === holding.quality) continue;
    holding.quality = score;
    changed.push(holding.account.id);
  }
  if (changed.length === 0) return;
  // As text, without a comparison of our own: that would be most of the cost of a mark.
  changed.sort();
  const scores = changed.map((accountId) => ({
    accountId,
    quality: market.holdings.get(accountId)!.quality,
  }));
  turn.events.push({ type: 'quality_sampled', marketId: market.id, scores });
}

/** Leaves with every holding that has orders near the mid what they are worth. */
function tallyMakers(state: State, market: Market): void {
  const makers: Holding[] = [];
  for (const [index, book] of market.books.entries()) {
    const mid = midPips(market, index);
    tallySide(state, book.bids, mid, makers);
    tallySide(state, book.asks, mid, makers);
    for (const { tally } of makers) {
      if (tally === null) continue;
      tally.total += twoSided(tally.bid, tally.ask, mid);
      tally.bid = 0;
      tally.ask = 0;
    }
  }
}

function tallySide(state: State, side: PriceSide, mid: Pips, makers: Holding[]): void {
  const reach = state.parameters.quality.distanceMaxPips;
  for (let level = side.best; level !== null; level = level.worse) {
    const away = side.kind === 'bid' ? mid - level.price : level.price - mid;
    if (away >= reach) return;
    if (away <= -reach) continue;
    const distance = away < 0 ? -away : away;
    for (let order = level.first; order !== null; order = order.next) {
      if (isCounted(state, order)) tallyOrder(state, order, side.kind, distance, makers);
    }
  }
}

function isCounted(state: State, order: Order): boolean {
  const ageMs = state.nowMs - order.restingSinceMs;
  const { minLots } = order.market.template.definition;
  return ageMs >= state.parameters.quality.restingMs && remainingLots(order) >= minLots;
}

function tallyOrder(
  state: State,
  order: Order,
  kind: PriceSide['kind'],
  distance: number,
  makers: Holding[],
): void {
  const { holding } = order;
  let { tally } = holding;
  if (tally === null) {
    tally = { bid: 0, ask: 0, total: 0 };
    holding.tally = tally;
    makers.push(holding);
  }
  const { quality } = state.parameters;
  const points = orderPoints(remainingLots(order), distance, quality);
  if (kind === 'bid') tally.bid = enough(tally.bid + points, quality);
  else tally.ask = enough(tally.ask + points, quality);
}

function enough(points: number, quality: QualityParameters): number {
  const most = enoughPoints(quality);
  return points < most ? points : most;
}
