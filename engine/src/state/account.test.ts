// Accounts and their money: opened once, credited and debited exactly, acted on by those who may.

import { usdt } from '@sibyl/money';
import { describe, expect, it } from 'vitest';
import { cancelTraded, dispute, locked, NO, oracle, propose, rule } from '../../test/resolution.ts';
import { accountName, makeWorld, OPERATOR, ofType } from '../../test/world.ts';
import { apply } from '../engine.ts';
import { checkAll } from '../invariants.ts';
import { asAccountId } from '../kit/identity.ts';
import { postingsOf } from '../ledger/postings.ts';
import { decodeSnapshot } from '../snapshot/decode.ts';
import { encodeSnapshot } from '../snapshot/encode.ts';
import { PLATFORM_ACCOUNT } from './account.ts';
import type { Actor } from './command.ts';
import { freeSlot } from './holding.ts';
import { DEFAULT_PARAMETERS } from './parameters.ts';
import type { RejectCode } from './reject.ts';

const as = (name: string): Actor => ({
  kind: 'account',
  accountId: accountName(name),
  keyId: null,
});

/** The state is sound, and a snapshot keeps all of it. */
function checkStored(world: ReturnType<typeof makeWorld>): void {
  const lines = [...encodeSnapshot(world.state)];
  const restored = decodeSnapshot(lines);
  checkAll(restored);
  expect([...encodeSnapshot(restored)]).toEqual(lines);
}

const refusal = (code: RejectCode) => ({ ok: false, rejection: { code } });

