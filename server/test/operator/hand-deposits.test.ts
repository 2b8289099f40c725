// Deposits by hand make money: one operator alone credits so much of it in a day, and no more however it is divided.
import type { OperatorRole } from '@sibyl/contract';
import { asAccountId } from '@sibyl/engine';
import type { LightMyRequestResponse as Response } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectError } from '../gateway/expect.ts';
import { bearer } from '../gateway/harness.ts';
import { type OperatorHarness, openOperator, trader } from './harness.ts';
import { joined } from './people.ts';

const DAY_MS = 86_400_000;
const other = asAccountId('acc_other');

let harness: OperatorHarness;
let count = 0;
const tokens = new Map<string, string>();

async function join(name: string, roles: readonly OperatorRole[]): Promise<void> {
  tokens.set(name, (await joined(harness, name, roles)).token);
}

function call(who: string, path: string, payload: object, key?: string): Promise<Response> {
  const headers = bearer(tokens.get(who) ?? who);
  return harness.gateway.app.inject({
    method: 'POST',
    url: `/admin/v1${path}`,
    headers: key === undefined ? headers : { ...headers, 'idempotency-key': key },
    payload,
  });
}

interface Credit {
  readonly amount: string;
  readonly account?: string;
  readonly reference?: string;
  readonly lane?: string;
}

function credit(who: string, asked: Credit): Promise<Response> {
  count += 1;
  const { amount, account = trader, reference = `wire-${count}`, lane = 'live' } = asked;
  const body = { lane, reason: 'a wire', asset: 'USDT', amount, external_ref: reference };
  return call(who, `/accounts/${account}/deposits`, body, `credit-key-${count}`);
}

/** Whether it was booked, or waits. */
const stateOf = (answer: Response): string => {
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().data.state ?? 'booked';
};

const freeOf = (accountId = trader): Promise<bigint> =>
  harness.lane.read(({ accounts, ledger }) => ledger.balance(accounts.get(accountId)!.free));

async function open(lane: 'live' | 'sandbox'): Promise<void> {
  harness = await openOperator(lane);
  const relations = { parentId: null, referrerId: null };
  await harness.submit({ type: 'open_account', accountId: other, mode: lane, ...relations });
  await join('tom', ['treasurer']);
  await join('tess', ['treasurer']);
}

beforeEach(() => open('live'));
afterEach(() => harness.close());

