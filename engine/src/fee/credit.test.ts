// Vested fees paid out: each unit once, to whom it belongs, and never twice.
import { type Usdt, usdt } from '@sibyl/money';
import { describe, expect, test } from 'vitest';
import { accountName, makeWorld, OPERATOR, posted, type World } from '../../test/world.ts';
import { stateHash } from '../hash.ts';
import { checkAll } from '../invariants.ts';
import { decodeSnapshot } from '../snapshot/decode.ts';
import { encodeSnapshot } from '../snapshot/encode.ts';
import type { Actor, FeeCredit, PayPlatformFees } from '../state/command.ts';
import { CREDITS_MAX, vestedFees } from './credit.ts';

const SYSTEM: Actor = { kind: 'system' };
const ALL: readonly FeeCredit[] = [credit('creator', 'acc_maker'), credit('referrer', 'acc_r')];

function credit(actor: FeeCredit['actor'], id: string, to = id): FeeCredit {
  return { actor, id, accountId: accountName(to) };
}

/** 100 shares at one half with all actors, resolved: vector 20, and a builder fee of 10 bps. */
function resolved(): World {
  const world = makeWorld();
  world.open('b r dev');
  const accountId = accountName('a');
  const mode = 'sandbox';
  const referrerId = accountName('r');
  world.do({ type: 'open_account', accountId, mode, parentId: null, referrerId });
  world.deposit('a', 1000);
  const market = world.market();
  world.mint('b', market, 100);
  world.place('b', market, 'sell 100 yes @ 0.5');
  const builder = { appId: 'app_1', feeBps: 10, capBps: 100 };
  world.place('a', market, 'buy 100 yes @ 0.5', { builder });
  const winner = { marketId: market.id, winningOutcomeId: 'yes' };
  world.do({ type: 'mock_oracle', accountId, ...winner });
  return world;
}

function pay(world: World, changes: Partial<PayPlatformFees> = {}, actor: Actor = OPERATOR) {
  const accountId = accountName('dev');
  const payment = { fund: 'treasury', accountId, amount: usdt(25_500n), reference: 'p1' } as const;
  const { answer } = world.run({ type: 'pay_platform_fees', ...payment, ...changes }, actor);
  return answer.ok ? null : answer.rejection.code;
}

test('[FE5][FE6] apps that trade in turn in one market each earn by their own orders', () => {
  const world = makeWorld();
  world.open('a b');
  const market = world.market();
  const other = world.market();
  world.mint('b', market, 100);
  world.mint('b', other, 100);
  const apps = ['app_1', 'app_2', 'app_1', 'app_1', 'app_2', 'app_3'];
  for (const appId of apps) {
    for (const where of [market, other]) {
      world.place('b', where, 'sell 10 yes @ 0.5');
      const builder = { appId, feeBps: 10, capBps: 100 };
      world.place('a', where, 'buy 10 yes @ 0.5', { builder });
    }
  }
  const earned = [...market.unvested.values()]
    .filter(({ actor }) => actor === 'builder')
    .map(({ id, account }) => [id, world.state.ledger.balance(account)]);
  // A fee of 5,000 and a share of 1,700 for each order of ten shares at one half.
  expect(earned).toEqual([
    ['app_1', 20_100n],
    ['app_2', 13_400n],
    ['app_3', 6_700n],
  ]);
});

