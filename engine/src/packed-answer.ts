// Answers as they are remembered: a day has millions, and some objects for each order would all be the collector's.
import { type Lots, type Pips, usdt } from '@sibyl/money';
import { Defect } from './assert.ts';
import type { TimeInForce } from './command.ts';
import type { CancelReason, FillVenue, OrderStatus, OrderView, RejectReason } from './event.ts';
import type { AccountId, MarketId, OrderId, OutcomeId } from './identity.ts';
import { micro } from './micro.ts';
import type { Answer } from './outcome.ts';

type OrderResult = Extract<Extract<Answer, { ok: true }>['result'], { kind: 'order' }>;

/** A batch is packed, whatever else there is kept as it is: of one order there would be little to win. */
export function packAnswer(answer: Answer): Answer | PackedBatch {
  if (!answer.ok || answer.result.kind !== 'batch') return answer;
  return new PackedBatch(answer.result.items);
}

export function unpackAnswer(kept: Answer | PackedBatch): Answer {
  return kept instanceof PackedBatch ? kept.unpack() : kept;
}

/** Numbers in memory that the collector does not look at, and one list of what is shared with others anyway. */
export class PackedBatch {
  readonly #count: number;
  /** For each item its traits and, if it is an order, what else is a number. */
  readonly #numbers: Float64Array;
  readonly #from: number;
  /** Whose orders they are, then for each order its texts; for any other item the item. */
  readonly #values: (string | null | Answer)[];

  constructor(items: readonly Answer[]) {
    const { length } = items;
    if (used + length * NUMBERS > page.length) {
      page = new Float64Array(length * NUMBERS > PAGE_NUMBERS ? length * NUMBERS : PAGE_NUMBERS);
      used = 0;
    }
    this.#count = length;
    this.#numbers = page;
    this.#from = used;
    used += length * NUMBERS;
    this.#values = new Array(OWNERS + length * TEXTS).fill(null);
    this.#own(items);
    for (let index = 0; index < length; index += 1) this.#set(index, items[index]!);
  }

  unpack(): Answer {
    const items = Array.from({ length: this.#count }, (_, index) => this.#get(index));
    return { ok: true, result: { kind: 'batch', items } };
  }

  /** All orders of a batch are of one account, and came by one key. */
  #own(items: readonly Answer[]): void {
    for (const item of items) {
      if (!item.ok || item.result.kind !== 'order') continue;
      const { accountId, keyId, builderAppId } = item.result.order;
      this.#values[0] = accountId;
      this.#values[1] = keyId;
      this.#values[2] = builderAppId;
      return;
    }
  }

  #isOwn({ accountId, keyId, builderAppId }: OrderView): boolean {
    const values = this.#values;
    return accountId === values[0] && keyId === values[1] && builderAppId === values[2];
  }

  #set(index: number, item: Answer): void {
    const numbers = this.#numbers;
    const values = this.#values;
    const first = this.#from + index * NUMBERS;
    const text = OWNERS + index * TEXTS;
    if (!item.ok || item.result.kind !== 'order' || !this.#isOwn(item.result.order)) {
      values[text] = item;
      return;
    }
    const { order, fillVenue } = item.result;
    numbers[first] = traitsOf(order, fillVenue);
    numbers[first + 1] = order.createdAtMs;
    numbers[first + 2] = order.orderId;
    numbers[first + 3] = order.price ?? 0;
    numbers[first + 4] = order.lots;
    numbers[first + 5] = order.filledLots;
    numbers[first + 6] = amountOf(order.filledCost);
    numbers[first + 7] = amountOf(order.feesPaid);
    numbers[first + 8] = order.expiresAtMs ?? 0;
    values[text] = order.marketId;
    values[text + 1] = order.outcomeId;
    values[text + 2] = order.clientOrderId;
  }

  #get(index: number): Answer {
    const first = this.#from + index * NUMBERS;
    const text = OWNERS + index * TEXTS;
    if (this.#numbers[first] === OTHER) return this.#values[text] as Answer;
    const numbers = this.#numbers.subarray(first, first + NUMBERS);
    const texts = [...this.#values.slice(0, OWNERS), ...this.#values.slice(text, text + TEXTS)];
    return { ok: true, result: resultOf(numbers, texts as (string | null)[]) };
  }
}

/** Numbers of many batches; it is there for as long as one of them is remembered. */
let page = new Float64Array(0);
let used = 0;
const PAGE_NUMBERS = 32_768;

/** Traits of an item that is kept as it is; memory begins with them. */
const OTHER = 0;
/** Of one item. */
const NUMBERS = 9;
const TEXTS = 3;
/** Texts of the batch. */
const OWNERS = 3;

/** Bits of an order's traits. */
const ORDER = 1;
const PRICED = 2;
const EXPIRING = 4;
const POST_ONLY = 8;
const REDUCE_ONLY = 16;
const SELL = 32;
const MARKET = 64;
const CANCEL_INCOMING = 128;

