// Two people stay two: who counts as one who could approve, and what the second one is shown.
import type { OperatorRole } from '@sibyl/contract';
import { asAccountId } from '@sibyl/engine';
import { usdt } from '@sibyl/money';
import type { LightMyRequestResponse as Response } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectError } from '../gateway/expect.ts';
import { bearer } from '../gateway/harness.ts';
import { linkIn } from '../mailbox.ts';
import { user } from '../ports/platform-suite.ts';
import { type OperatorHarness, openOperator, trader } from './harness.ts';
import { confirmed, joined } from './people.ts';

const HOUR_MS = 3_600_000;
const why = { reason: 'ticket 4711' };

let harness: OperatorHarness;
const tokens = new Map<string, string>();

async function join(name: string, roles: readonly OperatorRole[]): Promise<string> {
  const { operatorId, token } = await joined(harness, name, roles);
  tokens.set(name, token);
  return operatorId;
}

function call(who: string, path: string, body?: object): Promise<Response> {
  return harness.gateway.app.inject({
    method: body === undefined ? 'GET' : 'POST',
    url: `/admin/v1${path}`,
    headers: bearer(tokens.get(who) ?? who),
    ...(body === undefined ? {} : { payload: body }),
  });
}

/** A day later, when Ada has signed in again. */
async function nextDay(): Promise<void> {
  harness.clock.advance(24 * HOUR_MS);
  const ada = await harness.operators.operatorByName('ada');
  await harness.operators.changePassword({
    ...{ operatorId: ada!.operatorId, verifiedHash: null, keptSessionId: null, atMs: 0 },
    passwordHash: 'hash of a new day',
  });
  tokens.set('ada', await confirmed(harness, 'ada', 'a new day'));
}

let subject: string;
beforeEach(async () => {
  harness = await openOperator();
  tokens.clear();
  await join('ada', ['admin']);
  subject = await join('vic', ['viewer']);
});
afterEach(() => harness.close());

const grant = (who: string) =>
  call(who, `/operators/${subject}/roles`, { ...why, roles: ['admin'] });
const approve = (who: string, id: string) => call(who, `/approvals/${id}/approve`, why);
const rolesOf = async () => (await harness.operators.operatorById(subject))?.roles;

describe('an act that a second operator has to agree to', () => {
  it('[OP81] takes two people for seven days after one of them was disabled or lost the role', async () => {
    const bea = await join('bea', ['admin', 'treasurer']);
    const ends: Readonly<Record<string, object>> = {
      [`/operators/${bea}/roles`]: { ...why, roles: ['treasurer'] },
      [`/operators/${bea}/disable`]: why,
    };
    for (const [path, body] of Object.entries(ends)) {
      expect((await call('ada', path, body)).statusCode).toBe(200);
      const asked = (await grant('ada')).json().data;
      expect(asked).toMatchObject({ state: 'waiting', confirmable_at: null });
      await nextDay();
      expectError(await approve('ada', asked.approval_id), 'STATE_CONFLICT');
      expect((await call('ada', `/approvals/${asked.approval_id}/reject`, why)).statusCode).toBe(
        200,
      );
    }
    expect(await rolesOf()).toEqual(['viewer']);
    for (let days = 0; days < 7; days += 1) await nextDay();
    expect((await grant('ada')).json().data.confirmable_at_ms).toBe(
      harness.clock.wallMs() + 24 * HOUR_MS,
    );
  });

  it('[OP82] is not confirmed alone: the loss of an operator who could is in the log', async () => {
    const bea = await join('bea', ['treasurer']);
    const lines = () => JSON.stringify(harness.lines).split('lost power').length - 1;
    await call('ada', `/operators/${subject}/disable`, why);
    expect(lines()).toBe(0);
    await call('ada', `/operators/${bea}/disable`, why);
    expect(lines()).toBe(1);
    // The first time stands.
    harness.clock.advance(1);
    await call('ada', `/operators/${bea}/disable`, why);
    expect(lines()).toBe(1);
  });

  it('[OP62] shows the record as it was when it was asked for, and as it is now', async () => {
    await join('bea', ['admin']);
    const asked = (await grant('ada')).json().data;
    await harness.operators.setRoles(subject, ['viewer', 'support'], 0);
    const shown = (await call('bea', `/approvals/${asked.approval_id}`)).json().data;
    expect(shown.about_then).toMatchObject({ operator_id: subject, roles: ['viewer'] });
    expect(shown.about).toMatchObject({ roles: expect.arrayContaining(['support']) });
    expect(shown.input).toEqual({ ...why, roles: ['admin'] });
  });
});

