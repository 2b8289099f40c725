// The second factor of operators over their plane, attacks on it, and how a lost one is reset.
import { limits } from '@sibyl/contract';
import type { LightMyRequestResponse as Response } from 'fastify';
import { URI } from 'otpauth';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemRandom } from '../../src/adapters/node/random.ts';
import { firstOperator } from '../../src/operator/new-operator.ts';
import { codeAt } from '../gateway/authenticator-app.ts';
import { expectError } from '../gateway/expect.ts';
import { bearer, quickPasswords } from '../gateway/harness.ts';
import { type OperatorHarness, openOperator } from './harness.ts';

const MINUTE_MS = 60_000;
const why = { reason: 'a test' };

let harness: OperatorHarness;
let password: string;
let token: string;
beforeEach(() => open());
afterEach(() => harness.close());

async function open(isFactorRequired = false): Promise<void> {
  harness = await openOperator('live', undefined, isFactorRequired);
  const { operators, clock } = harness;
  const made = await firstOperator(operators, {
    passwords: quickPasswords,
    random: systemRandom,
    clock,
  });
  password = made?.password ?? '';
  token = (await signIn()).json().data.session_token;
}

type Method = 'GET' | 'POST' | 'DELETE';

const call = (method: Method, path: string, body?: object, as = token): Promise<Response> =>
  harness.gateway.app.inject({
    method,
    url: `/admin/v1${path}`,
    headers: bearer(as),
    ...(body === undefined ? {} : { payload: body }),
  });

const signIn = (more: object = {}, name = 'admin', word = password): Promise<Response> =>
  harness.gateway.app.inject({
    method: 'POST',
    url: '/admin/v1/sessions',
    payload: { name, password: word, ...more },
  });

const confirm = (body: object, as = token): Promise<Response> =>
  call('POST', '/session/step-up', body, as);
const factor = async (): Promise<Record<string, unknown>> =>
  (await call('GET', '/session/factor')).json().data;
const now = (): number => harness.clock.wallMs();
const pass = (ms: number): void => harness.clock.advance(ms);
const detailsOf = (answer: Response): Record<string, unknown> => answer.json().error.details;

/** With a session that its password has confirmed. */
async function enrol(as = token, word = password) {
  await confirm({ password: word }, as);
  const { secret, uri } = (await call('POST', '/session/totp', undefined, as)).json().data;
  const otp = codeAt(secret, now());
  const confirmed = await call('POST', '/session/totp/confirm', { otp }, as);
  expect(confirmed.statusCode).toBe(200);
  return { secret, uri, codes: confirmed.json().data.recovery_codes as readonly string[] };
}

/** Another operator, with a session. */
async function added(name: string, role: string) {
  await confirm({ password });
  const made = (await call('POST', '/operators', { ...why, name })).json().data;
  const operatorId: string = made.operator.operator_id;
  await harness.operators.setRoles(operatorId, [role], 0);
  const session: string = (await signIn({}, name, made.password)).json().data.session_token;
  return { operatorId, session, password: made.password as string };
}

