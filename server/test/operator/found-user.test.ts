// A user as operators see one: before they help, and before a second one agrees to remove what was lost.
import type { OperatorRole } from '@sibyl/contract';
import { usdt } from '@sibyl/money';
import type { LightMyRequestResponse as Response } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { expectError } from '../gateway/expect.ts';
import { bearer } from '../gateway/harness.ts';
import { begunBy } from '../ports/authenticators-suite.ts';
import { key, user } from '../ports/platform-suite.ts';
import { type OperatorHarness, openOperator, trader } from './harness.ts';
import { joined } from './people.ts';

const HOUR_MS = 3_600_000;
const why = { reason: 'ticket 4711' };

let harness: OperatorHarness;
const tokens = new Map<string, string>();
beforeEach(async () => {
  harness = await openOperator('live');
  await join('ada', ['admin']);
  await join('bea', ['admin']);
  await join('sue', ['support']);
  await join('vic', ['viewer']);
  await rita();
});
afterEach(() => harness.close());

async function join(name: string, roles: readonly OperatorRole[]): Promise<void> {
  tokens.set(name, (await joined(harness, name, roles)).token);
}

function call(who: string, path: string, body?: object): Promise<Response> {
  return harness.gateway.app.inject({
    method: body === undefined ? 'GET' : 'POST',
    url: `/admin/v1${path}`,
    headers: bearer(tokens.get(who) ?? who),
    ...(body === undefined ? {} : { payload: body }),
  });
}

const session = (sessionId: string, createdAtMs: number) => ({
  ...{ sessionId, tokenHash: 'hash of a session', userId: 'usr_rita', createdAtMs },
  ...{ expiresAtMs: createdAtMs + 48 * HOUR_MS, endedAtMs: null, steppedUpAtMs: null },
  ...{ lastSeenAtMs: createdAtMs, network: '192.0.2.0/24', device: 'Firefox' },
});

/** With an authenticator, a passkey, two sessions of which one is over, and a withdrawal on its way. */
async function rita(): Promise<void> {
  const { platform, clock } = harness;
  const nowMs = clock.wallMs();
  await platform.addUser({ ...user('rita'), accounts: { live: trader, sandbox: 'acc_rita' } });
  await platform.profiles.change('usr_rita', { country: 'DE' });
  const { totp, confirmation } = begunBy('usr_rita');
  await platform.factors.beginTotp(totp);
  await platform.factors.confirmTotp({ ...confirmation, atMs: nowMs - 9 * HOUR_MS });
  const passkey = {
    ...{ passkeyId: 'pk_1', credentialId: 'credential of hers', userId: 'usr_rita' },
    ...{ publicKey: 'public', counter: 0, transports: [], isSynced: false, label: 'telephone' },
    ...{ createdAtMs: nowMs - 8 * HOUR_MS, lastUsedAtMs: nowMs - HOUR_MS },
  };
  await platform.factors.addPasskey(passkey, [], 20);
  await platform.addSession(session('ses_open', nowMs - 3 * HOUR_MS));
  await platform.addSession(session('ses_over', nowMs - 2 * HOUR_MS));
  await platform.endSession('ses_over', nowMs - HOUR_MS);
  const amount = usdt(4_000_000n);
  const where = { custody: 'local', destination: 'DE89 3704' };
  const hold = { approval: true, untilMs: null, reason: 'above_limit' };
  await harness.submit({ type: 'withdraw', accountId: trader, amount, ...where, hold });
}

const found = (who: string) => call(who, '/users?email=rita%40example.com');
const shown = async () => {
  const nowMs = harness.clock.wallMs();
  const at = (hours: number) => nowMs - hours * HOUR_MS;
  const iso = (hours: number) => new Date(at(hours)).toISOString();
  return {
    ...{ user_id: 'usr_rita', email_masked: 'r***@example.com', email_verified: false },
    declared_country: 'DE',
    accounts: [
      {
        ...{ lane: 'live', account_id: trader, frozen: false, frozen_by_operator: false },
        ...{ frozen_message: null, closed_at: null, closed_at_ms: null },
      },
    ],
    factors: [
      {
        ...{ kind: 'totp', since_at: iso(9), since_at_ms: at(9) },
        ...{ last_used_at: null, last_used_at_ms: null },
      },
      {
        ...{ kind: 'passkey', since_at: iso(8), since_at_ms: at(8) },
        ...{ last_used_at: iso(1), last_used_at_ms: at(1) },
      },
    ],
    ...{ last_sign_in_at: iso(2), last_sign_in_at_ms: at(2), sessions_open: 1 },
    ...{ withdrawals_open: 1, withdrawals_open_amount: '4.000000' },
  };
};

