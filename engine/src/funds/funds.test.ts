// Money in and out: records that are found for ever, steps that may be told again, money reserved until it is gone or back.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accountName, makeWorld, OPERATOR, ofType, type World } from '../../test/world.ts';
import { stateHash } from '../hash.ts';
import { checkAll } from '../invariants.ts';
import { asWithdrawalId, type WithdrawalId } from '../kit/identity.ts';
import { postingsOf } from '../ledger/postings.ts';
import { decodeSnapshot } from '../snapshot/decode.ts';
import { encodeSnapshot } from '../snapshot/encode.ts';
import type { Actor, ReportDeposit, Withdraw, WithdrawalStep } from '../state/command.ts';
import type { Outcome } from '../state/outcome.ts';
import type { RejectCode } from '../state/reject.ts';
import type { WithdrawalRecord } from './funds.ts';

const as = (name: string): Actor => ({
  kind: 'account',
  accountId: accountName(name),
  keyId: null,
});
const refusal = (code: RejectCode, details = {}) => ({
  ok: false,
  rejection: { code, details: expect.objectContaining(details) },
});
const A_MONTH = 30 * 86_400_000;

function live(whole = 10): World {
  const world = makeWorld({ lane: 'live' });
  world.open('anna', whole);
  return world;
}

const report = (changes: Partial<ReportDeposit> = {}): ReportDeposit => ({
  type: 'report_deposit',
  accountId: accountName('anna'),
  custody: 'bank',
  reference: 'tx-1',
  amount: 5_000_000n as never,
  state: 'pending',
  confirmations: 0,
  reason: null,
  ...changes,
});

const request = (changes: Partial<Withdraw> = {}): Withdraw => ({
  type: 'withdraw',
  accountId: accountName('anna'),
  amount: 4_000_000n as never,
  custody: 'bank',
  destination: 'DE89 3704',
  hold: null,
  ...changes,
});

function advance(world: World, withdrawalId: WithdrawalId, step: WithdrawalStep): Outcome {
  return world.run({
    type: 'advance_withdrawal',
    withdrawalId,
    step,
    reference: step === 'complete' ? 'paid-1' : null,
    reason: step === 'fail' ? 'refused' : null,
  });
}

function cancel(world: World, withdrawalId: WithdrawalId, actor: Actor = as('anna')): Outcome {
  const accountId = accountName('anna');
  return world.run(
    { type: 'cancel_withdrawal', accountId, withdrawalId, reason: 'cancelled' },
    actor,
  );
}

function ask(world: World, changes: Partial<Withdraw> = {}): WithdrawalRecord {
  const { result } = world.do(request(changes), as('anna'));
  if (result.kind !== 'withdrawal') throw new Error('no withdrawal');
  return result.withdrawal;
}

/** Free, reserved for withdrawals, and what is outside, in whole USDT. */
function money(world: World): readonly number[] {
  const { ledger, contra } = world.state;
  const { free, withdrawing } = world.account('anna');
  checkAll(world.state);
  return [free, withdrawing, contra].map((part) => Number(ledger.balance(part)) / 1e6);
}

