// Subaccounts: opened, named, frozen and closed by their owner, and of no use for getting more than one account gets.
import { describe, expect, it } from 'vitest';
import { cancelTraded } from '../../test/resolution.ts';
import { accountName, makeWorld, ofType, type World } from '../../test/world.ts';
import { checkAll } from '../invariants.ts';
import { asAccountId } from '../kit/identity.ts';
import { decodeSnapshot } from '../snapshot/decode.ts';
import { encodeSnapshot } from '../snapshot/encode.ts';
import type { Actor, SubaccountStatus, TierCaps } from '../state/command.ts';
import type { Answer } from '../state/outcome.ts';
import { DEFAULT_PARAMETERS } from '../state/parameters.ts';
import type { RejectCode } from '../state/reject.ts';

const as = (name: string): Actor => ({
  kind: 'account',
  accountId: accountName(name),
  keyId: null,
});

const refusal = (code: RejectCode) => ({ ok: false, rejection: { code } });

function open(world: World, owner: string, name: string, label = name, by = owner): Answer {
  const accountId = accountName(owner);
  const command = { type: 'open_subaccount', accountId, subaccountId: asAccountId(name), label };
  return world.run(command as never, as(by)).answer;
}

interface Change {
  readonly label?: string | null;
  readonly status?: SubaccountStatus | null;
}

function change(world: World, name: string, by: string, wanted: Change): Answer {
  const { label = null, status = null } = wanted;
  const accountId = accountName(name);
  return world.run({ type: 'change_subaccount', accountId, label, status }, as(by)).answer;
}

function move(world: World, from: string, to: string, amount: bigint, by: string): Answer {
  const ends = { fromId: accountName(from), toId: accountName(to) };
  return world.run({ type: 'transfer', ...ends, amount: amount as never }, as(by)).answer;
}

function freeze(world: World, name: string, frozen = true) {
  return world.do({ type: 'freeze_account', accountId: accountName(name), frozen });
}

function family(options: Parameters<typeof makeWorld>[0] = {}): World {
  const world = makeWorld(options);
  world.open('anna bert');
  for (const name of ['sub_one', 'sub_two']) expect(open(world, 'anna', name)).toMatchObject({});
  return world;
}

/** It keeps its hash, and so its future, through a snapshot. */
function checkStored({ state }: World): void {
  checkAll(state);
  const lines = [...encodeSnapshot(state)];
  const restored = decodeSnapshot(lines);
  checkAll(restored);
  expect([...encodeSnapshot(restored)]).toEqual(lines);
}