describe('accounts', () => {
  it('[AC1] opened once; again the same is accepted, different is a conflict', () => {
    const world = makeWorld();
    const open = {
      type: 'open_account',
      accountId: accountName('anna'),
      mode: 'sandbox',
      parentId: null,
      referrerId: null,
    } as const;
    expect(world.do(open).events).toHaveLength(1);
    expect(world.do(open).events).toHaveLength(0);
    expect(world.run({ ...open, mode: 'demo' }).answer).toMatchObject(refusal('CONFLICT'));
  });

  it('[AC1] names, modes, parents and referrers are checked', () => {
    const world = makeWorld();
    world.open('anna', 0);
    world.open('sub_one', 0, 'anna');
    const open = {
      type: 'open_account',
      accountId: accountName('new'),
      mode: 'sandbox',
      parentId: null,
      referrerId: null,
    } as const;
    for (const accountId of ['new', 'acc_', 'sandbox:house', `acc_${'x'.repeat(64)}`, 7]) {
      const bad = { ...open, accountId: accountId as never };
      expect(world.run(bad).answer).toMatchObject(refusal('VALIDATION_FAILED'));
    }
    expect(world.run({ ...open, mode: 'live' }).answer).toMatchObject(refusal('VALIDATION_FAILED'));
    const live = makeWorld({ lane: 'live' });
    for (const mode of ['sandbox', 'demo', 'bot'] as const) {
      const accountId = accountName(mode);
      expect(world.run({ ...open, accountId, mode }).answer.ok).toBe(true);
      expect(live.run({ ...open, mode }).answer).toMatchObject(refusal('VALIDATION_FAILED'));
    }
    const orphan = { ...open, parentId: asAccountId('acc_nobody') };
    expect(world.run(orphan).answer).toMatchObject(refusal('NOT_FOUND'));
    const grandchild = { ...open, parentId: asAccountId('sub_one') };
    expect(world.run(grandchild).answer).toMatchObject(refusal('VALIDATION_FAILED'));
    expect(world.run(open, as('anna')).answer).toMatchObject(refusal('NOT_FOUND'));
  });

  it('[AC2][LG5] a deposit is exact and comes from the bank', () => {
    const world = makeWorld({ lane: 'live' });
    world.open('anna', 10);
    expect(world.free('anna')).toBe(10_000_000n);
    expect(world.state.ledger.balance(world.state.contra)).toBe(-10_000_000n);
    expect(world.state.ledger.name(world.state.contra)).toBe('external:bank');
    checkAll(world.state);
  });

  it('[AC2] deposits are the operator’s', () => {
    const world = makeWorld();
    world.open('anna', 10);
    const accountId = accountName('anna');
    const money = { accountId, amount: 1n as never, reference: 'x' };
    const own = world.run({ type: 'deposit', ...money }, as('anna'));
    expect(own.answer).toMatchObject(refusal('NOT_FOUND'));
  });

  it('[AC3] transfers stay in the family', () => {
    const world = makeWorld();
    world.open('anna bert', 10);
    world.open('sub_one sub_two', 0, 'anna');
    const move = (fromId: string, toId: string, actor: string) =>
      world.run(
        {
          type: 'transfer',
          fromId: accountName(fromId),
          toId: accountName(toId),
          amount: 3_000_000n as never,
        },
        as(actor),
      ).answer;
    expect(move('anna', 'sub_one', 'anna').ok).toBe(true);
    expect(move('sub_one', 'sub_two', 'anna').ok).toBe(true);
    expect(move('anna', 'bert', 'anna')).toMatchObject(refusal('NOT_FOUND'));
    expect(move('bert', 'anna', 'anna')).toMatchObject(refusal('NOT_FOUND'));
    expect(move('anna', 'anna', 'anna')).toMatchObject(refusal('NOT_FOUND'));
    expect(move('sub_one', 'sub_two', 'anna')).toMatchObject(refusal('BALANCE_INSUFFICIENT'));
    expect([world.free('anna'), world.free('sub_one'), world.free('sub_two')]).toEqual([
      7_000_000n,
      0n,
      3_000_000n,
    ]);
    checkAll(world.state);
  });

  it('[AC4] the faucet gives 10,000 an hour, per key and per account', () => {
    const world = makeWorld();
    world.open('anna bert', 0);
    const faucet = (name: string, keyId: string | null) =>
      world.run({ type: 'faucet', accountId: accountName(name), keyId }, as(name)).answer;
    expect(faucet('anna', 'k1').ok).toBe(true);
    expect(world.free('anna')).toBe(10_000_000_000n);
    world.pass(1000);
    expect(faucet('anna', 'k2')).toMatchObject({
      rejection: { code: 'RATE_LIMITED', details: { retry_after_ms: 3_599_000 } },
    });
    expect(faucet('bert', 'k1')).toMatchObject(refusal('RATE_LIMITED'));
    expect(faucet('bert', 'k2').ok).toBe(true);
    world.pass(3_598_999);
    expect(faucet('anna', 'k1')).toMatchObject(refusal('RATE_LIMITED'));
    world.pass(1);
    expect(faucet('anna', 'k1').ok).toBe(true);
    const live = makeWorld({ lane: 'live' });
    live.open('anna', 0);
    const answer = live.run({ type: 'faucet', accountId: accountName('anna'), keyId: null }).answer;
    expect(answer).toMatchObject(refusal('SANDBOX_ONLY'));
  });

  it('[AC14] a reset frees the faucet for the family and the key that used it, ten times a day', () => {
    const world = makeWorld();
    world.open('anna bert cleo', 0);
    const faucet = (name: string, keyId: string | null) =>
      world.run({ type: 'faucet', accountId: accountName(name), keyId }, as(name)).answer;
    const reset = (name: string) =>
      world.do({ type: 'reset_account', accountId: accountName(name) }, as(name));
    const DAY = 86_400_000;
    world.pass(DAY - (world.nowMs % DAY));
    expect(faucet('cleo', 'k3').ok).toBe(true);
    // A reset while no wait runs does not count.
    for (let time = 0; time < 20; time += 1) reset('anna');
    expect(faucet('anna', 'k1').ok).toBe(true);
    for (let time = 0; time < 10; time += 1) {
      reset('anna');
      expect(faucet('bert', 'k3'), 'the key of cleo').toMatchObject(refusal('RATE_LIMITED'));
      const keyId = time % 2 === 0 ? 'k1' : null;
      expect(faucet('anna', keyId).ok, `time ${time}`).toBe(true);
      expect(world.free('anna')).toBe(10_000_000_000n);
      checkStored(world);
    }
    world.pass(1000);
    reset('anna');
    expect(world.free('anna')).toBe(0n);
    checkStored(world);
    expect(faucet('anna', 'k1')).toMatchObject({
      rejection: { code: 'RATE_LIMITED', details: { retry_after_ms: 3_599_000 } },
    });
    // The others have ten of their own.
    reset('cleo');
    expect(faucet('bert', 'k3').ok).toBe(true);
    world.pass(DAY - 1001);
    expect(faucet('anna', 'k1').ok).toBe(true);
    reset('anna');
    expect(faucet('anna', 'k1')).toMatchObject(refusal('RATE_LIMITED'));
    world.pass(1);
    reset('anna');
    expect(faucet('anna', 'k1').ok).toBe(true);
    checkStored(world);
  });

  it('[AC14] a reset of a subaccount alone frees nothing, one of its owner frees the faucet for all', () => {
    const world = makeWorld();
    world.open('anna', 0);
    for (const name of ['sub_one', 'sub_two']) world.open(name, 0, 'anna');
    const faucet = (name: string) =>
      world.run({ type: 'faucet', accountId: accountName(name), keyId: name }, as(name)).answer;
    const reset = (name: string) =>
      world.do({ type: 'reset_account', accountId: accountName(name) }, as('anna'));
    expect(faucet('sub_one').ok).toBe(true);
    for (const name of ['sub_one', 'sub_two']) reset(name);
    for (const name of ['anna', 'sub_one', 'sub_two']) {
      expect(faucet(name), name).toMatchObject(refusal('RATE_LIMITED'));
    }
    reset('anna');
    expect(faucet('sub_one').ok).toBe(true);
    reset('anna');
    expect(faucet('sub_two').ok).toBe(true);
    expect(faucet('sub_one')).toMatchObject(refusal('RATE_LIMITED'));
    checkStored(world);
  });

  it('[AC6] a frozen account may cancel and do nothing else', () => {
    const world = makeWorld();
    world.open('anna bert');
    const market = world.market({ deposit: 0, creator: 'bert' });
    world.place('anna', market, 'buy 10 yes @ 0.4');
    const accountId = accountName('anna');
    const frozen = world.do({ type: 'freeze_account', accountId, frozen: true });
    expect(ofType(frozen.events, 'order_cancelled').map((event) => event.reason)).toEqual([
      'account_frozen',
    ]);
    expect(world.reserved('anna')).toBe(0n);
    expect(world.place('anna', market, 'buy 10 yes @ 0.4').refusal).toBe('SUBACCOUNT_FROZEN');
    const faucet = world.run({ type: 'faucet', accountId, keyId: null }).answer;
    expect(faucet).toMatchObject(refusal('SUBACCOUNT_FROZEN'));
    const filter = { marketId: null, outcomeId: null, side: null, orderIds: null };
    expect(world.run({ type: 'cancel_orders', accountId, ...filter }).answer.ok).toBe(true);
    world.deposit('anna', 1);
    world.do({ type: 'freeze_account', accountId, frozen: false });
    expect(world.place('anna', market, 'buy 10 yes @ 0.4').refusal).toBeNull();
    checkAll(world.state);
  });

  it('[AC6] why an account is frozen is kept as long as it is', () => {
    const world = makeWorld();
    world.open('anna');
    const accountId = accountName('anna');
    const freeze = { type: 'freeze_account', accountId, frozen: true } as const;
    const { events } = world.do({ ...freeze, reason: 'a chargeback' });
    expect(ofType(events, 'account_frozen')).toMatchObject([{ reason: 'a chargeback' }]);
    const restored = decodeSnapshot(encodeSnapshot(world.state));
    expect(restored.accounts.get(accountId)?.frozenReason).toBe('a chargeback');
    for (const reason of ['', 'x'.repeat(257)]) {
      expect(world.run({ ...freeze, reason }).answer).toMatchObject(refusal('VALIDATION_FAILED'));
    }
    world.do({ ...freeze, frozen: false, reason: 'settled' });
    expect(world.account('anna').frozenReason).toBeNull();
  });

  it('[AC7] nobody acts for a stranger, an owner acts for its subaccounts', () => {
    const world = makeWorld();
    world.open('anna bert');
    world.open('sub_one', 100, 'anna');
    const market = world.market({ deposit: 0, creator: 'bert' });
    const { id } = world.place('anna', market, 'buy 10 yes @ 0.4');
    const cancel = { type: 'cancel_order', accountId: accountName('anna'), orderId: id } as const;
    expect(world.run(cancel, as('bert')).answer).toMatchObject(refusal('NOT_FOUND'));
    const stolen = { ...cancel, accountId: accountName('bert') };
    expect(world.run(stolen, as('bert')).answer).toMatchObject(refusal('NOT_FOUND'));
    const forOther = world.place('anna', market, 'buy 1 yes @ 0.4', { actor: as('bert') });
    expect(forOther.refusal).toBe('NOT_FOUND');
    const forSub = world.place('sub_one', market, 'buy 1 yes @ 0.4', { actor: as('anna') });
    expect(forSub.refusal).toBeNull();
    const forParent = world.place('anna', market, 'buy 1 yes @ 0.4', { actor: as('sub_one') });
    expect(forParent.refusal).toBe('NOT_FOUND');
  });
});

