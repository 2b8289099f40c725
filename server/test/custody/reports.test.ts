// Deposits as a custody service reports them: signed, in any order, twice, late, at once, and beside those of operators.
import { asAccountId } from '@sibyl/engine';
import type { ManualClock } from '@sibyl/lane/testing';
import { type Usdt, usdt } from '@sibyl/money';
import type { LightMyRequestResponse as Response } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SignedCalls } from '../../src/adapters/node/custody-calls.ts';
import { ApiError } from '../../src/handling/handler.ts';
import { stopAccounts } from '../../src/modules/sessions/closing.ts';
import { compareCustody } from '../../src/operator/custody-comparison.ts';
import { custodyCheck } from '../../src/operator/reconciliation.ts';
import type { Custody } from '../../src/ports/custody.ts';
import { type OperatorHarness, openOperator, trader } from '../operator/harness.ts';
import { user } from '../ports/platform-suite.ts';
import { CUSTODY_SECRET, signedReport } from './signed-report.ts';

const PATH = '/custody/v1/deposits';
const WEEK_MS = 7 * 86_400_000;
const REPORT = {
  account_id: trader,
  asset: 'USDT',
  amount: '250.000001',
  reference: 'wire-1',
  state: 'confirmed',
} as const;

/** Only what reports need: nothing is asked of it here. */
function reporting(clock: ManualClock): Custody {
  const unasked = (): never => {
    throw new Error('nobody asks it');
  };
  const calls = new SignedCalls({ secret: CUSTODY_SECRET, wallMs: () => clock.wallMs() });
  return { name: 'bank', calls, pay: unasked, check: unasked, books: unasked };
}

let harness: OperatorHarness;
let before: bigint;
beforeEach(async () => {
  harness = await openOperator('live', reporting);
  before = await free();
});
afterEach(() => harness.close());

/** The wall moves on by a millisecond, as it does between two calls that are signed anew. */
function send(report: object, signing: Parameters<typeof signedReport>[1] = {}): Promise<Response> {
  harness.clock.advance(1);
  const { headers, body } = signedReport(report, { atMs: harness.clock.wallMs(), ...signing });
  return post(body, headers);
}

async function post(payload: string, headers: Record<string, string>): Promise<Response> {
  return harness.gateway.app.inject({ method: 'POST', url: PATH, headers, payload });
}

const codeOf = (answer: Response): string => answer.json().error?.code ?? 'ok';

function free(): Promise<bigint> {
  return harness.lane.read(({ accounts, ledger }) => ledger.balance(accounts.get(trader)!.free));
}

const closing = () => ({ lanes: { live: harness.lane }, closingTurns: harness.closingTurns });

const ended = (answer: unknown): string => (answer instanceof ApiError ? answer.code : 'ok');

const credited = async (): Promise<bigint> => (await free()) - before;
const known = (reference: string = REPORT.reference) =>
  harness.lane.read(({ funds }) => funds.depositBy('bank', reference));

/** The request that closes an account. */
const asked = { requestId: 'test', receivedAtMs: 0, keepsExclusion: false };

describe('[CU9] a report is taken from the custody alone', () => {
  it('signed over the very body, within minutes of now, and once', async () => {
    const altered = JSON.stringify({ ...REPORT, amount: '9' });
    const { clock } = harness;
    for (const [signing, code] of [
      [{ secret: 'another secret of that length' }, 'SIGNATURE_INVALID'],
      [{ signed: altered }, 'SIGNATURE_INVALID'],
      [{ atMs: clock.wallMs() - 300_002 }, 'TIMESTAMP_SKEW'],
      [{ atMs: clock.wallMs() + 300_100 }, 'TIMESTAMP_SKEW'],
      [{ atMs: Number.NaN }, 'TIMESTAMP_SKEW'],
    ] as const) {
      const answer = await send(REPORT, signing);
      expect([answer.statusCode, codeOf(answer)]).toEqual([401, code]);
    }
    expect(codeOf(await post(JSON.stringify(REPORT), { 'content-type': 'application/json' }))).toBe(
      'AUTH_REQUIRED',
    );
    expect(await known()).toBeUndefined();
    const atMs = clock.wallMs() + 299_000;
    expect(codeOf(await send(REPORT, { atMs }))).toBe('ok');
    expect(codeOf(await send(REPORT, { atMs }))).toBe('NONCE_REUSED');
    // As long as it is within its time, however long ago it was taken.
    clock.advance(598_000);
    expect(codeOf(await send(REPORT, { atMs }))).toBe('NONCE_REUSED');
    clock.advance(2_000);
    expect(codeOf(await send(REPORT, { atMs }))).toBe('TIMESTAMP_SKEW');
  });

  it('and whoever guesses is slowed down, which keeps the custody from nothing', async () => {
    const guess = () => send(REPORT, { secret: 'another secret of that length' });
    const codes = new Set<string>();
    for (let at = 0; at < 200; at += 1) codes.add(codeOf(await guess()));
    expect(codes).toEqual(new Set(['SIGNATURE_INVALID', 'RATE_LIMITED']));
    expect(codeOf(await send(REPORT))).toBe('ok');
  });

  it('and nothing is taken where no service is set up, or no live lane is run', async () => {
    await harness.close();
    harness = await openOperator('live', (clock) => {
      const { calls: _none, ...custody } = reporting(clock);
      return custody;
    });
    expect(codeOf(await send(REPORT))).toBe('SERVICE_UNAVAILABLE');
    await harness.close();
    harness = await openOperator('sandbox', reporting);
    expect(codeOf(await send(REPORT))).toBe('SERVICE_UNAVAILABLE');
  });
});