describe('[OP49] the second factor of an operator', () => {
  it('is begun with a confirmed session, confirmed by a code, renewed and removed', async () => {
    expect(await factor()).toEqual({ totp: null, recovery_codes_left: 0, step_up: ['password'] });
    const unproved = await call('POST', '/session/totp');
    expectError(unproved, 'STEP_UP_MFA_REQUIRED');
    expect(detailsOf(unproved)).toEqual({ factors: ['password'] });
    await confirm({ password });
    const begun = (await call('POST', '/session/totp')).json().data;
    expect(URI.parse(begun.uri)).toMatchObject({ issuer: 'Sibyl', label: 'admin', digits: 6 });
    const wrong = { otp: codeAt(begun.secret, now(), 5) };
    expectError(await call('POST', '/session/totp/confirm', wrong), 'VALIDATION_FAILED');
    expect((await signIn()).json().data.operator.second_factor).toBe(false);
    const { codes } = await enrol();
    expect(new Set(codes).size).toBe(limits.factors.recoveryCodes);
    expect(await factor()).toMatchObject({
      totp: { confirmed_at_ms: now() },
      recovery_codes_left: limits.factors.recoveryCodes,
      step_up: ['totp', 'recovery_code'],
    });
    const [listed] = (await call('GET', '/operators')).json().data.operators;
    expect(listed).toMatchObject({ name: 'admin', second_factor: true });
    expectError(await call('POST', '/session/totp'), 'STATE_CONFLICT');
    const renewed = (await call('POST', '/session/recovery-codes')).json().data.recovery_codes;
    expect(detailsOf(await signIn({ recovery_code: codes[0] })).reason).toBe('code_wrong');
    expect((await signIn({ recovery_code: renewed[0].toUpperCase() })).statusCode).toBe(200);
    const removed = (await call('DELETE', '/session/totp')).json().data;
    expect(removed).toEqual({ totp: null, recovery_codes_left: 0, step_up: ['password'] });
    expectError(await call('DELETE', '/session/totp'), 'STATE_CONFLICT');
    expectError(await call('POST', '/session/recovery-codes'), 'STATE_CONFLICT');
    expect((await signIn()).statusCode).toBe(200);
  });

  it('ends the other sessions when it is confirmed, which never proved it', async () => {
    const other: string = (await signIn()).json().data.session_token;
    await confirm({ password }, other);
    expect((await call('GET', '/session/factor', undefined, other)).statusCode).toBe(200);
    await enrol();
    expectError(await call('DELETE', '/session/totp', undefined, other), 'AUTH_INVALID');
    expect(await factor()).toMatchObject({ step_up: ['totp', 'recovery_code'] });
  });

  it('is confirmed with the session confirmed, as it was begun: neither by another one nor once that is over', async () => {
    const other: string = (await signIn()).json().data.session_token;
    await confirm({ password });
    const { secret } = (await call('POST', '/session/totp')).json().data;
    const proved = (as: string) =>
      call('POST', '/session/totp/confirm', { otp: codeAt(secret, now()) }, as);
    const elsewhere = await proved(other);
    expectError(elsewhere, 'STEP_UP_MFA_REQUIRED');
    expect(detailsOf(elsewhere)).toEqual({ factors: ['password'] });
    pass(limits.operator.stepUpMs);
    expectError(await proved(token), 'STEP_UP_MFA_REQUIRED');
    expect(await factor()).toEqual({ totp: null, recovery_codes_left: 0, step_up: ['password'] });
    await confirm({ password });
    expect((await proved(token)).statusCode).toBe(200);
    expect(await factor()).toMatchObject({ totp: { confirmed_at_ms: now() } });
  });

  it('is asked for at every sign-in, after the right password only', async () => {
    const { secret, codes } = await enrol();
    pass(MINUTE_MS);
    const otp = codeAt(secret, now());
    const refused = await signIn();
    expectError(refused, 'STEP_UP_MFA_REQUIRED');
    expect(detailsOf(refused)).toEqual({ factors: ['totp', 'recovery_code'] });
    // Who does not know the password learns nothing of it, and uses up no code.
    const strangers = [
      await signIn({ otp }, 'nobody'),
      await signIn({ otp }, 'admin', 'wrong'),
      await signIn({}, 'admin', 'wrong'),
    ].map((answer) => ({ ...answer.json().error, trace_id: '' }));
    expect(strangers[0]).toMatchObject({ code: 'PASSWORD_INCORRECT' });
    expect(new Set(strangers.map((error) => JSON.stringify(error))).size).toBe(1);
    expect((await signIn({ otp })).statusCode).toBe(200);
    expect((await signIn({ recovery_code: codes[0] })).statusCode).toBe(200);
    expect(await factor()).toMatchObject({ recovery_codes_left: 9 });
  });

  it('confirms a session, which the password no longer does', async () => {
    expect(detailsOf(await confirm({ otp: '000000' }))).toEqual({
      factors: ['password'],
      reason: 'not_accepted',
    });
    const { secret } = await enrol();
    pass(limits.operator.stepUpMs);
    const word = { current_password: password, new_password: 'plum otter ladder' };
    for (const refused of [
      await call('POST', '/session/totp'),
      await call('DELETE', '/session/totp'),
      await call('POST', '/session/recovery-codes'),
      await call('POST', '/session/password', word),
    ]) {
      expectError(refused, 'STEP_UP_MFA_REQUIRED');
      expect(detailsOf(refused)).toEqual({ factors: ['totp', 'recovery_code'] });
      expect(refused.json().error.message).toContain('a code');
    }
    const byPassword = await confirm({ password });
    expectError(byPassword, 'STEP_UP_MFA_REQUIRED');
    expect(detailsOf(byPassword)).toMatchObject({ reason: 'not_accepted' });
    for (const body of [{}, { otp: codeAt(secret, now()), password }])
      expectError(await confirm(body), 'VALIDATION_FAILED');
    expect((await confirm({ otp: codeAt(secret, now()) })).statusCode).toBe(200);
    expect((await call('POST', '/session/password', word)).statusCode).toBe(200);
    expect((await call('DELETE', '/session/totp')).statusCode).toBe(200);
  });

  it('counts a code once, at the sign-in, at the confirmation and across the two, also at once', async () => {
    const { secret, codes } = await enrol();
    expect(detailsOf(await signIn({ otp: codeAt(secret, now()) })).reason).toBe('code_used');
    pass(MINUTE_MS);
    const otp = codeAt(secret, now());
    for (const proof of [{ otp }, { recovery_code: codes[0] }]) {
      const both = Array.from({ length: 20 }, (_none, index) =>
        index % 2 === 0 ? signIn(proof) : confirm(proof),
      );
      const taken = (await Promise.all(both)).filter(({ statusCode }) => statusCode === 200);
      expect(taken).toHaveLength(1);
      pass(15 * MINUTE_MS);
    }
    expect(detailsOf(await confirm({ recovery_code: codes[0] })).reason).toBe('code_wrong');
  });

  it('cannot be guessed: ten wrong codes, and codes are not looked at for a while', async () => {
    const { secret } = await enrol();
    pass(MINUTE_MS);
    const wrong = { otp: codeAt(secret, now(), 7) };
    for (let count = 0; count < 10; count += 1) {
      expectError(await signIn(wrong), 'STEP_UP_MFA_REQUIRED');
      expectError(await confirm(wrong), 'STEP_UP_MFA_REQUIRED');
    }
    expectError(await signIn({ otp: codeAt(secret, now()) }), 'RATE_LIMITED');
    expectError(await confirm({ otp: codeAt(secret, now()) }), 'RATE_LIMITED');
    pass(15 * MINUTE_MS);
    expect((await signIn({ otp: codeAt(secret, now()) })).statusCode).toBe(200);
  });

  it('[OP83] lets its operator in however often the password is guessed', async () => {
    const { secret } = await enrol();
    pass(30_000);
    for (let index = 0; index < 11; index += 1) await signIn({}, 'admin', 'wrong');
    expectError(await signIn({ otp: '000000' }), 'RATE_LIMITED');
    expectError(await signIn({ otp: codeAt(secret, now()) }, 'admin', 'wrong'), 'RATE_LIMITED');
    expect((await signIn({ otp: codeAt(secret, now()) })).statusCode).toBe(200);
  });

  it('[OP52] guessed at in a stolen session keeps that session waiting, and its operator from nothing', async () => {
    const { secret, codes } = await enrol();
    const given = { recovery_code: codes[0] };
    const stolen: string = (await signIn(given)).json().data.session_token;
    pass(MINUTE_MS);
    const wrong = { otp: codeAt(secret, now(), 7) };
    for (let count = 0; count < 10; count += 1)
      expectError(await confirm(wrong, stolen), 'STEP_UP_MFA_REQUIRED');
    expectError(await confirm({ otp: codeAt(secret, now()) }, stolen), 'RATE_LIMITED');
    expect((await confirm({ otp: codeAt(secret, now()) })).statusCode).toBe(200);
    pass(MINUTE_MS);
    expect((await signIn({ otp: codeAt(secret, now()) })).statusCode).toBe(200);
  });

  it('is nothing that the operator token has', async () => {
    const own = [
      ['GET', '/session/factor'],
      ['POST', '/session/totp'],
      ['DELETE', '/session/totp'],
      ['POST', '/session/recovery-codes'],
    ] as const;
    for (const [method, path] of own)
      expectError(await call(method, path, undefined, harness.token), 'STATE_CONFLICT');
    const otp = { otp: '000000' };
    const refused = await call('POST', '/session/totp/confirm', otp, harness.token);
    expectError(refused, 'STATE_CONFLICT');
  });
});