describe('opening', () => {
  it('[AC9] of the mode and with the referrer of its owner', () => {
    const world = makeWorld();
    world.open('mentor', 0);
    world.do({
      type: 'open_account',
      accountId: accountName('anna'),
      mode: 'bot',
      parentId: null,
      referrerId: accountName('mentor'),
    });
    expect(open(world, 'anna', 'sub_one', 'Grid bot')).toEqual({
      ok: true,
      result: { kind: 'account', accountId: 'sub_one' },
    });
    expect(world.account('sub_one')).toMatchObject({
      parentId: 'acc_anna',
      mode: 'bot',
      referrerId: 'acc_mentor',
      label: 'Grid bot',
      openedAtMs: world.nowMs,
    });
    checkStored(world);
  });

  it('[AC9] not for others, not under a subaccount, not twice, not under a wrong id', () => {
    const world = family();
    expect(open(world, 'anna', 'sub_new', 'x', 'bert')).toMatchObject(refusal('NOT_FOUND'));
    expect(open(world, 'sub_one', 'sub_new')).toMatchObject(refusal('NOT_FOUND'));
    expect(open(world, 'anna', 'sub_new', 'x', 'sub_one')).toMatchObject(refusal('NOT_FOUND'));
    expect(open(world, 'bert', 'sub_one', 'x')).toMatchObject(refusal('CONFLICT'));
    for (const id of ['acc_new', 'sub_', 'sub_a b', `sub_${'x'.repeat(61)}`]) {
      expect(open(world, 'anna', id, 'x')).toMatchObject({
        rejection: { code: 'VALIDATION_FAILED', details: { field: 'subaccount_id' } },
      });
    }
  });

  it('[AC9] labels are trimmed, printable, at most 64 characters and one owner’s once', () => {
    const world = family();
    const bad = ['', ' ', ' a', 'a ', 'a\nb', '\u0000', '\u009f', 'x'.repeat(65), '\ud800', 7];
    for (const label of bad) {
      expect(open(world, 'anna', 'sub_new', label as string)).toMatchObject({
        rejection: { code: 'VALIDATION_FAILED', details: { field: 'label' } },
      });
    }
    expect(open(world, 'anna', 'sub_new', 'sub_one')).toMatchObject(
      refusal('SUBACCOUNT_LABEL_TAKEN'),
    );
    expect(open(world, 'bert', 'sub_his', 'sub_one').ok).toBe(true);
    expect(open(world, 'anna', 'sub_new', 'ä'.repeat(64)).ok).toBe(true);
    checkStored(world);
  });

  it('[AC9] at most 32 that are open, 1,000 ever, and a demo account has none', () => {
    const world = makeWorld();
    world.open('anna', 0);
    for (let index = 0; index < 32; index += 1) {
      expect(open(world, 'anna', `sub_${index}`).ok).toBe(true);
    }
    expect(open(world, 'anna', 'sub_more')).toMatchObject({
      rejection: {
        code: 'RISK_LIMIT_BREACH',
        details: { limit: 'subaccounts', open: 32, max: 32 },
      },
    });
    const parentId = accountName('anna');
    const byOperator = { type: 'open_account', mode: 'sandbox', parentId } as const;
    const more = world.run({ ...byOperator, accountId: asAccountId('sub_more'), referrerId: null });
    expect(more.answer).toMatchObject(refusal('RISK_LIMIT_BREACH'));
    for (let index = 0; index < 968; index += 1) {
      expect(change(world, `sub_${index}`, 'anna', { status: 'closed' }).ok).toBe(true);
      expect(open(world, 'anna', `sub_${index + 32}`).ok).toBe(true);
    }
    change(world, 'sub_999', 'anna', { status: 'closed' });
    expect(open(world, 'anna', 'sub_1000')).toMatchObject({
      rejection: { details: { limit: 'subaccounts_ever', open: 1000, max: 1000 } },
    });
    const demo = { accountId: accountName('dora'), mode: 'demo' } as const;
    world.do({ type: 'open_account', ...demo, parentId: null, referrerId: null });
    expect(open(world, 'dora', 'sub_demo')).toMatchObject({
      rejection: { details: { limit: 'subaccounts', open: 0, max: 0 } },
    });
    checkStored(world);
  });
});