describe('[CU10] a deposit is credited once', () => {
  const steps = {
    seen: { ...REPORT, state: 'pending' },
    more: { ...REPORT, state: 'pending', confirmations: 3 },
    confirmed: { ...REPORT, confirmations: 6 },
  } as const;
  type Step = keyof typeof steps;

  it.each<readonly Step[]>([
    ['seen', 'more', 'confirmed', 'confirmed'],
    ['confirmed', 'seen', 'more'],
    ['more', 'seen', 'confirmed', 'more', 'confirmed'],
    ['confirmed', 'confirmed', 'confirmed'],
  ])('whatever the order: %s, %s, %s', async (...order) => {
    for (const step of order) {
      const wasConfirmed = (await known())?.state === 'confirmed';
      const answer = await send(steps[step]);
      const { state, amount, account_id } = answer.json().data;
      const isConfirmed = wasConfirmed || step === 'confirmed';
      expect([answer.statusCode, state]).toEqual([200, isConfirmed ? 'confirmed' : 'pending']);
      expect([amount, account_id]).toEqual(['250.000001', trader]);
      expect(await credited()).toBe(isConfirmed ? 250_000_001n : 0n);
      harness.clock.advance(WEEK_MS);
    }
  });

  it('also by two at once, of which each is signed', async () => {
    const answers = await Promise.all([send(REPORT), send(REPORT), send(REPORT)]);
    const told = answers.map((answer) => answer.json().data?.deposit_id);
    expect(new Set(told).size).toBe(1);
    expect(told[0]).toMatch(/^dep_/);
    expect(await credited()).toBe(250_000_001n);
  });

  it('and what has failed or arrived stays so: the other is a conflict, seen in the log', async () => {
    const failed = { ...REPORT, state: 'failed', reason: 'returned by the bank' };
    expect(codeOf(await send(REPORT))).toBe('ok');
    expect(codeOf(await send(failed))).toBe('STATE_CONFLICT');
    expect(await credited()).toBe(250_000_001n);
    const other = { ...failed, reference: 'wire-2' };
    expect((await send(other)).json().data).toMatchObject({
      state: 'failed',
      reason: 'returned by the bank',
    });
    expect(codeOf(await send({ ...REPORT, reference: 'wire-2' }))).toBe('STATE_CONFLICT');
    expect(await credited()).toBe(250_000_001n);
    const refusals = harness.lines.filter(({ code }) => code === 'STATE_CONFLICT');
    expect(refusals.map(({ reason }) => reason)).toEqual([
      'bank wire-1: failed',
      'bank wire-2: confirmed',
    ]);
  });
});

