// Sweeps of books of two outcomes: many levels, many orders to a level, orders of the taker's own family, a pool between.
import type { AccountId, Market } from '@sibyl/engine';
import { lots, pips } from '@sibyl/money';
import { mulberry32 } from '../workload/mulberry32.ts';
import { type Scenario, scaled } from './scenario.ts';
import { orderIdOf, orderOf, Stage } from './stage.ts';
import type { Watch } from './watch.ts';

interface Shape {
  readonly levels: number;
  readonly orders: number;
  /** In whole USDT; zero for a book alone. */
  readonly deposit: number;
  /** Of ten orders, so many are of the taker's own family. */
  readonly ownTenths: number;
}

const ORDERS_MAX = 60_000;
const LEVELS_MAX = 4_990;
const DRAWN = 3;
const SEED = 11;
const BATCH = 20;
const MAKERS = 10;
const WHOLE = 10_000_000;
/** Asks begin above the price of a pool that has not moved. */
const PRICE_FIRST = 5_001;

const EXTREMES: readonly Shape[] = [
  { levels: 1, orders: ORDERS_MAX, deposit: 0, ownTenths: 0 },
  { levels: LEVELS_MAX, orders: ORDERS_MAX, deposit: 0, ownTenths: 0 },
  { levels: LEVELS_MAX, orders: LEVELS_MAX * 2, deposit: 1_000, ownTenths: 0 },
  { levels: 300, orders: ORDERS_MAX, deposit: 0, ownTenths: 10 },
];

export const books: Scenario = {
  name: 'books of two outcomes',
  expectedSeconds: 15,
  run(watch, scale) {
    const next = mulberry32(SEED);
    const drawn = Array.from({ length: DRAWN }, () => draw(next));
    for (const shape of [...EXTREMES, ...drawn]) {
      new Sweeps(watch, {
        ...shape,
        levels: scaled(shape.levels, scale, 1),
        orders: scaled(shape.orders, scale, BATCH),
      }).run();
    }
  },
};

function draw(next: () => number): Shape {
  const deposit = [0, 20, 100_000][next() % 3]!;
  return {
    levels: 1 + (next() % LEVELS_MAX),
    orders: deposit === 0 ? ORDERS_MAX / 2 + (next() % (ORDERS_MAX / 2)) : LEVELS_MAX * 2,
    deposit,
    ownTenths: next() % 6,
  };
}

/** One state with a market for each way to sweep it. */
class Sweeps {
  readonly #stage: Stage;
  readonly #shape: Shape;
  readonly #taker: AccountId;
  readonly #makers: readonly AccountId[];

  constructor(watch: Watch, shape: Shape) {
    const { levels, orders, deposit, ownTenths } = shape;
    const pool = deposit === 0 ? 'no pool' : `a pool of ${deposit}`;
    const scene = `${orders} orders at ${levels} prices, ${pool}, ${ownTenths * 10} % own`;
    this.#shape = shape;
    this.#stage = new Stage(watch, scene);
    [this.#taker] = this.#stage.openAccounts(1) as [AccountId];
    this.#makers = this.#stage.openAccounts(MAKERS, (index) => ({
      parentId: index < ownTenths ? this.#taker : null,
    }));
  }

  run(): void {
    const stage = this.#stage;
    const first = this.#build();
    stage.timePreview('dry run of a market buy', this.#sweep(first));
    stage.timeOrder('market buy', this.#sweep(first));
    stage.timeOrder('limit buy', { ...this.#sweep(this.#build()), price: 9_999 });
    this.#amend(this.#build());
    const batched = this.#build();
    const items = Array.from({ length: BATCH }, () => orderOf(this.#sweep(batched, BATCH)));
    const accountId = this.#taker;
    stage.time('batch of 20', { type: 'batch', accountId, items, allOrNone: false });
  }

  #amend(market: Market): void {
    const low = { ...this.#sweep(market), price: 1 };
    const orderId = orderIdOf(this.#stage.place(low));
    const [accountId, price] = [this.#taker, pips(9_999)];
    const command = {
      type: 'amend_order',
      accountId,
      orderId,
      price,
      lots: null,
      caps: null,
      grant: null,
    } as const;
    this.#stage.time('amend to the other end', command);
  }

  #build(): Market {
    const stage = this.#stage;
    const { levels, orders, deposit } = this.#shape;
    const market = stage.makeMarket({ deposit });
    for (const accountId of this.#makers) stage.mint(accountId, market, orders);
    for (let index = 0; index < orders; index += 1) {
      const accountId = this.#makers[index % MAKERS]!;
      const price = PRICE_FIRST + (index % levels);
      stage.place({ accountId, market, outcome: 0, side: 'sell', price, lots: 1 });
    }
    return market;
  }

  /** More than there is in the book, or the given part of what there is. */
  #sweep(market: Market, parts?: number) {
    const { orders } = this.#shape;
    const size = parts === undefined ? WHOLE : Math.ceil(orders / parts);
    return { accountId: this.#taker, market, outcome: 0, side: 'buy', lots: lots(size) } as const;
  }
}
