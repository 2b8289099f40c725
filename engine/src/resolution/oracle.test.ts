// Results that come from automatic sources and from the sandbox's mock oracle.
import { describe, expect, test } from 'vitest';
import { active, codeOf, locked, oracle, propose, type Scene } from '../../test/resolution.ts';
import { accountName, makeWorld, ofType, type World } from '../../test/world.ts';
import { checkAll } from '../invariants.ts';
import { PLATFORM_ACCOUNT } from '../state/account.ts';
import type { Actor, CommandBody } from '../state/command.ts';
import type { Market } from '../state/market.ts';

const asAccount = (name: string): Actor => ({
  kind: 'account',
  accountId: accountName(name),
  keyId: null,
});

const mock = (market: Market, name = 't', winningOutcomeId = 'yes'): CommandBody => ({
  type: 'mock_oracle',
  accountId: accountName(name),
  marketId: market.id,
  winningOutcomeId,
});

describe('[RS5] the mock oracle', () => {
  test('resolves in one turn, from active or locked', () => {
    const { world, market } = active();
    const free = world.free('t');
    world.do(mock(market));
    expect(market.status).toBe('resolved');
    expect(world.free('t') - free).toBe(10_000_000n);
    expect(codeOf(world, mock(market))).toBe('STATE_CONFLICT');
    const late = locked();
    expect(late.market.status).toBe('locked');
    late.world.do(mock(late.market));
    expect(late.market.status).toBe('resolved');
  });

  test('refuses unknown outcomes, other sources and other lanes', () => {
    const { world, market } = locked();
    expect(codeOf(world, mock(market, 't', 'maybe'))).toBe('VALIDATION_FAILED');
    const manual = active(oracle({}));
    expect(codeOf(manual.world, mock(manual.market))).toBe('MARKET_NOT_FOUND');
    world.do(propose(market));
    expect(codeOf(world, mock(market))).toBe('STATE_CONFLICT');
    const live = makeWorld({ lane: 'live' });
    live.open('t');
    const there = live.market(oracle({}));
    expect(codeOf(live, mock(there))).toBe('SANDBOX_ONLY');
  });
});

describe('[RS5] whom the mock oracle obeys', () => {
  function scene(): { readonly world: World } {
    const world = makeWorld();
    world.open('t stranger');
    world.open('sub_t', 1000, 't');
    world.deposit(PLATFORM_ACCOUNT, 10_000);
    const accountId = accountName('robot');
    const robot = { accountId, mode: 'bot', parentId: null, referrerId: null } as const;
    world.do({ type: 'open_account', ...robot });
    world.deposit('robot', 1000);
    return { world };
  }

  const ask = ({ world, market }: Scene, name = 't') =>
    codeOf(world, mock(market, name), asAccount(name));

  test('the family that created the market, also while others hold shares in it', () => {
    const { world } = scene();
    const market = world.market({ deposit: 100, creator: 't' });
    world.place('stranger', market, 'buy 10 yes');
    expect(ask({ world, market }, 'stranger')).toBe('MARKET_NOT_FOUND');
    expect(ask({ world, market }, 'sub_t')).toBe('ok');
    expect(market.status).toBe('resolved');
  });

  test.each([PLATFORM_ACCOUNT, 'robot', 'stranger'])(
    'no account in a market of %s, even the only one that trades there',
    (creator) => {
      const { world } = scene();
      for (const deposit of [0, 100]) {
        const market = world.market({ deposit, creator });
        world.mint('t', market, 5);
        expect(ask({ world, market })).toBe('MARKET_NOT_FOUND');
        expect(market.status).toBe('active');
      }
    },
  );

  test('operators everywhere', () => {
    const { world } = scene();
    const market = world.market({ deposit: 100, creator: 'stranger' });
    world.place('stranger', market, 'buy 10 yes');
    expect(codeOf(world, mock(market))).toBe('ok');
  });
});

describe('[RS6] readings', () => {
  const strike = { paramsSchema: { properties: { strike: { type: 'string', maxLength: 40 } } } };
  const fast = {
    marketType: 'fast',
    roundConfig: { durationSec: 60, lockOffsetMs: 5000 },
    ...oracle({ source: 'price_feed' }).template,
    ...strike,
  } as const;

  function report(market: Market, ...values: readonly string[]): CommandBody {
    const readings = values.map((value, index) => ({ source: `s${index}`, value }));
    return { type: 'report_readings', marketId: market.id, readings };
  }

  test.each([
    ['64000.50', [10_000, 0]],
    ['64000.5', [10_000, 0]],
    ['64000.499999999999999999', [0, 10_000]],
  ])('a fast round at %s against a strike of 64000.5', (value, payout) => {
    const { world, market } = active({ template: fast, params: { strike: '64000.5' } });
    expect(codeOf(world, report(market, value))).toBe('STATE_CONFLICT');
    world.pass(55_000);
    expect(market.status).toBe('locked');
    const { events } = world.do(report(market, value, `${value}`));
    expect(market).toMatchObject({ status: 'resolved', payout });
    expect(ofType(events, 'market_status_changed').map(({ to }) => to)).toEqual([
      'settling',
      'resolved',
    ]);
    expect(ofType(events, 'resolution_proposed')[0]?.evidence).toEqual([
      `s0=${value}`,
      `s1=${value}`,
    ]);
    checkAll(world.state);
  });

  test('that disagree change nothing; equal numbers written differently agree', () => {
    const { world, market } = active({ template: fast, params: { strike: '1' } });
    world.pass(55_000);
    const { answer, events } = world.run(report(market, '1', '1.000000000000000001'));
    expect(answer).toMatchObject({ rejection: { code: 'ORACLE_DISAGREEMENT' } });
    expect(events).toEqual([]);
    expect(market.status).toBe('locked');
    world.do(report(market, '2', '2.0'));
    expect(market.status).toBe('resolved');
  });

  test('are well formed, of distinct sources, and not an account’s', () => {
    const { world, market } = active({ template: fast, params: { strike: '1' } });
    world.pass(55_000);
    for (const values of [[], ['one'], ['1e3']]) {
      expect(codeOf(world, report(market, ...values))).toBe('VALIDATION_FAILED');
    }
    const readings = ['1', '1'].map((value) => ({ source: 's', value }));
    const same: CommandBody = { type: 'report_readings', marketId: market.id, readings };
    expect(codeOf(world, same)).toBe('VALIDATION_FAILED');
    const account = { kind: 'account', accountId: accountName('p'), keyId: null } as const;
    expect(codeOf(world, report(market, '1'), account)).toBe('NOT_FOUND');
  });

  test('without a strike name the winning outcome; manual sources have none', () => {
    const named = active({ template: { ...fast, paramsSchema: { properties: {} } } });
    named.world.pass(55_000);
    named.world.do(report(named.market, 'no'));
    expect(named.market.payout).toEqual([0, 10_000]);
    const manual = active({ template: { ...oracle({}).template, durationSec: 60 } });
    manual.world.pass(60_000);
    expect(codeOf(manual.world, report(manual.market, 'yes'))).toBe('STATE_CONFLICT');
  });

  test('wait for the challenge window their template asks for', () => {
    const template = { ...fast, ...oracle({ source: 'price_feed', challengeSec: 60 }).template };
    const { world, market } = active({ template, params: { strike: '1' } });
    world.pass(55_000);
    world.do(report(market, '1'));
    expect(market.status).toBe('settling');
    world.pass(60_000);
    expect(market.status).toBe('resolved');
  });
});
