// What users forbid themselves, and the rules that gateways go by.
import { usdt } from '@sibyl/money';
import { describe, expect, test } from 'vitest';
import { accountName, inLots, makeWorld, type World } from '../../test/world.ts';
import { stateHash } from '../hash.ts';
import { checkAll } from '../invariants.ts';
import { decodeSnapshot } from '../snapshot/decode.ts';
import { encodeSnapshot } from '../snapshot/encode.ts';
import type { Actor, OwnLimitValues, PeriodLimits } from '../state/command.ts';
import type { Market } from '../state/market.ts';
import type { Outcome } from '../state/outcome.ts';
import { lossesOf } from './own-limits.ts';
import { periodEndMs, periodsOf } from './windows.ts';

const USDT = 1_000_000n;
const DAY = 86_400_000;
const NONE: PeriodLimits = { day: null, week: null, month: null };
const HASH = 'a'.repeat(64);

const of = (amount: number | null) => (amount === null ? null : usdt(BigInt(amount) * USDT));
const limits = (deposit: Partial<PeriodLimits>, loss: Partial<PeriodLimits>): OwnLimitValues => ({
  deposit: { ...NONE, ...deposit },
  loss: { ...NONE, ...loss },
});
const actorOf = (name: string): Actor => ({
  kind: 'account',
  accountId: accountName(name),
  keyId: null,
});

function setLimits(world: World, name: string, values: OwnLimitValues, actor = actorOf(name)) {
  const accountId = accountName(name);
  return world.run({ type: 'set_own_limits', accountId, limits: values }, actor);
}

const lossOfDay = (world: World, name: string, amount: number | null) =>
  setLimits(world, name, limits({}, { day: of(amount) }));

function exclude(world: World, name: string, untilMs: number, actor = actorOf(name)): Outcome {
  return world.run({ type: 'exclude_self', accountId: accountName(name), untilMs }, actor);
}

function deposit(world: World, name: string, amount: number): Outcome {
  const accountId = accountName(name);
  const reference = `wire ${world.state.seq}`;
  return world.run({ type: 'deposit', accountId, amount: of(amount)!, reference });
}

function codeOf({ answer }: Outcome): string | null {
  return answer.ok ? null : answer.rejection.code;
}

function detailsOf({ answer }: Outcome): object | null {
  return answer.ok ? null : answer.rejection.details;
}

function mint(world: World, market: Market, name: string, shares: number): Outcome {
  const sets = { accountId: accountName(name), marketId: market.id, lots: inLots(shares) };
  return world.run({ type: 'mint_sets', ...sets, caps: null, grant: null }, actorOf(name));
}

function book(): { world: World; market: Market } {
  const world = makeWorld();
  world.open('a b');
  world.open('sub_a', 100_000, 'a');
  const market = world.market();
  world.mint('b', market, 10_000);
  return { world, market };
}