describe('changing', () => {
  it('[AC10] only the owner renames, and no two have one name', () => {
    const world = family();
    expect(change(world, 'sub_one', 'anna', { label: 'Grid' }).ok).toBe(true);
    expect(world.account('sub_one').label).toBe('Grid');
    expect(change(world, 'sub_one', 'anna', { label: 'Grid' }).ok).toBe(true);
    for (const by of ['bert', 'sub_one', 'sub_two']) {
      const stranger = change(world, 'sub_one', by, { label: 'Mine' });
      expect(stranger).toMatchObject(refusal('NOT_FOUND'));
    }
    expect(change(world, 'anna', 'anna', { label: 'Me' })).toMatchObject(refusal('NOT_FOUND'));
    const taken = change(world, 'sub_two', 'anna', { label: 'Grid' });
    expect(taken).toMatchObject(refusal('SUBACCOUNT_LABEL_TAKEN'));
    const faults: readonly Change[] = [
      {},
      { status: 'gone' as never },
      { label: ' x' },
      { label: 'x', status: 'closed' },
    ];
    for (const fault of faults) {
      expect(change(world, 'sub_two', 'anna', fault)).toMatchObject(refusal('VALIDATION_FAILED'));
    }
    checkStored(world);
  });

  it('[AC10][AC6] the owner freezes and lets go; orders are cancelled; it says who did it', () => {
    const world = family();
    const market = world.market({ deposit: 0, creator: 'bert' });
    move(world, 'anna', 'sub_one', 1_000_000_000n, 'anna');
    world.place('sub_one', market, 'buy 10 yes @ 0.4', { actor: as('anna') });
    const accountId = accountName('sub_one');
    const command = { type: 'change_subaccount', accountId, label: null } as const;
    const { events } = world.do({ ...command, status: 'frozen' }, as('anna'));
    expect(events[0]).toMatchObject({
      type: 'account_frozen',
      accountId,
      frozen: true,
      by: 'owner',
    });
    expect(ofType(events, 'order_cancelled').map(({ reason }) => reason)).toEqual([
      'account_frozen',
    ]);
    const placed = world.place('sub_one', market, 'buy 10 yes @ 0.4', { actor: as('anna') });
    expect(placed.refusal).toBe('SUBACCOUNT_FROZEN');
    expect(move(world, 'sub_one', 'anna', 1n, 'anna')).toMatchObject(refusal('SUBACCOUNT_FROZEN'));
    expect(move(world, 'anna', 'sub_one', 1n, 'anna')).toMatchObject(refusal('SUBACCOUNT_FROZEN'));
    expect(world.do({ ...command, status: 'frozen' }, as('anna')).events).toEqual([]);
    checkStored(world);
    const again = world.do({ ...command, label: 'Back', status: 'active' }, as('anna'));
    expect(again.events).toEqual([
      { type: 'subaccount_renamed', accountId, label: 'Back' },
      { type: 'account_frozen', accountId, frozen: false, by: 'owner', reason: null },
    ]);
    expect(world.place('sub_one', market, 'buy 10 yes @ 0.4').refusal).toBeNull();
    checkStored(world);
  });

  it('[AC10] what an operator holds, its owner cannot change', () => {
    const world = family();
    freeze(world, 'sub_one');
    const wishes: readonly Change[] = [
      { status: 'active' },
      { status: 'frozen' },
      { status: 'closed' },
      { label: 'Grid' },
    ];
    for (const wanted of wishes) {
      const refused = change(world, 'sub_one', 'anna', wanted);
      expect(refused).toMatchObject(refusal('SUBACCOUNT_FROZEN'));
    }
    freeze(world, 'sub_one', false);
    expect(change(world, 'sub_one', 'anna', { status: 'frozen' }).ok).toBe(true);
    expect(freeze(world, 'sub_one').events).toEqual([]);
    // Both hold it: the operator's release alone does not set it free.
    expect(freeze(world, 'sub_one', false).events).toEqual([]);
    expect(world.account('sub_one').frozen).toBe(true);
    expect(change(world, 'sub_one', 'anna', { status: 'active' }).ok).toBe(true);
    expect(world.account('sub_one').frozen).toBe(false);
    checkStored(world);
  });

  it('[AC6][AC10] an operator who freezes an owner freezes its family', () => {
    const world = family();
    const market = world.market({ deposit: 0, creator: 'bert' });
    move(world, 'anna', 'sub_one', 1_000_000_000n, 'anna');
    world.place('sub_one', market, 'buy 10 yes @ 0.4');
    change(world, 'sub_two', 'anna', { status: 'frozen' });
    const frozen = freeze(world, 'anna');
    expect(ofType(frozen.events, 'account_frozen').map(({ accountId }) => accountId)).toEqual([
      'acc_anna',
      'sub_one',
    ]);
    expect(world.account('sub_one').openOrders).toBe(0);
    const placed = world.place('sub_one', market, 'buy 10 yes @ 0.4', { actor: as('anna') });
    expect(placed.refusal).toBe('SUBACCOUNT_FROZEN');
    for (const name of ['sub_one', 'sub_two']) {
      const refused = change(world, name, 'anna', { status: 'active' });
      expect(refused).toMatchObject(refusal('SUBACCOUNT_FROZEN'));
    }
    expect(open(world, 'anna', 'sub_three')).toMatchObject(refusal('SUBACCOUNT_FROZEN'));
    checkStored(world);
    freeze(world, 'anna', false);
    expect([world.account('sub_one').frozen, world.account('sub_two').frozen]).toEqual([
      false,
      true,
    ]);
    checkStored(world);
  });
});