describe('reset', () => {
  const reset = (name: string) =>
    ({ type: 'reset_account', accountId: accountName(name) }) as const;

  it('[AC5] reset after a win: orders gone, money back, nobody else touched, twice is once', () => {
    const world = makeWorld();
    world.open('anna bert');
    const market = world.market({ deposit: 1000, creator: 'bert' });
    const won = world.market({ deposit: 1000, creator: 'bert' });
    world.place('anna', won, 'buy 100 yes');
    world.do({
      type: 'mock_oracle',
      accountId: accountName('bert'),
      marketId: won.id,
      winningOutcomeId: 'yes',
    });
    expect(world.account('anna').realized).toBeGreaterThan(0n);
    world.place('anna', market, 'buy 300 yes');
    world.place('anna', market, 'sell 50 yes @ 0.99');
    world.place('anna', market, 'buy 50 no @ 0.01');
    const bert = world.free('bert');
    world.do(reset('anna'));
    expect([world.free('anna'), world.reserved('anna')]).toEqual([0n, 0n]);
    expect(world.account('anna').openOrders).toBe(0);
    expect(world.account('anna').holdings.size).toBe(0);
    expect(world.free('bert')).toBe(bert);
    const house = world.state.holdings.find(world.state.house, market)!;
    expect(world.state.ledger.balance(freeSlot(house, 0))).toBe(300_000_000n);
    checkAll(world.state);
    const again = world.do(reset('anna'));
    expect(again.events.map((event) => event.type)).toEqual(['account_reset']);
    expect(world.free('anna')).toBe(0n);
    checkAll(world.state);
  });

  it('[AC5][VD14] kept fees go with the shares: a later cancellation still adds up', () => {
    const world = makeWorld();
    world.open('anna bert cleo');
    const market = world.market({ deposit: 1000, creator: 'bert' });
    world.place('anna', market, 'buy 300 yes');
    world.place('cleo', market, 'buy 100 no');
    world.do(reset('anna'));
    cancelTraded(world, market);
    expect(world.free('anna')).toBe(0n);
    expect(market.status).toBe('cancelled');
    checkAll(world.state);
  });

  it('[AC5] a creator who resets keeps its deposit in the pool', () => {
    const world = makeWorld();
    world.open('bert', 5000);
    const market = world.market({ deposit: 1000, creator: 'bert' });
    world.do(reset('bert'));
    expect(world.free('bert')).toBe(0n);
    checkAll(world.state);
    world.do({ type: 'cancel_market', marketId: market.id, reason: 'test' });
    expect(world.free('bert')).toBe(1_000_000_000n);
    checkAll(world.state);
  });

  it('[AC5][SN2] a market in which nothing is left does not stand in the way', () => {
    const world = makeWorld({ parameters: { ...DEFAULT_PARAMETERS, chunkMax: 1 } });
    world.open('anna bert cleo');
    const market = world.market({ deposit: 100, creator: 'bert' });
    const { id } = world.place('anna', market, 'buy 5 yes @ 0.1');
    world.cancel('anna', id);
    for (const price of ['0.1', '0.2']) world.place('cleo', market, `buy 5 yes @ ${price}`);
    const oracle = { type: 'mock_oracle', accountId: accountName('bert') } as const;
    world.do({ ...oracle, marketId: market.id, winningOutcomeId: 'no' });
    expect(market.closing).not.toBeNull();
    const restored = decodeSnapshot(encodeSnapshot(world.state));
    const header = { seq: world.state.seq + 1, atMs: world.nowMs, actor: OPERATOR };
    expect(apply(restored, { ...header, ...reset('anna') })).toEqual(world.run(reset('anna')));
    expect(world.run(reset('cleo')).answer).toMatchObject(refusal('STATE_CONFLICT'));
  });

  it('[AC5] there is no reset in live', () => {
    const world = makeWorld({ lane: 'live' });
    world.open('anna');
    expect(world.run(reset('anna')).answer).toMatchObject(refusal('SANDBOX_ONLY'));
  });
});

