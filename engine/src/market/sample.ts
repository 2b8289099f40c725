// The minute mark: every active market's prices and its makers' quality are sampled.
import type { Pips } from '@sibyl/money';
import type { PriceSide } from '../book/side.ts';
import { type Order, remainingLots } from '../order/order.ts';
import type { Holding } from '../position/holding.ts';
import type { State } from '../state.ts';
import type { Turn } from '../turn.ts';
import type { Market } from './market.ts';
import { midPips } from './mid.ts';
import { countMarks, markOf } from './price-average.ts';
import { markScore, noteScore, orderPoints, twoSided, windowQuality } from './quality.ts';

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

/** Points of one maker in one market at one mark. */
interface Tally {
  bid: bigint;
  ask: bigint;
  total: bigint;
}

function sampleQuality(turn: Turn, market: Market): void {
  const { quality } = turn.state.parameters;
  const tallies = tallyMakers(turn.state, market);
  const scores: { accountId: Holding['account']['id']; quality: number }[] = [];
  for (const holding of market.holdings.values()) {
    const tally = tallies.get(holding);
    const isAbsent = holding.samples === null || holding.samples.length === 0;
    if (tally === undefined && isAbsent && holding.quality === 0) continue;
    holding.samples ??= [];
    const points = tally === undefined ? 0n : tally.total;
    noteScore(
      holding.samples,
      market.samplesTaken,
      markScore(points, market.outcomes.length, quality),
    );
    const score = windowQuality(holding.samples, market.samplesTaken, quality);
    if (score === holding.quality) continue;
    holding.quality = score;
    scores.push({ accountId: holding.account.id, quality: score });
  }
  if (scores.length === 0) return;
  scores.sort((a, b) => (a.accountId < b.accountId ? -1 : 1));
  turn.events.push({ type: 'quality_sampled', marketId: market.id, scores });
}

function tallyMakers(state: State, market: Market): ReadonlyMap<Holding, Tally> {
  const tallies = new Map<Holding, Tally>();
  for (const [index, book] of market.books.entries()) {
    const mid = midPips(market, index);
    tallySide(state, book.bids, mid, tallies);
    tallySide(state, book.asks, mid, tallies);
    for (const tally of tallies.values()) {
      tally.total += twoSided(tally.bid, tally.ask, mid);
      tally.bid = 0n;
      tally.ask = 0n;
    }
  }
  return tallies;
}

function tallySide(state: State, side: PriceSide, mid: Pips, tallies: Map<Holding, Tally>): void {
  const reach = state.parameters.quality.distanceMaxPips;
  for (let level = side.best; level !== null; level = level.worse) {
    const away = side.kind === 'bid' ? mid - level.price : level.price - mid;
    if (away >= reach) return;
    if (away <= -reach) continue;
    const distance = away < 0 ? -away : away;
    for (let order = level.first; order !== null; order = order.next) {
      if (isCounted(state, order)) tallyOrder(state, order, side.kind, distance, tallies);
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
  tallies: Map<Holding, Tally>,
): void {
  let tally = tallies.get(order.holding);
  if (tally === undefined) {
    tally = { bid: 0n, ask: 0n, total: 0n };
    tallies.set(order.holding, tally);
  }
  const points = orderPoints(remainingLots(order), distance, state.parameters.quality);
  if (kind === 'bid') tally.bid += points;
  else tally.ask += points;
}
