// Markets of many outcomes with orders on all of them: what a walk through the pool and its cross legs costs.
import { type AccountId, type Market, shownPrices } from '@sibyl/engine';
import { usdt } from '@sibyl/money';
import { mulberry32 } from '../workload/mulberry32.ts';
import { type Scenario, scaled } from './scenario.ts';
import { leastBid, type OrderChoice, orderOf, Stage } from './stage.ts';
import type { Watch } from './watch.ts';

interface Shape {
  readonly outcomes: number;
  readonly deposit: number;
  readonly side: 'buy' | 'sell';
  /** Prices with orders on every other outcome, from the pool's on. */
  readonly levels: number;
  readonly orderLots: number;
  /** Pips between two of them. */
  readonly step: number;
  /** The first so many others have no orders: the pool always has them to move. */
  readonly free: number;
  readonly isOwn: boolean;
  /** Prices with an order each in the taker's own book. */
  readonly ownLevels: number;
}

const PLAIN: Shape = {
  outcomes: 64,
  deposit: 1_000,
  side: 'buy',
  levels: 30,
  orderLots: 300,
  step: 1,
  free: 1,
  isOwn: false,
  ownLevels: 0,
};

const EXTREMES: readonly Shape[] = [
  PLAIN,
  { ...PLAIN, side: 'sell' },
  { ...PLAIN, free: 0 },
  { ...PLAIN, side: 'sell', free: 0 },
  { ...PLAIN, deposit: 100_000, levels: 8, step: 17, orderLots: 3_000 },
  { ...PLAIN, deposit: 100_000, side: 'sell', levels: 8, step: 17, orderLots: 3_000 },
  { ...PLAIN, levels: 80, isOwn: true },
  { ...PLAIN, levels: 80, side: 'sell', isOwn: true },
  { ...PLAIN, levels: 3, orderLots: 1_000_000, isOwn: true },
  { ...PLAIN, deposit: 5, levels: 1, ownLevels: 4_900 },
  { ...PLAIN, outcomes: 50, levels: 1, orderLots: 1_000, free: 0 },
];

const DRAWN = 6;
const SEED = 23;
const BATCH = 20;
const WHOLE = 100_000_000;
const BUDGET = usdt(20_000_000n);

export const cross: Scenario = {
  name: 'markets of many outcomes',
  expectedSeconds: 20,
  run(watch, scale) {
    const next = mulberry32(SEED);
    const drawn = Array.from({ length: DRAWN }, () => draw(next));
    for (const shape of [...EXTREMES, ...drawn]) {
      const levels = scaled(shape.levels, scale, 1);
      const ownLevels = shape.ownLevels === 0 ? 0 : scaled(shape.ownLevels, scale);
      new Walks(watch, { ...shape, levels, ownLevels }).run();
    }
    new Vanishing(watch, scale).run();
  },
};

function draw(next: () => number): Shape {
  const outcomes = 3 + (next() % 62);
  return {
    outcomes,
    deposit: [20, 1_000, 50_000][next() % 3]!,
    side: next() % 2 === 0 ? 'buy' : 'sell',
    levels: 1 + (next() % 20),
    orderLots: 1 + (next() % 2_000),
    step: 1 + (next() % 3),
    free: next() % Math.min(outcomes - 1, 4),
    isOwn: next() % 4 === 0,
    ownLevels: 0,
  };
}

/** Orders on all others, then the same walk as a dry run, an order with a budget, an order, and a batch. */
class Walks {
  readonly #stage: Stage;
  readonly #shape: Shape;
  readonly #taker: AccountId;
  readonly #maker: AccountId;
  readonly #market: Market;

