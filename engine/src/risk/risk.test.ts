// The operator's limits on open orders, positions and open notional.
import { type Usdt, usdt } from '@sibyl/money';
import { describe, expect, test } from 'vitest';
import { accountName, inLots, makeWorld, PLAIN_PARAMETERS, type World } from '../../test/world.ts';
import type { Market } from '../state/market.ts';
import type { Answer } from '../state/outcome.ts';

const USDT = 1_000_000n;

function bounded(risk: Partial<typeof PLAIN_PARAMETERS.risk>): World {
  const world = makeWorld({
    parameters: { ...PLAIN_PARAMETERS, risk: { ...PLAIN_PARAMETERS.risk, ...risk } },
  });
  world.open('a b');
  world.open('sub_a', 100_000, 'a');
  return world;
}

function said(answer: Answer): string {
  if (answer.ok) return 'accepted';
  return [answer.rejection.code, answer.rejection.details.limit].join(' ');
}

const limit = (world: World, market: Market, text: string, name = 'a', changes = {}): string =>
  said(world.place(name, market, text, changes).outcome.answer);

const mint = (world: World, market: Market, shares: number, name = 'a'): string => {
  const sets = { accountId: accountName(name), marketId: market.id, lots: inLots(shares) };
  return said(world.run({ type: 'mint_sets', ...sets, caps: null, grant: null }).answer);
};

const POSITION = 'RISK_LIMIT_BREACH position';
const NOTIONAL = 'RISK_LIMIT_BREACH open_notional';

describe('[RK2] open orders', () => {
  test('are bounded per family in a market and in all', () => {
    const world = bounded({ openOrdersPerMarket: 2, openOrdersPerAccount: 3 });
    const one = world.market();
    const two = world.market();
    expect(limit(world, one, 'buy 1 yes @ 0.4')).toBe('accepted');
    expect(limit(world, one, 'buy 1 yes @ 0.4')).toBe('accepted');
    expect(limit(world, one, 'buy 1 yes @ 0.4')).toBe('RISK_LIMIT_BREACH open_orders_market');
    expect(limit(world, one, 'buy 1 yes @ 0.4 ioc')).toBe('accepted');
    expect(limit(world, two, 'buy 1 yes @ 0.4')).toBe('accepted');
    expect(limit(world, two, 'buy 1 yes @ 0.4')).toBe('RISK_LIMIT_BREACH open_orders_account');
    expect(world.amend('a', 1, 0.3, null).refusal).toBeNull();
    // Another account of the family has no count of its own.
    expect(limit(world, one, 'buy 1 yes @ 0.4', 'sub_a')).toBe(
      'RISK_LIMIT_BREACH open_orders_market',
    );
  });

  test('are amended also when there are more than a lowered number', () => {
    const world = bounded({});
    const market = world.market();
    for (let order = 0; order < 3; order += 1) world.place('a', market, 'buy 1 yes @ 0.4');
    world.do({ type: 'set_parameters', part: 'risk', values: { openOrdersPerMarket: 1 } });
    expect(limit(world, market, 'buy 1 yes @ 0.4')).toBe('RISK_LIMIT_BREACH open_orders_market');
    expect(world.amend('a', 2, 0.3, null).refusal).toBeNull();
  });

  test('that will not rest are not counted: what a walk ends early leaves nothing', () => {
    const world = bounded({ openOrdersPerMarket: 1 });
    const market = world.market();
    world.place('a', market, 'buy 1 yes @ 0.4');
    world.mint('sub_a', market, 10);
    world.place('sub_a', market, 'sell 1 no @ 0.7');
    const own = { stpMode: 'cancel_incoming' };
    expect(limit(world, market, 'buy 1 no @ 0.8', 'a', own)).toBe('accepted');
  });
});

