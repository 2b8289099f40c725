// The local custody and its books: beside the lane, compared with the ledger, and found out when one of the two is wrong.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { asAccountId, type CommandBody, type Outcome, type WithdrawalRecord } from '@sibyl/engine';
import { ManualClock } from '@sibyl/lane/testing';
import { usdt } from '@sibyl/money';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MemoryTillStore } from '../../src/adapters/memory/till.ts';
import { HttpCustody } from '../../src/adapters/node/http-custody.ts';
import { LocalCustody } from '../../src/custody/local-custody.ts';
import { payoutOf } from '../../src/custody/payout.ts';
import { WithdrawalWorker } from '../../src/custody/withdrawal-worker.ts';
import { compareCustody } from '../../src/operator/custody-comparison.ts';
import { custodyCheck } from '../../src/operator/reconciliation.ts';
import type { Custody, Payout, PayoutEnd } from '../../src/ports/custody.ts';
import { EngineLane } from '../engine-lane.ts';

const OWNER = asAccountId('acc_anna');
const TELLER = 'opr_tom';

let clock: ManualClock;
let lane: EngineLane;
let till: MemoryTillStore;
let custody: LocalCustody;
let due: string[];
beforeEach(async () => {
  clock = new ManualClock(1_794_744_000_000);
  till = new MemoryTillStore();
  due = [];
  custody = new LocalCustody({ till, clock, due: ({ payoutId }) => due.push(payoutId) });
  await openLane();
});

/** One in which nothing has happened yet. */
async function openLane(): Promise<void> {
  lane = new EngineLane('live', clock);
  await run({
    type: 'open_account',
    accountId: OWNER,
    mode: 'live',
    parentId: null,
    referrerId: null,
  });
}

function run(body: CommandBody): Promise<Outcome> {
  return lane.submit({ body, actor: { kind: 'system' }, requestId: 'test' });
}

const QUICK = { tries: 10, firstMs: 1, mostMs: 1 };
const compare = (asked: Custody) => compareCustody({ lane, clock }, asked, QUICK);

/** What was booked before is on its way no longer. */
const settle = (): void => clock.advance(60_001);

async function deposit(whole: number, reference: string): Promise<void> {
  const amount = usdt(BigInt(whole) * 1_000_000n);
  await run({ type: 'deposit', accountId: OWNER, amount, reference });
}

async function ask(): Promise<WithdrawalRecord> {
  const { answer } = await run({
    type: 'withdraw',
    accountId: OWNER,
    amount: usdt(4_000_000n),
    custody: 'local',
    destination: 'DE89 3704',
    hold: null,
  });
  if (!answer.ok || answer.result.kind !== 'withdrawal') throw new Error('no withdrawal');
  return answer.result.withdrawal;
}

/** As an operator does who is about to pay it. */
const take = ({ withdrawalId }: WithdrawalRecord): Promise<Outcome> => {
  const nothing = { reference: null, reason: null };
  return run({ type: 'advance_withdrawal', withdrawalId, step: 'send', ...nothing });
};

/** As an operator does who has paid it. */
const handOver = async (payout: Payout): Promise<PayoutEnd> => {
  const { end } = await custody.settle(payout, { state: 'paid', reference: 'transfer 1' }, TELLER);
  return end;
};

function worker(): WithdrawalWorker {
  const failed = (error: unknown): void => {
    throw error;
  };
  const mayBePaid = async (): Promise<boolean> => true;
  return new WithdrawalWorker({ lane, custody, clock, mayBePaid, alarm: failed, failed });
}

