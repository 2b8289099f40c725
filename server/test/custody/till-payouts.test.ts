// Withdrawals that people pay by hand: seen by operators, ended by their word alone, and by the word that came first.
import { setImmediate } from 'node:timers/promises';
import { limits } from '@sibyl/contract';
import type { WithdrawalRecord } from '@sibyl/engine';
import { usdt } from '@sibyl/money';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MemoryTillStore } from '../../src/adapters/memory/till.ts';
import { LocalCustody } from '../../src/custody/local-custody.ts';
import { payoutOf } from '../../src/custody/payout.ts';
import { WithdrawalWorker } from '../../src/custody/withdrawal-worker.ts';
import type { Payout } from '../../src/ports/custody.ts';
import type { TillEntry } from '../../src/ports/till.ts';
import { readConfig } from '../../src/settings/config.ts';
import { openCustody } from '../../src/stores/open-custody.ts';
import { expectError } from '../gateway/expect.ts';
import { bearer } from '../gateway/harness.ts';
import { type OperatorHarness, openOperator, trader } from '../operator/harness.ts';
import { joined } from '../operator/people.ts';
import { user } from '../ports/platform-suite.ts';

const live = { lane: 'live', reason: 'sent at the bank' };
const BEGUN = 10_000_000_000n;
const MINUTE_MS = 60_000;

let harness: OperatorHarness;
/** A write takes its time, as on a disk: whoever looks meanwhile finds nothing yet. */
class SlowTill extends MemoryTillStore {
  override async enter(entry: TillEntry): Promise<boolean> {
    await setImmediate();
    return super.enter(entry);
  }
}

let till: MemoryTillStore;
let treasurer: string;
let treasurerId: string;
beforeEach(async () => {
  till = new SlowTill();
  harness = await openOperator('live', (clock) => new LocalCustody({ till, clock }));
  await new LocalCustody({ till, clock: harness.clock }).begin(BEGUN);
  ({ token: treasurer, operatorId: treasurerId } = await joined(harness, 'tom', ['treasurer']));
});
afterEach(() => harness.close());

function worker(custody = harness.custody): WithdrawalWorker {
  const failed = (error: unknown): never => expect.fail(String(error));
  const { lane, clock } = harness;
  if (custody === undefined) throw new Error('no custody');
  const mayBePaid = async (): Promise<boolean> => true;
  return new WithdrawalWorker({ lane, clock, custody, mayBePaid, alarm: failed, failed });
}

/** One of 40 USDT that may be paid, and that nobody has taken up. */
async function asked(): Promise<WithdrawalRecord> {
  const { answer } = await harness.submit({
    type: 'withdraw',
    accountId: trader,
    amount: usdt(40_000_000n),
    custody: 'local',
    destination: 'DE89 3704',
    hold: null,
  });
  if (!answer.ok || answer.result.kind !== 'withdrawal') throw new Error('no withdrawal');
  await worker().round();
  return answer.result.withdrawal;
}

/** The same after a treasurer has taken it up. */
async function sent(): Promise<WithdrawalRecord> {
  const withdrawal = await asked();
  expect((await take(withdrawal)).statusCode).toBe(200);
  return withdrawal;
}

type Act = 'take' | 'paid' | 'reject';
const act = (of: WithdrawalRecord, which: Act, body: object, token = treasurer) =>
  harness.gateway.app.inject({
    method: 'POST',
    url: `/admin/v1/withdrawals/${of.withdrawalId}/${which}`,
    headers: bearer(token),
    payload: body,
  });
const pay = (of: WithdrawalRecord, reference = 'transfer 1', token = treasurer) =>
  act(of, 'paid', { ...live, reference }, token);
const take = (of: WithdrawalRecord) => act(of, 'take', live);
const cancel = ({ withdrawalId, accountId }: WithdrawalRecord) =>
  harness.submit({ type: 'cancel_withdrawal', withdrawalId, accountId, reason: 'cancelled' });
const giveBack = (of: WithdrawalRecord, token = treasurer) => act(of, 'reject', live, token);

