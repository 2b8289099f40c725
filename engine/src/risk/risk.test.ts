// Ceilings of credentials and of the operator.
import { usdt } from '@sibyl/money';
import { describe, expect, test } from 'vitest';
import { makeWorld, type World } from '../../test/world.ts';
import type { TierCaps } from '../command.ts';
import type { Market } from '../market/market.ts';
import { DEFAULT_PARAMETERS } from '../parameters.ts';
import { dayOf } from './day.ts';

const USDT = 1_000_000n;

function caps(orderMax: bigint | null, dayMax: bigint | null, keyId = 'key_1'): TierCaps {
  return {
    tier: 'self_serve',
    keyId,
    orderMax: orderMax === null ? null : usdt(orderMax * USDT),
    dayMax: dayMax === null ? null : usdt(dayMax * USDT),
  };
}

function pooled(): { world: World; market: Market } {
  const world = makeWorld();
  world.open('a b');
  return { world, market: world.market({ deposit: 100_000 }) };
}

describe('tiers', () => {
  test('[RK1] the notional of an order is bounded, by its limit or by its plan', () => {
    const { world, market } = pooled();
    const limited = { caps: caps(10n, null) };
    const refused = world.place('a', market, 'buy 100 yes @ 0.101', limited).outcome.answer;
    expect(refused).toMatchObject({
      rejection: {
        code: 'TIER_LIMIT_EXCEEDED',
        details: { tier: 'self_serve', cap: 10n * USDT },
      },
    });
    expect(world.place('a', market, 'buy 100 yes @ 0.1', limited).refusal).toBeNull();
    expect(world.place('a', market, 'buy 20 yes', limited).refusal).toBe('TIER_LIMIT_EXCEEDED');
    expect(world.place('a', market, 'buy 19 yes', limited).refusal).toBeNull();
  });

  test('[RK1] a day’s taking counts by key and by account, until the UTC day ends', () => {
    const { world, market } = pooled();
    const buy = (name: string, keyId: string): string | null =>
      world.place(name, market, 'buy 80 yes @ 0.6 ioc', { caps: caps(null, 100n, keyId) }).refusal;
    expect(buy('a', 'k1')).toBeNull();
    expect(buy('a', 'k1')).toBeNull();
    // 80 USDT and more are used: the next 48 go beyond 100, by the key and by the account alike.
    expect(buy('a', 'k1')).toBe('TIER_LIMIT_EXCEEDED');
    expect(buy('a', 'k2')).toBe('TIER_LIMIT_EXCEEDED');
    expect(buy('b', 'k1')).toBe('TIER_LIMIT_EXCEEDED');
    expect(buy('b', 'k2')).toBeNull();
    world.pass(86_400_000 - 60_000 - 1);
    expect(buy('a', 'k1')).toBe('TIER_LIMIT_EXCEEDED');
    world.pass(1);
    expect(buy('a', 'k1')).toBeNull();
  });

  test('[RK1] resting orders use nothing of the day until they take', () => {
    const { world, market } = pooled();
    for (let index = 0; index < 5; index += 1) {
      const placed = world.place('a', market, 'buy 100 yes @ 0.4', { caps: caps(null, 50n) });
      expect(placed.refusal).toBeNull();
    }
  });

  test('[RK1] days are UTC days', () => {
    expect(dayOf(86_399_999)).toBe(0);
    expect(dayOf(86_400_000)).toBe(1);
  });
});

describe('limits', () => {
  const bounded = (risk: Partial<typeof DEFAULT_PARAMETERS.risk>): World => {
    const world = makeWorld({
      parameters: { ...DEFAULT_PARAMETERS, risk: { ...DEFAULT_PARAMETERS.risk, ...risk } },
    });
    world.open('a b');
    return world;
  };
  const limit = (world: World, market: Market, text: string): unknown => {
    const { answer } = world.place('a', market, text).outcome;
    return answer.ok
      ? 'accepted'
      : [answer.rejection.code, answer.rejection.details.limit].join(' ');
  };

  test('[RK2] open orders per market and in all', () => {
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
  });

  test('[RK2] a position counts what is held, bought and about to rest', () => {
    const world = bounded({ positionLotsMax: 1000 });
    const market = world.market({ deposit: 100_000 });
    expect(limit(world, market, 'buy 6 yes')).toBe('accepted');
    expect(limit(world, market, 'buy 4.01 yes')).toBe('RISK_LIMIT_BREACH position');
    expect(limit(world, market, 'buy 4.01 yes @ 0.1')).toBe('RISK_LIMIT_BREACH position');
    expect(limit(world, market, 'buy 4 yes @ 0.1')).toBe('accepted');
    expect(limit(world, market, 'buy 10.01 no @ 0.1')).toBe('RISK_LIMIT_BREACH position');
    expect(limit(world, market, 'sell 6 yes @ 0.9')).toBe('accepted');
  });

  test('[RK2] reserved money is bounded, an amendment counts its own only once', () => {
    const world = bounded({ openNotionalMax: usdt(10n * USDT) });
    const market = world.market();
    expect(limit(world, market, 'buy 20 yes @ 0.4')).toBe('accepted');
    expect(limit(world, market, 'buy 6 yes @ 0.4')).toBe('RISK_LIMIT_BREACH open_notional');
    expect(world.amend('a', 1, 0.5, null).refusal).toBeNull();
    expect(world.amend('a', 1, 0.501, null).refusal).toBe('RISK_LIMIT_BREACH');
  });
});