describe('the local custody', () => {
  it('[CU4] [CU29] pays a withdrawal once, by hand, and its books agree with the ledger at every step', async () => {
    await custody.begin(0n);
    await deposit(10, 'wire-1');
    await custody.receive('wire-1', 10_000_000n);
    await custody.receive('wire-1', 10_000_000n);
    expect(await compare(custody)).toMatchObject({
      state: 'agrees',
      balance: '10.000000',
    });
    const withdrawal = await ask();
    const driver = worker();
    await driver.round();
    await take(withdrawal);
    const payout = payoutOf(withdrawal);
    const pending = { state: 'pending' };
    expect([await custody.pay(payout), await custody.pay(payout)]).toEqual([pending, pending]);
    expect(due).toEqual([payout.payoutId]);
    expect(await compare(custody)).toMatchObject({ state: 'agrees', balance: '10.000000' });
    const paid = { state: 'paid', reference: 'transfer 1' };
    expect([await handOver(payout), await handOver(payout)]).toEqual([paid, paid]);
    expect(await custody.pay(payout)).toEqual(paid);
    // Paid, and the lane has not heard of it yet.
    settle();
    const at = { at: '2026-11-15T12:01:00.001Z', ms: 1_794_744_060_001 };
    expect(await compare(custody)).toEqual({
      name: 'local',
      state: 'agrees',
      balance: '6.000000',
      ledger: '10.000000',
      paid_unbooked: '4.000000',
      difference: '0.000000',
      difference_least: '0.000000',
      difference_most: '0.000000',
      by_hand: '0.000000',
      seq_before: 4,
      seq_after: 4,
      asked_at: at.at,
      asked_at_ms: at.ms,
      answered_at: at.at,
      answered_at_ms: at.ms,
    });
    await driver.round();
    expect(await compare(custody)).toMatchObject({
      state: 'agrees',
      balance: '6.000000',
      ledger: '6.000000',
    });
    expect(due).toEqual([payout.payoutId]);
  });

  it('[CU29] gives back what is never paid, and the word that came first stands', async () => {
    await custody.begin(0n);
    await deposit(10, 'wire-1');
    await custody.receive('wire-1', 10_000_000n);
    const withdrawal = await ask();
    await take(withdrawal);
    const failed = { state: 'failed', reason: 'no such account' } as const;
    const first = { end: failed, by: TELLER, atMs: clock.wallMs() };
    expect(await custody.settle(payoutOf(withdrawal), failed, TELLER)).toEqual(first);
    clock.advance(1_000);
    expect(await custody.settle(payoutOf(withdrawal), failed, 'opr_ann')).toEqual(first);
    expect(await handOver(payoutOf(withdrawal))).toEqual(failed);
    await worker().round();
    const { funds, ledger, accounts } = lane.state;
    expect(funds.withdrawal(withdrawal.withdrawalId)).toMatchObject(failed);
    expect(ledger.balance(accounts.get(OWNER)!.free)).toBe(10_000_000n);
    settle();
    expect(await compare(custody)).toMatchObject({ state: 'agrees', balance: '10.000000' });
  });

  it('[CU20] pays a withdrawal that has the id of one from before a restore', async () => {
    await custody.begin(20_000_000n);
    await deposit(10, 'wire-1');
    const first = await ask();
    await take(first);
    await handOver(payoutOf(first));
    await worker().round();
    // The lane of an earlier backup, to which the same happens later: the books outside know what was paid before.
    clock.advance(60_000);
    await openLane();
    await deposit(10, 'wire-1');
    const second = await ask();
    expect(second.withdrawalId).toBe(first.withdrawalId);
    await worker().round();
    expect(due).toEqual([payoutOf(second).payoutId]);
    await take(second);
    await worker().round();
    // What was paid before is not taken for it.
    expect(lane.state.funds.withdrawal(second.withdrawalId)?.state).toBe('sent');
    expect(payoutOf(first).payoutId).not.toBe(payoutOf(second).payoutId);
    // One that was on its way already is the payout that it was.
    expect(payoutOf({ ...second, state: 'sent', updatedAtMs: 0 })).toEqual(payoutOf(second));
  });

  it('[OP60] has in its books what operators corrected, once for each reference', async () => {
    await custody.begin(0n);
    await deposit(10, 'wire-1');
    await custody.receive('wire-1', 10_000_000n);
    const amount = usdt(-3_000_000n);
    await run({ type: 'correct_balance', accountId: OWNER, amount, reference: 'wire-1' });
    settle();
    expect(await compare(custody)).toMatchObject({ state: 'differs', difference: '3.000000' });
    for (const _time of [1, 2]) await custody.correct('wire-1', amount);
    expect(await compare(custody)).toMatchObject({ state: 'agrees', balance: '7.000000' });
  });

  it('[CU4] begins its books with what the ledger had outside before, once', async () => {
    await deposit(10, 'wire-1');
    await custody.begin(10_000_000n);
    await custody.begin(99_000_000n);
    expect((await compare(custody)).state).toBe('agrees');
  });

  it('[CU5] what is in one of the books alone is a difference, to the unit', async () => {
    await custody.begin(0n);
    await deposit(10, 'wire-1');
    await custody.receive('wire-1', 9_999_999n);
    settle();
    expect(await compare(custody)).toMatchObject({
      state: 'differs',
      difference: '-0.000001',
    });
    await handOver({ payoutId: 'wd_unknown', amount: 1_000_000n, destination: 'x' });
    expect((await compare(custody)).difference).toBe('-1.000001');
  });
});