const stateOf = (of: WithdrawalRecord) =>
  harness.lane.read(({ funds }) => funds.withdrawal(of.withdrawalId)?.state);

type Queue = 'payout' | 'payout_taken' | 'withdrawal';
async function queue(wanted: Queue): Promise<readonly Record<string, unknown>[]> {
  const { queues } = (await harness.get('/queues?lane=live')).json().data;
  return queues.find(({ kind }: { readonly kind: string }) => kind === wanted).items;
}
const shown = async ({ withdrawalId }: WithdrawalRecord) =>
  (await harness.get(`/withdrawals/${withdrawalId}`)).json().data;

describe('[CU29] a withdrawal that is paid by hand', () => {
  it('waits in the queue, and is paid when a treasurer says so, by which reference', async () => {
    const withdrawal = await sent();
    const { withdrawalId: id } = withdrawal;
    const title = `40.000000 USDT to DE89 3704 for ${trader}`;
    expect([await queue('payout'), await queue('payout_taken')]).toMatchObject([
      [],
      [{ id, title }],
    ]);
    expect((await shown(withdrawal)).waits_for).toBe('payout_taken');
    // However often it is asked about.
    for (const _time of [1, 2]) await worker().round();
    expect([await stateOf(withdrawal), await till.balance()]).toEqual(['sent', BEGUN]);
    const viewer = (await joined(harness, 'vic', ['viewer'])).token;
    const body = { ...live, reference: 'transfer 1' };
    expectError(await act(withdrawal, 'paid', body, viewer), 'SCOPE_MISSING');
    expectError(await act(withdrawal, 'paid', live), 'MISSING_FIELD');
    expectError(await pay(withdrawal, '   '), 'VALIDATION_FAILED');
    expect(await stateOf(withdrawal)).toBe('sent');
    const told = (await pay(withdrawal)).json().data;
    expect(told).toMatchObject({ state: 'completed', reference: 'transfer 1' });
    expect([await queue('payout_taken'), await till.balance()]).toEqual([[], BEGUN - 40_000_000n]);
    // The same word again changes nothing, and another one is refused.
    expect((await pay(withdrawal)).json().data).toEqual(told);
    expectError(await pay(withdrawal, 'transfer 2'), 'STATE_CONFLICT');
    expectError(await giveBack(withdrawal), 'STATE_CONFLICT');
    expect(await till.balance()).toBe(BEGUN - 40_000_000n);
    const trail = (await harness.get('/trail?operation=markWithdrawalPaid')).json().data;
    const outcomes = trail.map((entry: { readonly outcome: string }) => entry.outcome);
    expect(outcomes).toEqual(expect.arrayContaining(['SCOPE_MISSING', 'ok', 'STATE_CONFLICT']));
  });

  it('is given back, and then never paid', async () => {
    const withdrawal = await sent();
    expect((await giveBack(withdrawal)).json().data).toMatchObject({
      state: 'failed',
      reason: 'rejected',
    });
    expectError(await pay(withdrawal), 'STATE_CONFLICT');
    await worker().round();
    expect([await stateOf(withdrawal), await till.balance()]).toEqual(['failed', BEGUN]);
    expect(await queue('payout_taken')).toEqual([]);
  });

  it('ends in one way where two operators say different things at once', async () => {
    for (const _time of [1, 2, 3]) {
      const before = (await till.balance()) ?? 0n;
      const withdrawal = await sent();
      const answers = await Promise.all([giveBack(withdrawal), pay(withdrawal)]);
      expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
      const isPaid = answers[1].statusCode === 200;
      expect(await stateOf(withdrawal)).toBe(isPaid ? 'completed' : 'failed');
      expect(await till.balance()).toBe(isPaid ? before - 40_000_000n : before);
    }
  });

  it('is carried on where the word was cut off between the books and the ledger', async () => {
    const withdrawal = await sent();
    const paid = { state: 'paid', reference: 'cut off' } as const;
    await harness.custody?.settle?.(payoutOf(withdrawal), paid, treasurerId);
    expect(await stateOf(withdrawal)).toBe('sent');
    expectError(await giveBack(withdrawal), 'STATE_CONFLICT');
    const { token: other } = await joined(harness, 'ann', ['treasurer']);
    expectError(await pay(withdrawal, 'cut off', other), 'STATE_CONFLICT');
    await worker().round();
    expect(await stateOf(withdrawal)).toBe('completed');
    expect((await pay(withdrawal, 'cut off')).statusCode).toBe(200);
  });

  it('is not that of a custody which pays by itself', async () => {
    await harness.close();
    const bank = { state: 'pending' } as const;
    harness = await openOperator('live', () => ({
      name: 'local',
      pay: async () => bank,
      check: async () => null,
      books: async () => ({ balance: 0n, paid: [] }),
    }));
    treasurer = (await joined(harness, 'tom', ['treasurer'])).token;
    const withdrawal = await asked();
    expect([await queue('payout'), await queue('payout_taken')]).toEqual([[], []]);
    expectError(await take(withdrawal), 'STATE_CONFLICT');
    expectError(await pay(withdrawal), 'STATE_CONFLICT');
    expectError(await giveBack(withdrawal), 'STATE_CONFLICT');
    expect(await stateOf(withdrawal)).toBe('sent');
  });

  it('is a warning in the log, once for each start', async () => {
    const withdrawal = await asked();
    const { withdrawalId } = withdrawal;
    const told: string[] = [];
    const payoutDue = ({ payoutId }: Payout) => void told.push(payoutId);
    const lines: unknown[] = [];
    const log = { write: (...line: readonly unknown[]) => void lines.push(line) };
    const warning = ['warn', 'a withdrawal is to be paid by hand'];
    for (const start of [1, 2]) {
      const parts = { platform: { till }, live: undefined, log, payoutDue };
      const { custody, close } = await openCustody(readConfig({}, '/nowhere'), parts);
      const driver = worker(custody);
      for (const _time of [1, 2]) {
        await driver.round();
        harness.clock.advance(MINUTE_MS);
      }
      await close();
      expect(lines).toHaveLength(start);
      expect(told).toEqual(Array(start).fill(payoutOf(withdrawal).payoutId));
      const said = {
        what: '40.000000 USDT',
        reason: expect.stringMatching(
          new RegExp(
            `withdrawals take ${withdrawalId} --lane live --reason "…",.* paid ${withdrawalId} --reference "…" --lane live --reason "…"`,
          ),
        ),
      };
      expect(lines.at(-1)).toEqual([...warning, expect.objectContaining(said)]);
    }
  });
});

