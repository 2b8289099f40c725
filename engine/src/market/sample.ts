// Checks the makers of active markets once a minute, at a second that nobody outside knows before.
import type { Pips } from '@sibyl/money';
import { present } from '../kit/assert.ts';
import { encodeUtf8 } from '../kit/canonical.ts';
import type { AccountId, MarketId } from '../kit/identity.ts';
import { type Holding, isRated, NO_MAKER } from '../state/holding.ts';
import type { Market } from '../state/market.ts';
import { type Order, remainingLots, restingSinceMs } from '../state/order.ts';
import type { QualityParameters } from '../state/parameters.ts';
import type { PriceSide } from '../state/side.ts';
import type { State } from '../state/state.ts';
import type { Turn } from '../state/turn.ts';
import { lookAtBook } from './book-price.ts';
import { midPips, shownPrices } from './mid.ts';
import { countTime, isTrading, markOf } from './price-memory.ts';
import {
  enoughPoints,
  markScore,
  noteScore,
  orderPoints,
  twoSided,
  wholePart,
  windowQuality,
} from './quality.ts';
import { noteDeepMid } from './worth.ts';

/**
 * Rings at checks, and where there is no pool also at whole minutes, whose prices simulated fills go by. Of those that one
 * command passes the last is taken: earlier ones, the engine being down, count as absent.
 */
export function sampleMarket(turn: Turn, marketId: MarketId, dueMs: number): void {
  const { state } = turn;
  const { commandMs } = state;
  const market = present(state.markets.get(marketId), 'market to be checked');
  const { sampleMs } = state.parameters.quality;
  const mark = markOf(dueMs, sampleMs);
  if (market.pool === null && dueMs === lastMarkMs(commandMs, sampleMs)) {
    market.memory.mark = { mark, prices: shownPrices(market) };
  }
  if (dueMs === lastCheckMs(state, market, commandMs) && marksOf(state, market) > 0) {
    sampleQuality(turn, market);
    if (market.pool === null && isTrading(market)) {
      countTime(state, market);
      turn.timerUnits += lookAtBook(state, market);
    }
    noteDeepMid(state, market);
  }
  armSample(state, market, nextSampleMs(state, market, dueMs, commandMs));
}

/** Called when a market becomes active: its first check is in the minute after it first did. */
export function startSampling(state: State, market: Market): void {
  const { sampleMs } = state.parameters.quality;
  const { nowMs } = state;
  const firstMark = markOf(market.activeSinceMs ?? nowMs, sampleMs) + 1;
  const thisMark = markOf(nowMs, sampleMs);
  const mark = thisMark > firstMark ? thisMark : firstMark;
  const inMinuteMs = checkMs(state, market, mark);
  const nextCheckMs = inMinuteMs > nowMs ? inMinuteMs : checkMs(state, market, mark + 1);
  const nextMarkMs = lastMarkMs(nowMs, sampleMs) + sampleMs;
  const isNoted = market.pool === null && nextMarkMs < nextCheckMs;
  armSample(state, market, isNoted ? nextMarkMs : nextCheckMs);
}

/** When the makers of a market are checked in the minute of a mark (QS4). */
export function checkMs(state: State, market: Market, mark: number): number {
  const { drawn } = market;
  if (drawn.mark !== mark) {
    drawn.mark = mark;
    drawn.checkMs = drawCheckMs(state, market, mark);
  }
  return drawn.checkMs;
}

function drawCheckMs(state: State, market: Market, mark: number): number {
  const { sampleMs } = state.parameters.quality;
  const digest = state.checkTimes.digest(encodeUtf8(`${market.id}|${mark}`));
  // exact: 32 bits
  const drawn =
    digest[0]! * 0x1_00_00_00 + digest[1]! * 0x1_00_00 + digest[2]! * 0x1_00 + digest[3]!;
  const second = drawn % SECONDS;
  return mark * sampleMs + (second * (sampleMs - (sampleMs % SECONDS))) / SECONDS; // exact: the remainder was taken off
}

/** How many minute marks the market has been active for: those after it opened, up to and with now. */
export function marksOf(state: State, market: Market): number {
  if (market.activeSinceMs === null) return 0;
  const { sampleMs } = state.parameters.quality;
  return markOf(state.nowMs, sampleMs) - markOf(market.activeSinceMs, sampleMs);
}

const SECONDS = 60;

function lastMarkMs(atMs: number, sampleMs: number): number {
  return markOf(atMs, sampleMs) * sampleMs;
}

/** The last check at or before a time. */
function lastCheckMs(state: State, market: Market, atMs: number): number {
  const mark = markOf(atMs, state.parameters.quality.sampleMs);
  const inMinuteMs = checkMs(state, market, mark);
  return inMinuteMs <= atMs ? inMinuteMs : checkMs(state, market, mark - 1);
}

/** The next check, or without a pool the next mark, that no later one of the same command replaces. */
function nextSampleMs(state: State, market: Market, dueMs: number, commandMs: number): number {
  const { sampleMs } = state.parameters.quality;
  const mark = markOf(dueMs, sampleMs);
  const nextCheckMs = nextCheck(state, market, dueMs, commandMs);
  if (market.pool !== null) return nextCheckMs;
  const markMs = lastMarkMs(commandMs, sampleMs);
  const nextMarkMs = markMs > dueMs ? markMs : (mark + 1) * sampleMs;
  return nextMarkMs < nextCheckMs ? nextMarkMs : nextCheckMs;
}

