import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shownBody, shownHead } from './shown.ts';

const KEY = `sk_test_${'A'.repeat(16)}_${'b'.repeat(43)}`;
const SECRET = 'b'.repeat(43);
const VALUE = 'hunter2-hunter2';

function headOf(url: string, ...headers: readonly string[]): string {
  return JSON.stringify(shownHead([`GET ${url} HTTP/1.1`, ...headers].join('\r\n')));
}

const part = fc.oneof(
  fc.constantFrom(KEY, 'secret', 'Password', 'otp', 'whsec_', 'private key', 'sk_live_', '%', '5F'),
  fc.stringMatching(/^[a-zA-Z0-9 _%:,{}[\]-]{0,12}$/),
);
const text = fc.array(part, { maxLength: 4 }).map((parts) => parts.join(''));
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.constantFrom(1, true, null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(text, tie('value'), { maxKeys: 3 }),
  ),
}));
const bodies = value.map((inner) => JSON.stringify([inner]));

describe('[RL2] what the log shows', () => {
  it.each([
    `{"title":"my key:\\n${KEY}"}`,
    `{"title":"\\u201c${KEY}"}`,
    `{"title":"KEY_${KEY}"}`,
    `{"title":"{\\"a\\":\\"${KEY}\\"}"}`,
    `{"title":"x\\n${KEY}","cut off`,
    `["${KEY}"`,
  ])('has no key in a body, whatever stands before it: %s', (body) => {
    expect(shownBody(body)).not.toContain(SECRET);
  });

  it.each([
    `{"password":"${VALUE}"}`,
    `{"password":["${VALUE}"]}`,
    `{"secret":{"v":"${VALUE}"}}`,
    `{'password':'${VALUE}'}`,
    `{"password" "${VALUE}"`,
    `{"pass\\/password":"${VALUE}"}`,
    `{"\\u00e9password":"${VALUE}"}`,
    `{"note":"{\\"password\\":\\"${VALUE}\\"}"}`,
    `{"p\\u0061ssword":"${VALUE}"}`,
    `{"pwd":"${VALUE}"}`,
    `{"private_key":"${VALUE}"}`,
    `{"note":"whsec_${VALUE}"}`,
    `{"a":1,"password":"${VALUE}","cut`,
    `password=${VALUE}`,
  ])('has no field that is named after a secret: %s', (body) => {
    expect(shownBody(body)).not.toContain(VALUE);
  });

  it('is the body itself where nothing is secret, and its beginning where it was cut off', () => {
    const order = '{"market_id":"m_0123456789abcdef","size":"5","post_only":false,"n":[1,null]}';
    expect(shownBody(order)).toBe(order);
    expect(shownBody(order.slice(0, 43))).toBe(order.slice(0, 43));
  });

  it.each([`note=${VALUE}`, `{note:"${VALUE}"}`, `"a\u0001${VALUE}`, VALUE])(
    'is nothing of what is no JSON: %j',
    (body) => {
      expect(shownBody(body)).not.toContain(VALUE);
    },
  );

  it('is the same whether all of a body is looked at, or each of its fields', () => {
    const model = fc.property(bodies, (body) => {
      // A text with an escape is looked at field by field.
      expect(`[${shownBody(body)}," "]`).toBe(shownBody(`[${body},"\\u0020"]`));
    });
    fc.assert(model, { numRuns: 2_000 });
  });

  it('is the same for a body that was cut off', () => {
    const model = fc.property(bodies, fc.nat(), (body, cut) => {
      const beginning = body.slice(0, cut % body.length);
      expect(`["\u0020",${shownBody(beginning)}`).toBe(shownBody(`["\\u0020",${beginning}`));
    });
    fc.assert(model, { numRuns: 2_000 });
  });

  it.each([
    `/v1/account?x=%0A${KEY}`,
    `/v1/account?x=%E2%80%9C${KEY}`,
    `/v1/account?x=a${KEY}`,
    `/v1/orders/coid:x${KEY}`,
    `/v1/account?x=%25255F${KEY.replaceAll('_', '%25255F')}`,
  ])('has no key in an address: %s', (url) => {
    expect(headOf(url)).not.toContain(SECRET);
  });

  it.each(['password', 'p%61ssword', 'otp', 'pwd', 'api_key'])(
    'has no parameter that is named after a secret: %s',
    (name) => {
      expect(headOf(`/v1/account?limit=5&${name}=${VALUE}`)).not.toContain(VALUE);
    },
  );

  it.each([
    'Authorization',
    'Cookie',
    'X-Api-Key',
    'X-Origin-Verify',
    'Cf-Access-Jwt-Assertion',
    'svc-passphrase',
    'Referer',
  ])('has no header but those that are known to be harmless: %s', (name) => {
    expect(headOf('/v1/account', `${name}: ${VALUE}`)).not.toContain(VALUE);
    expect(headOf('/v1/account', 'User-Agent: curl/8')).toContain('curl/8');
  });

  it('takes time in proportion to what it reads', () => {
    const hostile = [
      `/v1/account?${'?'.repeat(1300)}${'token'.repeat(500)}`,
      `/v1/account?${'a'.repeat(4000)}%`,
      `/${'%25'.repeat(2000)}41`,
    ];
    const before = process.cpuUsage();
    for (const url of hostile) headOf(url);
    shownBody(`${'"a'.repeat(2000)}`);
    shownBody(`"${'\\'.repeat(4095)}`);
    // Seconds for each, before.
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_000);
  });
});
