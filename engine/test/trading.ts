// Random trading in one market, for properties of routing and books: generators and the steps that run them.

import { type Lots, type Pips, usdt } from '@sibyl/money';
import fc from 'fast-check';
import type { OrderId } from '../src/kit/identity.ts';
import type { PlaceOrder, StpMode, TimeInForce } from '../src/state/command.ts';
import type { Market } from '../src/state/market.ts';
import { accountName, makeWorld, orderOf, PLAIN_PARAMETERS, Placed, type World } from './world.ts';

/** `sub_a` is of the same family as `a`. */
export const TRADERS = ['a', 'b', 'c', 'sub_a'] as const;

export interface Action {
  readonly kind: 'place' | 'cancel' | 'amend';
  readonly who: (typeof TRADERS)[number];
  readonly outcome: number;
  readonly side: 'buy' | 'sell';
  readonly isMarket: boolean;
  readonly price: number;
  /** Replaces the price by one so many ticks from even odds, where orders meet. */
  readonly offset: number | null;
  readonly lots: number;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  readonly stpMode: StpMode;
  readonly budget: number | null;
  /** Which open order of the trader a cancel or an amendment takes. */
  readonly pick: number;
}

export const action: fc.Arbitrary<Action> = fc.record({
  kind: fc.constantFrom('place', 'place', 'place', 'place', 'cancel', 'amend'),
  who: fc.constantFrom(...TRADERS),
  outcome: fc.nat(15),
  side: fc.constantFrom('buy', 'sell'),
  isMarket: fc.nat(3).map((one) => one === 0),
  price: fc
    .oneof(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 10, max: 60 }))
    .map((t) => t * 10),
  offset: fc.option(fc.integer({ min: -15, max: 15 }), { freq: 3, nil: null }),
  lots: fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 20_000 })),
  timeInForce: fc.constantFrom('gtc', 'gtc', 'gtc', 'ioc', 'fok'),
  postOnly: fc.nat(5).map((one) => one === 0),
  stpMode: fc.constantFrom('cancel_resting', 'cancel_incoming'),
  budget: fc.option(fc.integer({ min: 1, max: 200_000_000 }), { freq: 3, nil: null }),
  pick: fc.nat(50),
});

export interface Setting {
  readonly outcomes: number;
  readonly deposit: number;
}

/** Markets of two outcomes with and without a pool, and of more with pools from tiny to deep. */
export const setting: fc.Arbitrary<Setting> = fc.constantFrom(
  { outcomes: 2, deposit: 0 },
  { outcomes: 2, deposit: 1000 },
  { outcomes: 2, deposit: 20 },
  { outcomes: 3, deposit: 500 },
  { outcomes: 3, deposit: 20 },
  { outcomes: 4, deposit: 100 },
  { outcomes: 6, deposit: 50 },
);

export function open({ outcomes, deposit }: Setting): { world: World; market: Market } {
  const risk = { ...PLAIN_PARAMETERS.risk, openOrdersPerMarket: 10_000 };
  const world = makeWorld({ parameters: { ...PLAIN_PARAMETERS, risk } });
  world.open('a b c');
  world.open('sub_a', 1_000_000, 'a');
  const market = world.market({ outcomes, deposit });
  for (const name of TRADERS) world.mint(name, market, 2000);
  return { world, market };
}

/** The command that an action stands for, or null when its trader has no order to cancel or amend. */
export function perform(world: World, market: Market, action: Action): Placed | null {
  const { who, pick } = action;
  if (action.kind === 'place') return new Placed(world.run(commandOf(market, action)));
  const open = world.state.orderLists.of(world.account(who));
  const order = open[pick % (open.length || 1)];
  if (order === undefined) return null;
  const accountId = accountName(who);
  if (action.kind === 'cancel') {
    return new Placed(world.run({ type: 'cancel_order', accountId, orderId: order.id }));
  }
  return new Placed(
    world.run({
      type: 'amend_order',
      accountId,
      orderId: order.id as OrderId,
      price: pick % 3 === 0 ? null : priceOf(market, action),
      lots: pick % 3 === 1 ? null : (action.lots as Lots),
      caps: null,
      grant: null,
    }),
  );
}

export function commandOf(market: Market, action: Action): PlaceOrder {
  const outcome = market.outcomes[action.outcome % market.outcomes.length]!;
  const { side, isMarket, postOnly, stpMode } = action;
  const isIoc = isMarket && action.timeInForce === 'gtc';
  const timeInForce = isIoc ? 'ioc' : action.timeInForce;
  const rests = timeInForce === 'gtc';
  const text = `${side} 1 ${outcome.id}`;
  return {
    ...orderOf(action.who, market, text),
    orderType: isMarket ? 'market' : 'limit',
    price: isMarket ? null : priceOf(market, action),
    lots: action.lots as Lots,
    timeInForce,
    postOnly: postOnly && rests,
    stpMode,
    maxCost:
      rests || side === 'sell' || action.budget === null ? null : usdt(BigInt(action.budget)),
  };
}

function priceOf(market: Market, { price, offset }: Action): Pips {
  if (offset === null) return price as Pips;
  const even = Math.floor(1000 / market.outcomes.length);
  const ticks = Math.min(999, Math.max(1, even + offset));
  return (ticks * 10) as Pips;
}
