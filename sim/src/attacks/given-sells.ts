// RK6, RK7: a stolen key or token sells shares to an accomplice for next to nothing, which caps on proceeds hardly count.
import type { GrantTerms, MarketId, TierCaps } from '@sibyl/engine';
import { usdt } from '@sibyl/money';
import { Arena, DAY, MINUTE } from './arena.ts';
import { type Attack, attack, knob, type Report, type Values } from './attack.ts';
import { capsOf, DAY_MAX } from './caps.ts';
import { cancelAll, mint, onTick, place, push } from './trading.ts';

type Names = 'price' | 'lots' | 'orders' | 'depth' | 'minutes';

const WORTH = 5_000;

/** A market without a pool whose two quotes say that a share is worth one half. */
function scene({ lots, orders, depth, minutes }: Values<Names>): {
  readonly arena: Arena;
  readonly marketId: MarketId;
} {
  const arena = new Arena();
  const marketId = arena.market({});
  arena.open('maker', 1_000_000);
  arena.open('victim', 1_000_000);
  arena.open('accomplice', 1_000_000);
  mint(arena, 'maker', marketId, depth);
  mint(arena, 'victim', marketId, lots * orders);
  const wish = { marketId, outcome: 0, lots: depth } as const;
  place(arena, 'maker', { ...wish, side: 'sell', price: WORTH + 100 });
  place(arena, 'maker', { ...wish, side: 'buy', price: WORTH - 100 });
  arena.advance(minutes * MINUTE);
  // The quotes are taken away, so that the accomplice's bid is the best.
  cancelAll(arena, 'maker', marketId);
  return { arena, marketId };
}

interface Terms {
  readonly caps: TierCaps | null;
  readonly grant: GrantTerms | null;
}

/** Sells in pieces, and counts what the shares were worth less nine tenths; near the price this is zero. */
function giveAway(values: Values<Names>, terms: Terms, bound: bigint): Report {
  const { price, lots, orders } = values;
  const { arena, marketId } = scene(values);
  const bid = { marketId, outcome: 0, side: 'buy', lots: lots * orders } as const;
  place(arena, 'accomplice', { ...bid, price: onTick(price), acceptPrice: true });
  let lost = 0n;
  let received = 0n;
  for (let order = 0; order < orders; order += 1) {
    const wish = { marketId, outcome: 0, side: 'sell', lots, price: onTick(price) } as const;
    const sold = place(arena, 'victim', { ...wish, timeInForce: 'ioc', ...terms });
    if (sold === null) continue;
    const least = (BigInt(sold.filledLots) * BigInt(WORTH) * 9n) / 10n;
    received += sold.filledCost;
    if (least > sold.filledCost) lost += least - sold.filledCost;
  }
  const measure = { lost, received };
  return arena.report({
    putIn: received,
    tookOut: received + lost,
    measure,
    unit: 'usdt',
    value: lost,
    bound,
  });
}

const knobs = {
  price: knob(10, 10, 4_400),
  lots: knob(100_000, 100, 1_000_000),
  orders: knob(40, 1, 60),
  depth: knob(100_000, 10_000, 1_000_000),
  minutes: knob(30, 2, 55),
};

export const givenByKey: Attack = attack<Names>({
  rule: 'RK6',
  name: 'a capped key sells to an accomplice',
  knobs,
  run: (values) => giveAway(values, { caps: capsOf('key_1'), grant: null }, DAY_MAX),
});

const GRANT_MAX = 10_000_000n;

export const givenByGrant: Attack = attack<Names>({
  rule: 'RK6',
  name: 'a grant of ten a day sells to an accomplice',
  knobs,
  run: (values) => {
    const grant = { grantId: 'grt_1', dayMax: usdt(GRANT_MAX), expiresAtMs: 30_000 * DAY };
    return giveAway(values, { caps: null, grant }, GRANT_MAX);
  },
});

/** An accomplice first pushes the pool's price down; the key sells there, and the accomplice buys it all back. */
export const pushedPrice: Attack = attack({
  rule: 'RK6',
  name: 'a capped key sells in a pool that was pushed down',
  knobs: {
    deposit: knob(10_000, 1_000, 100_000),
    to: knob(500, 100, 4_000),
    lots: knob(20_000, 100, 100_000),
    orders: knob(40, 1, 60),
    minutes: knob(90, 61, 300),
  },
  run: ({ deposit, to, lots, orders, minutes }) => {
    const arena = new Arena();
    const marketId = arena.market({ deposit });
    arena.open('victim', 1_000_000);
    arena.open('accomplice', 10_000_000);
    mint(arena, 'victim', marketId, lots * orders);
    mint(arena, 'accomplice', marketId, deposit * 1_000);
    arena.advance(minutes * MINUTE);
    push(arena, 'accomplice', marketId, 0, to);
    let lost = 0n;
    for (let order = 0; order < orders; order += 1) {
      const wish = { marketId, outcome: 0, side: 'sell', lots, timeInForce: 'ioc' } as const;
      const sold = place(arena, 'victim', { ...wish, price: 10, caps: capsOf('key_1') });
      if (sold === null) continue;
      const least = (BigInt(sold.filledLots) * BigInt(WORTH) * 9n) / 10n;
      if (least > sold.filledCost) lost += least - sold.filledCost;
    }
    const [putIn, tookOut, value] = [0n, lost, lost];
    return arena.report({ putIn, tookOut, measure: { lost }, unit: 'usdt', value, bound: DAY_MAX });
  },
});