describe('deposits', () => {
  it('[FN1] a deposit is a record that is found by its id and by custody and reference', () => {
    const world = live(0);
    const { result, events, seq } = world.do(report({ confirmations: 2 }));
    const depositId = `dep_${seq.toString(36).padStart(10, '0')}`;
    expect(result).toMatchObject({ kind: 'deposit', deposit: { depositId, state: 'pending' } });
    expect(events).toMatchObject([{ type: 'deposit_updated', accountId: 'acc_anna' }]);
    expect(money(world)).toEqual([0, 0, 0]);
    const done = world.do(report({ state: 'confirmed', confirmations: 6 }));
    expect(done.events.map(({ type }) => type)).toEqual(['deposit_updated', 'ledger_posted']);
    expect(money(world)).toEqual([5, 0, -5]);
    const { funds } = decodeSnapshot([...encodeSnapshot(world.state)]);
    const found = funds.depositBy('bank', 'tx-1');
    expect(found).toMatchObject({ depositId, state: 'confirmed', confirmations: 6 });
    expect(funds.deposit(depositId as never)).toBe(found);
    expect(funds.depositBy('other', 'tx-1')).toBeUndefined();
  });

  it('[FN1] the operator’s deposit is confirmed at once, under a custody of its own', () => {
    const world = live();
    const [known] = world.state.funds.depositsOf(accountName('anna'));
    expect(known).toMatchObject({ custody: 'operator', state: 'confirmed', amount: 10_000_000n });
  });

  it('[FN1] reports are for live and for operators, and say what they mean', () => {
    const world = live();
    expect(world.run(report(), as('anna')).answer).toMatchObject(refusal('NOT_FOUND'));
    const nobody = report({ accountId: accountName('nobody') });
    expect(world.run(nobody).answer).toMatchObject(refusal('NOT_FOUND'));
    const sandbox = makeWorld();
    sandbox.open('anna', 0);
    expect(sandbox.run(report()).answer).toMatchObject(refusal('PROD_ONLY'));
    const wrong: [object, string][] = [
      [{ amount: 0n }, 'amount'],
      [{ reference: '' }, 'reference'],
      [{ reference: 'r'.repeat(129) }, 'reference'],
      [{ custody: 'A bank' }, 'custody'],
      [{ state: 'lost' }, 'state'],
      [{ confirmations: -1 }, 'confirmations'],
      [{ confirmations: 1.5 }, 'confirmations'],
      [{ state: 'failed' }, 'reason'],
      [{ reason: 'why' }, 'reason'],
    ];
    for (const [change, field] of wrong) {
      const { answer } = world.run(report(change));
      expect(answer).toMatchObject(refusal('VALIDATION_FAILED', { field }));
    }
  });

  it('[FN2] a report that comes again, late or out of order changes nothing', () => {
    const world = live(0);
    world.do(report({ confirmations: 3 }));
    expect(world.do(report({ confirmations: 1 })).events).toEqual([]);
    world.do(report({ state: 'confirmed', confirmations: 1 }));
    world.pass(A_MONTH);
    const before = money(world);
    for (const state of ['confirmed', 'pending', 'confirmed'] as const) {
      const { events, result } = world.do(report({ state, confirmations: 9 }));
      expect(events).toEqual([]);
      expect(result).toMatchObject({ deposit: { state: 'confirmed', confirmations: 3 } });
    }
    expect(money(world)).toEqual(before);
  });

  it('[FN2] another account or amount under the same reference is refused, and so is a contradiction', () => {
    const world = live(0);
    world.open('bert', 0);
    world.do(report({ state: 'confirmed' }));
    const other = report({ state: 'confirmed', amount: 6_000_000n as never });
    expect(world.run(other).answer).toMatchObject(refusal('ALREADY_EXISTS'));
    const bert = report({ state: 'confirmed', accountId: accountName('bert') });
    expect(world.run(bert).answer).toMatchObject(refusal('ALREADY_EXISTS'));
    const failed = report({ state: 'failed', reason: 'sent back' });
    const state = { state: 'confirmed' };
    expect(world.run(failed).answer).toMatchObject(refusal('STATE_CONFLICT', state));
    const second = { ...failed, reference: 'tx-2' };
    world.do(second);
    const late = { ...second, state: 'confirmed', reason: null } as const;
    expect(world.run(late).answer).toMatchObject(refusal('STATE_CONFLICT', { state: 'failed' }));
    expect(money(world)).toEqual([5, 0, -5]);
  });
});

