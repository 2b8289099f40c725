// The minute mark: every active market's prices and its makers' quality are sampled.
import type { Pips } from '@sibyl/money';
import type { PriceSide } from '../book/side.ts';
import type { AccountId } from '../identity.ts';
import { type Order, remainingLots, restingSinceMs } from '../order/order.ts';
import type { QualityParameters } from '../parameters.ts';
import { type Holding, isRated, NO_MAKER } from '../position/holding.ts';
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

/** Looks at the makers of this mark and at those that earlier marks still count for, not at every holding. */
function sampleQuality(turn: Turn, market: Market): void {
  const makers = tallyMakers(turn.state, market);
  const before = market.rated;
  const changed = new Map<AccountId, number>();
  market.rated = [];
  for (let place = 1; place < makers.holdings.length; place += 1) {
    rate(turn.state, makers.holdings[place]!, makers.total[place]!, changed);
  }
  for (const holding of before) {
    if (holding.maker === NO_MAKER) rate(turn.state, holding, 0, changed);
  }
  for (let place = 1; place < makers.holdings.length; place += 1) {
    makers.holdings[place]!.maker = NO_MAKER;
  }
  if (changed.size === 0) return;
  // As text, without a comparison of our own: that would be most of the cost of a mark.
  const accountIds = [...changed.keys()].sort();
  const scores = accountIds.map((accountId) => ({ accountId, quality: changed.get(accountId)! }));
  turn.events.push({ type: 'quality_sampled', marketId: market.id, scores });
}

/** Notes the score of a holding at the mark; it stays among the rated while any score counts. */
function rate(
  state: State,
  holding: Holding,
  points: number,
  changed: Map<AccountId, number>,
): void {
  const { quality } = state.parameters;
  const { market } = holding;
  const score = markScore(points, market.outcomes.length, quality);
  if (score > 0) holding.samples ??= [];
  const { samples } = holding;
  if (samples !== null) noteScore(samples, market.samplesTaken, score);
  const average = samples === null ? 0 : windowQuality(samples, market.samplesTaken, quality);
  if (average !== holding.quality) {
    holding.quality = average;
    changed.set(holding.account.id, average);
  }
  if (isRated(holding)) market.rated.push(holding);
}

/** Points of the makers of one market at one mark, by place: of the book looked at, then of all. Nobody has the first. */
class MakerTallies {
  readonly holdings: (Holding | null)[] = [null];
  readonly bid = [0];
  readonly ask = [0];
  readonly total = [0];

  /** The holding's place; it gets one with its first order. */
  placeOf(holding: Holding): number {
    const { maker } = holding;
    if (maker !== NO_MAKER) return maker;
    const place = this.total.length;
    this.holdings.push(holding);
    this.bid.push(0);
    this.ask.push(0);
    this.total.push(0);
    holding.maker = place;
    return place;
  }
}

/** Leaves with every holding that has orders near the mid the place of what they are worth. */
function tallyMakers(state: State, market: Market): MakerTallies {
  const makers = new MakerTallies();
  const { bid, ask, total } = makers;
  for (const [index, book] of market.books.entries()) {
    const mid = midPips(market, index);
    tallySide(state, book.bids, mid, makers);
    tallySide(state, book.asks, mid, makers);
    for (let place = 1; place < total.length; place += 1) {
      total[place]! += twoSided(bid[place]!, ask[place]!, mid);
      bid[place] = 0;
      ask[place] = 0;
    }
  }
  return makers;
}

function tallySide(state: State, side: PriceSide, mid: Pips, makers: MakerTallies): void {
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
  const ageMs = state.nowMs - restingSinceMs(order);
  const { minLots } = order.holding.market.template.definition;
  return ageMs >= state.parameters.quality.restingMs && remainingLots(order) >= minLots;
}

function tallyOrder(
  state: State,
  order: Order,
  kind: PriceSide['kind'],
  distance: number,
  makers: MakerTallies,
): void {
  const place = makers.placeOf(order.holding);
  const { quality } = state.parameters;
  const points = orderPoints(remainingLots(order), distance, quality);
  const tally = kind === 'bid' ? makers.bid : makers.ask;
  tally[place] = enough(tally[place]! + points, quality);
}

function enough(points: number, quality: QualityParameters): number {
  const most = enoughPoints(quality);
  return points < most ? points : most;
}
