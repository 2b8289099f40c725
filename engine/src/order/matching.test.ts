// Matching as a trader reads it: orders go in, trades and what is left of the book come out.
import { describe, expect, test } from 'vitest';
import { makeWorld, type World } from '../../test/world.ts';
import type { Market } from '../state/market.ts';
import type { Order } from '../state/order.ts';

/**
 * Each line is an order (`a: buy 10 yes @ 0.60`) or an expectation: `> a 10 @ 0.60 transfer` a trade of the last order
 * with a maker, `bid`/`ask` the book from its best price on, who and what is left.
 */
function table(text: string, deposit = 0): World {
  const world = makeWorld();
  world.open('a b c d');
  const market = world.market({ deposit });
  for (const name of ['a', 'b', 'c', 'd']) world.mint(name, market, 1000);
  let trades: string[] = [];
  for (const raw of text.trim().split('\n')) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    if (line.startsWith('>')) {
      expect(trades.shift() ?? 'no more trades', line).toBe(line.slice(1).trim());
    } else if (line.startsWith('bid') || line.startsWith('ask')) {
      expect(book(market, line.slice(0, 3)), line).toBe(line.slice(3).trim());
    } else {
      expect(trades, `before ${line}`).toEqual([]);
      const [who, order] = line.split(': ');
      trades = tradesOf(world, market, who!, order!);
    }
  }
  expect(trades).toEqual([]);
  return world;
}

function tradesOf(world: World, market: Market, who: string, text: string): string[] {
  const amend = /^amend (\d+) to ([\d.]+)(?: @ ([\d.]+))?$/.exec(text);
  const cancel = /^cancel (\d+)$/.exec(text);
  if (cancel !== null) {
    expect(world.cancel(who, Number(cancel[1])).answer.ok).toBe(true);
    return [];
  }
  const price = amend?.[3] === undefined ? null : Number(amend[3]);
  const placed =
    amend === null
      ? world.place(who, market, text)
      : world.amend(who, Number(amend[1]), price, Number(amend[2]));
  expect(placed.refusal, text).toBeNull();
  return placed.trades.map((trade) => {
    const maker = trade.makers[0]!;
    const size = maker.lots / 100;
    return `${maker.accountId.slice(4)} ${size} @ ${(maker.price / 10_000).toFixed(2)} ${trade.matching}`;
  });
}

/** FE1 written out once more. */
function feeOf(cost: bigint, shares: bigint): bigint {
  const rate = 80_000n + (480_000n * cost * (shares - cost)) / (shares * shares);
  return (cost * rate + 99_999_999n) / 100_000_000n;
}

function book(market: Market, side: string): string {
  const lines: string[] = [];
  const levels = side === 'bid' ? market.books[0]!.bids : market.books[0]!.asks;
  for (let level = levels.best; level !== null; level = levels.after(level)) {
    for (let order: Order | null = level.first; order !== null; order = order.next) {
      const left = (order.lots - order.filledLots) / 100;
      lines.push(
        `${(level.price / 10_000).toFixed(2)} ${order.holding.account.id.slice(4)} ${left}`,
      );
    }
  }
  return lines.join(', ');
}

describe('price and time', () => {
  test('[OB2] the better price first, at one price the earlier', () => {
    table(`
      a: sell 10 yes @ 0.62
      b: sell 10 yes @ 0.60
      c: sell 10 yes @ 0.60
      ask 0.60 b 10, 0.60 c 10, 0.62 a 10
      d: buy 15 yes @ 0.61
      > b 10 @ 0.60 transfer
      > c 5 @ 0.60 transfer
      ask 0.60 c 5, 0.62 a 10
      d: buy 20 yes @ 0.65
      > c 5 @ 0.60 transfer
      > a 10 @ 0.62 transfer
      bid 0.65 d 5
      ask
    `);
  });

  test('[OB2] asks of YES and bids of NO stand in one queue', () => {
    table(`
      a: sell 10 yes @ 0.60
      b: buy 10 no @ 0.40
      c: sell 10 yes @ 0.60
      ask 0.60 a 10, 0.60 b 10, 0.60 c 10
      d: buy 25 yes @ 0.60
      > a 10 @ 0.60 transfer
      > b 10 @ 0.40 mint
      > c 5 @ 0.60 transfer
    `);
  });

  test('[OB3] the four matches of bid and ask', () => {
    table(`
      # buy YES with sell YES, and with buy NO
      a: buy 10 yes @ 0.55
      b: sell 10 yes @ 0.55
      > a 10 @ 0.55 transfer
      a: buy 10 yes @ 0.55
      b: buy 10 no @ 0.45
      > a 10 @ 0.55 mint
      # sell NO with sell YES, and with buy NO
      a: sell 10 no @ 0.45
      b: sell 10 yes @ 0.55
      > a 10 @ 0.45 merge
      a: sell 10 no @ 0.45
      b: buy 10 no @ 0.45
      > a 10 @ 0.45 transfer
    `);
  });

  test('[OB4] makers fill at their own price, the improvement is the taker’s', () => {
    const world = table(`
      a: buy 10 no @ 0.30
      b: buy 10 yes @ 0.90
      > a 10 @ 0.30 mint
    `);
    const paid = 1_000_000_000_000n - 1_000_000_000n - world.free('b');
    expect(paid).toBe(7_000_000n + feeOf(7_000_000n, 10_000_000n));
  });

  test('[OB4] a smaller size keeps the place, a larger size or another price loses it', () => {
    table(`
      a: sell 10 yes @ 0.60
      b: sell 10 yes @ 0.60
      c: sell 10 yes @ 0.60
      a: amend 1 to 4
      ask 0.60 a 4, 0.60 b 10, 0.60 c 10
      b: amend 2 to 12
      ask 0.60 a 4, 0.60 c 10, 0.60 b 12
      a: amend 1 to 4 @ 0.61
      ask 0.60 c 10, 0.60 b 12, 0.61 a 4
      a: amend 1 to 4 @ 0.60
      ask 0.60 c 10, 0.60 b 12, 0.60 a 4
    `);
  });

  test('[OB2] an order in the middle of a queue leaves it whole', () => {
    table(`
      a: buy 1 yes @ 0.50
      b: buy 2 yes @ 0.50
      c: buy 3 yes @ 0.50
      b: cancel 2
      bid 0.50 a 1, 0.50 c 3
      d: sell 2 yes @ 0.50
      > a 1 @ 0.50 transfer
      > c 1 @ 0.50 transfer
      bid 0.50 c 2
    `);
  });

  test('[RT6] own orders are withdrawn and met by nobody', () => {
    table(`
      a: sell 10 yes @ 0.60
      b: sell 10 yes @ 0.60
      a: buy 15 yes @ 0.60
      > b 10 @ 0.60 transfer
      bid 0.60 a 5
      ask
    `);
  });
});