describe('[FE10] a credit of fees', () => {
  test('pays all that is vested, each by an event and an entry, and leaves nothing', () => {
    const world = resolved();
    expect(vestedFees(world.state)).toEqual([
      { actor: 'builder', id: 'app_1', amount: 67_000n },
      { actor: 'creator', id: 'acc_maker', amount: 21_250n },
      { actor: 'referrer', id: 'acc_r', amount: 4_250n },
    ]);
    const before = ['maker', 'r', 'dev'].map((name) => world.free(name));
    const credits = [...ALL, credit('builder', 'app_1', 'dev')];
    const { events, result } = world.do({ type: 'credit_fees', credits }, SYSTEM);
    expect(result).toEqual({ kind: 'done' });
    const paid = ['maker', 'r', 'dev'].map((name, index) => world.free(name) - before[index]!);
    expect(paid).toEqual([21_250n, 4_250n, 67_000n]);
    expect(events).toHaveLength(6);
    const [said, entry] = events;
    const first = { accountId: 'acc_maker', actor: 'creator', id: 'acc_maker', amount: 21_250n };
    expect(said).toEqual({ type: 'fees_credited', ...first });
    expect(entry).toMatchObject({
      reason: 'revenue',
      reference: 'creator:acc_maker',
      ...posted([
        { account: 'fees:creator:acc_maker', amount: -21_250n },
        { account: 'user:acc_maker:free', amount: 21_250n },
      ]),
    });
    expect(vestedFees(world.state)).toEqual([]);
    checkAll(world.state);
    const restored = decodeSnapshot(encodeSnapshot(world.state));
    expect(stateHash(restored)).toBe(stateHash(world.state));
  });

  test('once more, or twice in one command, pays nothing', () => {
    const world = resolved();
    const twice = [...ALL, ...ALL];
    expect(world.do({ type: 'credit_fees', credits: twice }).events).toHaveLength(4);
    expect(world.do({ type: 'credit_fees', credits: twice }).events).toEqual([]);
    expect(world.free('r')).toBe(1_000_000_004_250n);
  });

  test('[PO3][OL2] counts as come from outside, and not as won', () => {
    const world = resolved();
    const { realized, netDeposits } = world.account('r');
    world.do({ type: 'credit_fees', credits: ALL });
    expect(world.account('r').realized).toBe(realized);
    expect(world.account('r').netDeposits).toBe(netDeposits + 4_250n);
  });

  test('leaves waiting what nobody can take now, or another would take', () => {
    const world = resolved();
    const waits = (wanted: FeeCredit): void => {
      expect(world.do({ type: 'credit_fees', credits: [wanted] }).events).toEqual([]);
    };
    waits(credit('creator', 'acc_maker', 'b'));
    waits(credit('creator', 'acc_nobody', 'b'));
    waits(credit('builder', 'app_1', 'nobody'));
    waits(credit('builder', 'app_2', 'dev'));
    const accountId = accountName('maker');
    world.do({ type: 'freeze_account', accountId, frozen: true });
    waits(credit('creator', 'acc_maker'));
    world.do({ type: 'freeze_account', accountId, frozen: false });
    const { events } = world.do({ type: 'credit_fees', credits: ALL });
    expect(events).toHaveLength(4);
  });

  test('of a closed subaccount goes to its owner', () => {
    const world = makeWorld();
    world.open('b');
    world.open('sub_b', 0, 'b');
    const accountId = accountName('a');
    const referrerId = accountName('sub_b');
    const open = { type: 'open_account', mode: 'sandbox', parentId: null } as const;
    world.do({ ...open, accountId, referrerId });
    world.deposit('a', 1000);
    const market = world.market({ deposit: 1000 });
    world.place('a', market, 'buy 100 yes');
    world.do({ type: 'mock_oracle', accountId, marketId: market.id, winningOutcomeId: 'no' });
    const status = { label: null, status: 'closed' } as const;
    world.do({ type: 'change_subaccount', accountId: referrerId, ...status });
    const [vested] = vestedFees(world.state).filter(({ actor }) => actor === 'referrer');
    const own = world.do({ type: 'credit_fees', credits: [credit('referrer', 'sub_b')] });
    expect(own.events).toEqual([]);
    const before = world.free('b');
    world.do({ type: 'credit_fees', credits: [credit('referrer', 'sub_b', 'b')] });
    expect(world.free('b') - before).toBe(vested!.amount);
    expect(vested!.amount).toBeGreaterThan(0n);
    checkAll(world.state);
  });

  test('is refused to accounts, and for nonsense', () => {
    const world = resolved();
    const owner: Actor = { kind: 'account', accountId: accountName('maker'), keyId: null };
    const code = (credits: unknown, actor = OPERATOR) => {
      const { answer } = world.run({ type: 'credit_fees', credits: credits as never }, actor);
      return answer.ok ? null : answer.rejection.code;
    };
    expect(code(ALL, owner)).toBe('NOT_FOUND');
    const many = Array.from({ length: CREDITS_MAX + 1 }, () => ALL[0]);
    const wrong = [
      [],
      null,
      many,
      [null],
      [{ ...ALL[0], actor: 'oracle' }],
      [{ ...ALL[0], id: '' }],
    ];
    for (const credits of wrong) expect(code(credits)).toBe('VALIDATION_FAILED');
    expect(code(many.slice(1))).toBeNull();
  });
});

describe('[FE11] a payment of the platform’s fees', () => {
  test('takes from treasury or insurance as far as they go', () => {
    const world = resolved();
    const before = world.free('dev');
    expect(pay(world, { amount: usdt(25_501n) })).toBe('BALANCE_INSUFFICIENT');
    expect(pay(world)).toBeNull();
    expect(pay(world, { amount: usdt(1n) })).toBe('BALANCE_INSUFFICIENT');
    expect(pay(world, { fund: 'insurance', amount: usdt(8_500n) })).toBeNull();
    expect(world.free('dev') - before).toBe(34_000n);
    checkAll(world.state);
  });

  test('is an operator’s by name alone, to an account that is not frozen', () => {
    const world = resolved();
    const accountId = accountName('dev');
    const owner: Actor = { kind: 'account', accountId, keyId: null };
    expect(pay(world, {}, owner)).toBe('NOT_FOUND');
    expect(pay(world, {}, SYSTEM)).toBe('NOT_FOUND');
    expect(pay(world, { accountId: accountName('nobody') })).toBe('NOT_FOUND');
    world.do({ type: 'freeze_account', accountId, frozen: true });
    expect(pay(world)).toBe('SUBACCOUNT_FROZEN');
    const wrong: Partial<PayPlatformFees>[] = [
      { fund: 'oracle' as never },
      { amount: 0n as Usdt },
      { reference: '' },
    ];
    for (const change of wrong) expect(pay(world, change)).toBe('VALIDATION_FAILED');
  });
});