it('[OP70] a user who is found is shown as known, by support and admins alone, and without secrets', async () => {
  expectError(await found('vic'), 'SCOPE_MISSING');
  const answer = await found('sue');
  expect(answer.json().data).toMatchObject(await shown());
  const { passwordHash } = user('rita');
  for (const secret of [passwordHash, 'hash of a session', 'credential', 'rita@', 'seed']) {
    expect(answer.body).not.toContain(secret);
  }
  // A code of two hours ago.
  const step = Math.floor((harness.clock.wallMs() - 2 * HOUR_MS) / 30_000);
  await harness.platform.factors.useTotpStep('usr_rita', step);
  expect((await found('sue')).json().data.factors[0].last_used_at_ms).toBe(step * 30_000);
  await call('sue', `/accounts/${trader}/freeze`, { ...why, lane: harness.lane.name });
  expect((await found('sue')).json().data.accounts).toMatchObject([
    { frozen: true, frozen_by_operator: true, frozen_message: null },
  ]);
});

it('[OP70] whoever agrees to remove second factors sees whose they are, and a viewer the id alone', async () => {
  const asked = (await call('ada', '/users/usr_rita/remove-factors', why)).json().data;
  const about = async (who: string) =>
    (await call(who, `/approvals/${asked.approval_id}`)).json().data.about;
  expect(await about('bea')).toMatchObject(await shown());
  expect(await about('bea')).toEqual((await found('bea')).json().data);
  expect(await about('vic')).toEqual({ user_id: 'usr_rita' });
  await call('bea', `/approvals/${asked.approval_id}/approve`, why);
  expect(await about('bea')).toMatchObject({ factors: [], sessions_open: 0 });
});

it('[OP92] shows support the records of an account as its owner reads them, and no secret', async () => {
  const { platform, submit, clock } = harness;
  await submit({ type: 'deposit', accountId: trader, amount: usdt(7_000_000n), reference: 'w-9' });
  await platform.addKey({ ...key('rita'), holderId: 'usr_rita', userId: 'usr_rita' });
  clock.advance(1);
  const records = (what: string, who = 'sue') =>
    call(who, `/accounts/${trader}/${what}${what.includes('?') ? '&' : '?'}lane=live`);
  const statement = (await records('ledger?limit=1')).json();
  expect(statement.data).toHaveLength(1);
  const older = await records(`ledger?limit=1&cursor=${statement.meta.next_cursor}`);
  expect(older.json().data[0].entry_id).not.toBe(statement.data[0].entry_id);
  const { deposits } = (await records('deposits')).json().data;
  expect(deposits).toContainEqual(expect.objectContaining({ amount: '7.000000' }));
  for (const what of ['orders', 'fills']) expect((await records(what)).json().data).toEqual([]);
  const access = await call('sue', '/users/usr_rita/access');
  expect(access.json().data.keys).toHaveLength(1);
  const [open, ...others] = access.json().data.sessions;
  expect([open.session_id, open.device, others]).toEqual(['ses_open', 'Firefox', []]);
  expect(access.payload).not.toContain('hash');
  for (const refused of [
    await records('orders', 'vic'),
    await call('vic', '/users/usr_x/access'),
  ]) {
    expectError(refused, 'SCOPE_MISSING');
  }
  expectError(await call('sue', '/accounts/acc_unknown00000000/orders?lane=live'), 'NOT_FOUND');
  expectError(await call('sue', '/users/usr_unknown000000/access'), 'NOT_FOUND');
});
