// Profiles, the list of sessions, and keys that are used from some addresses only.
import type { Response } from 'light-my-request';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectError } from './expect.ts';
import { bearer, type Harness, openHarness } from './harness.ts';

let harness: Harness;
let session: string;
beforeEach(async () => {
  harness = await openHarness({ rateMultiplier: 0 });
  session = await opened('/api/auth/register', '192.0.2.7', FIREFOX);
});
afterEach(() => harness.close());

const ada = { email: 'ada@example.com', password: 'horse battery' };
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1';

async function opened(url: string, remoteAddress: string, agent: string): Promise<string> {
  const headers = { 'user-agent': agent };
  const request = { method: 'POST', url, payload: ada, remoteAddress, headers } as const;
  return (await harness.call(request)).json().data.session_token;
}

function call(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  url: string,
  {
    token = session,
    body,
    from = '192.0.2.7',
  }: { token?: string; body?: object; from?: string } = {},
): Promise<Response> {
  return harness.call({
    method,
    url,
    remoteAddress: from,
    headers: bearer(token),
    ...(body === undefined ? {} : { payload: body }),
  });
}

describe('sessions', () => {
  it('[MF11] are listed with where they were begun, coarsely, and when they were last used', async () => {
    const other = await opened('/api/auth/login', '2001:db8:1:2::3', SAFARI);
    harness.clock.advance(120_000);
    await call('GET', '/api/auth/profile', { token: other });
    harness.clock.advance(60_000);
    const { sessions } = (await call('GET', '/api/auth/sessions')).json().data;
    expect(sessions).toHaveLength(2);
    const [own, elsewhere] = [
      sessions.find(isCurrent),
      sessions.find((one: Shown) => !isCurrent(one)),
    ];
    expect(own).toMatchObject({ network: '192.0.2.0/24', device: 'Firefox, Linux' });
    expect(elsewhere).toMatchObject({ network: '2001:db8:1::/48', device: 'Safari, iOS' });
    expect(own.last_seen_at_ms - elsewhere.last_seen_at_ms).toBe(60_000);
    expect(JSON.stringify(sessions)).not.toContain('192.0.2.7');
  });

  it('[MF11] are ended one by one or all others at once; those of others are not there', async () => {
    const tokens = await Promise.all(
      [1, 2, 3].map(() => opened('/api/auth/login', '192.0.2.9', SAFARI)),
    );
    const stranger = await harness.session();
    const idOf = (token: string): string => token.slice(0, 20);
    const end = (token: string, by = session): Promise<Response> =>
      call('DELETE', `/api/auth/sessions/${idOf(token)}`, { token: by });
    expectError(await end(session, stranger), 'NOT_FOUND');
    expect((await end(tokens[0]!)).json().data).toEqual({ sessions_ended: 1 });
    expectError(await end(tokens[0]!), 'NOT_FOUND');
    expectError(await call('GET', '/api/auth/profile', { token: tokens[0]! }), 'AUTH_INVALID');
    const rest = await call('POST', '/api/auth/sessions/end-others');
    expect(rest.json().data).toEqual({ sessions_ended: 2 });
    for (const token of tokens)
      expectError(await call('GET', '/api/auth/profile', { token }), 'AUTH_INVALID');
    expect((await call('GET', '/api/auth/profile')).statusCode).toBe(200);
    expect((await call('GET', '/api/auth/profile', { token: stranger })).statusCode).toBe(200);
  });
});

interface Shown {
  readonly is_current: boolean;
}
const isCurrent = (shown: Shown): boolean => shown.is_current;

describe('a profile', () => {
  it('[MF12] is changed field by field, and cleared by null', async () => {
    const full = {
      display_name: 'Ada L.',
      wallet_address: '0x52908400098527886E0F7030069857D2E4169EE7',
      country: 'DE',
      phone: '+4930123456',
      language: 'de',
    };
    expect((await call('PATCH', '/api/auth/profile', { body: full })).json().data).toMatchObject({
      ...full,
      email: ada.email,
      email_verified_at: null,
    });
    await call('PATCH', '/api/auth/profile', { body: { phone: null } });
    const shown = (await call('GET', '/api/auth/profile')).json().data;
    expect(shown).toMatchObject({ ...full, phone: null });
    const user = await harness.platform.userByEmail(ada.email);
    expect(user?.displayName).toBe('Ada L.');
  });

  it.each([
    { country: 'XX' },
    { country: 'de' },
    { phone: '030 123' },
    { language: 'fr' },
    { wallet_address: 'a b' },
    { wallet_address: `0x${'a'.repeat(39)}` },
    { wallet_address: `0x${'g'.repeat(40)}` },
    { wallet_address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq' },
    { display_name: '' },
    { email: 'eve@example.com' },
    {},
  ])('[MF12] refuses %j', async (body) => {
    expectError(await call('PATCH', '/api/auth/profile', { body }), 'VALIDATION_FAILED');
  });
});

describe('a key with addresses', () => {
  const mint = (body: object, token = session, from?: string): Promise<Response> =>
    call('POST', '/v1/keys', { token, body, ...(from === undefined ? {} : { from }) });

  it('[MF13] is taken from them alone', async () => {
    const minted = await mint({ allowed_addresses: ['198.51.100.77/24', '2001:db8::7'] });
    const { key_id: key, allowed_addresses: shown } = minted.json().data;
    expect(shown).toEqual(['198.51.100.0/24', '2001:db8::7/128']);
    const ask = (from: string): Promise<Response> => call('GET', '/v1/keys', { token: key, from });
    for (const from of ['198.51.100.1', '2001:db8::7', '::ffff:198.51.100.9'])
      expect((await ask(from)).statusCode).toBe(200);
    for (const from of ['198.51.101.1', '2001:db8::8', '192.0.2.7']) {
      const refused = await ask(from);
      expectError(refused, 'AUTH_INVALID');
      expect(refused.json().error.details).toEqual({ reason: 'address' });
    }
    const [listed] = (await call('GET', '/v1/keys')).json().data;
    expect(listed.allowed_addresses).toEqual(shown);
  });

  it('[MF13] mints none that may be used from elsewhere', async () => {
    const permissions = ['trade'];
    const outer = await mint({ permissions, allowed_addresses: ['192.0.2.0/24'] });
    const parent = outer.json().data.key_id;
    const heir = await mint({ permissions }, parent);
    expect(heir.json().data.allowed_addresses).toEqual(['192.0.2.0/24']);
    const narrower = await mint({ permissions, allowed_addresses: ['192.0.2.9'] }, parent);
    expect(narrower.json().data.allowed_addresses).toEqual(['192.0.2.9/32']);
    for (const wider of [[], ['192.0.0.0/16'], ['192.0.2.9', '198.51.100.1'], ['::/0']]) {
      const refused = await mint({ permissions, allowed_addresses: wider }, parent);
      expectError(refused, 'SCOPE_NOT_ALLOWED');
    }
  });

  it.each(['nowhere', '192.0.2.0/33', '1', '192.0.2', '192.0.2.1/24/8', ' 192.0.2.1'])(
    '[MF13] refuses %j',
    async (text) => {
      const refused = await mint({ allowed_addresses: [text] });
      expectError(refused, 'VALIDATION_FAILED');
      expect(refused.json().error.details.field).toBe('allowed_addresses[0]');
    },
  );
});