/** Words in bits of their own; none is zero where there may be none. */
const STATUS_AT = 8;
const STATUSES: Readonly<Record<OrderStatus, number>> = {
  pending: 0,
  partially_filled: 1,
  filled: 2,
  cancelled: 3,
  rejected: 4,
};
const TIME_AT = 11;
const TIMES_IN_FORCE: Readonly<Record<TimeInForce, number>> = { gtc: 0, gtd: 1, ioc: 2, fok: 3 };
const VENUE_AT = 13;
const VENUES: Readonly<Record<FillVenue, number>> = { amm: 1, clob: 2, hybrid: 3 };
const REJECT_AT = 15;
const REJECT_REASONS: Readonly<Record<RejectReason, number>> = {
  fok_unfilled: 1,
  post_only_would_take: 2,
  late: 3,
  nothing_to_reduce: 4,
};
const CANCEL_AT = 18;
const CANCEL_REASONS: Readonly<Record<CancelReason, number>> = {
  user: 1,
  ioc_remainder: 2,
  self_trade_prevented: 3,
  expired: 4,
  market_locked: 5,
  market_cancelled: 6,
  dead_man: 7,
  reset: 8,
  account_frozen: 9,
  admin: 10,
  price_band: 11,
  too_many_steps: 12,
  disconnect: 13,
};

function traitsOf(order: OrderView, fillVenue: FillVenue | null): number {
  const { rejectReason, cancelReason } = order;
  return (
    ORDER |
    (order.price === null ? 0 : PRICED) |
    (order.expiresAtMs === null ? 0 : EXPIRING) |
    (order.postOnly ? POST_ONLY : 0) |
    (order.reduceOnly ? REDUCE_ONLY : 0) |
    (order.side === 'sell' ? SELL : 0) |
    (order.orderType === 'market' ? MARKET : 0) |
    (order.stpMode === 'cancel_incoming' ? CANCEL_INCOMING : 0) |
    (numberOf(STATUSES, order.status) << STATUS_AT) |
    (numberOf(TIMES_IN_FORCE, order.timeInForce) << TIME_AT) |
    (fillVenue === null ? 0 : numberOf(VENUES, fillVenue) << VENUE_AT) |
    (rejectReason === null ? 0 : numberOf(REJECT_REASONS, rejectReason) << REJECT_AT) |
    (cancelReason === null ? 0 : numberOf(CANCEL_REASONS, cancelReason) << CANCEL_AT)
  );
}

function numberOf<Word extends string>(words: Readonly<Record<Word, number>>, word: Word): number {
  const number: number | undefined = words[word];
  if (number === undefined) throw new Defect(`a word that has no number: ${word}`);
  return number;
}

/** Null for the number of no word. */
function wordOf<Word extends string>(
  words: Readonly<Record<Word, number>>,
  traits: number,
  at: number,
  mask: number,
): Word | null {
  const number = (traits >> at) & mask;
  const known = Object.keys(words) as Word[];
  return known.find((word) => words[word] === number) ?? null;
}

function resultOf(numbers: Float64Array, texts: readonly (string | null)[]): OrderResult {
  const [traits, createdAtMs, orderId, price, lots, filledLots, filledCost, feesPaid, expiresAtMs] =
    numbers as unknown as Nine;
  const [accountId, keyId, builderAppId, marketId, outcomeId, clientOrderId] = texts;
  const order: OrderView = {
    orderId: orderId as OrderId,
    accountId: accountId as AccountId,
    marketId: marketId as MarketId,
    outcomeId: outcomeId as OutcomeId,
    side: traits & SELL ? 'sell' : 'buy',
    orderType: traits & MARKET ? 'market' : 'limit',
    price: traits & PRICED ? (price as Pips) : null,
    lots: lots as Lots,
    filledLots: filledLots as Lots,
    filledCost: usdt(micro(filledCost)),
    feesPaid: usdt(micro(feesPaid)),
    status: wordOf(STATUSES, traits, STATUS_AT, 7)!,
    timeInForce: wordOf(TIMES_IN_FORCE, traits, TIME_AT, 3)!,
    postOnly: (traits & POST_ONLY) !== 0,
    reduceOnly: (traits & REDUCE_ONLY) !== 0,
    stpMode: traits & CANCEL_INCOMING ? 'cancel_incoming' : 'cancel_resting',
    expiresAtMs: traits & EXPIRING ? expiresAtMs : null,
    clientOrderId: clientOrderId!,
    keyId: keyId!,
    builderAppId: builderAppId!,
    createdAtMs,
    rejectReason: wordOf(REJECT_REASONS, traits, REJECT_AT, 7),
    cancelReason: wordOf(CANCEL_REASONS, traits, CANCEL_AT, 15),
  };
  return { kind: 'order', order, fillVenue: wordOf(VENUES, traits, VENUE_AT, 3) };
}

type Nine = readonly [number, number, number, number, number, number, number, number, number];

function amountOf(amount: bigint): number {
  if (amount === 0n) return 0;
  const value = Number(amount); // exact: all that one order can cost is a safe integer
  if (!Number.isSafeInteger(value)) throw new Defect('an order of more than can be packed');
  return value;
}