describe('[CU27] money that moves while the custody is asked', () => {
  beforeEach(async () => {
    await custody.begin(0n);
    await deposit(100, 'wire-1');
    await custody.receive('wire-1', 100_000_000n);
    settle();
  });

  /** The local custody, at which something happens as often as it is asked for its books, before or after it has summed them up. */
  const meanwhile = (
    when: 'before' | 'after',
    happens: (asked: number) => Promise<void>,
  ): Custody => {
    let asked = 0;
    return {
      name: 'local',
      pay: (payout) => custody.pay(payout),
      check: () => custody.check(),
      receive: (reference, amount) => custody.receive(reference, amount),
      correct: (reference, amount) => custody.correct(reference, amount),
      books: async (payoutIds) => {
        asked += 1;
        if (when === 'before') await happens(asked);
        const books = await custody.books(payoutIds);
        if (when === 'after') await happens(asked);
        return books;
      },
    };
  };
  const payOut = async (): Promise<void> => {
    const withdrawal = await ask();
    await take(withdrawal);
    await handOver(payoutOf(withdrawal));
    await worker().round();
  };
  /** Without the ledger having heard of it. */
  const payUnbooked = async (): Promise<void> => {
    const withdrawal = await ask();
    await take(withdrawal);
    await handOver(payoutOf(withdrawal));
  };
  const bringIn = async (asked: number): Promise<void> => {
    await deposit(3, `wire in ${asked}`);
    await custody.receive(`wire in ${asked}`, 3_000_000n);
  };

  it.each([
    ['a payout', 'before', payOut],
    ['a payout', 'after', payOut],
    ['a payout that is not booked', 'before', payUnbooked],
    ['a payout that is not booked', 'after', payUnbooked],
    ['a deposit', 'before', bringIn],
    ['a deposit', 'after', bringIn],
  ] as const)('is no difference: %s %s it sums up, at every look', async (_what, when, happens) => {
    const report = await compare(meanwhile(when, happens));
    expect(report).toMatchObject({ state: 'moving', difference: null });
    expect(Number(report.difference_least)).toBeLessThanOrEqual(0);
    expect(Number(report.difference_most)).toBeGreaterThanOrEqual(0);
    expect(report.seq_after).toBeGreaterThan(report.seq_before);
    const { difference_least: least, difference_most: most } = report;
    expect(custodyCheck(report)).toMatchObject({
      holds: true,
      detail: `local was never still: it differs by something between ${least} and ${most}`,
    });
  });

  it('and a payout that was begun and paid while it sums up is bounded by its amount', async () => {
    const report = await compare(meanwhile('before', payOut));
    expect(report).toMatchObject({ difference_least: '-4.000000', difference_most: '0.000000' });
  });

  it.each([
    ['before', payOut],
    ['after', payOut],
    ['before', payUnbooked],
    ['before', bringIn],
    ['after', bringIn],
  ] as const)('hides no difference that is larger: asked %s', async (when, happens) => {
    await till.enter({ entryId: 'stolen', amount: -60_000_000n, note: 'gone', atMs: 0 });
    const report = await compare(meanwhile(when, happens));
    expect(report).toMatchObject({ state: 'differs', difference: null });
    expect(Number(report.difference_most)).toBeLessThan(-40);
    expect(Number(report.difference_least)).toBeLessThanOrEqual(-60);
    expect(custodyCheck(report)).toMatchObject({
      holds: false,
      detail: expect.stringContaining('local differs by something between -'),
    });
  });

  it('is looked for in all records once while nothing is commanded, and once for each reading else', async () => {
    await till.enter({ entryId: 'lost', amount: -1n, note: 'gone', atMs: 0 });
    const spied = () => vi.spyOn(lane.state.funds, 'deposits');
    const quiet = spied();
    expect(await compare(custody)).toMatchObject({ state: 'differs', difference: '-0.000001' });
    expect(quiet).toHaveBeenCalledTimes(1);
    quiet.mockRestore();
    let looks = 0;
    const busy = meanwhile('before', async (asked) => {
      looks = asked;
      await bringIn(asked);
    });
    const scans = spied();
    await compare(busy);
    // Each look sees the deposit once after it; what it begins with is what the one before has ended with.
    expect(scans).toHaveBeenCalledTimes(looks + 1);
    scans.mockRestore();
  });

  it('is asked for again until it is still, and then judged to the unit', async () => {
    const twice = meanwhile('before', async (asked) => {
      if (asked <= 2) await payOut();
    });
    const agreed = await compare(twice);
    expect(agreed).toMatchObject({ state: 'agrees', balance: '92.000000', ledger: '92.000000' });
    expect(agreed.seq_after).toBe(agreed.seq_before);
    await till.enter({ entryId: 'lost', amount: -1n, note: 'gone', atMs: 0 });
    const again = meanwhile('after', async (asked) => {
      if (asked <= 2) await payOut();
    });
    expect(await compare(again)).toMatchObject({ state: 'differs', difference: '-0.000001' });
  });

  it('is none while a deposit is booked and not yet in its books, and one when it never gets there', async () => {
    await deposit(5, 'wire-2');
    clock.advance(30_000);
    expect(await compare(custody)).toMatchObject({
      state: 'moving',
      difference: null,
      difference_least: '-5.000000',
      difference_most: '0.000000',
    });
    await till.enter({ entryId: 'lost', amount: -1n, note: 'gone', atMs: 0 });
    expect(await compare(custody)).toMatchObject({ state: 'differs', difference: '-5.000001' });
    settle();
    expect(await compare(custody)).toMatchObject({ state: 'differs', difference: '-5.000001' });
  });

  it('is none where the custody names what it paid before it sums up', async () => {
    const withdrawal = await ask();
    const { withdrawalId } = withdrawal;
    const step = { type: 'advance_withdrawal', reference: null, reason: null } as const;
    await run({ ...step, withdrawalId, step: 'send' });
    let asked = 0;
    const slow: Custody = {
      ...meanwhile('before', async () => undefined),
      books: async (payoutIds) => {
        asked += 1;
        const { paid } = await custody.books(payoutIds);
        if (asked === 1) await handOver(payoutOf(withdrawal));
        return { ...(await custody.books(payoutIds)), paid };
      },
    };
    expect(await compare(slow)).toMatchObject({ state: 'agrees', paid_unbooked: '4.000000' });
    expect(asked).toBe(2);
  });
});

