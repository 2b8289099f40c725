// Operators and their sessions: how they come in, how long they stay, and who may change them.
import { setTimeout as pause } from 'node:timers/promises';
import { decodeCommand } from '@sibyl/engine';
import { recordsOf } from '@sibyl/lane';
import type { LightMyRequestResponse as Response } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemRandom } from '../../src/adapters/node/random.ts';
import { firstOperator } from '../../src/operator/new-operator.ts';
import { expectError } from '../gateway/expect.ts';
import { bearer, quickPasswords } from '../gateway/harness.ts';
import { type OperatorHarness, openOperator } from './harness.ts';

const MINUTE_MS = 60_000;
const why = { reason: 'a test' };

let harness: OperatorHarness;
let password: string;
beforeEach(async () => {
  harness = await openOperator();
  const { operators, clock } = harness;
  const parts = { passwords: quickPasswords, random: systemRandom, clock };
  const made = await firstOperator(operators, parts);
  password = made?.password ?? '';
  expect(await firstOperator(operators, parts)).toBe(null);
});
afterEach(() => harness.close());

type Method = 'GET' | 'POST' | 'DELETE';

const call = (method: Method, path: string, token: string, body?: object): Promise<Response> =>
  harness.gateway.app.inject({
    method,
    url: `/admin/v1${path}`,
    headers: bearer(token),
    ...(body === undefined ? {} : { payload: body }),
  });

const signIn = (name: string, word: string, remoteAddress = '127.0.0.1'): Promise<Response> =>
  harness.gateway.app.inject({
    method: 'POST',
    url: '/admin/v1/sessions',
    payload: { name, password: word },
    remoteAddress,
  });

async function tokenOf(name = 'admin', word = password): Promise<string> {
  return (await signIn(name, word)).json().data.session_token;
}