describe('[CU11] what cannot be booked is said', () => {
  it.each([
    [{ amount: 250 }, 'VALIDATION_FAILED', 'amount'],
    [{ amount: '0' }, 'VALIDATION_FAILED', 'amount'],
    [{ amount: '-5' }, 'VALIDATION_FAILED', 'amount'],
    [{ amount: '1.0000001' }, 'VALIDATION_FAILED', 'amount'],
    [{ amount: '1e3' }, 'VALIDATION_FAILED', 'amount'],
    [{ account_id: 'someone' }, 'VALIDATION_FAILED', 'account_id'],
    [{ reference: '' }, 'VALIDATION_FAILED', 'reference'],
    [{ state: 'sent' }, 'VALIDATION_FAILED', 'state'],
    [{ state: 'failed' }, 'VALIDATION_FAILED', 'reason'],
    [{ reason: 'a reason' }, 'VALIDATION_FAILED', 'reason'],
    [{ confirmations: -1 }, 'VALIDATION_FAILED', 'confirmations'],
    [{ payout_id: 'wd_1' }, 'VALIDATION_FAILED', 'payout_id'],
    [{ asset: undefined }, 'MISSING_FIELD', 'asset'],
  ])('%j', async (change, code, field) => {
    const { error } = (await send({ ...REPORT, ...change })).json();
    expect([error.code, error.details.field]).toEqual([code, field]);
    expect(await known()).toBeUndefined();
  });

  it('an account that is not here, and is kept nowhere; it may be told again once there is one', async () => {
    const unknown = { ...REPORT, account_id: 'acc_later' };
    const answer = await send(unknown);
    expect([answer.statusCode, codeOf(answer)]).toEqual([404, 'NOT_FOUND']);
    expect(await known()).toBeUndefined();
    const relations = { parentId: null, referrerId: null };
    const accountId = asAccountId('acc_later');
    await harness.submit({ type: 'open_account', accountId, mode: 'live', ...relations });
    expect(codeOf(await send(unknown))).toBe('ok');
  });

  it('[AO9] an account that its owner has closed is not opened again, and no other is taken for one', async () => {
    const accountId = asAccountId('acc_later');
    const relations = { parentId: null, referrerId: null };
    await harness.submit({ type: 'open_account', accountId, mode: 'live', ...relations });
    const owner = { ...user('anna'), accounts: { live: accountId, sandbox: 'acc_other' } };
    const freezing = (id: string, to: 'freeze' | 'unfreeze', reason: string, key?: string) =>
      harness.post(`/accounts/${id}/${to}`, { lane: 'live', reason }, key);
    expect(codeOf(await freezing(accountId, 'freeze', 'a chargeback'))).toBe('ok');
    const first = await freezing(accountId, 'unfreeze', 'settled', 'unfreeze-0001');
    expect(await stopAccounts(closing(), owner, asked)).toBeNull();
    // What was answered before is answered again, and done no second time.
    const again = await freezing(accountId, 'unfreeze', 'settled', 'unfreeze-0001');
    expect(again.json().data).toEqual(first.json().data);
    expect(codeOf(await freezing(accountId, 'unfreeze', 'asked by phone'))).toBe('NOT_FOUND');
    const isFrozen = await harness.lane.read(({ accounts }) => accounts.get(accountId)?.frozen);
    expect(isFrozen).toBe(true);
    expect(codeOf(await send({ ...REPORT, account_id: accountId }))).toBe('NOT_FOUND');
    const words = { lane: 'live', reason: 'a chargeback', message: 'closed by its owner' };
    const refused = await harness.post(`/accounts/${trader}/freeze`, words);
    expect(refused.json().error).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { field: 'message' },
    });
    expect(codeOf(await freezing(trader, 'freeze', 'a chargeback'))).toBe('ok');
    expect(codeOf(await send(REPORT))).toBe('ok');
    expect(await credited()).toBe(250_000_001n);
    expect(codeOf(await freezing(trader, 'unfreeze', 'settled'))).toBe('ok');
  });

  it('[CU15] an account that its owner has closed takes nothing more, by hand neither', async () => {
    const accountId = asAccountId('acc_later');
    const relations = { parentId: null, referrerId: null };
    await harness.submit({ type: 'open_account', accountId, mode: 'live', ...relations });
    const report = { ...REPORT, account_id: accountId };
    expect(codeOf(await send(report))).toBe('ok');
    const amount = usdt(-250_000_001n);
    await harness.submit({ type: 'correct_balance', accountId, amount, reference: 'ticket-1' });
    const owner = { ...user('anna'), accounts: { live: accountId, sandbox: 'acc_other' } };
    expect(await stopAccounts(closing(), owner, asked)).toBeNull();
    const details = { account_id: accountId, reason: 'closed by its owner' };
    const refused = await send({ ...report, reference: 'wire-2' });
    expect(refused.json().error).toMatchObject({ code: 'NOT_FOUND', details });
    expect(await known('wire-2')).toBeUndefined();
    const { asset, amount: text } = REPORT;
    const act = { lane: 'live', reason: 'wire', asset, amount: text, external_ref: 'wire-3' };
    const byHand = await harness.post(`/accounts/${accountId}/deposits`, act, 'key-of-wire-3');
    expect(byHand.json().error).toMatchObject({ code: 'NOT_FOUND', details });
    expect(codeOf(await send(report))).toBe('ok');
    const left = await harness.lane.read(({ accounts, ledger }) =>
      ledger.balance(accounts.get(accountId)!.free),
    );
    expect(left).toBe(0n);
  });

  describe('[CU21] money and the closing of its account at once', () => {
    const accountId = asAccountId('acc_leaving');
    const owner = { ...user('anna'), accounts: { live: accountId, sandbox: 'acc_other' } };
    const acts = {
      report_deposit: async () =>
        ended(await harness.reports!.deposit({ ...REPORT, account_id: accountId }, 'test')),
      freeze_account: async () => ended(await stopAccounts(closing(), owner, asked)),
    } as const;

    /** The one has looked and is about to act when the other comes, which does meanwhile all that it can. */
    async function meet(first: keyof typeof acts, second: keyof typeof acts) {
      const relations = { parentId: null, referrerId: null };
      await harness.submit({ type: 'open_account', accountId, mode: 'live', ...relations });
      const submit = harness.lane.submit.bind(harness.lane);
      let other: Promise<string> | null = null;
      harness.lane.submit = async (command) => {
        if (command.body.type === first && other === null) {
          other = acts[second]();
          for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
        }
        return submit(command);
      };
      const ends = { [first]: await acts[first](), [second]: await other };
      const left = await harness.lane.read(({ accounts, ledger }) =>
        ledger.balance(accounts.get(accountId)!.free),
      );
      return { ...ends, left };
    }

    it('the money came first: the account stays open', async () => {
      expect(await meet('report_deposit', 'freeze_account')).toEqual({
        ...{ report_deposit: 'ok', freeze_account: 'STATE_CONFLICT', left: 250_000_001n },
      });
    });

    it('the closing came first: the money is refused', async () => {
      expect(await meet('freeze_account', 'report_deposit')).toEqual({
        ...{ freeze_account: 'ok', report_deposit: 'NOT_FOUND', left: 0n },
      });
    });
  });

  it('another amount or account for a reference that is known', async () => {
    await send(REPORT);
    const other = await send({ ...REPORT, amount: '250.000002' });
    expect(other.json().error).toMatchObject({
      code: 'ALREADY_EXISTS',
      message: expect.stringContaining('amount 250.000001, not 250.000002'),
      details: {
        deposit_id: expect.stringMatching(/^dep_/),
        ...{ stored: { amount: '250.000001' }, sent: { amount: '250.000002' } },
      },
    });
    expect(await credited()).toBe(250_000_001n);
  });

  it('above a limit that the owner set: kept as pending, and credited once the limit allows', async () => {
    const none = { day: null, week: null, month: null };
    const limit = (day: Usdt | null): Promise<unknown> =>
      harness.submit({
        type: 'set_own_limits',
        accountId: trader,
        limits: { deposit: { ...none, day }, loss: none },
      });
    await limit(usdt(100_000_000n));
    expect(codeOf(await send(REPORT))).toBe('RISK_LIMIT_BREACH');
    expect(codeOf(await send(REPORT))).toBe('RISK_LIMIT_BREACH');
    expect(await known()).toMatchObject({ state: 'pending' });
    expect(await credited()).toBe(0n);
    await limit(null);
    // What is raised holds a day later.
    harness.clock.advance(WEEK_MS);
    expect(codeOf(await send(REPORT))).toBe('ok');
    expect(await credited()).toBe(250_000_001n);
  });
});

