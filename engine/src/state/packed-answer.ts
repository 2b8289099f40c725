// Answers as they are remembered: a day has millions, and some objects for each order would all be the collector's.

import { FILL_VENUE_CODES, FILL_VENUE_WORDS } from '../generated/order.ts';
import { PACKED_NUMBERS, packOrder, unpackOrder } from '../generated/order-forms.ts';
import type { AccountId, MarketId, OutcomeId } from '../kit/identity.ts';
import type { OrderView } from './event.ts';
import type { Answer } from './outcome.ts';

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
    if (!packOrder(order, numbers, first)) {
      values[text] = item;
      numbers[first + ID] = OTHER;
      return;
    }
    numbers[first + VENUE] = fillVenue === null ? 0 : FILL_VENUE_CODES[fillVenue];
    values[text] = order.marketId;
    values[text + 1] = order.outcomeId;
    values[text + 2] = order.clientOrderId;
  }

  #get(index: number): Answer {
    const first = this.#from + index * NUMBERS;
    const text = OWNERS + index * TEXTS;
    const numbers = this.#numbers;
    const values = this.#values;
    if (numbers[first + ID] === OTHER) return values[text] as Answer;
    const order = unpackOrder(
      numbers,
      first,
      values[0] as AccountId,
      values[text] as MarketId,
      values[text + 1] as OutcomeId,
      values[text + 2] as string | null,
      values[1] as string | null,
      values[2] as string | null,
    );
    const fillVenue = FILL_VENUE_WORDS[numbers[first + VENUE]!] ?? null;
    return { ok: true, result: { kind: 'order', order, fillVenue } };
  }
}

/** Numbers of many batches; it is there for as long as one of them is remembered. */
let page = new Float64Array(0);
let used = 0;
const PAGE_NUMBERS = 32_768;

/** Where an order's id lies; 0, with which memory begins, is that of an item kept as it is. */
const ID = 1;
const OTHER = 0;
/** Of one item: its order's, and where that filled as it was placed. */
const NUMBERS = PACKED_NUMBERS + 1;
const VENUE = PACKED_NUMBERS;
const TEXTS = 3;
/** Texts of the batch. */
const OWNERS = 3;