describe('[CU31] what was said of a payout', () => {
  let other: string;
  beforeEach(async () => {
    other = (await joined(harness, 'ann', ['treasurer'])).token;
  });

  it('is no second time said by another operator, in whatever words: who said it and when is told', async () => {
    const paid = await sent();
    const told = (await pay(paid)).json().data;
    const atMs = harness.clock.wallMs();
    harness.clock.advance(MINUTE_MS);
    const again = await pay(paid, 'transfer 1', other);
    expectError(again, 'STATE_CONFLICT');
    const teller = { told_by: treasurerId, told_at_ms: atMs };
    expect(again.json().error).toMatchObject({
      message: expect.stringMatching(/^tom said at 20.* that it was paid, by transfer 1\.$/),
      details: { state: 'paid', reference: 'transfer 1', ...teller },
    });
    expect((await pay(paid)).json().data).toEqual(told);
    const returned = await sent();
    expect((await giveBack(returned)).statusCode).toBe(200);
    const late = await giveBack(returned, other);
    expectError(late, 'STATE_CONFLICT');
    expect(late.json().error.details).toMatchObject({ state: 'failed', told_by: treasurerId });
    expect((await giveBack(returned)).statusCode).toBe(200);
    expect(await till.balance()).toBe(BEGUN - 40_000_000n);
  });

  it('is of one of two operators who say it at once', async () => {
    for (const _time of [1, 2, 3]) {
      const withdrawal = await sent();
      const reference = `transfer of ${withdrawal.withdrawalId}`;
      const answers = await Promise.all(
        [treasurer, other].map((token) => pay(withdrawal, reference, token)),
      );
      expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
    }
  });

  it('has a reference that no other payout has, unless one transfer is said to have paid both', async () => {
    const [first, second] = [await sent(), await sent()];
    await pay(first);
    const refused = await pay(second, ' transfer 1 ', other);
    expectError(refused, 'ALREADY_EXISTS');
    expect(refused.json().error.details).toMatchObject({
      ...{ field: 'reference', withdrawal_id: first.withdrawalId, required: 'shared_transfer' },
    });
    expect([await stateOf(second), await till.balance()]).toEqual(['sent', BEGUN - 40_000_000n]);
    const both = { ...live, reference: 'transfer 1', shared_transfer: true };
    expect((await act(second, 'paid', both)).json().data).toMatchObject({ state: 'completed' });
    expect(await till.balance()).toBe(BEGUN - 80_000_000n);
    // What was given back for that reason names no payment.
    const [third, fourth] = [await sent(), await sent()];
    await act(third, 'reject', { ...live, message: 'transfer 2' });
    expect((await pay(fourth, 'transfer 2')).statusCode).toBe(200);
  });

  it('has it once where two payouts are told by one reference at once', async () => {
    const both = [await sent(), await sent()];
    const answers = await Promise.all(both.map((each) => pay(each)));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
    expect(await till.balance()).toBe(BEGUN - 40_000_000n);
  });
});