describe('[OL1] limits of one’s own', () => {
  test('hold at once when lowered, and a day later when raised or lifted', () => {
    const { world, market } = book();
    expect(codeOf(lossOfDay(world, 'a', 100))).toBeNull();
    expect(world.place('a', market, 'buy 100 yes @ 0.99').refusal).toBeNull();
    expect(world.place('a', market, 'buy 100 yes @ 0.02').refusal).toBe('RISK_LIMIT_BREACH');
    lossOfDay(world, 'a', 500);
    expect(world.place('a', market, 'buy 100 yes @ 0.02').refusal).toBe('RISK_LIMIT_BREACH');
    world.pass(DAY - 1);
    expect(world.place('a', market, 'buy 100 yes @ 0.02').refusal).toBe('RISK_LIMIT_BREACH');
    world.pass(1);
    expect(world.place('a', market, 'buy 100 yes @ 0.02').refusal).toBeNull();
    lossOfDay(world, 'a', null);
    expect(world.place('a', market, 'buy 900 yes @ 0.5').refusal).toBe('RISK_LIMIT_BREACH');
    lossOfDay(world, 'a', 1);
    world.pass(DAY + 1);
    expect(world.place('a', market, 'buy 10 yes @ 0.5').refusal).toBe('RISK_LIMIT_BREACH');
  });

  test('that were asked for before come no later when asked for again', () => {
    const { world, market } = book();
    lossOfDay(world, 'a', 1);
    lossOfDay(world, 'a', 1000);
    world.pass(DAY / 2);
    lossOfDay(world, 'a', 1000);
    world.pass(DAY / 2);
    expect(world.place('a', market, 'buy 100 yes @ 0.5').refusal).toBeNull();
  });

  test('are nobody else’s to set, are amounts, and can be set in read-only mode', () => {
    const { world } = book();
    expect(codeOf(setLimits(world, 'a', limits({}, {}), actorOf('b')))).toBe('NOT_FOUND');
    const negative = limits({}, { week: usdt(-1n) });
    expect(detailsOf(setLimits(world, 'a', negative))).toMatchObject({ field: 'loss_week' });
    world.do({ type: 'set_read_only', readOnly: true, reason: 'test' });
    expect(codeOf(lossOfDay(world, 'a', 5))).toBeNull();
    expect(codeOf(exclude(world, 'a', world.nowMs + DAY))).toBeNull();
  });
});

describe('[OL2] a loss', () => {
  test('is what left by trading and has not come back, of the whole family, to the µ', () => {
    const { world, market } = book();
    lossOfDay(world, 'a', 100);
    world.place('b', market, 'sell 1000 yes @ 0.5');
    expect(world.place('a', market, 'buy 100 yes @ 0.5').refusal).toBeNull();
    const fee = 1_000_000n * USDT - world.free('a') - 50n * USDT;
    const [used] = lossesOf(world.state, world.account('a').family);
    expect(used).toBe(50n * USDT + fee);
    const over = world.place('sub_a', market, 'buy 100 yes @ 0.5').outcome;
    expect(detailsOf(over)).toMatchObject({ limit: 'own_loss_day', used, max: 100n * USDT });
    // What is sold again is no longer lost.
    world.place('b', market, 'buy 100 yes @ 0.5');
    expect(world.place('a', market, 'sell 100 yes @ 0.5').refusal).toBeNull();
    expect(world.place('sub_a', market, 'buy 150 yes @ 0.5').refusal).toBeNull();
  });

  test('counts what rests, and what rested when the day began', () => {
    const { world, market } = book();
    lossOfDay(world, 'a', 100);
    const { id } = world.place('a', market, 'buy 100 yes @ 0.9');
    expect(world.place('a', market, 'buy 100 yes @ 0.2').refusal).toBe('RISK_LIMIT_BREACH');
    world.pass(DAY);
    expect(world.place('a', market, 'buy 100 yes @ 0.2').refusal).toBe('RISK_LIMIT_BREACH');
    // Filled on the second day, it is lost on the second day.
    world.place('b', market, 'sell 100 yes @ 0.9');
    expect(world.place('a', market, 'buy 100 yes @ 0.2').refusal).toBe('RISK_LIMIT_BREACH');
    expect(codeOf(world.cancel('a', id))).toBe('STATE_CONFLICT');
    world.pass(DAY);
    expect(world.place('a', market, 'buy 100 yes @ 0.2').refusal).toBeNull();
  });

  test('never stops a sell, a merge or a cancel, and stops a mint and a larger amendment', () => {
    const { world, market } = book();
    expect(codeOf(mint(world, market, 'a', 50))).toBeNull();
    const { id } = world.place('a', market, 'buy 10 no @ 0.1');
    lossOfDay(world, 'a', 0);
    expect(codeOf(mint(world, market, 'a', 1))).toBe('RISK_LIMIT_BREACH');
    expect(world.amend('a', id, 0.2, 10).refusal).toBe('RISK_LIMIT_BREACH');
    expect(world.amend('a', id, null, 5).refusal).toBeNull();
    expect(world.place('a', market, 'sell 10 yes @ 0.5').refusal).toBeNull();
    const sets = { accountId: accountName('a'), marketId: market.id, lots: inLots(10) };
    expect(codeOf(world.run({ type: 'merge_sets', ...sets }, actorOf('a')))).toBeNull();
    expect(codeOf(world.cancel('a', id))).toBeNull();
  });

  test('is not what is withdrawn, transferred or paid in', () => {
    const { world, market } = book();
    lossOfDay(world, 'a', 10);
    deposit(world, 'a', 500);
    const amount = of(300)!;
    const [fromId, toId] = [accountName('a'), accountName('sub_a')];
    world.do({ type: 'transfer', fromId, toId, amount });
    expect(lossesOf(world.state, world.account('a').family)).toEqual([0n, 0n, 0n]);
    expect(world.place('a', market, 'buy 20 yes @ 0.5').refusal).toBeNull();
    checkAll(world.state);
  });
});