describe('[OP42] a session of an operator', () => {
  it('is opened by name and password, and known by its token alone', async () => {
    const { data } = (await signIn('Admin', password)).json();
    expect(data.operator).toMatchObject({ name: 'admin', roles: ['admin'], disabled_at: null });
    expect(data.session_token).toMatch(/^ops_\w{16}_[\w-]{43}$/);
    const own = await call('GET', '/session', data.session_token);
    expect(own.json().data).toMatchObject({
      operator_id: data.operator.operator_id,
      session: { session_id: data.session.session_id, current: true },
    });
    const [record] = await harness.operators.sessionsOf(data.operator.operator_id, 0);
    expect(JSON.stringify(record)).not.toContain(data.session_token.slice(21));
    const wrong = `${data.session_token.slice(0, -3)}xxx`;
    expectError(await call('GET', '/session', wrong), 'AUTH_INVALID');
  });

  it('is refused alike for an unknown name, a wrong password and a disabled operator', async () => {
    const admin = await tokenOf();
    await call('POST', '/session/step-up', admin, { password });
    const added = await call('POST', '/operators', admin, { ...why, name: 'grace' });
    const { operator, password: word } = added.json().data;
    const disabling = `/operators/${operator.operator_id}/disable`;
    // Whoever found an open session does not get rid of those who could stop him.
    expectError(await call('POST', disabling, await tokenOf(), why), 'STEP_UP_MFA_REQUIRED');
    expect((await call('POST', disabling, admin, why)).statusCode).toBe(200);
    const answers = [
      await signIn('nobody', password),
      await signIn('admin', 'wrong'),
      await signIn('grace', word),
    ].map((answer) => ({ ...answer.json().error, trace_id: '' }));
    expect(answers[0]).toMatchObject({ code: 'PASSWORD_INCORRECT' });
    expect(new Set(answers.map((error) => JSON.stringify(error))).size).toBe(1);
  });

  it('[OP83] is slowed to one guess a second after ten wrong passwords, and no other address is', async () => {
    for (let index = 0; index < 11; index += 1)
      expectError(await signIn('admin', 'wrong'), 'PASSWORD_INCORRECT');
    const answered: string[] = [];
    const waiting = ['wrong', 'wrong', password].map(async (word) => {
      answered.push((await signIn('admin', word)).json().error?.code ?? 'in');
    });
    expect((await signIn('admin', password, '10.0.0.9')).statusCode).toBe(200);
    await pause(20);
    expect(answered).toEqual([]);
    // Attempts of other connections are checked in turn, one a second: the operator waits for two.
    for (let second = 0; second < 3; second += 1) {
      harness.clock.advance(1_000);
      await pause(20);
      expect(answered).toHaveLength(second + 1);
    }
    await Promise.all(waiting);
    expect(answered).toEqual(['PASSWORD_INCORRECT', 'PASSWORD_INCORRECT', 'in']);
  });

  it('[OP52] is kept from nobody by guesses at other names, and confirmed whatever is guessed', async () => {
    const open = await tokenOf();
    for (let index = 0; index < 60; index += 1)
      expectError(await signIn(`nobody-${index}`, 'wrong'), 'PASSWORD_INCORRECT');
    expect((await signIn('admin', password)).statusCode).toBe(200);
    for (const name of ['nobody', 'admin']) {
      for (let index = 0; index < 11; index += 1)
        expectError(await signIn(name, 'wrong'), 'PASSWORD_INCORRECT');
      const slowed = signIn(name, 'wrong');
      await pause(20);
      harness.clock.advance(1_000);
      expectError(await slowed, 'PASSWORD_INCORRECT');
    }
    const confirmed = await call('POST', '/session/step-up', open, { password });
    expect(confirmed.statusCode).toBe(200);
    for (let index = 0; index < 10; index += 1)
      await call('POST', '/session/step-up', open, { password: 'wrong' });
    expectError(await call('POST', '/session/step-up', open, { password }), 'RATE_LIMITED');
    // Nor do guesses in one session keep another waiting.
    harness.clock.advance(15 * MINUTE_MS);
    const own = await tokenOf();
    for (let index = 0; index < 10; index += 1)
      await call('POST', '/session/step-up', open, { password: 'wrong' });
    expectError(await call('POST', '/session/step-up', open, { password }), 'RATE_LIMITED');
    expect((await call('POST', '/session/step-up', own, { password })).statusCode).toBe(200);
  });

  it('ends after 8 hours, and after 30 minutes without a request', async () => {
    const token = await tokenOf();
    for (let minutes = 0; minutes < 8 * 60 - 29; minutes += 29) {
      harness.clock.advance(29 * MINUTE_MS);
      expect((await call('GET', '/session', token)).statusCode).toBe(200);
    }
    harness.clock.advance(29 * MINUTE_MS);
    const over = await call('GET', '/session', token);
    const hint = 'A session lasts 8 hours.';
    expect(over.json().error.details).toEqual({ reason: 'expired', hint });
    const idle = await tokenOf();
    harness.clock.advance(30 * MINUTE_MS);
    const unused = await call('GET', '/session', idle);
    expect(unused.json().error.details.hint).toContain('30 minutes without a request');
    const listed = await call('GET', '/sessions', await tokenOf());
    expect(listed.json().data.sessions).toHaveLength(1);
  });

  it('is seen and ended by its operator alone', async () => {
    const [first, second] = [await tokenOf(), await tokenOf()];
    const { sessions } = (await call('GET', '/sessions', first)).json().data;
    expect(sessions.map(({ current }: { current: boolean }) => current).sort()).toEqual([
      false,
      true,
    ]);
    await call('POST', '/session/step-up', first, { password });
    const added = await call('POST', '/operators', first, { ...why, name: 'grace' });
    const other = await tokenOf('grace', added.json().data.password);
    const otherId = second.slice(0, 20);
    expectError(await call('DELETE', `/sessions/${otherId}`, other), 'NOT_FOUND');
    expect((await call('DELETE', `/sessions/${otherId}`, first)).json().data.sessions).toHaveLength(
      1,
    );
    expectError(await call('GET', '/session', second), 'AUTH_INVALID');
    expect((await call('DELETE', '/session', first)).json().data).toEqual({ signed_out: true });
    expectError(await call('GET', '/session', first), 'AUTH_INVALID');
    expectError(await call('DELETE', '/session', harness.token), 'STATE_CONFLICT');
  });

  it('outlives another password only if it set it', async () => {
    const [first, second] = [await tokenOf(), await tokenOf()];
    const change = (current: string, next: string) =>
      call('POST', '/session/password', first, { current_password: current, new_password: next });
    expectError(await change('wrong', 'plum otter ladder'), 'PASSWORD_INCORRECT');
    expectError(await change(password, 'short'), 'PASSWORD_TOO_WEAK');
    expect((await change(password, 'plum otter ladder')).json().data.sessions).toHaveLength(1);
    const ended = await call('GET', '/session', second);
    expectError(ended, 'AUTH_INVALID');
    expect(ended.json().error.details.hint).toContain('by a new password');
    expectError(await signIn('admin', password), 'PASSWORD_INCORRECT');
    expect((await signIn('admin', 'plum otter ladder')).statusCode).toBe(200);
    const asToken = { current_password: 'x', new_password: 'plum otter ladder' };
    const refused = await call('POST', '/session/password', harness.token, asToken);
    expectError(refused, 'STATE_CONFLICT');
  });

  it('leaves neither its token nor a password in the log', async () => {
    const token = await tokenOf();
    const body = { current_password: password, new_password: 'plum otter ladder' };
    await call('POST', '/session/password', token, body);
    await signIn('grace', 'a password that nobody has');
    const text = JSON.stringify(harness.lines);
    expect(text).toContain('changeOperatorPassword');
    expect(text).toContain('nobody (grace)');
    for (const secret of [password, 'plum otter ladder', 'a password that', token.slice(21)])
      expect(text).not.toContain(secret);
  });
});

