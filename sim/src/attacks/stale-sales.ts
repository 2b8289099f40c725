// VD7, VD8: colluders sell at a new price before a market is cancelled, which by default pays for the time before too.
import type { MarketId } from '@sibyl/engine';
import { Arena, DAY, HOUR, MINUTE, USDT } from './arena.ts';
import { type Attack, attack, knob } from './attack.ts';
import {
  cancelMarket,
  halt,
  lastDay,
  valueAt,
  type Window,
  windowNamed,
  worth,
} from './cancelling.ts';
import { mint, onTick, place, push, send } from './trading.ts';

/** What came of a market with one honest buyer, in µUSDT. */
export interface Sale {
  readonly arena: Arena;
  /** What the buyer paid, fees included. */
  readonly paid: bigint;
  /** What the buyer lost, at the named window and by default. */
  readonly lost: bigint;
  readonly lostByDefault: bigint;
  /** What the colluders gained, the rebates that they were paid included. */
  readonly gained: bigint;
  readonly toInsurance: bigint;
}

interface Scene {
  readonly arena: Arena;
  readonly marketId: MarketId;
  readonly gang: readonly string[];
}

/** From the last trade on: the operators stop the market, name a window and cancel it. */
function cancelled(
  { arena, marketId, gang }: Scene,
  before: { readonly gang: bigint; readonly honest: bigint },
  named: (scene: Scene) => Window,
  cause: 'event' | 'question',
): Sale {
  const paid = before.honest - arena.money('honest');
  halt(arena, marketId);
  const { payout: usual } = valueAt(arena, marketId, null);
  const window = named({ arena, marketId, gang });
  const { payout } = valueAt(arena, marketId, window);
  const more = worth(arena, marketId, 'honest', payout) - worth(arena, marketId, 'honest', usual);
  const insured = arena.state.ledger.balance(arena.state.insurance);
  cancelMarket(arena, marketId, { window, cause });
  const lost = before.honest - arena.money('honest');
  return {
    arena,
    paid,
    lost,
    lostByDefault: lost + more,
    gained: arena.money(...gang) - before.gang,
    toInsurance: arena.state.ledger.balance(arena.state.insurance) - insured,
  };
}

export interface FriendSells {
  readonly deposit: number;
  readonly to: number;
  /** Between the sale and the stop. */
  readonly hours: number;
  readonly cause: 'event' | 'question';
  readonly named: (scene: Scene) => Window;
}

/** G1: the creator's friend drives the creator's pool up and sells one tick above it, to a buyer who takes all. */
export function friendSells({ deposit, to, hours, cause, named }: FriendSells): Sale {
  const arena = new Arena({ lane: 'live' });
  arena.open('friend', 1_000_000);
  arena.open('honest', 1_000_000);
  const atStart = arena.money('friend') + BigInt(deposit) * USDT;
  const marketId = arena.market({ deposit });
  const creator = arena.get(marketId).creator.id;
  const scene = { arena, marketId, gang: ['friend', creator] };
  arena.advance(30 * DAY);
  push(arena, 'friend', marketId, 0, to);
  const lots = arena.lots('friend', marketId, 0);
  place(arena, 'friend', { marketId, outcome: 0, side: 'sell', lots, price: to + 10 });
  // The band follows the price.
  arena.advance(MINUTE);
  const before = { gang: atStart, honest: arena.money('honest') };
  send(arena, 'honest', { marketId, outcome: 0, side: 'buy', lots });
  arena.advance(hours * HOUR);
  return cancelled(scene, before, named, cause);
}

export interface BookSale {
  readonly lots: number;
  readonly price: number;
  readonly days: number;
  /** Pairs of orders that the colluders cross at once, one at a low price and one at a high price. */
  readonly washes: number;
  readonly named: (scene: Scene) => Window;
}

/** G2: in a market without a pool two strangers sell to a buyer at an ask that has rested, and leave the book empty. */
export function bookSale({ lots, price, days, washes, named }: BookSale): Sale {
  const arena = new Arena({ lane: 'live' });
  for (const name of ['seller', 'mate', 'honest']) arena.open(name, 1_000_000);
  const marketId = arena.market({});
  const scene = { arena, marketId, gang: ['seller', 'mate'] };
  const before = { gang: arena.money(...scene.gang), honest: arena.money('honest') };
  mint(arena, 'seller', marketId, lots);
  place(arena, 'seller', { marketId, outcome: 0, side: 'sell', lots, price });
  arena.advance(2 * MINUTE);
  place(arena, 'honest', { marketId, outcome: 0, side: 'buy', lots, price, timeInForce: 'ioc' });
  for (let wash = 0; wash < washes; wash += 1) cross(scene, 1_000);
  // The book is looked at once a minute.
  for (let minute = 0; minute < 2; minute += 1) arena.advance(MINUTE);
  arena.advance(days * DAY);
  return cancelled(scene, before, named, 'event');
}

/** Both outcomes cost one together: it takes no capital but for the moment. */
function cross({ arena, marketId }: Scene, lots: number): void {
  const low = { marketId, lots, outcome: 0, side: 'buy', price: 10 } as const;
  place(arena, 'mate', low);
  place(arena, 'seller', { ...low, outcome: 1, price: 9_990 });
}

/** What attentive operators name where only the buyer and the colluders traded, at a price that the news supports. */
export const asFlagged =
  (fairPips: number) =>
  ({ arena, marketId }: Scene): Window =>
    windowNamed(arena, marketId, { families: 2, fairPips });

export const asLastDay = ({ arena }: Scene): Window => lastDay(arena);

export const creatorsFriend: Attack = attack({
  rule: 'VD8',
  name: 'a creator’s friend sells before the cancellation',
  knobs: {
    deposit: knob(500, 100, 10_000),
    to: knob(9_000, 5_500, 9_800),
    hours: knob(24, 19, 200),
  },
  run: ({ deposit, to, hours }) => {
    const price = onTick(to);
    const sale = friendSells({
      deposit,
      to: price,
      hours,
      cause: 'event',
      named: asFlagged(price),
    });
    return saleReport(sale, (BigInt(deposit) * USDT) / 50n);
  },
});

export const bookStrangers: Attack = attack({
  rule: 'VD3',
  name: 'two strangers sell from an empty book',
  knobs: {
    lots: knob(100_000, 10_000, 1_000_000),
    price: knob(9_000, 5_500, 9_800),
    days: knob(4, 2, 20),
    washes: knob(0, 0, 5),
  },
  run: ({ lots, price, days, washes }) => {
    const ask = onTick(price);
    const sale = bookSale({ lots, price: ask, days, washes, named: asFlagged(ask) });
    // A tenth of the price’s distance from one half: X is at most a tenth of what was sold.
    const shares = BigInt(lots) * 10_000n;
    const least = shares / 20n > 100n * USDT ? shares / 20n : 100n * USDT;
    const drift = (least * BigInt(price - 5_000) * shares) / (10_000n * (least + shares));
    return saleReport(sale, drift + sale.paid / 1_000n);
  },
});

function saleReport(sale: Sale, bound: bigint) {
  const { arena, paid, lost, lostByDefault, gained } = sale;
  const measure = { paid, lost, lostByDefault };
  return arena.report({ putIn: 0n, tookOut: gained, measure, unit: 'usdt', value: gained, bound });
}
