// What caps count of a sell besides its proceeds, and orders far from the price in markets without a pool.
import { type Usdt, usdt } from '@sibyl/money';
import { describe, expect, test } from 'vitest';
import {
  inLots,
  inPips,
  makeWorld,
  type OrderOptions,
  PLAIN_PARAMETERS,
  Placed,
  type World,
} from '../../test/world.ts';
import { capUseOf } from '../state/cap-use.ts';
import type { GrantTerms, TierCaps } from '../state/command.ts';
import type { Market } from '../state/market.ts';
import { DEFAULT_PARAMETERS } from '../state/parameters.ts';

const USDT = 1_000_000n;
const MINUTE = 60_000;
const REFUSED = 'TIER_LIMIT_EXCEEDED';

function caps(order: bigint | null, day: bigint | null): TierCaps {
  const amount = (value: bigint | null): Usdt | null =>
    value === null ? null : usdt(value * USDT);
  return { tier: 'self_serve', keyId: 'k1', orderMax: amount(order), dayMax: amount(day) };
}

function grant(day: bigint): GrantTerms {
  return { grantId: 'grt_1', dayMax: usdt(day * USDT), expiresAtMs: 100 * 86_400_000 };
}

/** Without a pool, two quotes of a hundred shares about one half, and `b` with a bid for all below. */
function book(bid = 0.4, parameters = PLAIN_PARAMETERS): { world: World; market: Market } {
  const world = makeWorld({ parameters });
  world.open('a b m');
  const market = world.market();
  for (const name of ['a', 'm']) world.mint(name, market, 10_000);
  world.place('m', market, 'buy 100 yes @ 0.49');
  world.place('m', market, 'sell 100 yes @ 0.51');
  world.pass(2 * MINUTE);
  for (const { id } of world.state.orderLists.of(world.account('m'))) world.cancel('m', id);
  world.place('b', market, `buy 10000 yes @ ${bid}`);
  return { world, market };
}

const sell = (world: World, market: Market, text: string, options: OrderOptions) =>
  world.place('a', market, `sell ${text}`, options);

const details = ({ outcome }: Placed) =>
  outcome.answer.ok ? {} : outcome.answer.rejection.details;

