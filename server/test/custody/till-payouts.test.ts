// Withdrawals that people pay by hand: seen by operators, ended by their word alone, and by the word that came first.
import type { WithdrawalRecord } from '@sibyl/engine';
import { usdt } from '@sibyl/money';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MemoryTillStore } from '../../src/adapters/memory/till.ts';
import { LocalCustody } from '../../src/custody/local-custody.ts';
import { payoutOf } from '../../src/custody/payout.ts';
import { WithdrawalWorker } from '../../src/custody/withdrawal-worker.ts';
import { readConfig } from '../../src/settings/config.ts';
import { openCustody } from '../../src/stores/open-custody.ts';
import { expectError } from '../gateway/expect.ts';
import { bearer } from '../gateway/harness.ts';
import { type OperatorHarness, openOperator, trader } from '../operator/harness.ts';
import { joined } from '../operator/people.ts';

const live = { lane: 'live', reason: 'sent at the bank' };
const BEGUN = 10_000_000_000n;

let harness: OperatorHarness;
let till: MemoryTillStore;
let treasurer: string;
beforeEach(async () => {
  till = new MemoryTillStore();
  harness = await openOperator('live', (clock) => new LocalCustody({ till, clock }));
  await new LocalCustody({ till, clock: harness.clock }).begin(BEGUN);
  treasurer = (await joined(harness, 'tom', ['treasurer'])).token;
});
afterEach(() => harness.close());

function worker(): WithdrawalWorker {
  const failed = (error: unknown): never => expect.fail(String(error));
  const { lane, clock, custody } = harness;
  if (custody === undefined) throw new Error('no custody');
  const mayBePaid = async (): Promise<boolean> => true;
  return new WithdrawalWorker({ lane, clock, custody, mayBePaid, alarm: failed, failed });
}

/** One of 40 USDT that was sent to the till. */
async function sent(): Promise<WithdrawalRecord> {
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

const act = (of: WithdrawalRecord, which: 'paid' | 'reject', body: object, token = treasurer) =>
  harness.gateway.app.inject({
    method: 'POST',
    url: `/admin/v1/withdrawals/${of.withdrawalId}/${which}`,
    headers: bearer(token),
    payload: body,
  });
const pay = (of: WithdrawalRecord, reference = 'transfer 1') =>
  act(of, 'paid', { ...live, reference });
const giveBack = (of: WithdrawalRecord) => act(of, 'reject', live);

const stateOf = (of: WithdrawalRecord) =>
  harness.lane.read(({ funds }) => funds.withdrawal(of.withdrawalId)?.state);

async function due(): Promise<readonly Record<string, unknown>[]> {
  const { queues } = (await harness.get('/queues?lane=live')).json().data;
  return queues.find(({ kind }: { readonly kind: string }) => kind === 'payout').items;
}

describe('[CU29] a withdrawal that is paid by hand', () => {
  it('waits in the queue, and is paid when a treasurer says so, by which reference', async () => {
    const withdrawal = await sent();
    const { withdrawalId: id } = withdrawal;
    expect(await due()).toMatchObject([{ id, title: `40.000000 USDT to DE89 3704 for ${trader}` }]);
    expect((await harness.get(`/withdrawals/${id}`)).json().data.waits_for).toBe('payout');
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
    expect([await due(), await till.balance()]).toEqual([[], BEGUN - 40_000_000n]);
    // The same word again changes nothing, and another one is refused.
    expect((await pay(withdrawal)).json().data).toEqual(told);
    expectError(await pay(withdrawal, 'transfer 2'), 'STATE_CONFLICT');
    expectError(await giveBack(withdrawal), 'STATE_CONFLICT');
    expect(await till.balance()).toBe(BEGUN - 40_000_000n);
    const trail = (await harness.get('/trail?operation=markWithdrawalPaid')).json().data;
    const outcomes = trail.map((entry: { readonly outcome: string }) => entry.outcome);
    expect(outcomes).toEqual(expect.arrayContaining(['SCOPE_MISSING', 'ok', 'STATE_CONFLICT']));
  });

  it('is given back with a reason, and then never paid', async () => {
    const withdrawal = await sent();
    expect((await giveBack(withdrawal)).json().data).toMatchObject({
      state: 'failed',
      reason: live.reason,
    });
    expectError(await pay(withdrawal), 'STATE_CONFLICT');
    await worker().round();
    expect([await stateOf(withdrawal), await till.balance()]).toEqual(['failed', BEGUN]);
    expect(await due()).toEqual([]);
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
    await harness.custody?.settle?.(payoutOf(withdrawal), { state: 'paid', reference: 'cut off' });
    expect(await stateOf(withdrawal)).toBe('sent');
    expectError(await giveBack(withdrawal), 'STATE_CONFLICT');
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
    const withdrawal = await sent();
    expect(await due()).toEqual([]);
    expectError(await pay(withdrawal), 'STATE_CONFLICT');
    expectError(await giveBack(withdrawal), 'STATE_CONFLICT');
    expect(await stateOf(withdrawal)).toBe('sent');
  });

  it('is a warning in the log, once for each start', async () => {
    const payout = { payoutId: 'wd_1-ab', amount: 40_000_000n, destination: 'DE89 3704' };
    const lines: unknown[] = [];
    const log = { write: (...line: readonly unknown[]) => void lines.push(line) };
    const warning = ['warn', 'a withdrawal is to be paid by hand'];
    for (const start of [1, 2]) {
      const parts = { platform: { till }, live: undefined, log };
      const { custody, close } = await openCustody(readConfig({}, '/nowhere'), parts);
      for (const _time of [1, 2]) await custody.pay(payout);
      await close();
      expect(lines).toHaveLength(start);
      const said = {
        what: '40.000000 USDT',
        reason: expect.stringContaining('withdrawals paid wd_1'),
      };
      expect(lines.at(-1)).toEqual([...warning, expect.objectContaining(said)]);
    }
  });
});