describe('closing', () => {
  const close = (name: string) =>
    ({ type: 'close_account', accountId: accountName(name) }) as const;
  const openDemo = (world: ReturnType<typeof makeWorld>, name: string): void => {
    const accountId = accountName(name);
    const open = { type: 'open_account', parentId: null, referrerId: null } as const;
    world.do({ ...open, accountId, mode: 'demo' });
    world.deposit(name, 1000);
  };

  it('[AC8] orders, shares and money go, then the account, and nobody else notices', () => {
    const world = makeWorld();
    world.open('bert');
    openDemo(world, 'dora');
    const market = world.market({ deposit: 1000, creator: 'bert' });
    world.place('dora', market, 'buy 300 yes');
    world.place('dora', market, 'sell 50 yes @ 0.99');
    const { id } = world.place('dora', market, 'buy 50 no @ 0.01', { clientOrderId: 'mine' });
    const beat = { type: 'heartbeat', accountId: accountName('dora'), marketId: null } as const;
    world.do({ ...beat, timeoutMs: 60_000 });
    const bert = world.free('bert');
    const { events } = world.do(close('dora'));
    expect(events[0]).toEqual({ type: 'account_closed', accountId: accountName('dora') });
    expect(ofType(events, 'order_cancelled').map(({ reason }) => reason)).toEqual([
      'reset',
      'reset',
    ]);
    expect(world.state.accounts.has(accountName('dora'))).toBe(false);
    expect(world.free('bert')).toBe(bert);
    const house = world.state.holdings.find(world.state.house, market)!;
    expect(world.state.ledger.balance(freeSlot(house, 0))).toBe(300_000_000n);
    checkAll(world.state);
    const restored = decodeSnapshot(encodeSnapshot(world.state));
    expect([...encodeSnapshot(restored)]).toEqual([...encodeSnapshot(world.state)]);
    // Who comes after it under its name knows nothing of it.
    openDemo(world, 'dora');
    expect([world.free('dora'), world.account('dora').realized]).toEqual([1_000_000_000n, 0n]);
    const late = { type: 'cancel_order', accountId: accountName('dora'), orderId: id } as const;
    expect(world.run(late).answer).toMatchObject(refusal('NOT_FOUND'));
    const again = world.place('dora', market, 'buy 5 no @ 0.01', { clientOrderId: 'mine' });
    expect(again.refusal).toBeNull();
    world.pass(60_000);
    expect(world.account('dora').openOrders).toBe(1);
    checkAll(world.state);
  });

  it('[AC8] a later cancellation of a market that it traded in still adds up', () => {
    const world = makeWorld();
    world.open('bert cleo');
    openDemo(world, 'dora');
    const market = world.market({ deposit: 1000, creator: 'bert' });
    world.place('dora', market, 'buy 300 yes');
    world.place('cleo', market, 'buy 100 no');
    world.do(close('dora'));
    cancelTraded(world, market);
    expect(market.status).toBe('cancelled');
    checkAll(world.state);
  });

  it('[AC8] is for operators and accounts of the sandbox that nothing refers to', () => {
    const world = makeWorld();
    world.open('anna', 10);
    for (const name of ['dora', 'emil', 'fay']) openDemo(world, name);
    world.open('sub_one', 0, 'emil');
    world.market({ deposit: 100, creator: 'fay' });
    expect(world.run(close('dora'), as('dora')).answer).toMatchObject(refusal('NOT_FOUND'));
    expect(world.run(close('nobody')).answer).toMatchObject(refusal('NOT_FOUND'));
    const robot = { accountId: accountName('robot'), mode: 'bot', parentId: null } as const;
    world.do({ type: 'open_account', ...robot, referrerId: null });
    for (const name of [PLATFORM_ACCOUNT, 'robot', 'emil', 'fay']) {
      expect(world.run(close(name)).answer, name).toMatchObject(refusal('STATE_CONFLICT'));
    }
    const live = makeWorld({ lane: 'live' });
    live.open('anna');
    expect(live.run(close('anna')).answer).toMatchObject(refusal('SANDBOX_ONLY'));
    for (const name of ['dora', 'anna']) expect(world.run(close(name)).answer.ok).toBe(true);
    checkAll(world.state);
    expect(world.run(close('dora')).answer).toMatchObject(refusal('NOT_FOUND'));
    // What stays open after a restart stays needed.
    const restored = decodeSnapshot(encodeSnapshot(world.state));
    const header = { seq: world.state.seq + 1, atMs: world.nowMs, actor: OPERATOR };
    expect(apply(restored, { ...header, ...close('fay') }).answer).toMatchObject(
      refusal('STATE_CONFLICT'),
    );
  });

  it.each([
    ['upheld', null],
    ['overturned', NO],
    ['void', null],
  ] as const)('[AC8] a challenger without a bond may be gone when it is %s', (ruling, result) => {
    const { world, market } = locked(oracle({ bond: usdt(0n) }));
    openDemo(world, 'dora');
    const [proposed, nothing] = [usdt(10_000_000n), usdt(0n)];
    world.do(propose(market, { bond: proposed }));
    world.do(dispute(market, { accountId: accountName('dora'), bond: nothing }));
    world.do(close('dora'));
    const { events } = world.do(rule(market, ruling, result));
    const awards = ofType(events, 'ledger_posted').filter(({ reason }) => reason === 'bond_award');
    // Nobody is left to be awarded half of what the proposer lost.
    expect(awards.flatMap((entry) => postingsOf(entry).map(({ account }) => account))).toEqual(
      ruling === 'overturned' ? [`oracle:${market.id}:bond:proposer`, 'insurance'] : [],
    );
    if (ruling === 'void') cancelTraded(world, market);
    expect(market.status).toBe(ruling === 'void' ? 'cancelled' : 'resolved');
    checkAll(world.state);
  });

  it('[AC8] nothing piles up, however many come and go', () => {
    const world = makeWorld();
    world.open('bert', 100_000);
    const market = world.market({ deposit: 1000, creator: 'bert' });
    const visit = (number: number): void => {
      openDemo(world, `dora${number}`);
      world.place(`dora${number}`, market, 'buy 10 yes');
      world.place(`dora${number}`, market, 'buy 10 yes @ 0.01');
      world.do(close(`dora${number}`));
    };
    for (let number = 0; number < 500; number += 1) visit(number);
    const before = world.state.ledger.slotNames.length;
    for (let number = 500; number < 1500; number += 1) visit(number);
    // Slots that rest until their names are renewed are all that may come on top.
    expect(world.state.ledger.slotNames.length).toBeLessThan(before + 1000);
    expect(world.state.accounts.size).toBe(2);
    checkAll(world.state);
  });
});
