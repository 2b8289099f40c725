// Withdrawals against a custody that pays, refuses, hangs, loses answers, answers late, and with a worker that is killed in between.
import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { asAccountId, checkAll, type WithdrawalId, type WithdrawalRecord } from '@sibyl/engine';
import { ManualClock } from '@sibyl/lane/testing';
import { usdt } from '@sibyl/money';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HttpCustody } from '../../src/adapters/node/http-custody.ts';
import { type Payer, WithdrawalWorker } from '../../src/custody/withdrawal-worker.ts';
import { EngineLane } from '../engine-lane.ts';

const NOON_MS = 1_794_744_000_000;
const WEEK_MS = 7 * 86_400_000;
const SECRET = 'a secret that only the two of us know';
const OWNER = asAccountId('acc_anna');

/** How the service behaves for the next request; it pays each id once whatever happens to its answers. */
type Mood =
  | 'pays'
  | 'refuses'
  | 'hangs'
  | 'pays and hangs'
  | 'fails'
  | 'waits'
  | 'babbles'
  | 'mistakes';

let mood: Mood;
let payments: string[];
let requests: number;
let service: Server;
let clock: ManualClock;
let lane: EngineLane;
let alarms: string[];
let custody: HttpCustody;

beforeEach(async () => {
  mood = 'pays';
  payments = [];
  requests = 0;
  alarms = [];
  clock = new ManualClock(NOON_MS);
  service = createServer((incoming, answer) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      requests += 1;
      const body = Buffer.concat(chunks).toString();
      const signed = `${incoming.headers['x-sibyl-timestamp']}.${body}`;
      const expected = createHmac('sha256', SECRET).update(signed).digest('hex');
      expect(incoming.headers['x-sibyl-signature']).toBe(expected);
      const { payout_id } = JSON.parse(body) as { payout_id: string };
      const say = (told: object, status = 200): void => {
        answer.writeHead(status, { 'content-type': 'application/json' });
        answer.end(JSON.stringify({ payout_id, ...told }));
      };
      const [withdrawalId = ''] = payout_id.split('-');
      if (/pays/.test(mood) && !payments.includes(withdrawalId)) payments.push(withdrawalId);
      const isPaid = payments.includes(withdrawalId);
      if (/hangs/.test(mood)) return;
      if (mood === 'fails') say({}, 503);
      else if (mood === 'babbles') answer.end('<html>');
      else if (mood === 'mistakes') say({ payout_id: 'wd_other', state: 'failed', reason: 'x' });
      else if (isPaid) say({ state: 'paid', reference: `tx of ${withdrawalId}` });
      else if (mood === 'refuses') say({ state: 'failed', reason: 'account closed' });
      else say({ state: 'pending' });
    });
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  custody = new HttpCustody({
    url,
    secret: SECRET,
    name: 'bank',
    wallMs: () => clock.wallMs(),
    // Long enough for a busy machine: only a custody that hangs is waited for.
    timeoutMs: 2_000,
  });
  lane = new EngineLane('live', clock);
  const system = { actor: { kind: 'system' }, requestId: 'test' } as const;
  const relations = { parentId: null, referrerId: null };
  await lane.submit({
    ...system,
    body: { type: 'open_account', accountId: OWNER, mode: 'live', ...relations },
  });
  await lane.submit({
    ...system,
    body: { type: 'deposit', accountId: OWNER, amount: usdt(10_000_000n), reference: 'wire' },
  });
});

afterEach(async () => {
  await custody.close();
  service.closeAllConnections();
  await new Promise((resolve) => service.close(resolve));
});

function worker(asked: Payer = custody): WithdrawalWorker {
  const alarm = (message: string): void => void alarms.push(message);
  const mayBePaid = async (): Promise<boolean> => true;
  return new WithdrawalWorker({ lane, custody: asked, clock, mayBePaid, alarm, failed: () => {} });
}