  constructor(watch: Watch, shape: Shape) {
    const { outcomes, deposit, side, isOwn } = shape;
    this.#shape = shape;
    this.#stage = new Stage(watch, describe(shape));
    [this.#taker] = this.#stage.openAccounts(1) as [AccountId];
    const family = { parentId: isOwn ? this.#taker : null };
    [this.#maker] = this.#stage.openAccounts(1, () => family) as [AccountId];
    this.#market = this.#stage.makeMarket({ outcomes, deposit });
    for (const accountId of [this.#taker, this.#maker]) {
      this.#stage.mint(accountId, this.#market, 10_000_000);
    }
    // A seller needs prices that can fall.
    if (side === 'sell')
      this.#stage.place({ ...this.#order('buy', WHOLE), price: 6_000, more: IOC });
  }

  run(): void {
    const { side } = this.#shape;
    this.#rest();
    const whole = this.#order(side, WHOLE);
    this.#stage.timePreview('dry run', whole);
    if (side === 'buy') {
      this.#stage.timePreview('dry run with a budget', { ...whole, more: { maxCost: BUDGET } });
    }
    this.#stage.timeOrder(`market ${side}`, whole);
    const items = Array.from({ length: BATCH }, (_, index) =>
      orderOf({ ...this.#order(side, WHOLE), outcome: index % this.#shape.outcomes }),
    );
    const accountId = this.#taker;
    this.#stage.time('batch of 20', { type: 'batch', accountId, items, allOrNone: false });
  }

  #rest(): void {
    const { outcomes, levels, step, free, side, orderLots, ownLevels } = this.#shape;
    const accountId = this.#maker;
    const [market, first] = [this.#market, this.#firstPrice()];
    for (let level = 0; level < levels; level += 1) {
      const price = side === 'buy' ? first - level * step : first + level * step;
      if (price < 1 || price > 9_999) break;
      for (let outcome = 1 + free; outcome < outcomes; outcome += 1) {
        const drawn = 1 + ((outcome * 7_919 + level * 104_729) % orderLots);
        const size = side === 'buy' ? Math.max(drawn, leastBid(price)) : drawn;
        this.#stage.place({ accountId, market, outcome, side, price, lots: size });
      }
    }
    for (let price = 300; price < 300 + ownLevels; price += 1) {
      this.#stage.place({ accountId, market, outcome: 0, side: 'sell', price, lots: 1 });
    }
  }

  /** The pips next to the pool's price of another outcome. */
  #firstPrice(): number {
    const shown = Number(shownPrices(this.#market)[this.#shape.outcomes - 1]);
    return this.#shape.side === 'buy' ? Math.floor(shown / 100) : Math.ceil(shown / 100);
  }

  #order(side: 'buy' | 'sell', size: number): OrderChoice {
    const lots = side === 'sell' ? 10_000_000 : size;
    return { accountId: this.#taker, market: this.#market, outcome: 0, side, lots };
  }
}

const IOC = { timeInForce: 'ioc' } as const;

/** Two outcomes bought in turn until the others cost next to nothing, with asks on those. */
class Vanishing {
  readonly #stage: Stage;
  readonly #scale: number;

  constructor(watch: Watch, scale: number) {
    this.#stage = new Stage(watch, '64 outcomes, prices of 62 all but vanished');
    this.#scale = scale;
  }

  run(): void {
    const stage = this.#stage;
    const [taker, maker] = stage.openAccounts(2) as [AccountId, AccountId];
    const market = stage.makeMarket({ outcomes: 64, deposit: 100 });
    for (const accountId of [taker, maker]) stage.mint(accountId, market, 1_000_000);
    for (const outcome of [1, 0, 1, 0]) {
      stage.place({ accountId: maker, market, outcome, side: 'buy', lots: WHOLE });
    }
    for (let outcome = 2; outcome < 64; outcome += 1) {
      const price = 1 + (outcome % 30);
      stage.place({ accountId: maker, market, outcome, side: 'sell', price, lots: outcome * 10 });
    }
    const orders = scaled(300, this.#scale);
    for (let order = 1; order <= orders; order += 1) {
      const size = 1 + ((order * 7_919) % 300);
      stage.place({ accountId: maker, market, outcome: 1, side: 'sell', price: 5_000, lots: size });
    }
    const whole = { accountId: taker, market, outcome: 0, side: 'sell', lots: 1_000_000 } as const;
    stage.timePreview('dry run', whole);
    stage.timeOrder('market sell', whole);
  }
}

function describe(shape: Shape): string {
  const { outcomes, deposit, side, levels, orderLots, free, isOwn, ownLevels } = shape;
  const own = `${isOwn ? ', all own' : ''}, up to ${orderLots} lots`;
  const book = ownLevels === 0 ? '' : `, ${ownLevels} asks`;
  const resting = `${side === 'buy' ? 'bids' : 'asks'} at ${levels} prices of all others but ${free}`;
  return `${outcomes} outcomes, a pool of ${deposit}, ${resting}${own}${book}`;
}