describe('[OP41] operators', () => {
  it('come as viewers with a password that is shown once, and get roles at once', async () => {
    const admin = await tokenOf();
    harness.clock.advance(1);
    // Whoever found an open session makes no operator whose password is known to nobody else.
    const alone = await call('POST', '/operators', admin, { ...why, name: 'grace' });
    expectError(alone, 'STEP_UP_MFA_REQUIRED');
    expect(await harness.operators.operatorByName('grace')).toBeNull();
    const proved = await tokenOf();
    await call('POST', '/session/step-up', proved, { password });
    const added = (await call('POST', '/operators', proved, { ...why, name: 'grace' })).json().data;
    expect(added.operator).toMatchObject({ name: 'grace', roles: ['viewer'] });
    const again = await call('POST', '/operators', proved, { ...why, name: 'grace' });
    expectError(again, 'ALREADY_EXISTS');
    const grace = await tokenOf('grace', added.password);
    const act = { lane: 'sandbox', ...why, mode: 'normal' };
    expectError(await call('POST', '/mode', grace, act), 'SCOPE_MISSING');
    const route = `/operators/${added.operator.operator_id}/roles`;
    expectError(await call('POST', route, grace, { ...why, roles: ['admin'] }), 'SCOPE_MISSING');
    const more = { ...why, roles: ['market_manager'] };
    expectError(await call('POST', route, admin, more), 'STEP_UP_MFA_REQUIRED');
    await harness.operators.setRoles(added.operator.operator_id, ['market_manager'], 0);
    expect((await call('POST', '/mode', grace, act)).statusCode).toBe(200);
    const listed = (await call('GET', '/operators', grace)).json().data.operators;
    expect(listed.map(({ name }: { name: string }) => name)).toEqual(['admin', 'grace']);
    expect(JSON.stringify(listed)).not.toContain('hash');
  });

  it('cannot all go: the last admin stays', async () => {
    const admin = await tokenOf();
    const [first] = await harness.operators.operators();
    const route = `/operators/${first?.operatorId}`;
    await call('POST', '/session/step-up', admin, { password });
    const roles = { ...why, roles: ['viewer'] };
    expectError(await call('POST', `${route}/roles`, admin, roles), 'STATE_CONFLICT');
    expectError(await call('POST', `${route}/disable`, admin, why), 'STATE_CONFLICT');
    expectError(await call('POST', '/operators/opr_nobody/disable', admin, why), 'NOT_FOUND');
  });

  it('[OP43] are named in the journal, and nobody acts in the name of another', async () => {
    const grace = await tokenOf();
    const body = { lane: 'sandbox', ...why, mode: 'normal' };
    expectError(await call('POST', '/mode', grace, { ...body, actor: 'bob' }), 'VALIDATION_FAILED');
    await call('POST', '/mode', grace, body);
    const [first] = await harness.operators.operators();
    const { durableSeq } = harness.lane.status();
    for await (const [commit] of harness.journal.read(durableSeq)) {
      const [record] = commit === undefined ? [] : recordsOf(commit);
      expect(decodeCommand(record!.body).actor).toEqual({
        kind: 'operator',
        name: first?.operatorId,
        ...why,
      });
    }
  });
});

it('[OP44] scopes of users are granted by an admin, and say by whom and why', async () => {
  const admin = await tokenOf();
  const user = {
    userId: 'usr_1',
    email: 'ada@example.com',
    passwordHash: 'x',
    displayName: null,
    referralCode: 'code',
    referrerId: null,
    tier: 'self_serve',
    rateMultiplier: 1,
    accounts: { live: 'acc_l', sandbox: 'acc_s' },
    isDemo: false,
    createdAtMs: 1,
  };
  await harness.platform.addUser(user);
  const none = await call('GET', '/users/usr_1/scopes', admin);
  expect(none.json().data).toMatchObject({ scopes: [], granted_by: null, changed_at: null });
  await call('POST', '/session/step-up', admin, { password });
  const body = { ...why, scopes: ['arbiter'] };
  const grant = (scopes: readonly string[]) =>
    call('POST', '/users/usr_1/scopes', admin, { ...why, scopes });
  const asked = (await grant(['arbiter'])).json().data;
  expect(asked).toMatchObject({ state: 'waiting', operation: 'setUserScopes', role: 'admin' });
  expect(await harness.operators.scopesOf('usr_1')).toBeNull();
  const [first] = await harness.operators.operators();
  // Held already, and less than before, need nobody else.
  const grantedBy = `${first?.operatorId}+opr_other`;
  const before = { userId: 'usr_1', grantedBy, reason: 'agreed', atMs: 1 };
  await harness.operators.grantScopes({ ...before, scopes: ['arbiter', 'reviewer'] });
  const granted = (await grant(['arbiter'])).json().data;
  expect(granted).toMatchObject({ scopes: ['arbiter'], granted_by: first?.operatorId, ...why });
  expect((await call('GET', '/users/usr_1/scopes', admin)).json().data).toEqual(granted);
  expect((await grant(['arbiter', 'reviewer'])).json().data.state).toBe('waiting');
  expect((await grant([])).json().data.scopes).toEqual([]);
  expectError(await call('POST', '/users/usr_2/scopes', admin, body), 'NOT_FOUND');
});