async function ask(changes: object = {}): Promise<WithdrawalId> {
  const { answer } = await lane.submit({
    body: {
      type: 'withdraw',
      accountId: OWNER,
      amount: usdt(4_000_000n),
      custody: 'bank',
      destination: 'DE89',
      hold: null,
      ...changes,
    },
    actor: { kind: 'account', accountId: OWNER, keyId: null },
    requestId: 'test',
  });
  if (!answer.ok || answer.result.kind !== 'withdrawal') throw new Error('not taken');
  return answer.result.withdrawal.withdrawalId;
}

function recordOf(id: WithdrawalId): WithdrawalRecord {
  checkAll(lane.state);
  return lane.state.funds.withdrawal(id)!;
}

const free = (): bigint => lane.state.ledger.balance(lane.state.accounts.get(OWNER)!.free);

/** Paid once and booked out, or given back and never paid. */
function expectEnd(id: WithdrawalId, isPaid: boolean): void {
  expect(recordOf(id).state).toBe(isPaid ? 'completed' : 'failed');
  expect(payments).toEqual(isPaid ? [id] : []);
  expect(free()).toBe(isPaid ? 6_000_000n : 10_000_000n);
  expect(alarms).toEqual([]);
}

describe('[CU1] a withdrawal is paid once or given back', () => {
  it('by a custody that pays', async () => {
    const first = await ask();
    await worker().round();
    expectEnd(first, true);
    expect(recordOf(first).reference).toBe(`tx of ${first}`);
    await worker().round();
    expect(requests).toBe(1);
  });

  it('given back by a custody that refuses', async () => {
    mood = 'refuses';
    const id = await ask();
    await worker().round();
    expectEnd(id, false);
    expect(recordOf(id).reason).toBe('account closed');
  });

  it.each(['hangs', 'pays and hangs', 'fails', 'babbles', 'mistakes'] as const)(
    'held and asked again by a custody that %s',
    async (first) => {
      mood = first;
      const id = await ask();
      const driver = worker();
      await driver.round();
      expect(recordOf(id).state).toBe('sent');
      expect(free()).toBe(6_000_000n);
      await driver.round();
      // It waits before it asks again.
      expect(requests).toBe(1);
      mood = 'pays';
      clock.advance(1_000);
      await driver.round();
      expectEnd(id, true);
    },
  );

  it('by a custody that answers a week late, whichever way', async () => {
    for (const last of ['pays', 'refuses'] as const) {
      mood = 'waits';
      payments = [];
      const before = free();
      const id = await ask();
      const driver = worker();
      for (let hours = 0; hours < WEEK_MS; hours += WEEK_MS / 4) {
        await driver.round();
        expect(recordOf(id).state).toBe('sent');
        clock.advance(WEEK_MS / 4);
      }
      mood = last;
      await driver.round();
      expect(recordOf(id).state).toBe(last === 'pays' ? 'completed' : 'failed');
      expect(payments).toEqual(last === 'pays' ? [id] : []);
      expect(free()).toBe(last === 'pays' ? before - 4_000_000n : before);
    }
  });
});

describe('[CU2] a worker that is gone in any phase is continued by the next', () => {
  const killed = new Error('killed');

  it('before the custody was asked, and after it has paid', async () => {
    for (const isAsked of [false, true]) {
      payments = [];
      const before = free();
      const id = await ask();
      const gone: Payer = {
        name: 'bank',
        pay: async (payout) => {
          if (isAsked) await custody.pay(payout);
          throw killed;
        },
      };
      await worker(gone).round();
      expect(recordOf(id).state).toBe('sent');
      await worker().round();
      expect(recordOf(id).state).toBe('completed');
      expect(payments).toEqual([id]);
      expect(free()).toBe(before - 4_000_000n);
    }
  });

  it('after the answer came and before it was noted', async () => {
    const id = await ask();
    const submit = lane.submit.bind(lane);
    lane.submit = (submission) => {
      const { body } = submission;
      const isEnd = body.type === 'advance_withdrawal' && body.step === 'complete';
      return isEnd ? Promise.reject(killed) : submit(submission);
    };
    await expect(worker().round()).rejects.toBe(killed);
    lane.submit = submit;
    expect(recordOf(id).state).toBe('sent');
    await worker().round();
    expectEnd(id, true);
  });
});