describe('[CU32] a withdrawal that was told as paid by mistake', () => {
  const balances = () =>
    harness.lane.read(({ ledger, accounts, contra }) => ({
      free: ledger.balance(accounts.get(trader)!.free),
      outside: -ledger.balance(contra),
      netDeposits: accounts.get(trader)!.netDeposits,
    }));

  it('is given back by a correction of two treasurers, once, and all books are as before it', async () => {
    const { token: other } = await joined(harness, 'ann', ['treasurer']);
    const before = { ...(await balances()), till: await till.balance() };
    const withdrawal = await sent();
    let asks = 0;
    const send = (token: string, url: string, payload: object) => {
      asks += 1;
      return harness.gateway.app.inject({
        ...{ method: 'POST', url: `/admin/v1${url}`, payload },
        headers: { ...bearer(token), 'idempotency-key': `correction-${asks}` },
      });
    };
    const amount = (await shown(withdrawal)).amount;
    const wrong = { ...live, asset: 'USDT', amount, external_ref: withdrawal.withdrawalId };
    const correction = (more: object) =>
      send(treasurer, `/accounts/${trader}/corrections`, { ...wrong, ...more });
    expectError(await correction({}), 'VALIDATION_FAILED');
    await pay(withdrawal);
    expectError(await correction({ amount: '0.01' }), 'VALIDATION_FAILED');
    const { withdrawalId } = withdrawal;
    for (const external_ref of [` ${withdrawalId.toUpperCase()} `, withdrawalId]) {
      const asked = (await correction({ external_ref })).json().data;
      expect(asked.state).toBe('waiting');
      const agreed = { reason: 'the bank shows no such transfer' };
      const url = `/approvals/${asked.approval_id}/approve`;
      expect((await send(other, url, agreed)).json().data.state).toBe('done');
      expect({ ...(await balances()), till: await till.balance() }).toEqual(before);
    }
    const { data } = (await harness.get('/trail?operation=correctBalance')).json();
    expect(data.at(-1)).toMatchObject({
      operator_id: expect.stringContaining('+'),
      what: expect.stringContaining(withdrawal.withdrawalId),
      ...{ reason: live.reason, outcome: 'ok' },
    });
  });
});