describe('closing', () => {
  it('[AC11] needs a subaccount without orders, shares and money', () => {
    const world = family();
    const market = world.market({ deposit: 1000, creator: 'bert' });
    move(world, 'anna', 'sub_one', 1_000_000_000n, 'anna');
    world.place('sub_one', market, 'buy 100 yes');
    const { id } = world.place('sub_one', market, 'buy 10 no @ 0.01');
    const close = () => change(world, 'sub_one', 'anna', { status: 'closed' });
    expect(close()).toMatchObject(refusal('SUBACCOUNT_HAS_OPEN_ORDERS'));
    world.cancel('sub_one', id);
    expect(close()).toMatchObject(refusal('SUBACCOUNT_HAS_POSITIONS'));
    world.place('sub_one', market, 'sell 100 yes');
    expect(close()).toMatchObject({
      rejection: { code: 'SUBACCOUNT_HAS_BALANCE', details: { free: world.free('sub_one') } },
    });
    move(world, 'sub_one', 'anna', world.free('sub_one'), 'anna');
    expect(close().ok).toBe(true);
    checkStored(world);
    // Nothing can be done with it, by nobody and for ever, and its id is never used again.
    const accountId = accountName('sub_one');
    const late = world.place('sub_one', market, 'buy 1 yes @ 0.4', { actor: as('anna') });
    expect(late.refusal).toBe('NOT_FOUND');
    const filter = { marketId: null, outcomeId: null, side: null, orderIds: null };
    const money = { accountId, amount: 1n as never, reference: 'x' };
    for (const command of [
      { type: 'cancel_orders', accountId, ...filter },
      { type: 'heartbeat', accountId, timeoutMs: 5000, marketId: null },
      { type: 'deposit', ...money },
      { type: 'faucet', accountId, keyId: null },
      { type: 'reset_account', accountId },
      { type: 'close_account', accountId },
      { type: 'freeze_account', accountId, frozen: false },
      { type: 'change_subaccount', accountId, label: null, status: 'active' },
      { type: 'transfer', fromId: accountName('anna'), toId: accountId, amount: 1n as never },
    ] as const) {
      expect(world.run(command).answer, command.type).toMatchObject(refusal('NOT_FOUND'));
    }
    expect(open(world, 'anna', 'sub_one', 'x')).toMatchObject(refusal('CONFLICT'));
    expect(open(world, 'anna', 'sub_new', 'sub_one').ok).toBe(true);
    checkStored(world);
  });

  it('[AC11][VD14] fees that its markets may still return are its owner’s from then on', () => {
    const refunded = [true, false].map((isClosed) => {
      const world = family();
      const market = world.market({ deposit: 1000, creator: 'bert' });
      move(world, 'anna', 'sub_one', 1_000_000_000n, 'anna');
      world.place('sub_one', market, 'buy 100 yes');
      world.place('sub_one', market, 'sell 100 yes');
      move(world, 'sub_one', 'anna', world.free('sub_one'), 'anna');
      const before = world.free('anna');
      if (isClosed) change(world, 'sub_one', 'anna', { status: 'closed' });
      checkStored(world);
      cancelTraded(world, market);
      checkStored(world);
      return world.free('anna') + world.free('sub_one') - before;
    });
    expect(refunded[0]).toBeGreaterThan(0n);
    expect(refunded[0]).toBe(refunded[1]);
  });

  it('[AC11] not while a pool or a bond of it may still pay', () => {
    const world = family();
    move(world, 'anna', 'sub_one', 1_001_000_000n, 'anna');
    const market = world.market({ deposit: 1001, creator: 'sub_one' });
    expect(world.free('sub_one')).toBe(0n);
    const close = () => change(world, 'sub_one', 'anna', { status: 'closed' });
    expect(close()).toMatchObject(refusal('STATE_CONFLICT'));
    world.do({ type: 'cancel_market', marketId: market.id, reason: 'test' });
    expect(close()).toMatchObject(refusal('SUBACCOUNT_HAS_BALANCE'));
    move(world, 'sub_one', 'anna', world.free('sub_one'), 'anna');
    expect(close().ok).toBe(true);
    checkStored(world);
  });

  it('[AC11] takes its dead man’s switches along', () => {
    const world = family();
    const accountId = accountName('sub_one');
    world.do({ type: 'heartbeat', accountId, timeoutMs: 5000, marketId: null });
    expect(change(world, 'sub_one', 'anna', { status: 'closed' }).ok).toBe(true);
    checkStored(world);
    expect(world.pass(6000).events).toEqual([]);
  });
});

