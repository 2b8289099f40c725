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
    const { order, fillVenue } = item.result;
    numbers[first] = traitsOf(order);
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
    values[text + 6] = order.status;
    values[text + 7] = order.timeInForce;
    values[text + 8] = order.rejectReason;
    values[text + 9] = order.cancelReason;
    values[text + 10] = fillVenue;
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
const TEXTS = 11;

/** Bits of an order's traits; what has more than two values is kept as the text that it is. */
const ORDER = 1;
const PRICED = 2;
const EXPIRING = 4;
const POST_ONLY = 8;
const REDUCE_ONLY = 16;
const SELL = 32;
const MARKET = 64;
const CANCEL_INCOMING = 128;

function traitsOf(order: OrderView): number {
  return (
    ORDER |
    (order.price === null ? 0 : PRICED) |
    (order.expiresAtMs === null ? 0 : EXPIRING) |
    (order.postOnly ? POST_ONLY : 0) |
    (order.reduceOnly ? REDUCE_ONLY : 0) |
    (order.side === 'sell' ? SELL : 0) |
    (order.orderType === 'market' ? MARKET : 0) |
    (order.stpMode === 'cancel_incoming' ? CANCEL_INCOMING : 0)
  );
}

function resultOf(numbers: readonly number[], texts: readonly (string | null)[]): OrderResult {
  const [traits, createdAtMs, orderId, price, lots, filledLots, filledCost, feesPaid, expiresAtMs] =
    numbers as [number, number, number, number, number, number, number, number, number];
  const [accountId, marketId, outcomeId, clientOrderId, keyId, builderAppId, ...kinds] = texts;
  const [status, timeInForce, rejectReason, cancelReason, fillVenue] = kinds;
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
    status: status as OrderStatus,
    timeInForce: timeInForce as TimeInForce,
    postOnly: (traits & POST_ONLY) !== 0,
    reduceOnly: (traits & REDUCE_ONLY) !== 0,
    stpMode: traits & CANCEL_INCOMING ? 'cancel_incoming' : 'cancel_resting',
    expiresAtMs: traits & EXPIRING ? expiresAtMs : null,
    clientOrderId: clientOrderId!,
    keyId: keyId!,
    builderAppId: builderAppId!,
    createdAtMs,
    rejectReason: rejectReason as RejectReason | null,
    cancelReason: cancelReason as CancelReason | null,
  };
  return { kind: 'order', order, fillVenue: fillVenue as FillVenue | null };
}

function amountOf(amount: bigint): number {
  if (amount === 0n) return 0;
  const value = Number(amount); // exact: all that one order can cost is a safe integer
  if (!Number.isSafeInteger(value)) throw new Defect('an order of more than can be packed');
  return value;
}
