// Samples of active markets: prices at every whole minute, the quality of its makers at each market's own second.
import type { Pips } from '@sibyl/money';
import type { PriceSide } from '../book/side.ts';
import type { AccountId } from '../identity.ts';
import { type Order, remainingLots, restingSinceMs } from '../order/order.ts';
import type { QualityParameters } from '../parameters.ts';
import { type Holding, isRated, NO_MAKER } from '../position/holding.ts';
import type { State } from '../state.ts';
import type { Turn } from '../turn.ts';
import { isActive, LOOK_SLOTS, lookDelayMs } from './look-slots.ts';
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
 * Rings at marks, where prices are counted, and at looks. Of the looks at a market that one command passes the last is
 * taken: earlier ones, the engine being down, count as absent. Prices are counted for every mark, at once for books and
 * later for pools.
 */
export function sampleMarkets(turn: Turn, dueMs: number, commandMs: number): void {
  const { state } = turn;
  const { sampleMs } = state.parameters.quality;
  if (dueMs !== state.nextSampleMs) return;
  const markMs = lastMark(dueMs, sampleMs);
  if (dueMs === markMs) countPrices(state, dueMs < lastMark(commandMs, sampleMs));
  if (dueMs + sampleMs > commandMs) lookAtMakers(turn, dueMs - markMs);
  armNext(state, dueMs, commandMs);
}

/**
 * Called when a market becomes active: marks and looks are only waited for while there is something to sample. What is
 * waited for already comes soon enough: a market that opens while a command passes marks has no orders in these.
 */
export function startSampling(state: State, market: Market): void {
  state.looks.add(market);
  if (state.nextSampleMs > 0) return;
  const { sampleMs } = state.parameters.quality;
  armSample(state, lastMark(state.nowMs, sampleMs) + sampleMs);
}

function lastMark(atMs: number, sampleMs: number): number {
  return markOf(atMs, sampleMs) * sampleMs;
}

/** Pools may wait for the last mark that the command passes: their prices change by commands only. */
function countPrices(state: State, isPassed: boolean): void {
  for (let slot = 0; slot < LOOK_SLOTS; slot += 1) {
    for (const market of state.looks.at(slot)) {
      if (!isPassed || isBookOnly(market)) countMarks(state, market);
    }
  }
}

/** A market that has had no mark yet is not looked at; one whose marks were passed has them counted first. */
function lookAtMakers(turn: Turn, delayMs: number): void {
  const { state } = turn;
  const { sampleMs } = state.parameters.quality;
  for (let slot = 0; slot < LOOK_SLOTS; slot += 1) {
    if (lookDelayMs(slot, sampleMs) !== delayMs) continue;
    for (const market of state.looks.at(slot)) {
      countMarks(state, market);
      if (market.samplesTaken > 0) sampleQuality(turn, market);
    }
  }
}

/** Waits for the next mark to be counted, or for an earlier look that no later one of the same command replaces. */
function armNext(state: State, dueMs: number, commandMs: number): void {
  if (!state.looks.some(isActive)) {
    state.nextSampleMs = 0;
    return;
  }
  const { sampleMs } = state.parameters.quality;
  const nextMs = nextMark(state, dueMs, commandMs);
  const replacedMs = commandMs - sampleMs;
  const passedMs = replacedMs > dueMs ? replacedMs : dueMs;
  const markMs = lastMark(passedMs, sampleMs);
  for (let slot = 0; slot < LOOK_SLOTS; slot += 1) {
    const lookMs = markMs + lookDelayMs(slot, sampleMs);
    if (lookMs >= nextMs) break;
    if (lookMs <= passedMs || state.looks.at(slot).length === 0) continue;
    armSample(state, lookMs);
    return;
  }
  armSample(state, nextMs);
}

function nextMark(state: State, dueMs: number, commandMs: number): number {
  const { sampleMs } = state.parameters.quality;
  const nextMs = lastMark(dueMs, sampleMs) + sampleMs;
  const lastMs = lastMark(commandMs, sampleMs);
  return nextMs >= lastMs || state.looks.some(isBookOnly) ? nextMs : lastMs;
}

function isBookOnly(market: Market): boolean {
  return market.pool === null;
}

function armSample(state: State, dueMs: number): void {
  state.nextSampleMs = dueMs;
  state.timers.add({ dueMs, kind: 'sample', subject: '' });
}

/** Looks at those who make the market now and at those that earlier marks still count for, not at every holding. */
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
  // As text, without a comparison of our own: that would be most of the cost of a look.
  const accountIds = [...changed.keys()].sort();
  const scores = accountIds.map((accountId) => ({ accountId, quality: changed.get(accountId)! }));
  turn.events.push({ type: 'quality_sampled', marketId: market.id, scores });
}

/** Notes the score of a holding for the last mark; it stays among the rated while any score counts. */
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

/** Points of the makers of one market at one look, by place: of the book looked at, then of all. Nobody has the first. */
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
    // Without orders there are no points, and the mid of a pool is not for nothing.
    if (book.bids.best === null && book.asks.best === null) continue;
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
  for (let level = side.best; level !== null; level = side.after(level)) {
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