describe('[OP84] a reset link for an account in live', () => {
  const link = (who: string, userId: string) => call(who, `/users/${userId}/reset-link`, why);
  const accounts = { live: trader, sandbox: 'acc_sandbox_rita' };

  /** The live account of the user holds exactly DEPOSIT_APPROVAL_ABOVE. */
  async function addBob(): Promise<(amount: bigint) => Promise<unknown>> {
    const bob = user('bob');
    const accountId = asAccountId(bob.accounts.live);
    await harness.platform.addUser(bob);
    const none = { parentId: null, referrerId: null };
    await harness.submit({ type: 'open_account', accountId, mode: 'live', ...none });
    const pay = (amount: bigint) =>
      harness.submit({
        ...{ type: 'deposit', accountId, amount: usdt(amount) },
        reference: `wire-${amount}`,
      });
    await pay(1_000_000_000n);
    return pay;
  }

  beforeEach(async () => {
    await harness.close();
    harness = await openOperator('live', undefined, false, false);
    await harness.platform.addUser({ ...user('rita'), accounts });
    await join('sue', ['support']);
    await join('sam', ['support']);
    await join('vic', ['viewer']);
  });

  it('worth more than DEPOSIT_APPROVAL_ABOVE needs a second operator, who alone gets the link, once', async () => {
    const asked = (await link('sue', 'usr_rita')).json().data;
    expect(asked).toMatchObject({ state: 'waiting', role: 'support', confirmable_at: null });
    expect(JSON.stringify(asked)).not.toContain('https://');
    const path = `/approvals/${asked.approval_id}`;
    expect((await call('sam', path)).json().data.about).toMatchObject({
      email_masked: 'r***@example.com',
    });
    expect((await call('vic', path)).json().data.about).toEqual({ user_id: 'usr_rita' });
    expectError(await approve('sue', asked.approval_id), 'STATE_CONFLICT');
    expectError(await approve('vic', asked.approval_id), 'SCOPE_MISSING');
    const approved = (await approve('sam', asked.approval_id)).json().data;
    expect(approved).toMatchObject({ state: 'done', outcome: { data: { mailed: false } } });
    const { token } = linkIn(approved.outcome.data.url);
    const tokenHash = harness.links.hashOf('reset_password', token);
    const nowMs = harness.clock.wallMs();
    expect(await harness.platform.links.find('reset_password', tokenHash, nowMs)).not.toBe(null);
    expectError(await approve('sam', asked.approval_id), 'STATE_CONFLICT');
    const kept = await harness.operators.approvals.byId(asked.approval_id);
    const reads = await Promise.all(
      ['sue', 'sam'].flatMap((who) =>
        [path, '/approvals', '/trail'].map((each) => call(who, each)),
      ),
    );
    for (const text of [JSON.stringify(kept), ...reads.map(({ payload }) => payload)])
      expect(text).not.toContain(token);
    expect(JSON.stringify(harness.lines)).not.toContain(token);
  });

  it('worth that much or less needs one operator, and a stopped lane counts as more', async () => {
    const pay = await addBob();
    expect((await link('sue', 'usr_bob')).json().data.url).toMatch(/^https:/);
    await pay(1n);
    expect((await link('sue', 'usr_bob')).json().data).toMatchObject({ state: 'waiting' });
    await harness.platform.addUser(user('cleo'));
    expect((await link('sue', 'usr_cleo')).json().data.url).toMatch(/^https:/);
    await harness.lane.close();
    expect((await link('sue', 'usr_cleo')).json().data).toMatchObject({ state: 'waiting' });
    expectError(await link('sue', 'usr_none'), 'NOT_FOUND');
  });
});