describe('corrections', () => {
  const correct = (changes: object = {}) => ({
    ...({ type: 'correct_balance', accountId: accountName('anna') } as const),
    ...{ amount: -4_000_000n as never, reference: 'ticket-1' },
    ...changes,
  });

  it('[FN7] a correction takes or adds, is a record, and counts once for its reference', () => {
    const world = live();
    const { result, events } = world.do(correct());
    expect(result).toMatchObject({
      deposit: { custody: 'correction', state: 'confirmed', amount: -4_000_000n },
    });
    expect(events.map(({ type }) => type)).toEqual(['deposit_updated', 'ledger_posted']);
    expect(money(world)).toEqual([6, 0, -6]);
    world.pass(A_MONTH);
    const again = world.do(correct());
    expect([again.events, again.result]).toEqual([[], result]);
    world.open('ben', 9);
    for (const change of [{ amount: -4_000_001n }, { accountId: accountName('ben') }]) {
      expect(world.run(correct(change)).answer).toMatchObject(refusal('ALREADY_EXISTS'));
    }
    world.do({ type: 'freeze_account', accountId: accountName('anna'), frozen: true });
    world.do(correct({ amount: 1_000_000n, reference: 'ticket-2' }));
    expect(money(world)).toEqual([7, 0, -16]);
    const { funds } = decodeSnapshot([...encodeSnapshot(world.state)]);
    expect(funds.depositBy('correction', 'ticket-1')).toMatchObject({ amount: -4_000_000n });
  });

  it('[FN7] is for operators, never takes more than is free, and says what is wrong', () => {
    const world = live();
    ask(world);
    expect(world.run(correct(), as('anna')).answer).toMatchObject(refusal('NOT_FOUND'));
    const nobody = correct({ accountId: accountName('nobody') });
    expect(world.run(nobody).answer).toMatchObject(refusal('NOT_FOUND'));
    const details = { required: 6_000_001n, free: 6_000_000n };
    const tooMuch = world.run(correct({ amount: -6_000_001n }));
    expect(tooMuch.answer).toMatchObject(refusal('BALANCE_INSUFFICIENT', details));
    world.do(correct({ amount: -6_000_000n }));
    expect(money(world)).toEqual([0, 4, -4]);
    const huge = 1n << 58n;
    for (const amount of [0n, huge + 1n, -huge - 1n, 5, '5']) {
      const { answer } = world.run(correct({ amount, reference: 'other' }));
      expect(answer).toMatchObject(refusal('VALIDATION_FAILED', { field: 'amount' }));
    }
    const { answer } = world.run(correct({ reference: '' }));
    expect(answer).toMatchObject(refusal('VALIDATION_FAILED', { field: 'reference' }));
    const posing = report({ custody: 'correction' });
    expect(world.run(posing).answer).toMatchObject(
      refusal('VALIDATION_FAILED', { field: 'custody' }),
    );
  });

  it('[FN7] is no deposit for the limits that somebody set himself', () => {
    const world = live();
    const none = { day: null, week: null, month: null };
    const limits = { deposit: { ...none, day: 1_000_000n as never }, loss: none };
    world.do({ type: 'set_own_limits', accountId: accountName('anna'), limits }, as('anna'));
    world.do(correct({ amount: 5_000_000n }));
    expect(money(world)).toEqual([15, 0, -15]);
  });
});

