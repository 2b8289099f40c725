// The public ladder of an outcome: resting orders of both faces and the pool's lots, merged by tick (OB7).
import { complement, type Lots, PIPS_ONE, type Pips } from '@sibyl/money';
import { marginalMicro } from '../amm/price.ts';
import { lotsToPrice } from '../amm/quote.ts';
import type { PoolView } from '../amm/view.ts';
import type { Side } from '../kit/identity.ts';
import { isMirrored, oppositeSide } from '../state/book.ts';
import type { Level } from '../state/level.ts';
import type { Market } from '../state/market.ts';

export interface DepthLevel {
  readonly price: Pips;
  readonly lots: number;
}

export interface Depth {
  /** Best first. */
  readonly bids: readonly DepthLevel[];
  readonly asks: readonly DepthLevel[];
}

/** At most so many levels on each side, in the outcome's own coordinate. Reads only. */
export function depthOf(market: Market, outcome: number, levelsMax: number): Depth {
  return {
    bids: ladder(market, outcome, 'sell', levelsMax),
    asks: ladder(market, outcome, 'buy', levelsMax),
  };
}

/** What a taker of this side would meet, best first. */
function ladder(market: Market, outcome: number, side: Side, levelsMax: number): DepthLevel[] {
  const levels: DepthLevel[] = [];
  const tick = market.tickPips;
  const mirrored = isMirrored(market, outcome);
  const opposite = oppositeSide(market, outcome, side);
  let level = opposite.best;
  const pool = market.pool === null ? null : new PoolLadder(market.pool.view, outcome, side, tick);
  while (levels.length < levelsMax) {
    const resting = level === null ? null : priceOf(level, mirrored);
    const price = nearer(resting, pool === null ? null : pool.price, side);
    if (price === null) break;
    let lots = 0;
    if (pool !== null && pool.price === price) lots += pool.take();
    if (level !== null && resting === price) {
      lots += level.lots;
      level = opposite.after(level);
    }
    if (lots > 0) levels.push({ price, lots });
  }
  return levels;
}

/** The pool's lots tick by tick: those whose ending price lies beyond the last tick and within this one. */
class PoolLadder {
  readonly #view: PoolView;
  readonly #outcome: number;
  readonly #side: Side;
  readonly #tick: number;
  #price: number;
  #before: Lots = 0 as Lots;

  constructor(view: PoolView, outcome: number, side: Side, tick: number) {
    this.#view = view;
    this.#outcome = outcome;
    this.#side = side;
    this.#tick = tick;
    const pips = Number(marginalMicro(view, outcome) / 100n); // exact: below 10⁴, rounded down to a pip
    const below = pips - (pips % tick);
    this.#price = side === 'buy' ? below + tick : below;
    if (this.#price < tick && side === 'buy') this.#price = tick;
  }

  /** The tick whose lots come next, or null past the last. */
  get price(): Pips | null {
    const isOver = this.#price < this.#tick || this.#price > PIPS_ONE - this.#tick;
    return isOver ? null : (this.#price as Pips);
  }

  take(): number {
    const price = this.#price as Pips;
    const within = lotsToPrice(this.#view, this.#outcome, price, this.#side);
    const lots = within - this.#before;
    this.#before = within;
    this.#price += this.#side === 'buy' ? this.#tick : -this.#tick;
    return lots;
  }
}

function priceOf(level: Level, mirrored: boolean): Pips {
  return mirrored ? complement(level.price) : level.price;
}

/** The price that a taker of this side meets first. */
function nearer(a: Pips | null, b: Pips | null, side: Side): Pips | null {
  if (a === null) return b;
  if (b === null) return a;
  return (side === 'buy') === a < b ? a : b;
}
