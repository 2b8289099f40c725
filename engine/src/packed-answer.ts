// Answers as they are remembered: a day has millions, and some objects for each order would all be the collector's.
import { type Lots, type Pips, usdt } from '@sibyl/money';
import { Defect } from './assert.ts';
import type { StpMode, TimeInForce } from './command.ts';
import type { CancelReason, FillVenue, OrderStatus, OrderView, RejectReason } from './event.ts';
import type { AccountId, MarketId, OrderId, OutcomeId, Side } from './identity.ts';
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

/** One list of numbers and one of what is shared with others anyway, for all items of a batch. */
export class PackedBatch {
  readonly #count: number;
  /** For each item its traits and, if it is an order, what else is a number. */
  readonly #numbers: number[];
  /** For each order its texts, for any other item the item. */
  readonly #values: (string | null | Answer)[];

  constructor(items: readonly Answer[]) {
    this.#count = items.length;
    this.#numbers = new Array(items.length * NUMBERS).fill(0);
    this.#values = new Array(items.length * TEXTS).fill(null);
    for (let index = 0; index < items.length; index += 1) this.#set(index, items[index]!);
  }

  unpack(): Answer {
    const items = Array.from({ length: this.#count }, (_, index) => this.#get(index));
    return { ok: true, result: { kind: 'batch', items } };
  }

  #set(index: number, item: Answer): void {
    const numbers = this.#numbers;
    const values = this.#values;
    const first = index * NUMBERS;
    const text = index * TEXTS;
    if (!item.ok || item.result.kind !== 'order') {
      values[text] = item;
      return;
    }
    const { order } = item.result;
    numbers[first] = traitsOf(item.result);
    numbers[first + 1] = order.createdAtMs;
    numbers[first + 2] = order.orderId;
    numbers[first + 3] = order.price ?? 0;
    numbers[first + 4] = order.lots;
    numbers[first + 5] = order.filledLots;
    numbers[first + 6] = amountOf(order.filledCost);
    numbers[first + 7] = amountOf(order.feesPaid);
    numbers[first + 8] = order.expiresAtMs ?? 0;
    values[text] = order.accountId;
    values[text + 1] = order.marketId;
    values[text + 2] = order.outcomeId;
    values[text + 3] = order.clientOrderId;
    values[text + 4] = order.keyId;
    values[text + 5] = order.builderAppId;
  }

  #get(index: number): Answer {
    const numbers = this.#numbers.slice(index * NUMBERS, (index + 1) * NUMBERS);
    const values = this.#values.slice(index * TEXTS, (index + 1) * TEXTS);
    if (numbers[0] === OTHER) return values[0] as Answer;
    return { ok: true, result: resultOf(numbers, values as (string | null)[]) };
  }
}

/** Traits of an item that is no order. */
const OTHER = 0;
/** Of one item. */
const NUMBERS = 9;
const TEXTS = 6;

/** A field of the traits: where it begins, and what it may be by its code. */
interface Trait<T> {
  readonly shift: number;
  readonly values: readonly T[];
}

/** Bit 0 says that it is an order. */
const PRICED: Trait<boolean> = { shift: 1, values: [false, true] };
const EXPIRING: Trait<boolean> = { shift: 2, values: [false, true] };
const POST_ONLY: Trait<boolean> = { shift: 3, values: [false, true] };
const REDUCE_ONLY: Trait<boolean> = { shift: 4, values: [false, true] };
const SIDE: Trait<Side> = { shift: 5, values: ['buy', 'sell'] };
const ORDER_TYPE: Trait<OrderView['orderType']> = { shift: 6, values: ['limit', 'market'] };
const STP_MODE: Trait<StpMode> = { shift: 7, values: ['cancel_resting', 'cancel_incoming'] };
const TIME_IN_FORCE: Trait<TimeInForce> = { shift: 8, values: ['gtc', 'gtd', 'ioc', 'fok'] };
const FILL_VENUE: Trait<FillVenue | null> = { shift: 10, values: [null, 'clob', 'amm', 'hybrid'] };
const STATUS: Trait<OrderStatus> = {
  shift: 12,
  values: ['pending', 'partially_filled', 'filled', 'cancelled', 'rejected'],
};
const REJECT_REASON: Trait<RejectReason | null> = {
  shift: 15,
  values: [null, 'fok_unfilled', 'post_only_would_take', 'late', 'nothing_to_reduce'],
};
const CANCEL_REASON: Trait<CancelReason | null> = {
  shift: 18,
  values: [
    null,
    'ioc_remainder',
    'self_trade_prevented',
    'user',
    'expired',
    'market_locked',
    'market_cancelled',
    'dead_man',
    'reset',
    'account_frozen',
    'admin',
  ],
};

