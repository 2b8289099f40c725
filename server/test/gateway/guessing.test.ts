// Guesses at a password from many addresses: how they are slowed, and how the owner gets in meanwhile.
import { setTimeout as pause } from 'node:timers/promises';
import type { Response } from 'light-my-request';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codeAt } from './authenticator-app.ts';
import { expectError } from './expect.ts';
import { bearer, type Harness, openHarness } from './harness.ts';

let harness: Harness;
/** Ends the guesses of a test. */
let isOver = false;
beforeEach(async () => {
  isOver = false;
  harness = await openHarness({ rateMultiplier: 0 });
});
afterEach(async () => {
  isOver = true;
  await harness.close();
});

const ada = { email: 'Ada@Example.com', password: 'horse battery' };
const guess = { ...ada, password: 'no' };

const post = (
  url: string,
  payload: object,
  token?: string,
  remoteAddress = '192.0.2.1',
): Promise<Response> =>
  harness.call({
    method: 'POST',
    url,
    payload,
    remoteAddress,
    ...(token === undefined ? {} : { headers: bearer(token) }),
  });

const from = (address: string, body: object = ada): Promise<Response> =>
  post('/api/auth/login', body, undefined, address);

async function guessed(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    expectError(await from(`198.51.${index >> 3}.9`, guess), 'PASSWORD_INCORRECT');
  }
}

/** Until the server has done what it can without more time passing. */
const settle = (): Promise<void> => pause(10);

async function isOpen(answer: Promise<Response>): Promise<boolean> {
  return (await Promise.race([answer, settle()])) === undefined;
}

/** Lets seconds pass until the answer is there; a minute at most. */
async function secondsUntil(answer: Promise<Response>): Promise<number> {
  for (let seconds = 0; seconds < 60; seconds += 1) {
    if (!(await isOpen(answer))) return seconds;
    harness.clock.advance(1_000);
  }
  return 60;
}

async function drain(answers: readonly Promise<Response>[]): Promise<void> {
  for (const answer of answers) await secondsUntil(answer);
}

/** Guesses from each address, the next one as soon as one is answered. */
function hammer(addresses: readonly string[]): { stop(): Promise<number> } {
  let checked = 0;
  const attempts = addresses.map(async (address) => {
    while (!isOver) {
      const { statusCode } = await from(address, guess);
      if (statusCode === 401) checked += 1;
      await pause(0);
    }
  });
  return {
    async stop() {
      const before = checked;
      isOver = true;
      for (let seconds = 0; seconds < 30; seconds += 1) {
        harness.clock.advance(1_000);
        await settle();
      }
      await Promise.all(attempts);
      return before;
    },
  };
}

async function resetToken(): Promise<string> {
  const user = await harness.platform.userByEmail(ada.email);
  const { url } = await harness.links.issue('reset_password', user!.userId, false);
  return url.split('#')[1]!.split('=').at(-1)!;
}