it('[CU13] what is pending waits in the queue of operators until it is credited or has failed', async () => {
  const waiting = async (): Promise<readonly { readonly id: string; readonly title: string }[]> => {
    const { queues } = (await harness.get('/queues?lane=live')).json().data;
    return queues.find(({ kind }: { readonly kind: string }) => kind === 'deposit').items;
  };
  const seen = { ...REPORT, state: 'pending', confirmations: 2 };
  const { deposit_id: first } = (await send(seen)).json().data;
  const { deposit_id: second } = (await send({ ...seen, reference: 'wire-2' })).json().data;
  const items = await waiting();
  expect(items.map(({ id }) => id)).toEqual([first, second]);
  expect(items[0]?.title).toBe(`250.000001 USDT for ${trader}: bank wire-1, confirmed 2 times`);
  await send(REPORT);
  expect((await waiting()).map(({ id }) => id)).toEqual([second]);
  await send({ ...REPORT, reference: 'wire-2', state: 'failed', reason: 'returned' });
  expect(await waiting()).toEqual([]);
});

describe('[CU12] the custody and an operator never credit the same reference both', () => {
  const knowing = { beside_custody: true };
  const byHand = (
    key: string,
    external_ref: string = REPORT.reference,
    beside: object = knowing,
  ): Promise<Response> =>
    harness.post(
      `/accounts/${trader}/deposits`,
      {
        ...{ lane: 'live', reason: 'a wire', asset: 'USDT', amount: REPORT.amount, external_ref },
        ...beside,
      },
      key,
    );

  it('whoever comes first, and when both come at once', async () => {
    expect(codeOf(await byHand('by-hand-01'))).toBe('ok');
    expect(codeOf(await send(REPORT))).toBe('ALREADY_EXISTS');
    expect(await credited()).toBe(250_000_001n);
    const second = { ...REPORT, reference: 'wire-2' };
    expect(codeOf(await send({ ...second, state: 'pending' }))).toBe('ok');
    expect(codeOf(await byHand('by-hand-02', 'wire-2'))).toBe('ALREADY_EXISTS');
    expect(codeOf(await send(second))).toBe('ok');
    expect(await credited()).toBe(500_000_002n);
    const both = await Promise.all([
      byHand('by-hand-03', 'wire-3'),
      send({ ...REPORT, reference: 'wire-3' }),
    ]);
    expect(both.map(codeOf).sort()).toEqual(['ALREADY_EXISTS', 'ok']);
    expect(await credited()).toBe(750_000_003n);
  });

  it('[CU26] by hand only whoever says that it is known, and what was booked already is told as such', async () => {
    const warned = await byHand('by-hand-05', 'wire-5', {});
    expect(warned.json().error).toMatchObject({
      code: 'STATE_CONFLICT',
      details: { custody: 'bank', required: 'beside_custody' },
      message: expect.stringContaining('reconciliation'),
    });
    expect(await credited()).toBe(0n);
    const first = (await byHand('by-hand-06', 'wire-5')).json().data;
    expect(first).toMatchObject({
      booked_before: false,
      notes: [expect.stringContaining('the reconciliation differs by it')],
    });
    harness.clock.advance(60_000);
    // Told again it is only looked up, so that nobody has to know anything.
    const again = (await byHand('by-hand-07', 'wire-5', {})).json().data;
    expect(again).toMatchObject({ booked_before: true, created_at_ms: first.created_at_ms });
    expect(again.notes[0]).toContain(`already, at ${first.created_at}`);
    expect(await credited()).toBe(250_000_001n);
  });

  it('[CU26] and the reconciliation names what the custody was not told of', async () => {
    await byHand('by-hand-08', 'wire-8');
    await send({ ...REPORT, reference: 'wire-9' });
    const books = { balance: before + 250_000_001n, paid: [] };
    const bank: Custody = { ...reporting(harness.clock), books: async () => books };
    harness.clock.advance(60_001);
    const quick = { tries: 3, firstMs: 1, mostMs: 1 };
    const report = await compareCustody(harness, bank, quick);
    // The trader began with money that was booked by hand as well, and came in there all the same.
    expect(report).toMatchObject({ state: 'differs', by_hand: '10250.000001' });
    expect(custodyCheck(report)).toMatchObject({
      holds: false,
      detail: 'bank differs by -250.000001; 10250.000001 was booked by hand beside it',
    });
    const told: Custody = { ...bank, receive: async () => undefined };
    expect(await compareCustody(harness, told, quick)).toMatchObject({ by_hand: '0.000000' });
  });

  it('but what the custody says has failed can be credited by hand', async () => {
    await send({ ...REPORT, state: 'failed', reason: 'returned' });
    expect(codeOf(await byHand('by-hand-04'))).toBe('ok');
    expect(codeOf(await send(REPORT))).toBe('ALREADY_EXISTS');
    expect(await credited()).toBe(250_000_001n);
  });
});
