// The quality score of every maker, taken at a drawn second of every minute, and prices standing at whole minutes.
import { lookAtBook } from './book-price.ts';
import { lastCheckMs, lastMarkMs, nextCheckMs } from './check-times.ts';
import { trades } from './clock.ts';
import { midPips, shownPrices } from './mid.ts';
import { at } from './pool.ts';
import { facing } from './sketch.ts';
import {
  type NaiveMaker,
  type NaiveMarket,
  type NaiveOrder,
  needMarket,
  ordersOf,
  sharesOf,
  type World,
} from './world.ts';
import { noteDeepMids } from './worth.ts';

/** Sets the market's sample for its next check, without a pool for its next mark if that comes first. */
export function awaitSample(world: World, market: NaiveMarket): void {
  const clock = world.parameters.quality;
  const checkAtMs = nextCheckMs(clock, market.id, world.nowMs, firstMark(world, market));
  const markAtMs = lastMarkMs(clock, world.nowMs) + clock.sampleMs;
  setSample(world, market, market.pool === null ? Math.min(checkAtMs, markAtMs) : checkAtMs);
}

function setSample(world: World, market: NaiveMarket, dueMs: number): void {
  market.sampleAtMs = dueMs;
  world.timers.push({ dueMs, kind: 'sample', subject: market.id });
}

/** Of the marks and checks that one command passes, the last of each is taken; the timer goes straight to it. */
export function sampleRings(world: World, marketId: string): void {
  const market = needMarket(world, marketId);
  const clock = world.parameters.quality;
  const { nowMs } = world;
  const lastCheck = lastCheckMs(clock, market.id, world.commandMs);
  const lastMark = lastMarkMs(clock, world.commandMs);
  if (market.pool === null && nowMs === lastMark) market.noted = shownPrices(world, market);
  if (nowMs === lastCheck) {
    checkMakers(world, market);
    if (market.pool === null && trades(market)) world.timerUnits += lookAtBook(world, market);
    noteDeepMids(world, market);
  }
  const nextCheck = nextCheckMs(clock, market.id, nowMs, firstMark(world, market));
  const checkAtMs = Math.max(lastCheck, nextCheck);
  const nextMark = lastMarkMs(clock, nowMs) + clock.sampleMs;
  const markAtMs = Math.max(lastMark, nextMark);
  setSample(world, market, market.pool === null ? Math.min(checkAtMs, markAtMs) : checkAtMs);
}

/** The market's own marks come after the moment at which it became active. */
function firstMark(world: World, market: NaiveMarket): number {
  return Math.floor((market.activeSinceMs ?? world.nowMs) / world.parameters.quality.sampleMs) + 1;
}

/** Scores every maker for the mark of this minute. */
function checkMakers(world: World, market: NaiveMarket): void {
  const { sampleMs, windowSamples, windowSamplesMin } = world.parameters.quality;
  const mark = Math.floor(world.nowMs / sampleMs);
  const marks = mark - firstMark(world, market) + 1;
  const window = Math.min(windowSamples, Math.max(windowSamplesMin, marks));
  const mids = market.outcomes.map((_, outcome) => midPips(world, market, outcome));
  const orders = ordersLookedAt(world, market, mids);
  world.timerUnits += orders.length;
  const found = new Set([...market.makers.keys(), ...orders.map((order) => order.accountId)]);
  const scores: { accountId: string; quality: number }[] = [];
  for (const accountId of [...found].sort()) {
    const own = orders.filter((order) => order.accountId === accountId);
    const maker = market.makers.get(accountId) ?? { quality: 0, scores: new Map() };
    const score = own.length === 0 ? 0 : scoreOf(world, market, own, mids);
    if (score > 0) maker.scores.set(mark, score);
    const quality = Math.floor(sumSince(maker, mark - window, mark - windowSamples) / window);
    if (quality !== maker.quality) scores.push({ accountId, quality });
    maker.quality = quality;
    if (maker.scores.size > 0) market.makers.set(accountId, maker);
    else market.makers.delete(accountId);
  }
  if (scores.length > 0)
    world.events.push({ type: 'quality_sampled', marketId: market.id, scores });
}

/** The scores after a mark; those up to an earlier one are forgotten. */
function sumSince(maker: NaiveMaker, mark: number, forgotten: number): number {
  let sum = 0;
  for (const [index, score] of maker.scores) {
    if (index > mark) sum += score;
    else if (index <= forgotten) maker.scores.delete(index);
  }
  return sum;
}

/** The first orders of each side of each book as far as one there could count, whether it does or not. */
function ordersLookedAt(world: World, market: NaiveMarket, mids: readonly number[]): NaiveOrder[] {
  const books = market.outcomes.length === 2 ? 1 : market.outcomes.length;
  const { lookOrdersMax, distanceMaxPips } = world.parameters.quality;
  const most = Math.floor(lookOrdersMax / books);
  const orders = ordersOf(world, market.id);
  const found: NaiveOrder[] = [];
  for (let book = 0; book < books; book += 1) {
    for (const taker of ['sell', 'buy'] as const) {
      const side = facing(market, orders, book, taker).slice(0, most);
      const away = (price: number): number =>
        (taker === 'sell' ? 1 : -1) * (at(mids, book) - price);
      const near = side.filter(({ price }) => away(price) < distanceMaxPips);
      found.push(...near.map((each) => each.order));
    }
  }
  return found;
}

function scoreOf(
  world: World,
  market: NaiveMarket,
  own: readonly NaiveOrder[],
  mids: readonly number[],
): number {
  const target = BigInt(world.parameters.quality.targetLots) * 10_000n;
  const count = market.outcomes.length;
  let two = 0n;
  if (count === 2) two = smallerSide(world, market, own, 0, at(mids, 0));
  else {
    for (let outcome = 0; outcome < count; outcome += 1) {
      const here = own.filter((order) => order.outcome === outcome);
      if (here.length > 0) two += smallerSide(world, market, here, outcome, at(mids, outcome));
    }
    two /= BigInt(count);
  }
  const x = (10_000n * two) / target;
  return x > 10_000n ? 10_000 : Number(x);
}

/** Points of the weaker side, or a third of the stronger where the price is not extreme. */
function smallerSide(
  world: World,
  market: NaiveMarket,
  orders: readonly NaiveOrder[],
  canonical: number,
  mid: number,
): bigint {
  const { distanceMaxPips, restingMs } = world.parameters.quality;
  const reach = BigInt(distanceMaxPips);
  let bid = 0n;
  let ask = 0n;
  for (const order of orders) {
    const remaining = order.lots - order.filledLots;
    if (remaining < market.template.minLots || world.nowMs - order.restingSinceMs < restingMs)
      continue;
    const same = order.outcome === canonical;
    const price = same ? order.price : 10000 - order.price;
    const distance = BigInt(Math.abs(price - mid));
    if (distance >= reach) continue;
    const points =
      (sharesOf(remaining) * (reach - distance) * (reach - distance)) / (reach * reach);
    if (same === (order.side === 'buy')) bid += points;
    else ask += points;
  }
  const [least, most] = bid < ask ? [bid, ask] : [ask, bid];
  if (mid < 1000 || mid > 9000 || least > most / 3n) return least;
  return most / 3n;
}