describe('a family of 32 gains nothing over one account', () => {
  const names = [...Array(32).keys()].map((index) => `sub_${index}`);
  const crowd = (options: Parameters<typeof makeWorld>[0] = {}): World => {
    const world = makeWorld(options);
    world.open('anna', 0);
    for (const name of names) expect(open(world, 'anna', name).ok).toBe(true);
    return world;
  };

  it('[AC12][AC4] one faucet', () => {
    const world = crowd();
    const faucet = (name: string) =>
      world.run({ type: 'faucet', accountId: accountName(name), keyId: name }, as(name)).answer;
    expect(faucet('sub_7').ok).toBe(true);
    for (const name of ['anna', ...names]) {
      expect(faucet(name), name).toMatchObject(refusal('RATE_LIMITED'));
    }
    world.pass(3_600_000);
    expect(faucet('anna').ok).toBe(true);
    expect(faucet('sub_7')).toMatchObject(refusal('RATE_LIMITED'));
    checkStored(world);
  });

  it('[AC12][RK2] one count of open orders, in a market and in all', () => {
    const { risk } = DEFAULT_PARAMETERS;
    const world = crowd({
      parameters: {
        ...DEFAULT_PARAMETERS,
        risk: { ...risk, openOrdersPerMarket: 4, openOrdersPerAccount: 6 },
      },
    });
    world.deposit('anna', 1000);
    for (const name of names) move(world, 'anna', name, 10_000_000n, 'anna');
    const one = world.market({ deposit: 0, creator: 'bert' });
    const other = world.market({ deposit: 0, creator: 'bert' });
    const rest = (name: string, market: typeof one) =>
      world.place(name, market, 'buy 5 yes @ 0.1').refusal;
    for (const name of names.slice(0, 4)) expect(rest(name, one)).toBeNull();
    expect(rest('sub_9', one)).toBe('RISK_LIMIT_BREACH');
    expect(rest('anna', one)).toBe('RISK_LIMIT_BREACH');
    for (const name of names.slice(0, 2)) expect(rest(name, other)).toBeNull();
    expect(rest('sub_9', other)).toBe('RISK_LIMIT_BREACH');
    checkStored(world);
  });

  it('[AC12][RK3] one day of a tier, whatever keys', () => {
    const world = crowd();
    world.deposit('anna', 1000);
    for (const name of names) move(world, 'anna', name, 10_000_000n, 'anna');
    const market = world.market({ deposit: 0, creator: 'bert' });
    const dayMax = 5_000_000n as never;
    let taken = 0;
    for (const name of names) {
      const caps: TierCaps = { tier: 'basic', keyId: `key_${name}`, orderMax: null, dayMax };
      if (world.place(name, market, 'buy 5 yes @ 0.2', { caps }).refusal === null) taken += 1;
    }
    expect(taken).toBe(5);
  });

  it('[AC12][AC5] an owner who starts again starts again with all', () => {
    const world = family();
    world.open('cleo', 0);
    const market = world.market({ deposit: 1000, creator: 'bert' });
    move(world, 'anna', 'sub_one', 1_000_000_000n, 'anna');
    world.place('sub_one', market, 'buy 100 yes');
    world.place('sub_one', market, 'buy 10 no @ 0.01');
    const reset = (name: string) =>
      ({ type: 'reset_account', accountId: accountName(name) }) as const;
    change(world, 'sub_two', 'anna', { status: 'frozen' });
    expect(world.run(reset('anna'), as('anna')).answer).toMatchObject({
      rejection: { code: 'SUBACCOUNT_FROZEN', details: { account_id: 'sub_two' } },
    });
    change(world, 'sub_two', 'anna', { status: 'active' });
    const { events } = world.do(reset('anna'), as('anna'));
    expect(ofType(events, 'account_reset').map(({ accountId }) => accountId)).toEqual([
      'acc_anna',
      'sub_one',
      'sub_two',
    ]);
    expect([world.free('anna'), world.free('sub_one'), world.reserved('sub_one')]).toEqual([
      0n,
      0n,
      0n,
    ]);
    checkStored(world);
    world.deposit('anna', 10);
    world.do(reset('sub_one'), as('anna'));
    expect(world.free('anna')).toBe(10_000_000n);
    const { chunkMax } = DEFAULT_PARAMETERS;
    const small = family({ parameters: { ...DEFAULT_PARAMETERS, chunkMax: 1 } });
    expect(chunkMax).toBeGreaterThan(1);
    const there = small.market({ deposit: 0, creator: 'bert' });
    for (const name of ['anna', 'sub_one']) {
      small.deposit(name, 10);
      small.place(name, there, 'buy 5 yes @ 0.1');
    }
    expect(small.run(reset('anna'), as('anna')).answer).toMatchObject({
      rejection: { code: 'STATE_CONFLICT', details: { reason: 'too_many_positions' } },
    });
  });

  it('[AC3] money moves both ways and exactly, and only the owner moves it', () => {
    const world = family();
    expect(move(world, 'anna', 'sub_one', 1_000_001n, 'anna').ok).toBe(true);
    expect(move(world, 'sub_one', 'sub_two', 1_000_000n, 'anna').ok).toBe(true);
    expect(move(world, 'sub_two', 'anna', 999_999n, 'anna').ok).toBe(true);
    expect([world.free('anna'), world.free('sub_one'), world.free('sub_two')]).toEqual([
      999_999_999_998n,
      1n,
      1n,
    ]);
    for (const by of ['sub_one', 'sub_two', 'bert']) {
      expect(move(world, 'sub_one', 'anna', 1n, by)).toMatchObject(refusal('NOT_FOUND'));
    }
    expect(move(world, 'sub_one', 'bert', 1n, 'anna')).toMatchObject(refusal('NOT_FOUND'));
    checkStored(world);
  });
});
