// The npm package nodejs-order-book as a contestant: one of its books per symbol, everything it needs made beforehand.
import { type IProcessOrder, OrderBook, Side } from 'nodejs-order-book';
import type { Contestant, Session, SessionResult } from '../contestant.ts';
import { CANCEL, LIMIT, STRIDE, type Workload } from '../workload/generate.ts';
import { BUY } from '../workload/reference-book.ts';

export const nodejsOrderBook: Contestant = {
  name: 'nodejs-order-book',
  begin: (workload) => new NodejsOrderBookSession(workload),
};

/** Carries everything each of its calls could want, so that none is made while the clock runs. */
interface PreparedOrder {
  readonly book: OrderBook;
  readonly kind: number;
  readonly options: {
    readonly id: string;
    readonly side: Side;
    readonly size: number;
    readonly price: number;
  };
}

class NodejsOrderBookSession implements Session {
  readonly #workload: Workload;
  readonly #books: readonly OrderBook[];
  #prepared: PreparedOrder[] = [];
  #preparedFrom = 0;
  #fills = 0;
  #quantity = 0;
  #notional = 0;
  #errors = 0;

  constructor(workload: Workload) {
    this.#workload = workload;
    this.#books = Array.from({ length: workload.symbols }, () => new OrderBook());
  }

  prepare(from: number, to: number): void {
    const { commands } = this.#workload;
    this.#prepared = [];
    this.#preparedFrom = from;
    for (let index = from; index < to; index += 1) {
      const at = index * STRIDE;
      this.#prepared.push({
        book: this.#books[commands[at + 1]!]!,
        kind: commands[at]!,
        options: {
          id: String(commands[at + 2]),
          side: commands[at + 3] === BUY ? Side.BUY : Side.SELL,
          size: commands[at + 5]!,
          price: commands[at + 4]!,
        },
      });
    }
  }

  run(from: number, to: number): void {
    const prepared = this.#prepared;
    const offset = this.#preparedFrom;
    for (let index = from; index < to; index += 1) {
      const { book, kind, options } = prepared[index - offset]!;
      if (kind === CANCEL) {
        if (book.cancel(options.id) === undefined) this.#errors += 1;
      } else if (kind === LIMIT) {
        this.#count(book.limit(options), options.id);
      } else {
        this.#count(book.market(options), options.id);
      }
    }
  }

  finish(): SessionResult {
    let open = 0;
    for (const book of this.#books) {
      const { bids, asks } = book.snapshot();
      for (const level of bids) open += level.orders.length;
      for (const level of asks) open += level.orders.length;
    }
    return {
      tally: { fills: this.#fills, quantity: this.#quantity, notional: this.#notional, open },
      complaints: this.#errors === 0 ? [] : [`${this.#errors} commands were refused`],
    };
  }

  /** Its answer lists the resting orders used up, then one used in part, but also the incoming order itself. */
  #count(answer: IProcessOrder, takerId: string): void {
    if (answer.err !== null) this.#errors += 1;
    const { done, partial, partialQuantityProcessed } = answer;
    for (let index = 0; index < done.length; index += 1) {
      const maker = done[index]!;
      if (maker.id === takerId || !('price' in maker)) continue;
      this.#fills += 1;
      this.#quantity += maker.size;
      this.#notional += maker.size * maker.price;
    }
    if (partial !== null && partial.id !== takerId && partialQuantityProcessed > 0) {
      this.#fills += 1;
      this.#quantity += partialQuantityProcessed;
      this.#notional += partialQuantityProcessed * partial.price;
    }
  }
}