describe('[OL3] deposits', () => {
  test('stop at the limit of the day, the week and the month', () => {
    const { world } = book();
    setLimits(world, 'a', limits({ day: of(100), week: of(150) }, {}));
    expect(codeOf(deposit(world, 'a', 100))).toBeNull();
    const over = deposit(world, 'sub_a', 1);
    expect(detailsOf(over)).toMatchObject({ limit: 'own_deposit_day', used: 100n * USDT });
    world.pass(DAY);
    expect(codeOf(deposit(world, 'a', 50))).toBeNull();
    expect(detailsOf(deposit(world, 'a', 1))).toMatchObject({ limit: 'own_deposit_week' });
  });
});

describe('[OL4] periods', () => {
  test('are days, weeks from Monday and months of UTC', () => {
    for (const text of [
      '2024-02-29T23:59:59.999Z',
      '2025-12-31T12:00:00Z',
      '2026-11-15T00:00:00Z',
    ]) {
      const now = new Date(text);
      const atMs = now.getTime();
      const [year, month, date] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
      expect(periodEndMs('day', atMs)).toBe(Date.UTC(year, month, date + 1));
      expect(new Date(periodEndMs('week', atMs)).getUTCDay()).toBe(1);
      expect(periodEndMs('week', atMs) - atMs).toBeLessThanOrEqual(7 * DAY);
      expect(periodEndMs('month', atMs)).toBe(Date.UTC(year, month + 1, 1));
    }
    let months = 0;
    for (let day = 1; day < 366 * 60; day += 1) {
      const isFirst = new Date(day * DAY).getUTCDate() === 1;
      const [, , before] = periodsOf((day - 1) * DAY);
      const [, , now] = periodsOf(day * DAY);
      expect(now !== before, `day ${day}`).toBe(isFirst);
      months += isFirst ? 1 : 0;
    }
    expect(months).toBeGreaterThan(700);
  });

  test('[SN2] go on in a restored state', () => {
    const { world, market } = book();
    world.do({ type: 'set_compliance', version: 3, hash: HASH });
    lossOfDay(world, 'a', 100);
    lossOfDay(world, 'a', 200);
    world.place('a', market, 'buy 100 yes @ 0.9');
    exclude(world, 'b', world.nowMs + DAY);
    const restored = decodeSnapshot(encodeSnapshot(world.state));
    expect(stateHash(restored)).toBe(stateHash(world.state));
    expect(restored.timers.timers()).toEqual(
      expect.arrayContaining([...world.state.timers.timers()]),
    );
    expect(restored.compliance).toEqual({ version: 3, hash: HASH });
    const family = restored.accounts.get(accountName('a'))!.family;
    expect(lossesOf(restored, family)).toEqual(lossesOf(world.state, world.account('a').family));
  });
});