describe('[RK6] what a sell gives away', () => {
  test('counts for the order cap with what it brings', () => {
    const { world, market } = book();
    // Nine tenths of one half are 0.45: each share brings 0.4 and gives 0.05.
    const limits = { caps: caps(9n, null) };
    const refused = sell(world, market, '20.01 yes @ 0.4', limits);
    expect(refused.refusal).toBe(REFUSED);
    expect(details(refused)).toMatchObject({ cap: 9n * USDT, given: 1_000_500n });
    expect(sell(world, market, '20 yes @ 0.4', limits).refusal).toBeNull();
    expect(capUseOf(world.state, world.account('a'), caps(9n, null))).toBe(9n * USDT);
  });

  test('is of the opening price at least where one share between accomplices set the last price', () => {
    const world = makeWorld({ parameters: PLAIN_PARAMETERS });
    world.open('a b c');
    const market = world.market();
    for (const name of ['a', 'c']) world.mint(name, market, 1_000);
    const accept = { acceptPrice: true } as const;
    world.place('b', market, 'buy 1000 yes @ 0.15', accept);
    world.place('c', market, 'sell 1 yes @ 0.15', accept);
    const refused = sell(world, market, '20 yes @ 0.15', { caps: caps(3n, null) });
    expect(refused.refusal).toBe(REFUSED);
    // Nine tenths of one half are 0.45: each share gives 0.3 away.
    expect(details(refused)).toMatchObject({ given: 6n * USDT });
  });

  test('alone refuses a sell by the cap of the day', () => {
    const { world, market } = book();
    const limits = { caps: caps(null, 10n) };
    expect(sell(world, market, '20 yes @ 0.4', limits).refusal).toBeNull();
    const refused = sell(world, market, '20.01 yes @ 0.4', limits);
    expect(refused.refusal).toBe(REFUSED);
    expect(details(refused)).toMatchObject({ used: 9n * USDT, given: 1_000_500n });
    world.place('b', market, 'buy 10000 yes @ 0.45');
    expect(sell(world, market, '1000 yes @ 0.45', limits).refusal).toBeNull();
    expect(sell(world, market, '0.01 yes @ 0.4', limits).order.filledCost).toBe(4_500n);
  });

  test('counts for a grant with all that it brings', () => {
    const { world, market } = book();
    const options = { grant: grant(9n) };
    const refused = sell(world, market, '20.01 yes @ 0.4', options);
    expect(refused.refusal).toBe('DELEGATION_DAILY_CAP_EXCEEDED');
    expect(details(refused)).toMatchObject({ given: 1_000_500n });
    expect(sell(world, market, '20 yes @ 0.4', options).refusal).toBeNull();
    expect(sell(world, market, '0.01 yes @ 0.4', options).refusal).not.toBeNull();
  });

  test('is nothing of a session, of a rest near the price, and of what an ioc leaves', () => {
    const { world, market } = book();
    expect(sell(world, market, '5000 yes @ 0.4', {}).refusal).toBeNull();
    const limits = { caps: caps(10n, 10n) };
    expect(sell(world, market, '20 yes @ 0.5', limits).order.status).toBe('pending');
    expect(sell(world, market, '2000 yes @ 0.41 ioc', limits).order.status).toBe('cancelled');
    expect(capUseOf(world.state, world.account('a'), caps(10n, 10n))).toBe(10n * USDT);
  });

  test('counts of an amended sell what it has not filled', () => {
    const { world, market } = book();
    const limits = caps(10n, 10n);
    const { id } = sell(world, market, '20 yes @ 0.5', { caps: limits });
    const amend = (shares: number) =>
      new Placed(
        world.run({
          type: 'amend_order',
          accountId: world.account('a').id,
          orderId: id,
          price: inPips(0.4),
          lots: inLots(shares),
          caps: limits,
          grant: null,
        }),
      );
    expect(amend(22.23).refusal).toBe(REFUSED);
    expect(amend(22.22).refusal).toBeNull();
  });

  test('is measured by the hour, whatever the price was a moment before', () => {
    const world = makeWorld();
    world.open('a b');
    const market = world.market({ deposit: 1000, creator: 'c' });
    world.mint('a', market, 1000);
    world.mint('b', market, 10_000);
    world.pass(90 * MINUTE);
    world.place('b', market, 'sell 10000 yes @ 0.1 ioc');
    const limits = { caps: caps(10n, null) };
    expect(sell(world, market, '30 yes', limits).refusal).toBe(REFUSED);
    world.pass(61 * MINUTE);
    expect(sell(world, market, '30 yes', limits).refusal).toBeNull();
  });

  test('is measured by the price now where that is the higher one', () => {
    const world = makeWorld();
    world.open('a b');
    const market = world.market({ deposit: 1000, creator: 'c' });
    world.mint('a', market, 10_000);
    world.place('b', market, 'buy 10000 yes @ 0.9 ioc');
    const refused = sell(world, market, '10000 yes', { caps: caps(1n, null) });
    const given = details(refused).given;
    expect(given).toBeGreaterThan(0n);
  });
});