describe('[OP61] a deposit by hand', () => {
  it('goes up to the limit of a day at once, and above it waits for another operator', async () => {
    const before = await freeOf();
    expect(stateOf(await credit('tom', { amount: '1000' }))).toBe('booked');
    const waiting = await credit('tom', { amount: '0.000001', reference: 'wire-much' });
    expect(waiting.json().data).toMatchObject({ state: 'waiting', role: 'treasurer' });
    expect((await freeOf()) - before).toBe(1_000_000_000n);
    const path = `/approvals/${waiting.json().data.approval_id}/approve`;
    expectError(await call('tom', path, { reason: 'mine' }), 'STATE_CONFLICT');
    expectError(await call(harness.token, path, { reason: 'automatic' }), 'STATE_CONFLICT');
    const agreed = await call('tess', path, { reason: 'I saw it' });
    expect(agreed.json().data.state).toBe('done');
    expect((await freeOf()) - before).toBe(1_000_000_001n);
    // Nobody's own limit was used for it.
    expect(stateOf(await credit('tess', { amount: '1000' }))).toBe('booked');
  });

  it('counts with all others of its operator, to whomever, for 24 hours', async () => {
    expect(stateOf(await credit('tom', { amount: '600' }))).toBe('booked');
    expect(stateOf(await credit('tom', { amount: '400.000001', account: other }))).toBe('waiting');
    expect(stateOf(await credit('tom', { amount: '400', account: other }))).toBe('booked');
    expect(stateOf(await credit('tess', { amount: '1000', account: other }))).toBe('booked');
    // Sessions do not last as long as a token does.
    const byToken = (amount: string) => credit(harness.token, { amount });
    expect(stateOf(await byToken('1000'))).toBe('booked');
    harness.clock.advance(DAY_MS);
    expect(stateOf(await byToken('1'))).toBe('waiting');
    harness.clock.advance(1);
    expect(stateOf(await byToken('1000'))).toBe('booked');
  });

  it('is not divided by asking many times at once', async () => {
    const before = await freeOf();
    const asked = Array.from({ length: 8 }, () => credit('tom', { amount: '300' }));
    const states = (await Promise.all(asked)).map(stateOf);
    expect(states.filter((state) => state === 'booked').length).toBeLessThanOrEqual(3);
    expect((await freeOf()) - before).toBeLessThanOrEqual(900_000_000n);
  });

  it('is not hidden behind a smaller one under the same reference', async () => {
    const { operators } = harness;
    const { operatorId } = (await operators.operatorByName('tom'))!;
    for (const [requestId, amount] of [
      ['req_a', '900'],
      ['req_z', '1'],
    ] as const) {
      const what = JSON.stringify({ asset: 'USDT', amount, external_ref: 'wire-twice' });
      const act = { requestId, operatorId, roles: ['treasurer'], what, reason: 'a wire' };
      await operators.trail.begin({
        ...act,
        operation: 'creditDeposit',
        lane: 'live',
        target: trader,
      });
    }
    expect(stateOf(await credit('tom', { amount: '200' }))).toBe('waiting');
  });

  it('that is told again is the same, and counts once', async () => {
    const asked = { amount: '900', reference: 'wire-same' };
    const first = await credit('tom', asked);
    const again = await credit('tom', asked);
    const { data } = first.json();
    const notes = [expect.stringContaining(`already, at ${data.created_at}`)];
    expect(again.json().data).toEqual({ ...data, booked_before: true, notes });
    expect(stateOf(await credit('tom', { amount: '100' }))).toBe('booked');
    expect(stateOf(await credit('tom', asked))).toBe('booked');
  });

  it('of the token above the limit takes two people', async () => {
    const waiting = await credit(harness.token, { amount: '5000' });
    const path = `/approvals/${waiting.json().data.approval_id}/approve`;
    const taken = await call('tom', path, { reason: 'I take it over' });
    expect(taken.json().data.state).toBe('waiting');
    expect((await call('tess', path, { reason: 'seen' })).json().data.state).toBe('done');
  });

  it('[OP67] that waits is the same however its amount is written, and another with another reference', async () => {
    const ask = (amount: string, reference = 'wire-5') => credit('tom', { amount, reference });
    const { approval_id: id } = (await ask('5000')).json().data;
    for (const amount of ['5000.0', '5000.00', '05000']) {
      const again = await ask(amount);
      expectError(again, 'STATE_CONFLICT');
      expect(again.json().error.details).toMatchObject({ approval_id: id });
    }
    expect(stateOf(await ask('5000.000001'))).toBe('waiting');
    expect(stateOf(await ask('5000', 'wire-05'))).toBe('waiting');
  });

  it('that cannot be is refused before anybody is asked', async () => {
    expectError(await credit('tom', { amount: '5000', account: 'acc_nobody' }), 'NOT_FOUND');
    expectError(await credit('tom', { amount: '5000.0000001' }), 'VALIDATION_FAILED');
    await credit('tom', { amount: '500', reference: 'wire-known' });
    const known = { amount: '5000', reference: 'wire-known' };
    expectError(await credit('tom', known), 'ALREADY_EXISTS');
  });
});

it('[OP61] nobody has to agree in the sandbox', async () => {
  await harness.close();
  await open('sandbox');
  expect(stateOf(await credit('tom', { amount: '50000', lane: 'sandbox' }))).toBe('booked');
});