describe('[CU30] a withdrawal that nobody has taken up to pay it', () => {
  /** The account's owner; the same person may be stopped in several ways. */
  async function owned(): Promise<WithdrawalRecord> {
    const owner = { ...user('anna'), accounts: { live: trader, sandbox: 'acc_other' } };
    await harness.platform.addUser(owner);
    return asked();
  }

  /** Refused in words that say why, shown so, and in no queue of what may be paid. */
  async function expectStopped(
    withdrawal: WithdrawalRecord,
    wait: string,
    words: RegExp,
  ): Promise<void> {
    const answer = await take(withdrawal);
    expectError(answer, 'STATE_CONFLICT');
    expect(answer.json().error).toMatchObject({
      message: expect.stringMatching(words),
      details: { withdrawal_id: withdrawal.withdrawalId, waits_for: wait },
    });
    expectError(await pay(withdrawal), 'STATE_CONFLICT');
    expect((await shown(withdrawal)).waits_for).toBe(wait);
    expect(await queue('payout')).toEqual([]);
    expect([await stateOf(withdrawal), await till.balance()]).toEqual(['requested', BEGUN]);
  }

  it("is not sent: it waits in the queue, and is its owner's to cancel", async () => {
    const withdrawal = await asked();
    const { withdrawalId: id } = withdrawal;
    expect(await stateOf(withdrawal)).toBe('requested');
    expect(await queue('payout')).toMatchObject([{ id }]);
    expect((await shown(withdrawal)).waits_for).toBe('payout');
    const early = await pay(withdrawal);
    expectError(early, 'STATE_CONFLICT');
    expect(early.json().error.message).toContain('take it up first');
    expect((await cancel(withdrawal)).answer.ok).toBe(true);
    expectError(await take(withdrawal), 'STATE_CONFLICT');
    expect(await queue('payout')).toEqual([]);
    // Given back already, and not by this operator.
    const late = await giveBack(withdrawal);
    expectError(late, 'STATE_CONFLICT');
    expect(late.json().error.details).toMatchObject({ state: 'failed', reason: 'cancelled' });
  });

  it('is stopped by a password that was changed since, until the hold is over', async () => {
    const withdrawal = await owned();
    const { platform, clock } = harness;
    platform.factors.noteChange('usr_anna', clock.wallMs());
    await expectStopped(withdrawal, 'time', /held until 20\d\d-/);
    expect(await shown(withdrawal)).toMatchObject({
      state: 'held',
      held_until_at_ms: clock.wallMs() + limits.factors.withdrawalHoldMs,
    });
    clock.advance(limits.factors.withdrawalHoldMs);
    expect(await queue('payout')).toHaveLength(1);
  });

  it('is stopped by a freeze, and by rules of compliance that came later', async () => {
    const withdrawal = await owned();
    const freeze = (isFrozen: boolean) =>
      harness.post(`/accounts/${trader}/${isFrozen ? 'freeze' : 'unfreeze'}`, live);
    await freeze(true);
    await expectStopped(withdrawal, 'frozen', /frozen/);
    await freeze(false);
    const rules = { sanctions: [{ id: 'list', emails: [user('anna').email] }] };
    await harness.post('/compliance', { reason: 'a list came', rules });
    await expectStopped(withdrawal, 'compliance', /SANCTIONS_HIT/);
    expect((await shown(withdrawal)).restriction).toBe('SANCTIONS_HIT');
    expect(await queue('withdrawal')).toMatchObject([{ id: withdrawal.withdrawalId }]);
  });

  it('is taken up by one operator alone, and told again under the same key', async () => {
    const withdrawal = await asked();
    const { withdrawalId: id } = withdrawal;
    const answers = await Promise.all([1, 2, 3].map(() => take(withdrawal)));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409]);
    const other = await asked();
    const keyed = () => harness.post(`/withdrawals/${other.withdrawalId}/take`, live, 'key-0001');
    const first = await keyed();
    expect(first.json().data).toMatchObject({ state: 'sent' });
    expect((await keyed()).json().data).toEqual(first.json().data);
    expect((await queue('payout_taken')).map((item) => item.id)).toEqual([id, other.withdrawalId]);
  });

  it('is taken up or cancelled, never both, where both happen at once', async () => {
    for (const _time of [1, 2, 3]) {
      const withdrawal = await asked();
      const [taken, cancelled] = await Promise.all([take(withdrawal), cancel(withdrawal)]);
      expect(taken.statusCode === 200).toBe(!cancelled.answer.ok);
      expect(await stateOf(withdrawal)).toBe(cancelled.answer.ok ? 'failed' : 'sent');
    }
  });
});