describe('[RK7] an order far from the price, without a pool', () => {
  test('needs consent that no capped key and no grant can give', () => {
    const { world, market } = book(0.2, DEFAULT_PARAMETERS);
    const far = sell(world, market, '1 yes @ 0.2', {});
    expect(far.refusal).toBe('RISK_LIMIT_BREACH');
    expect(details(far)).toEqual({ limit: 'far_from_price', reference: 500_000n });
    const consent = { acceptPrice: true };
    expect(sell(world, market, '1 yes @ 0.2', { ...consent, caps: caps(null, 9n) }).refusal).toBe(
      'RISK_LIMIT_BREACH',
    );
    expect(sell(world, market, '1 yes @ 0.2', { ...consent, grant: grant(9n) }).refusal).toBe(
      'RISK_LIMIT_BREACH',
    );
    expect(sell(world, market, '1 yes @ 0.2', consent).refusal).toBeNull();
  });

  test('is a buy above or a rest beyond, and not a bid far below', () => {
    const { world, market } = book(0.2, DEFAULT_PARAMETERS);
    expect(world.place('m', market, 'buy 1 yes @ 0.701').refusal).toBe('RISK_LIMIT_BREACH');
    expect(world.place('m', market, 'buy 1 yes @ 0.7').refusal).toBeNull();
    expect(world.place('m', market, 'buy 1 no @ 0.701').refusal).toBe('RISK_LIMIT_BREACH');
    expect(world.place('m', market, 'buy 1 yes @ 0.001').refusal).toBeNull();
    expect(world.place('m', market, 'sell 1 yes @ 0.999').refusal).toBeNull();
  });

  test('is none where it trades near, nor before the market has shown a price', () => {
    const { world, market } = book(0.4, DEFAULT_PARAMETERS);
    expect(sell(world, market, '1 yes', {}).refusal).toBeNull();
    expect(sell(world, market, '1 yes @ 0.001', {}).refusal).toBeNull();
    const fresh = world.market();
    world.mint('a', fresh, 10);
    expect(sell(world, fresh, '1 yes @ 0.01', {}).refusal).toBeNull();
  });

  test('[OR12] is refused of an amendment too', () => {
    const { world, market } = book(0.2, DEFAULT_PARAMETERS);
    const { id } = sell(world, market, '1 yes @ 0.5', {});
    expect(world.amend('a', id, 0.25, null).refusal).toBe('RISK_LIMIT_BREACH');
    expect(world.amend('a', id, 0.3, null).refusal).toBeNull();
  });
});

describe('[RK8] a simulated fill', () => {
  /** A pool whose first outcome stands at a tenth, seen by the last minute too. */
  function pool(): { world: World; market: Market } {
    const world = makeWorld();
    world.open('a b');
    const market = world.market({ deposit: 10_000, creator: 'c' });
    world.mint('a', market, 1000);
    world.mint('b', market, 100_000);
    world.place('b', market, 'sell 100000 yes @ 0.1 ioc');
    world.pass(120 * MINUTE);
    return { world, market };
  }
  const mid = (limits: TierCaps): OrderOptions => ({ execution: 'mid', caps: limits });

  test('counts what it may bring where that is more than it costs', () => {
    const { world, market } = pool();
    const buy = (text: string) => world.place('a', market, `buy ${text}`, mid(caps(9n, 10n)));
    expect(buy('10.1 yes').refusal).toBe(REFUSED);
    expect(buy('10 yes').refusal).toBeNull();
    const used = capUseOf(world.state, world.account('a'), caps(9n, 10n));
    expect(used).toBeGreaterThan(8_900_000n);
    expect(used).toBeLessThanOrEqual(9_000_000n);
    // A limit buy asks for less than the fill may bring.
    expect(buy('2 yes @ 0.2 ioc').refusal).toBe(REFUSED);
    expect(buy('1 yes @ 0.2 ioc').refusal).toBeNull();
  });

  test('of a sell is refused by the cap of the day, and a session sells on', () => {
    const { world, market } = pool();
    const sell = (text: string) => world.place('a', market, `sell ${text}`, mid(caps(null, 18n)));
    expect(sell('19 yes').refusal).toBeNull();
    expect(sell('2 yes').refusal).toBe(REFUSED);
    expect(world.place('a', market, 'sell 2 yes', { execution: 'mid' }).refusal).toBeNull();
  });
});