/** Far behind the command, only the last check that it passes matters: those between are not even drawn. */
function nextCheck(state: State, market: Market, dueMs: number, commandMs: number): number {
  const { sampleMs } = state.parameters.quality;
  const mark = markOf(dueMs, sampleMs);
  const lastMs = lastCheckMs(state, market, commandMs);
  if (mark + 1 < markOf(lastMs, sampleMs)) return lastMs;
  const inMinuteMs = checkMs(state, market, mark);
  const afterMs = inMinuteMs > dueMs ? inMinuteMs : checkMs(state, market, mark + 1);
  return lastMs > afterMs ? lastMs : afterMs;
}

function armSample(state: State, market: Market, dueMs: number): void {
  market.sampleDueMs = dueMs;
  state.timers.set({ dueMs, kind: 'sample', subject: market.id });
}

/** Checks those who make the market now and those that earlier marks still count for, not every holding. */
function sampleQuality(turn: Turn, market: Market): void {
  const makers = tallyMakers(turn, market);
  const mark = marksOf(turn.state, market);
  const before = market.rated;
  const changed = new Map<AccountId, number>();
  market.rated = [];
  for (let maker = 1; maker < makers.holdings.length; maker += 1) {
    rate(turn.state, makers.holdings[maker]!, makers.total[maker]!, mark, changed);
  }
  for (const holding of before) {
    if (holding.maker === NO_MAKER) rate(turn.state, holding, 0, mark, changed);
  }
  for (let maker = 1; maker < makers.holdings.length; maker += 1) {
    makers.holdings[maker]!.maker = NO_MAKER;
  }
  if (changed.size === 0) return;
  // As text, without a comparison of our own: that would be most of the cost of a check.
  const accountIds = [...changed.keys()].sort();
  const scores = accountIds.map((accountId) => ({ accountId, quality: changed.get(accountId)! }));
  turn.events.push({ type: 'quality_sampled', marketId: market.id, scores });
}

/** Notes the score of a holding for the last mark; it stays among the rated while any score counts. */
function rate(
  state: State,
  holding: Holding,
  points: number,
  mark: number,
  changed: Map<AccountId, number>,
): void {
  const { quality } = state.parameters;
  const { market } = holding;
  const score = markScore(points, market.outcomes.length, quality);
  if (score > 0) holding.samples ??= [];
  const { samples } = holding;
  if (samples !== null) noteScore(samples, mark, score);
  const average = samples === null ? 0 : windowQuality(samples, mark, quality);
  if (average !== holding.quality) {
    holding.quality = average;
    changed.set(holding.account.id, average);
  }
  if (isRated(holding)) market.rated.push(holding);
}

/** Points of the makers of one market at one check, by index: of the book that is read, then of all. Nobody has the first. */
class MakerTallies {
  readonly holdings: (Holding | null)[] = [null];
  readonly bid = [0];
  readonly ask = [0];
  readonly total = [0];

  /** The holding's index; it gets one with its first order. */
  makerIndexOf(holding: Holding): number {
    const { maker } = holding;
    if (maker !== NO_MAKER) return maker;
    const index = this.total.length;
    this.holdings.push(holding);
    this.bid.push(0);
    this.ask.push(0);
    this.total.push(0);
    holding.maker = index;
    return index;
  }
}

/** Leaves with every holding that has orders near the mid the index of what they are worth. */
function tallyMakers(turn: Turn, market: Market): MakerTallies {
  const { state } = turn;
  const { books } = market;
  const makers = new MakerTallies();
  const sideMax = wholePart(state.parameters.quality.lookOrdersMax, books.length);
  const { bid, ask, total } = makers;
  for (const [index, book] of books.entries()) {
    // Without orders there are no points, and the mid of a pool is not for nothing.
    if (book.bids.best === null && book.asks.best === null) continue;
    const mid = midPips(market, index);
    turn.timerUnits += tallySide(state, book.bids, mid, sideMax, makers);
    turn.timerUnits += tallySide(state, book.asks, mid, sideMax, makers);
    for (let maker = 1; maker < total.length; maker += 1) {
      total[maker]! += twoSided(bid[maker]!, ask[maker]!, mid);
      bid[maker] = 0;
      ask[maker] = 0;
    }
  }
  return makers;
}

/** The first orders of the side up to where none counts; gives how many it read. */
function tallySide(
  state: State,
  side: PriceSide,
  mid: Pips,
  most: number,
  makers: MakerTallies,
): number {
  const reach = state.parameters.quality.distanceMaxPips;
  let read = 0;
  for (let level = side.best; level !== null; level = side.after(level)) {
    const away = side.kind === 'bid' ? mid - level.price : level.price - mid;
    if (away >= reach) return read;
    const distance = away < 0 ? -away : away;
    for (let order = level.first; order !== null; order = order.next) {
      if (read === most) return read;
      read += 1;
      if (isCounted(state, order)) tallyOrder(state, order, side.kind, distance, makers);
    }
  }
  return read;
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
  const maker = makers.makerIndexOf(order.holding);
  const { quality } = state.parameters;
  const points = orderPoints(remainingLots(order), distance, quality);
  const tally = kind === 'bid' ? makers.bid : makers.ask;
  tally[maker] = enough(tally[maker]! + points, quality);
}

function enough(points: number, quality: QualityParameters): number {
  const most = enoughPoints(quality);
  return points < most ? points : most;
}