describe('[RK2] positions', () => {
  test('count what is held, bought and about to rest', () => {
    const world = bounded({ positionLotsMax: 1000 });
    const market = world.market({ deposit: 100_000 });
    expect(limit(world, market, 'buy 6 yes')).toBe('accepted');
    expect(limit(world, market, 'buy 4.01 yes')).toBe(POSITION);
    expect(limit(world, market, 'buy 4.01 yes @ 0.1')).toBe(POSITION);
    expect(limit(world, market, 'buy 4 yes @ 0.1')).toBe('accepted');
    expect(limit(world, market, 'buy 10.01 no @ 0.1')).toBe(POSITION);
    expect(limit(world, market, 'sell 6 yes @ 0.9')).toBe('accepted');
  });

  test('count all resting buys of the outcome, not those of others', () => {
    const world = bounded({ positionLotsMax: 1000 });
    const market = world.market({ deposit: 100_000 });
    expect(limit(world, market, 'buy 5 yes @ 0.1')).toBe('accepted');
    expect(limit(world, market, 'buy 4 yes @ 0.2')).toBe('accepted');
    expect(limit(world, market, 'buy 1.01 yes @ 0.3')).toBe(POSITION);
    expect(limit(world, market, 'buy 10 no @ 0.1')).toBe('accepted');
    expect(limit(world, market, 'buy 1 yes @ 0.3')).toBe('accepted');
  });

  test('count shares that a resting sell holds back', () => {
    const world = bounded({ positionLotsMax: 1000 });
    const market = world.market({ deposit: 100_000 });
    world.place('a', market, 'buy 10 yes');
    world.place('a', market, 'sell 10 yes @ 0.9');
    expect(limit(world, market, 'buy 0.01 yes')).toBe(POSITION);
  });

  test('are the family’s, held or resting', () => {
    const world = bounded({ positionLotsMax: 1000 });
    const market = world.market({ deposit: 100_000 });
    expect(limit(world, market, 'buy 4 yes', 'sub_a')).toBe('accepted');
    expect(limit(world, market, 'buy 3 yes @ 0.1', 'sub_a')).toBe('accepted');
    expect(limit(world, market, 'buy 3.01 yes')).toBe(POSITION);
    expect(limit(world, market, 'buy 3 yes')).toBe('accepted');
    expect(limit(world, market, 'buy 0.01 yes', 'sub_a')).toBe(POSITION);
    expect(limit(world, market, 'buy 10 yes', 'b')).toBe('accepted');
  });

  test('bound mints, of whichever outcome there is more', () => {
    const world = bounded({ positionLotsMax: 1000 });
    const market = world.market({ deposit: 100_000 });
    expect(mint(world, market, 10.01)).toBe(POSITION);
    expect(mint(world, market, 4)).toBe('accepted');
    world.place('a', market, 'buy 1 no @ 0.1');
    expect(mint(world, market, 5.01)).toBe(POSITION);
    expect(mint(world, market, 5)).toBe('accepted');
    expect(mint(world, market, 0.01, 'sub_a')).toBe(POSITION);
  });

  test('leave out the rest of an amended order and not that of one which the walk cancels', () => {
    const world = bounded({ positionLotsMax: 1000 });
    const market = world.market({ deposit: 100_000 });
    const { id } = world.place('a', market, 'buy 10 yes @ 0.1');
    expect(world.amend('a', id, 0.2, null).refusal).toBeNull();
    expect(world.amend('a', id, 0.2, 10.01).refusal).toBe('RISK_LIMIT_BREACH');
    const book = world.market();
    const own = world.place('a', book, 'buy 9 yes @ 0.5').id;
    world.mint('sub_a', book, 1);
    // Buying the other outcome at 0.5 meets the family's own buy, which is cancelled; here it counts for itself.
    expect(limit(world, book, 'buy 10 no @ 0.5', 'sub_a')).toBe(POSITION);
    expect(limit(world, book, 'buy 9 no @ 0.5', 'sub_a')).toBe('accepted');
    expect(world.state.orders.has(own)).toBe(false);
  });

  test('are not looked at for sells', () => {
    const world = bounded({ positionLotsMax: 1000 });
    const market = world.market({ deposit: 100_000 });
    world.mint('a', market, 10);
    expect(limit(world, market, 'sell 10 yes')).toBe('accepted');
    expect(limit(world, market, 'sell 10 no @ 0.99')).toBe('accepted');
  });
});

describe('[RK2] open notional', () => {
  test('is bounded, and an amendment counts its own only once', () => {
    const world = bounded({ openNotionalMax: usdt(10n * USDT) });
    const market = world.market();
    expect(limit(world, market, 'buy 20 yes @ 0.4')).toBe('accepted');
    expect(limit(world, market, 'buy 6 yes @ 0.4')).toBe(NOTIONAL);
    expect(world.amend('a', 1, 0.5, null).refusal).toBeNull();
    expect(world.amend('a', 1, 0.501, null).refusal).toBe('RISK_LIMIT_BREACH');
  });

  test('is the family’s, in all markets together, to the µ', () => {
    const max: Usdt = usdt(10n * USDT);
    const world = bounded({ openNotionalMax: max });
    const [one, two] = [world.market(), world.market()];
    expect(limit(world, one, 'buy 10 yes @ 0.4')).toBe('accepted');
    expect(limit(world, two, 'buy 10 yes @ 0.6', 'sub_a')).toBe('accepted');
    expect(limit(world, two, 'buy 0.01 no @ 0.001')).toBe(NOTIONAL);
    expect(limit(world, two, 'buy 0.01 no @ 0.001', 'sub_a')).toBe(NOTIONAL);
    expect(limit(world, two, 'buy 20 no @ 0.3', 'b')).toBe('accepted');
    // What does not rest is no open notional.
    expect(limit(world, two, 'buy 5 yes @ 0.7 ioc')).toBe('accepted');
  });
});