function traitsOf({ order, fillVenue }: OrderResult): number {
  return (
    1 |
    coded(PRICED, order.price !== null) |
    coded(EXPIRING, order.expiresAtMs !== null) |
    coded(POST_ONLY, order.postOnly) |
    coded(REDUCE_ONLY, order.reduceOnly) |
    coded(SIDE, order.side) |
    coded(ORDER_TYPE, order.orderType) |
    coded(STP_MODE, order.stpMode) |
    coded(TIME_IN_FORCE, order.timeInForce) |
    coded(FILL_VENUE, fillVenue) |
    coded(STATUS, order.status) |
    coded(REJECT_REASON, order.rejectReason) |
    coded(CANCEL_REASON, order.cancelReason)
  );
}

function resultOf(numbers: readonly number[], texts: readonly (string | null)[]): OrderResult {
  const [traits, createdAtMs, orderId, price, lots, filledLots, filledCost, feesPaid, expiresAtMs] =
    numbers as [number, number, number, number, number, number, number, number, number];
  const [accountId, marketId, outcomeId, clientOrderId, keyId, builderAppId] = texts;
  const order: OrderView = {
    orderId: orderId as OrderId,
    accountId: accountId as AccountId,
    marketId: marketId as MarketId,
    outcomeId: outcomeId as OutcomeId,
    side: read(SIDE, traits),
    orderType: read(ORDER_TYPE, traits),
    price: read(PRICED, traits) ? (price as Pips) : null,
    lots: lots as Lots,
    filledLots: filledLots as Lots,
    filledCost: usdt(micro(filledCost)),
    feesPaid: usdt(micro(feesPaid)),
    status: read(STATUS, traits),
    timeInForce: read(TIME_IN_FORCE, traits),
    postOnly: read(POST_ONLY, traits),
    reduceOnly: read(REDUCE_ONLY, traits),
    stpMode: read(STP_MODE, traits),
    expiresAtMs: read(EXPIRING, traits) ? expiresAtMs : null,
    clientOrderId: clientOrderId!,
    keyId: keyId!,
    builderAppId: builderAppId!,
    createdAtMs,
    rejectReason: read(REJECT_REASON, traits),
    cancelReason: read(CANCEL_REASON, traits),
  };
  return { kind: 'order', order, fillVenue: read(FILL_VENUE, traits) };
}

function coded<T>({ shift, values }: Trait<T>, value: T): number {
  const code = values.indexOf(value);
  if (code < 0) throw new Defect(`no code for ${value}`);
  return code << shift;
}

function read<T>({ shift, values }: Trait<T>, traits: number): T {
  const mask = values.length > 8 ? 15 : values.length > 4 ? 7 : values.length > 2 ? 3 : 1;
  return values[(traits >>> shift) & mask]!;
}

function amountOf(amount: bigint): number {
  if (amount === 0n) return 0;
  const value = Number(amount); // exact: all that one order can cost is a safe integer
  if (!Number.isSafeInteger(value)) throw new Defect('an order of more than can be packed');
  return value;
}