describe('withdrawals', () => {
  it('[FN3][AC2] what is asked for is reserved at once, and leaves when it is completed', () => {
    const world = live();
    const { withdrawalId, state } = ask(world);
    expect(state).toBe('requested');
    expect(money(world)).toEqual([6, 4, -10]);
    advance(world, withdrawalId, 'send');
    expect(money(world)).toEqual([6, 4, -10]);
    const { events } = advance(world, withdrawalId, 'complete');
    expect(events.map(({ type }) => type)).toEqual(['withdrawal_updated', 'ledger_posted']);
    expect(money(world)).toEqual([6, 0, -6]);
    const restored = decodeSnapshot([...encodeSnapshot(world.state)]);
    const found = restored.funds.withdrawal(withdrawalId);
    expect(found).toMatchObject({ state: 'completed', reference: 'paid-1' });
  });

  it('[FN3] a snapshot keeps what is on its way', () => {
    const world = live();
    const { withdrawalId } = ask(world);
    advance(world, withdrawalId, 'send');
    const restored = decodeSnapshot([...encodeSnapshot(world.state)]);
    expect(stateHash(restored)).toBe(stateHash(world.state));
    checkAll(restored);
    expect([...restored.funds.openWithdrawals()]).toMatchObject([{ withdrawalId }]);
  });

  it('[FN3] they exist in live only, for whoever has the money and may act', () => {
    const world = live();
    const much = request({ amount: 10_000_001n as never });
    expect(world.run(much, as('anna')).answer).toMatchObject(
      refusal('BALANCE_INSUFFICIENT', { required: 10_000_001n, free: 10_000_000n, reserved: 0n }),
    );
    world.open('bert', 1);
    expect(world.run(request(), as('bert')).answer).toMatchObject(refusal('NOT_FOUND'));
    world.do({ type: 'freeze_account', accountId: accountName('anna'), frozen: true });
    expect(world.run(request(), as('anna')).answer).toMatchObject(refusal('SUBACCOUNT_FROZEN'));
    const sandbox = makeWorld();
    sandbox.open('anna', 10);
    expect(sandbox.run(request()).answer).toMatchObject(refusal('PROD_ONLY'));
    const wrong: [object, string][] = [
      [{ amount: -1n }, 'amount'],
      [{ custody: '' }, 'custody'],
      [{ destination: '' }, 'destination'],
      [{ hold: {} }, 'hold'],
      [{ hold: { approval: false, untilMs: null, reason: 'x' } }, 'hold'],
      [{ hold: { approval: true, untilMs: 1.5, reason: 'x' } }, 'hold'],
      [{ hold: { approval: true, untilMs: null, reason: '' } }, 'reason'],
      [{ hold: undefined }, 'hold'],
    ];
    for (const [change, field] of wrong) {
      const { answer } = world.run({ ...request(), ...change });
      expect(answer).toMatchObject(refusal('VALIDATION_FAILED', { field }));
    }
  });

  it('[FN4] a held one waits for the operator, for its time, or for both', () => {
    const world = live();
    const untilMs = world.nowMs + 1000;
    const hold = { approval: true, untilMs, reason: 'two things' };
    const { withdrawalId, state, reason } = ask(world, { hold });
    expect([state, reason]).toEqual(['held', 'two things']);
    const stateOf = () => world.state.funds.withdrawal(withdrawalId)?.state;
    const early = refusal('STATE_CONFLICT', { state: 'held' });
    expect(advance(world, withdrawalId, 'send').answer).toMatchObject(early);
    advance(world, withdrawalId, 'approve');
    expect(stateOf()).toBe('held');
    expect(advance(world, withdrawalId, 'send').answer).toMatchObject(early);
    world.pass(1000);
    expect(advance(world, withdrawalId, 'send').answer.ok).toBe(true);
    expect(stateOf()).toBe('sent');
    const second = ask(world, { hold: { ...hold, untilMs: null } });
    const { events } = advance(world, second.withdrawalId, 'approve');
    expect(events).toMatchObject([{ withdrawal: { state: 'requested', reason: null } }]);
    const accountId = accountName('anna');
    world.do({ type: 'freeze_account', accountId, frozen: true });
    const refused = advance(world, second.withdrawalId, 'send');
    expect(refused.answer).toMatchObject(refusal('SUBACCOUNT_FROZEN'));
    expect(money(world)).toEqual([2, 8, -10]);
  });

  it('[FN4] steps are the operator’s, of withdrawals that exist, and say what they need', () => {
    const world = live();
    const { withdrawalId } = ask(world);
    const step = {
      type: 'advance_withdrawal',
      withdrawalId,
      step: 'send',
      reference: null,
      reason: null,
    } as const;
    expect(world.run(step, as('anna')).answer).toMatchObject(refusal('NOT_FOUND'));
    const none = { ...step, withdrawalId: asWithdrawalId('wd_none') };
    expect(world.run(none).answer).toMatchObject(refusal('NOT_FOUND'));
    const wrong: [object, string][] = [
      [{ step: 'pay' }, 'step'],
      [{ step: 'complete' }, 'reference'],
      [{ reference: 'x' }, 'reference'],
      [{ step: 'fail' }, 'reason'],
      [{ reason: 'x' }, 'reason'],
    ];
    for (const [change, field] of wrong) {
      const { answer } = world.run({ ...step, ...change });
      expect(answer).toMatchObject(refusal('VALIDATION_FAILED', { field }));
    }
  });

  it('[FN4] a step that was taken before changes nothing, a month later either', () => {
    const world = live();
    const { withdrawalId } = ask(world);
    for (const step of ['send', 'complete'] as const) {
      advance(world, withdrawalId, step);
      world.pass(A_MONTH);
      const again = advance(world, withdrawalId, step);
      expect([again.answer.ok, again.events]).toEqual([true, []]);
    }
    expect(advance(world, withdrawalId, 'send').events).toEqual([]);
    expect(advance(world, withdrawalId, 'approve').events).toEqual([]);
    const paid = refusal('STATE_CONFLICT', { state: 'completed' });
    expect(advance(world, withdrawalId, 'fail').answer).toMatchObject(paid);
    expect(cancel(world, withdrawalId).answer).toMatchObject(paid);
    expect(money(world)).toEqual([6, 0, -6]);
  });

  it('[FN4] what failed is given back once, and is never sent or completed after', () => {
    const world = live();
    const { withdrawalId } = ask(world);
    for (const step of ['complete', 'fail'] as const) {
      const { answer } = advance(world, withdrawalId, step);
      expect(answer).toMatchObject(refusal('STATE_CONFLICT', { state: 'requested' }));
    }
    advance(world, withdrawalId, 'send');
    advance(world, withdrawalId, 'fail');
    expect(advance(world, withdrawalId, 'fail').events).toEqual([]);
    for (const step of ['approve', 'send', 'complete'] as const) {
      const { answer } = advance(world, withdrawalId, step);
      expect(answer).toMatchObject(refusal('STATE_CONFLICT', { state: 'failed' }));
    }
    expect(money(world)).toEqual([10, 0, -10]);
  });

  it('[FN5] its owner or an operator cancels it as long as it was not sent', () => {
    const world = live();
    world.open('bert', 1);
    const { withdrawalId } = ask(world);
    expect(cancel(world, withdrawalId, as('bert')).answer).toMatchObject(refusal('NOT_FOUND'));
    world.do({ type: 'freeze_account', accountId: accountName('anna'), frozen: true });
    world.do({ type: 'set_read_only', readOnly: true, reason: 'drill' });
    expect(cancel(world, withdrawalId).answer).toMatchObject({
      ok: true,
      result: { withdrawal: { state: 'failed', reason: 'cancelled' } },
    });
    expect(cancel(world, withdrawalId).events).toEqual([]);
    world.do({ type: 'set_read_only', readOnly: false, reason: 'over' });
    world.do({ type: 'freeze_account', accountId: accountName('anna'), frozen: false });
    const second = ask(world);
    advance(world, second.withdrawalId, 'send');
    const sent = refusal('STATE_CONFLICT', { state: 'sent' });
    expect(cancel(world, second.withdrawalId).answer).toMatchObject(sent);
    expect(cancel(world, second.withdrawalId, OPERATOR).answer).toMatchObject(sent);
    expect(money(world)).toEqual([6, 4, -11]);
  });

  it('[FN6] whatever steps come in whatever order, it is paid once or given back, and nothing else moves', () => {
    const step = fc.constantFrom('approve', 'send', 'complete', 'fail', 'cancel', 'wait');
    const hold = fc.constantFrom(
      null,
      { approval: true, untilMs: null, reason: 'limit' },
      { approval: false, untilMs: 86_400_000 + 61_000, reason: 'later' },
    );
    fc.assert(
      fc.property(hold, fc.array(step, { maxLength: 14 }), (held, steps) => {
        const world = live();
        const { withdrawalId } = ask(world, { hold: held });
        let out = 0;
        let back = 0;
        for (const each of steps) {
          const { events } =
            each === 'wait'
              ? world.pass(1000)
              : each === 'cancel'
                ? cancel(world, withdrawalId)
                : advance(world, withdrawalId, each);
          for (const event of ofType(events, 'ledger_posted')) {
            const moved = postingsOf(event).map(({ account, amount }) => `${account} ${amount}`);
            if (moved.includes('external:bank 4000000')) out += 1;
            if (moved.includes('user:acc_anna:free 4000000')) back += 1;
          }
        }
        const state = world.state.funds.withdrawal(withdrawalId)?.state;
        expect([out, back]).toEqual([state === 'completed' ? 1 : 0, state === 'failed' ? 1 : 0]);
        const [free, reserved, outside] = money(world);
        expect(free! + reserved! + outside!).toBe(0);
      }),
      { numRuns: 300 },
    );
  });
});
