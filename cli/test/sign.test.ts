// What `sibyl sign` takes: it sends nothing, so that what is wrong has to be said here.
import { expect, it } from 'vitest';
import { runSibyl } from './run-sibyl.ts';

const keyId = 'sk_live_0123456789abcdef';
const wholeKey = `${keyId}_${'x'.repeat(43)}`;
const secret = 'a1'.repeat(32);

const sign = (path: string, key: string, input: string) =>
  runSibyl(['sign', 'GET', path, '--key', key], {}, `${input}\n`);

it('[CL33] sign refuses what cannot be a path or a secret, and warns of a whole key', async () => {
  const signed = await sign('/v1/account?x=1', keyId, secret);
  expect([signed.code, signed.errors]).toEqual([0, '']);
  for (const path of ['v1/account', 'https://exchange.example/v1/account', '//exchange/v1', '']) {
    const ended = await sign(path, keyId, secret);
    expect([path, ended.code, ended.output]).toEqual([path, 2, '']);
    expect(ended.errors).toContain('without the host');
  }
  for (const wrong of [
    wholeKey,
    secret.slice(1),
    `${secret}0`,
    secret.toUpperCase(),
    'my secret',
  ]) {
    const ended = await sign('/v1/account', keyId, wrong);
    expect([wrong, ended.code, ended.output]).toEqual([wrong, 2, '']);
    expect(ended.errors).toContain('a signing secret is 64 digits of 0-9 and a-f');
    expect(ended.errors).not.toContain(wrong);
  }
  const whole = await sign('/v1/account', wholeKey, secret);
  expect([whole.code, whole.errors]).toEqual([0, expect.stringContaining(`${keyId} is its id`)]);
});