describe('a custody that is a service', () => {
  let service: Server;
  let answer: { readonly status: number; readonly text: string } | null;
  let remote: HttpCustody;
  beforeEach(async () => {
    service = createServer((_request, response) => {
      if (answer === null) return;
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.text);
    });
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
    const wallMs = (): number => clock.wallMs();
    remote = new HttpCustody({
      url,
      secret: 'x'.repeat(24),
      name: 'local',
      wallMs,
      timeoutMs: 300,
    });
  });
  afterEach(async () => {
    await remote.close();
    service.closeAllConnections();
    await new Promise((resolve) => service.close(resolve));
  });

  const told = (status: number, body: unknown): void => {
    answer = { status, text: typeof body === 'string' ? body : JSON.stringify(body) };
  };

  it('[CU5] is compared by what it says of itself, and is silent where it says nothing clear', async () => {
    await deposit(10, 'wire-1');
    const withdrawal = await ask();
    const { withdrawalId } = withdrawal;
    const step = { type: 'advance_withdrawal', reference: null, reason: null } as const;
    await run({ ...step, withdrawalId, step: 'send' });
    settle();
    told(200, { balance: '6', paid: [payoutOf(withdrawal).payoutId, 'wd_other'] });
    expect((await compare(remote)).state).toBe('agrees');
    told(200, { balance: '6', paid: [] });
    expect(await compare(remote)).toMatchObject({
      state: 'differs',
      difference: '-4.000000',
    });
    for (const unclear of [{ balance: 6, paid: [] }, { balance: '6' }, '<html>', 'null']) {
      told(200, unclear);
      expect((await compare(remote)).state).toBe('silent');
    }
    told(500, { balance: '10', paid: [] });
    expect((await compare(remote)).state).toBe('silent');
    answer = null;
    expect((await compare(remote)).state).toBe('silent');
  });

  it('[CU6] says whether it would pay somewhere; no clear word is an error, no word in time is late', async () => {
    told(200, { accepted: true });
    expect(await remote.check('DE89', 1n)).toBeNull();
    told(200, { accepted: false, reason: 'no such bank' });
    expect(await remote.check('DE89', 1n)).toBe('no such bank');
    for (const [status, body] of [
      [200, { accepted: 'yes' }],
      [200, { accepted: false }],
      [503, { accepted: true }],
    ] as const) {
      told(status, body);
      await expect(remote.check('DE89', 1n)).rejects.toMatchObject({ isLate: false });
    }
    answer = null;
    await expect(remote.check('DE89', 1n)).rejects.toMatchObject({ isLate: true });
  });
});