describe('[CU3] what must not go out yet is not sent', () => {
  it('held, of another custody, cancelled, or of a frozen account', async () => {
    const reason = 'above the limit';
    const held = await ask({ amount: usdt(1n), hold: { approval: true, untilMs: null, reason } });
    const untilMs = NOON_MS + 60_000;
    const later = await ask({ amount: usdt(1n), hold: { approval: false, untilMs, reason } });
    const other = await ask({ amount: usdt(1n), custody: 'other' });
    await worker().round();
    expect([held, later, other].map((id) => recordOf(id).state)).toEqual([
      'held',
      'held',
      'requested',
    ]);
    expect(requests).toBe(0);
    clock.advance(60_000);
    await worker().round();
    expect(recordOf(later).state).toBe('completed');
    const system = { actor: { kind: 'system' }, requestId: 'test' } as const;
    await lane.submit({
      ...system,
      body: { type: 'freeze_account', accountId: OWNER, frozen: true, reason: 'a check' } as never,
    });
    const step = { reference: null, reason: null } as const;
    await lane.submit({
      ...system,
      body: { type: 'advance_withdrawal', withdrawalId: held, step: 'approve', ...step },
    });
    await worker().round();
    expect(recordOf(held).state).toBe('requested');
    expect(payments).toEqual([later]);
  });

  it('[CU14] while its account is frozen the lane hears nothing of it, and it goes out afterwards', async () => {
    const id = await ask();
    const system = { actor: { kind: 'system' }, requestId: 'test' } as const;
    const freeze = (frozen: boolean) =>
      lane.submit({
        ...system,
        body: { type: 'freeze_account', accountId: OWNER, frozen, reason: 'a check' },
      });
    await freeze(true);
    const before = lane.state.seq;
    const driver = worker();
    for (let round = 0; round < 20; round += 1) {
      await driver.round();
      clock.advance(1_000);
    }
    expect(lane.state.seq).toBe(before);
    await freeze(false);
    await driver.round();
    expectEnd(id, true);
  });

  it('[CU14] what the lane refuses otherwise is asked for after ever longer pauses', async () => {
    const id = await ask();
    const submit = lane.submit.bind(lane);
    let refused = 0;
    lane.submit = async (submission) => {
      refused += 1;
      // As a lane does for a withdrawal that is not there: a refusal that the worker cannot foresee.
      const body = { ...submission.body, withdrawalId: 'wd_0000000000000000' } as never;
      return submit({ ...submission, body });
    };
    const driver = worker();
    for (let second = 0; second < 600; second += 1) {
      await driver.round();
      clock.advance(1_000);
    }
    // At 0, 1, 3, 7, 15, 31, 63 seconds, then each minute.
    expect(refused).toBe(15);
    lane.submit = submit;
    clock.advance(60_000);
    await driver.round();
    expectEnd(id, true);
  });

  it('a custody that contradicts the ledger is an alarm, and moves nothing', async () => {
    mood = 'waits';
    const id = await ask();
    const driver = worker();
    await driver.round();
    const by = { actor: { kind: 'system' }, requestId: 'test' } as const;
    const slow: Payer = {
      name: 'bank',
      pay: async () => {
        const fail = { step: 'fail', reference: null, reason: 'by hand' } as const;
        await lane.submit({
          ...by,
          body: { type: 'advance_withdrawal', withdrawalId: id, ...fail },
        });
        return { state: 'paid', reference: 'late' };
      },
    };
    await worker(slow).round();
    expect(recordOf(id).state).toBe('failed');
    expect(alarms).toHaveLength(1);
    expect(free()).toBe(10_000_000n);
  });
});
