// The last day of a market's outcomes, for a small chart beside each: 24 hourly closes and the change.
import type { Market as WireMarket } from '@sibyl/contract';
import type { Market } from '@sibyl/engine';
import type { History, PastCandle } from '@sibyl/history';
import { amountText, priceText } from '../../wire/amounts.ts';
import { openingPrice, pricesOf } from '../../wire/market-view.ts';

const HOUR_MS = 3_600_000;
const HOURS = 24;

/** What the state knows of a market whose day is drawn: in micro-USDT, by outcome. */
export interface Charted {
  readonly prices: readonly bigint[];
  /** Before the first trade. */
  readonly openingPrices: readonly number[];
}

export function chartedOf(market: Market): Charted {
  return {
    prices: pricesOf(market),
    openingPrices: market.outcomes.map((_, index) => openingPrice(market, index)),
  };
}

export async function withDayPrices(
  view: WireMarket,
  { prices, openingPrices }: Charted,
  history: History,
  nowMs: number,
): Promise<WireMarket> {
  const outcomes: WireMarket['outcomes'] = [];
  for (const [index, outcome] of view.outcomes.entries()) {
    const day = await readDay(history, view.market_id, index, nowMs);
    const dayAgo = day.before ?? openingPrices[index]!;
    const price = prices[index]!;
    outcomes.push({
      ...outcome,
      change_24h: amountText(price - BigInt(dayAgo)),
      history: [...closesOf(day, dayAgo), amountText(price)],
    });
  }
  return { ...view, outcomes };
}

interface Day {
  /** Price of the last trade before it; null if there was none. */
  readonly before: number | null;
  /** Of the hours with trades, from the one on in which the day began. */
  readonly hours: readonly PastCandle[];
  /** The running hour, which has the last of the 24 closes. */
  readonly lastHourMs: number;
}

async function readDay(
  history: History,
  marketId: string,
  outcome: number,
  nowMs: number,
): Promise<Day> {
  const before = await history.closeBefore(marketId, outcome, nowMs - HOURS * HOUR_MS);
  const lastHourMs = nowMs - (nowMs % HOUR_MS);
  const range = { fromMs: lastHourMs - HOURS * HOUR_MS, toMs: lastHourMs };
  const hours = await history.candles({ marketId, outcome, intervalMs: HOUR_MS, ...range });
  return { before, hours, lastHourMs };
}

/** Of the 23 hours that are over. */
function closesOf({ hours, lastHourMs }: Day, dayAgo: number): string[] {
  const closes: string[] = [];
  let close = dayAgo;
  let next = 0;
  for (let age = HOURS; age > 0; age -= 1) {
    const candle = hours[next];
    if (candle?.startMs === lastHourMs - age * HOUR_MS) {
      close = candle.close;
      next += 1;
    }
    // The hour in which the day began only leads up to the first close.
    if (age < HOURS) closes.push(priceText(close));
  }
  return closes;
}