describe('[KY29] guesses at one email from many addresses', () => {
  it('are slowed to one a second together after 100, but for the networks of the owner', async () => {
    await post('/api/auth/register', ada);
    await guessed(100);
    expectError(await from('203.0.113.1', guess), 'PASSWORD_INCORRECT');
    const waiting = from('203.0.114.1');
    await settle();
    // The owner at home, and any other email.
    expect((await from('192.0.2.77')).statusCode).toBe(200);
    const other = { email: 'bob@example.com', password: 'no' };
    expectError(await from('203.0.114.1', other), 'PASSWORD_INCORRECT');
    expect(await isOpen(waiting)).toBe(true);
    harness.clock.advance(1_000);
    expect((await waiting).statusCode).toBe(200);
    harness.clock.advance(3_600_000);
    for (const address of ['203.0.115.1', '203.0.116.1'])
      expectError(await from(address, guess), 'PASSWORD_INCORRECT');
  });

  it.each([
    ['one address', 1, (index: number) => `203.0.113.${index}`],
    ['20 networks', 20, (index: number) => `203.${index}.113.1`],
    ['20 addresses of one network', 20, (index: number) => `203.0.113.${index}`],
  ])(
    'let the owner in within half a minute while %s guess without a pause',
    async (_name, count, addressOf) => {
      await post('/api/auth/register', ada);
      await guessed(100);
      const attack = hammer(Array.from({ length: count }, (_, index) => addressOf(index + 1)));
      await settle();
      const owner = from('203.0.113.200');
      const seconds = await secondsUntil(owner);
      expect((await owner).statusCode).toBe(200);
      expect(seconds).toBeLessThan(25);
      expect(await attack.stop()).toBeLessThanOrEqual(seconds + 2);
    },
  );

  it('wait in turn by network, 24 at most; a link for a new password lets its address in', async () => {
    await post('/api/auth/register', ada);
    await guessed(100);
    // A host that has a /48 to itself takes no place from another network.
    const many = Array.from({ length: 30 }, (_, index) => from(`2001:db8:1:${index}::1`, guess));
    await settle();
    const owner = from('203.0.113.200');
    expect(await secondsUntil(owner)).toBeLessThan(4);
    expect((await owner).statusCode).toBe(200);
    harness.clock.advance(1_000);
    await drain(many);
    const full = Array.from({ length: 25 }, (_, index) => from(`203.${index}.113.1`, guess));
    await settle();
    const refused = await from('198.18.7.1');
    expectError(refused, 'RATE_LIMITED');
    expect(refused.headers['retry-after']).toBe('1');
    expect(refused.json().error.message).toContain('set a new password by a link');
    const reset = { token: await resetToken(), new_password: 'plum otter ladder' };
    expect(
      (await post('/api/auth/password/reset', reset, undefined, '198.18.7.1')).statusCode,
    ).toBe(200);
    const login = { ...ada, password: reset.new_password };
    expectError(await from('198.18.8.1', login), 'RATE_LIMITED');
    expect((await from('198.18.7.1', login)).statusCode).toBe(200);
    await drain(full);
  });

  it('are told to the owner by one letter, and to nobody where no user has the email', async () => {
    await post('/api/auth/register', ada);
    const before = (await harness.letters()).length;
    await guessed(99);
    expect(await harness.letters()).toHaveLength(before);
    await guessed(1);
    harness.clock.advance(1_000);
    await from('203.0.113.1', guess);
    const letters = await harness.letters();
    expect(letters).toHaveLength(before + 1);
    expect(letters.at(-1)).toMatchObject({
      to: ada.email,
      subject: 'Many wrong passwords for your Sibyl account',
    });
    for (let index = 0; index < 100; index += 1) {
      const unknown = { email: 'nobody@example.com', password: 'no' };
      await from(`198.18.${index >> 3}.9`, unknown);
    }
    expect(await harness.letters()).toHaveLength(before + 1);
  });

  it('keep nobody out who has a right second factor, and tell nothing of a right password', async () => {
    const { session_token: token } = (await post('/api/auth/register', ada)).json().data;
    harness.clock.advance(1);
    await post('/api/auth/step-up', { password: ada.password }, token);
    const { secret } = (await post('/api/auth/totp', {}, token)).json().data;
    const otp = () => codeAt(secret, harness.clock.wallMs());
    await post('/api/auth/totp/confirm', { otp: otp() }, token);
    harness.clock.advance(30_000);
    await guessed(100);
    await from('203.0.113.1', guess);
    const wrong = [
      { ...ada, otp: '000000' },
      { ...guess, otp: otp() },
    ];
    for (const body of wrong) expectError(await from('203.0.114.1', body), 'RATE_LIMITED');
    expect((await from('203.0.114.1', { ...ada, otp: otp() })).statusCode).toBe(200);
    // Also where the pair of address and email is paused.
    for (let index = 0; index < 10; index += 1) await from('192.0.2.1', guess);
    expectError(await from('192.0.2.1'), 'RATE_LIMITED');
    harness.clock.advance(30_000);
    expect((await from('192.0.2.1', { ...ada, otp: otp() })).statusCode).toBe(200);
  });

  it('[PW10] come with a code that is checked ten times per address while attempts are slowed', async () => {
    const { session_token: token } = (await post('/api/auth/register', ada)).json().data;
    harness.clock.advance(1);
    await post('/api/auth/step-up', { password: ada.password }, token);
    const { secret } = (await post('/api/auth/totp', {}, token)).json().data;
    const right = () => ({ ...ada, otp: codeAt(secret, harness.clock.wallMs()) });
    await post('/api/auth/totp/confirm', { otp: right().otp }, token);
    harness.clock.advance(30_000);
    await guessed(100);
    for (let index = 0; index < 10; index += 1)
      expectError(await from('203.0.113.1', { ...right(), password: 'no' }), 'RATE_LIMITED');
    expectError(await from('203.0.113.1', right()), 'RATE_LIMITED');
    // No code was used up, and the address of the owner has tries of its own.
    expect((await from('203.0.114.1', right())).statusCode).toBe(200);
  });
});