describe('[OP50] a lost second factor', () => {
  it('is reset by two admins, ends the sessions of its operator, and its operator is told', async () => {
    const grace = await added('grace', 'support');
    const second = await added('ada', 'admin');
    await enrol(grace.session, grace.password);
    await confirm({ password });
    const route = `/operators/${grace.operatorId}/reset-factor`;
    const byOther = await call('POST', route, why, grace.session);
    expectError(byOther, 'SCOPE_MISSING');
    const asked = (await call('POST', route, why)).json().data;
    expect(asked).toMatchObject({ state: 'waiting', operation: 'resetOperatorFactor' });
    expectError(await signIn({}, 'grace', grace.password), 'STEP_UP_MFA_REQUIRED');
    const approval = `/approvals/${asked.approval_id}/approve`;
    expectError(await call('POST', approval, why), 'STATE_CONFLICT');
    await confirm({ password: second.password }, second.session);
    const agreed = (await call('POST', approval, why, second.session)).json().data;
    expect(agreed).toMatchObject({ state: 'done', outcome: { data: { second_factor: false } } });
    const over = await call('GET', '/session', undefined, grace.session);
    expectError(over, 'AUTH_INVALID');
    expect(detailsOf(over).hint).toContain('Your second factor was reset');
    const session = (await signIn({}, 'grace', grace.password)).json().data.session_token;
    const told = async () => (await call('GET', '/session', undefined, session)).json().data;
    expect(await told()).toMatchObject({ factor_reset_at_ms: now() });
    const trail = (await call('GET', '/trail?order=newest')).json().data;
    const first = await harness.operators.operatorByName('admin');
    expect(trail).toContainEqual(
      expect.objectContaining({
        operation: 'resetOperatorFactor',
        operator_id: `${first?.operatorId}+${second.operatorId}`,
        target: `/admin/v1${route}`,
        outcome: 'ok',
        ...why,
      }),
    );
    pass(MINUTE_MS);
    await enrol(session, grace.password);
    expect(await told()).toMatchObject({ factor_reset_at_ms: null });
  });

  it('is not there to be reset: that is said at once, and nobody has to agree', async () => {
    const grace = await added('grace', 'support');
    const route = `/operators/${grace.operatorId}/reset-factor`;
    const found: string = (await signIn({})).json().data.session_token;
    expectError(await call('POST', route, why, found), 'STEP_UP_MFA_REQUIRED');
    expectError(await call('POST', route, why), 'STATE_CONFLICT');
    const nobody = '/operators/opr_0000000000000000/reset-factor';
    expectError(await call('POST', nobody, why), 'NOT_FOUND');
    expect((await call('GET', '/session', undefined, grace.session)).statusCode).toBe(200);
  });
});

