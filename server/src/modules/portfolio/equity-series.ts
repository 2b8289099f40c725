// What an account was worth at points of the past: its statement told backwards, at the prices of the candles.
import type { CandleRange, History, StatementEntry } from '@sibyl/history';
import type { Turns } from '@sibyl/lane';
import { sharesValue } from './worth.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const POINTS_MAX = 200;

export interface EquityPoint {
  readonly atMs: number;
  readonly equity: bigint;
}

export interface OutcomeFacts {
  readonly outcome: number;
  /** In micro-USDT. */
  readonly openingPrice: number;
}

/** What is known of the account and its markets, as of now. */
export interface SeriesSubject {
  readonly nowMs: number;
  /** The series goes back no further. */
  readonly fromMs: number;
  readonly equity: bigint;
  /** Free and reserved. */
  readonly money: bigint;
  readonly held: readonly {
    readonly marketId: string;
    readonly outcomeId: string;
    readonly size: bigint;
  }[];
  /** What lay in markets and bonds of the account's own at a time. */
  readonly stakedAt: (atMs: number) => bigint;
  /** The place of an outcome in its market, and its price before its first trade. */
  readonly outcomeOf: (marketId: string, outcomeId: string) => OutcomeFacts;
}

/** `lines` are those of the statement, oldest first, at least back to `fromMs`. */
export async function equitySeries(
  history: History,
  subject: SeriesSubject,
  lines: readonly StatementEntry[],
  range: '1d' | '1w' | '1m' | 'all',
  turns: Turns,
): Promise<readonly EquityPoint[]> {
  const points: EquityPoint[] = [{ atMs: subject.nowMs, equity: subject.equity }];
  const times = timesOf(subject, range);
  const sheet = new Sheet(subject, lines);
  const prices = await pricesAt(history, subject, sheet.keysSince(times[0]), times);
  for (let point = times.length - 1; point >= 0; point -= 1) {
    const atMs = times[point]!;
    sheet.rewind(atMs);
    let equity = sheet.money + subject.stakedAt(atMs);
    for (const [key, size] of sheet.shares) equity += sharesValue(size, prices.get(key)![point]!);
    points.push({ atMs, equity });
    await turns.pause();
  }
  return points.reverse();
}

/** How long back, and how far apart: whole steps of the clock. */
function timesOf(
  { fromMs, nowMs }: SeriesSubject,
  range: '1d' | '1w' | '1m' | 'all',
): readonly number[] {
  const startMs = Math.max(fromMs, nowMs - SPANS_MS[range]);
  const stepMs = STEPS_MS[range] ?? stepFor(nowMs - startMs);
  const times: number[] = [];
  // An account that is younger than a step has no past to show.
  for (let atMs = nowMs - (nowMs % stepMs); atMs >= startMs + stepMs; atMs -= stepMs) {
    if (times.length === POINTS_MAX - 1) break;
    if (atMs < nowMs) times.push(atMs);
  }
  return times.reverse();
}

const SPANS_MS = {
  '1d': DAY_MS,
  '1w': 7 * DAY_MS,
  '1m': 30 * DAY_MS,
  all: Number.MAX_SAFE_INTEGER,
};
const STEPS_MS = { '1d': 15 * MINUTE_MS, '1w': HOUR_MS, '1m': 4 * HOUR_MS, all: null };

function stepFor(spanMs: number): number {
  const short = [15 * MINUTE_MS, HOUR_MS, 4 * HOUR_MS].find((ms) => spanMs < ms * (POINTS_MAX - 1));
  return short ?? Math.ceil(spanMs / (DAY_MS * (POINTS_MAX - 1))) * DAY_MS;
}

/** What the account had, from now backwards. */
class Sheet {
  money: bigint;
  /** By market and outcome, those that were held. */
  readonly shares: Map<string, bigint>;
  readonly #lines: readonly StatementEntry[];
  /** The newest line that still counts. */
  #next: number;

  constructor({ money, held }: SeriesSubject, lines: readonly StatementEntry[]) {
    this.money = money;
    this.shares = new Map(held.map((one) => [keyOf(one), one.size]));
    this.#lines = lines;
    this.#next = lines.length - 1;
  }

  /** All that it had at any time since then. */
  keysSince(fromMs = Number.POSITIVE_INFINITY): ReadonlySet<string> {
    const keys = new Set(this.shares.keys());
    for (let index = this.#next; index >= 0; index -= 1) {
      const { shares, atMs } = this.#lines[index]!;
      if (atMs < fromMs) break;
      if (shares !== null) keys.add(keyOf(shares));
    }
    return keys;
  }

  /** Takes back every line that is newer. */
  rewind(atMs: number): void {
    for (; this.#next >= 0; this.#next -= 1) {
      const { shares, amount, atMs: bookedMs } = this.#lines[this.#next]!;
      if (bookedMs <= atMs) return;
      if (shares === null) this.money -= amount;
      else this.#takeBack(keyOf(shares), amount);
    }
  }

  #takeBack(key: string, amount: bigint): void {
    const left = (this.shares.get(key) ?? 0n) - amount;
    if (left === 0n) this.shares.delete(key);
    else this.shares.set(key, left);
  }
}

function keyOf(one: { readonly marketId: string; readonly outcomeId: string }): string {
  return `${one.marketId} ${one.outcomeId}`;
}

/** Of each outcome, its price at every point. */
async function pricesAt(
  history: History,
  subject: SeriesSubject,
  keys: ReadonlySet<string>,
  times: readonly number[],
): Promise<ReadonlyMap<string, readonly bigint[]>> {
  const prices = new Map<string, readonly bigint[]>();
  if (times.length === 0) return prices;
  for (const key of keys) {
    const [marketId = '', outcomeId = ''] = key.split(' ');
    const facts = subject.outcomeOf(marketId, outcomeId);
    prices.set(key, await closesAt(history, marketId, facts, times));
  }
  return prices;
}

async function closesAt(
  history: History,
  marketId: string,
  { outcome, openingPrice }: OutcomeFacts,
  times: readonly number[],
): Promise<readonly bigint[]> {
  const [fromMs = 0] = times;
  const stepMs = (times[1] ?? fromMs + 15 * MINUTE_MS) - fromMs;
  const range: CandleRange = {
    marketId,
    outcome,
    intervalMs: Math.min(stepMs, DAY_MS),
    fromMs,
    toMs: times.at(-1)!,
  };
  let close = (await history.closeBefore(marketId, outcome, fromMs)) ?? openingPrice;
  const candles = fromMs < range.toMs ? await history.candles(range) : [];
  let next = 0;
  return times.map((atMs) => {
    for (; next < candles.length && candles[next]!.startMs < atMs; next += 1)
      close = candles[next]!.close;
    return BigInt(close);
  });
}
