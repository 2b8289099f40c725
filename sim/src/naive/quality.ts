// Prices standing at whole minutes, and the quality score of every maker, taken at a second of the market's own.
import { midPips, shownPrices } from './mid.ts';
import { at } from './pool.ts';
import {
  holderOf,
  type NaiveMarket,
  type NaiveOrder,
  needMarket,
  ordersOf,
  sharesOf,
  type World,
} from './world.ts';

/** Takes the prices of every minute mark up to a time into the runs of the active markets. */
export function passMarks(world: World, untilMs: number): void {
  const step = world.parameters.quality.sampleMs;
  const last = untilMs - (untilMs % step);
  for (const market of world.markets) {
    if (market.status !== 'active' || market.lastMarkMs >= last) continue;
    market.marks.push({
      count: (last - market.lastMarkMs) / step,
      prices: shownPrices(world, market),
    });
    market.lastMarkMs = last;
    while (market.marks.length > 4000) market.marks.splice(0, 2, joined(market));
  }
}

/** The two oldest runs as one: beyond a day only their number matters. */
function joined(market: NaiveMarket): NaiveMarket['marks'][number] {
  const [first, second] = market.marks;
  return { count: (first?.count ?? 0) + (second?.count ?? 0), prices: second?.prices ?? [] };
}

/** The second of the minute at which a market's makers are looked at. */
export function lookSecondOf(marketId: string): number {
  let hash = 0n;
  for (const letter of marketId.split('')) {
    hash = (16_807n * hash + BigInt(letter.charCodeAt(0))) % (2n ** 31n - 1n);
  }
  return Number(hash % 60n);
}

/** Sets the alarm of the last look at each market that a step forward in time passes, if it passes any. */
export function awaitLooks(world: World, untilMs: number): void {
  const { sampleMs } = world.parameters.quality;
  for (const market of world.markets) {
    const offsetMs = market.lookSecond * Math.floor(sampleMs / 60);
    const minutes = Math.floor((untilMs - offsetMs) / sampleMs);
    const dueMs = minutes * sampleMs + offsetMs;
    if (dueMs > world.nowMs) world.timers.push({ dueMs, kind: 'sample', subject: market.id });
  }
}

/** Scores every maker of a market, for the last mark it had; before its first there is nothing to score. */
export function sampleRings(world: World, marketId: string): void {
  const market = needMarket(world, marketId);
  if (market.status !== 'active') return;
  const sample = market.marks.reduce((sum, run) => sum + run.count, 0);
  if (sample > 0) sampleMarket(world, market, sample);
}

function sampleMarket(world: World, market: NaiveMarket, sample: number): void {
  const { windowSamples, windowSamplesMin } = world.parameters.quality;
  const window = Math.min(windowSamples, Math.max(windowSamplesMin, sample));
  const orders = ordersOf(world, market.id);
  for (const order of orders) holderOf(market, order.accountId);
  const scores: { accountId: string; quality: number }[] = [];
  const mids = market.outcomes.map((_, outcome) => midPips(world, market, outcome));
  for (const holder of [...market.holders].sort((x, y) => (x.accountId < y.accountId ? -1 : 1))) {
    const own = orders.filter((order) => order.accountId === holder.accountId);
    const score = own.length === 0 ? 0 : scoreOf(world, market, own, mids);
    if (score > 0) holder.scores.set(sample, score);
    let sum = 0;
    for (const [index, each] of holder.scores) {
      if (index > sample - window) sum += each;
      else if (index <= sample - windowSamples) holder.scores.delete(index);
    }
    const quality = Math.floor(sum / window);
    if (quality !== holder.quality) scores.push({ accountId: holder.accountId, quality });
    holder.quality = quality;
  }
  if (scores.length > 0)
    world.events.push({ type: 'quality_sampled', marketId: market.id, scores });
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