describe('[OL5] self-exclusion', () => {
  test('binds those who have no subaccounts as well, and so do limits', () => {
    const { world, market } = book();
    world.place('a', market, 'sell 1000 no @ 0.5');
    lossOfDay(world, 'b', 5);
    expect(world.place('b', market, 'buy 100 no @ 0.5').refusal).toBe('RISK_LIMIT_BREACH');
    expect(world.place('b', market, 'buy 1 no @ 0.5').refusal).toBeNull();
    exclude(world, 'b', world.nowMs + DAY);
    expect(world.place('b', market, 'buy 1 no @ 0.5').refusal).toBe('COMPLIANCE_GATE_BLOCKED');
  });

  test('withdraws buys, leaves sells, and stops all but the way out', () => {
    const { world, market } = book();
    world.mint('a', market, 50);
    const buy = world.place('a', market, 'buy 10 yes @ 0.3').id;
    const sell = world.place('a', market, 'sell 10 yes @ 0.7').id;
    const untilMs = world.nowMs + 10 * DAY;
    expect(codeOf(exclude(world, 'a', untilMs))).toBeNull();
    expect(codeOf(world.cancel('a', buy))).toBe('STATE_CONFLICT');
    expect(codeOf(world.cancel('a', sell))).toBeNull();
    for (const name of ['a', 'sub_a']) {
      const refused = world.place(name, market, 'buy 10 yes @ 0.3').outcome;
      expect(codeOf(refused)).toBe('COMPLIANCE_GATE_BLOCKED');
      expect(detailsOf(refused)).toMatchObject({ rule_id: 'self_exclusion', until_ms: untilMs });
    }
    expect(codeOf(mint(world, market, 'a', 1))).toBe('COMPLIANCE_GATE_BLOCKED');
    expect(codeOf(deposit(world, 'a', 1))).toBe('COMPLIANCE_GATE_BLOCKED');
    expect(world.place('a', market, 'sell 10 yes @ 0.6').refusal).toBeNull();
    world.pass(10 * DAY);
    expect(world.place('a', market, 'buy 10 yes @ 0.3').refusal).toBeNull();
  });

  test('is never shortened, and is ahead', () => {
    const { world } = book();
    const untilMs = world.nowMs + 10 * DAY;
    exclude(world, 'a', untilMs);
    const operator: Actor = { kind: 'operator', name: 'op', reason: 'asked' };
    for (const actor of [actorOf('a'), operator]) {
      expect(codeOf(exclude(world, 'a', untilMs - 1, actor))).toBe('STATE_CONFLICT');
    }
    expect(codeOf(exclude(world, 'a', untilMs + 1))).toBeNull();
    expect(codeOf(exclude(world, 'a', world.nowMs))).toBe('VALIDATION_FAILED');
    expect(codeOf(exclude(world, 'a', 253_402_300_800_000))).toBe('VALIDATION_FAILED');
    expect(codeOf(exclude(world, 'a', 253_402_300_799_999))).toBeNull();
  });
});

test('[OL6] rules of compliance are noted by the operator, each version once', () => {
  const { world } = book();
  const set = (version: number, hash = HASH, actor?: Actor) =>
    codeOf(world.run({ type: 'set_compliance', version, hash }, actor));
  expect(set(1, HASH, actorOf('a'))).toBe('NOT_FOUND');
  expect(set(0)).toBe('VALIDATION_FAILED');
  expect(set(1, 'short')).toBe('VALIDATION_FAILED');
  expect(set(1)).toBeNull();
  expect(world.run({ type: 'set_compliance', version: 1, hash: HASH }).events).toEqual([]);
  expect(set(1, 'b'.repeat(64))).toBe('STATE_CONFLICT');
  expect(set(2, 'b'.repeat(64))).toBeNull();
  expect(set(1)).toBe('STATE_CONFLICT');
});