it('[OP51] where it is required, an operator without one enrols, and does nothing else before', async () => {
  await harness.close();
  await open(true);
  expect((await call('GET', '/session')).json().data).toMatchObject({ must_enrol: true });
  const mode = { lane: 'live', mode: 'normal', ...why };
  for (const refused of [await call('GET', '/operators'), await call('POST', '/mode', mode)]) {
    expectError(refused, 'STEP_UP_MFA_REQUIRED');
    expect(detailsOf(refused)).toEqual({ factors: [], reason: 'not_enrolled' });
    expect(refused.json().error.message).toContain('enrol an authenticator first');
  }
  expect((await call('POST', '/mode', mode, harness.token)).statusCode).toBe(200);
  await enrol();
  expect((await call('GET', '/session')).json().data).toMatchObject({ must_enrol: false });
  expect((await call('POST', '/mode', mode)).statusCode).toBe(200);
  await call('DELETE', '/session/totp');
  expectError(await call('GET', '/operators'), 'STEP_UP_MFA_REQUIRED');
});

it('[OP90] tells whether the password was issued, and whether there is a second factor', async () => {
  const told = async (): Promise<object> => (await call('GET', '/session')).json().data;
  expect(await told()).toMatchObject({ password_issued: true, second_factor: false });
  await enrol();
  expect(await told()).toMatchObject({ password_issued: true, second_factor: true });
  const change = { current_password: password, new_password: 'plum otter ladder 47 quay' };
  expect((await call('POST', '/session/password', change)).statusCode).toBe(200);
  expect(await told()).toMatchObject({ password_issued: false, second_factor: true });
  const token = await call('GET', '/session', undefined, harness.token);
  expect(token.json().data).toMatchObject({ password_issued: false, second_factor: false });
});

it('[OP49] leaves no seed and no code in the trail or the log', async () => {
  const { secret, codes } = await enrol();
  pass(MINUTE_MS);
  const otp = codeAt(secret, now());
  await signIn({ otp });
  await confirm({ otp: codeAt(secret, now(), 1) });
  await signIn({ otp: codeAt(secret, now(), 7) });
  await signIn({ recovery_code: codes[0] });
  await confirm({ recovery_code: codes[1] });
  await call('POST', '/session/recovery-codes');
  const trail = (await call('GET', '/trail')).json().data as readonly Record<string, unknown>[];
  const told = [...harness.lines, ...trail];
  const operations = told.map(({ operation }) => operation);
  for (const id of ['openOperatorSession', 'stepUpOperatorSession', 'confirmOperatorTotp'])
    expect(operations.filter((one) => one === id).length).toBeGreaterThan(1);
  // Times are left out: six digits stand somewhere in any of them.
  const words = JSON.stringify(told.map(({ what, target, reason }) => [what, target, reason]));
  for (const said of [secret, ...codes, otp, codeAt(secret, now(), 1), codeAt(secret, now(), 7)])
    expect(words).not.toContain(said);
});
