import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { builderAgreement } from '@sibyl/contract';
import { MemoryStore } from '@sibyl/lane/testing';
import { createClient, type SibylClient } from '@sibyl/sdk';
import { Secret } from 'otpauth';
import { expect, it, onTestFinished } from 'vitest';
import { createLog } from '../../src/gateway/log.ts';
import { openPlatform } from '../../src/stores/open-stores.ts';
import { startSeeded } from '../seeded-sandbox.ts';
import { type Started, startServer, temporaryFolder } from '../server-process.ts';
import { codeAt } from './authenticator-app.ts';
import { type Canary, canary, filesIn, found, secretPart } from './canaries.ts';
import { bearer, openHarness } from './harness.ts';

const passing = (write: (text: string) => void): Writable =>
  new Writable({
    write(chunk, _encoding, done) {
      write(String(chunk));
      done();
    },
  });

it('[P9] no secret of any flow stands in the logs, the journal or the platform file', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'sibyl-canary-'));
  let logs = '';
  const destination = passing((text) => {
    logs += text;
  });
  const stores = { live: new MemoryStore(), sandbox: new MemoryStore() };
  const platform = await openPlatform(folder);
  const harness = await openHarness({
    platform,
    stores,
    log: createLog('trace', destination),
    overrides: {
      getMarket: () => {
        throw new Error(`a defect that names ${secrets[0]}`);
      },
    },
  });
  const secrets: string[] = [];
  const session = await harness.session();
  const minted = await harness.call({
    method: 'POST',
    url: '/v1/keys',
    headers: { ...bearer(session), 'idempotency-key': 'canary-0001' },
    payload: { permissions: ['read', 'trade'] },
  });
  const anonymous = await harness.call({ method: 'POST', url: '/v1/sandbox-keys' });
  for (const { key_id: raw, secret, passphrase } of [minted.json().data, anonymous.json().data]) {
    secrets.push(raw, secret, passphrase);
  }
  secrets.push(session);
  const raw = secrets[0]!;
  await harness.call({ url: '/v1/account', headers: { 'x-api-key': raw } });
  await harness.call({ url: `/v1/nothing/${raw}?token=${session}`, headers: bearer(raw) });
  await harness.call({ url: '/v1/markets/m_0123456789abcdef', headers: bearer(raw) });
  await harness.call({
    method: 'POST',
    url: '/v1/orders',
    headers: bearer(raw),
    payload: { size: raw },
  });
  for (const [index, form] of [raw, raw.replaceAll('_', '%5F')].entries()) {
    await harness.call({
      method: 'DELETE',
      url: `/v1/keys/${form}`,
      headers: { ...bearer(session), 'idempotency-key': `canary-1${index}00` },
    });
  }
  await harness.close();
  await platform.close();
  const files = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'latin1'));
  const journal = JSON.stringify([stores.live.commits, stores.sandbox.commits]);
  expect(logs).toContain('a defect that names sk_live_');
  expect(logs.split('\n').length).toBeGreaterThan(6);
  expect(files.join('')).toContain(raw.slice(0, 24));
  for (const secret of secrets) {
    // The tail alone: the public part of a key may stand anywhere.
    const tail = secret.includes('_') ? secret.slice(secret.indexOf('_', 8) + 17) : secret;
    const forms = [
      tail.slice(-30),
      Buffer.from(secret).toString('hex'),
      Buffer.from(secret).toString('base64'),
    ];
    for (const form of forms) {
      for (const [where, text] of Object.entries({ logs, journal, files: files.join('') })) {
        expect(text.includes(form), `${form} stands in ${where}`).toBe(false);
      }
    }
  }
  await rm(folder, { recursive: true, force: true });
});

it('[P9] the search finds a secret in whatever it was written into, as text, hex and base64', () => {
  const secret = 'ÿ a secret~?>of any kind';
  for (const before of ['', 'a', 'ab', 'abc']) {
    const whole = Buffer.from(`${before}${secret} and more`);
    const written = [
      whole,
      ...(['hex', 'base64', 'base64url'] as const).map((as) => whole.toString(as)),
    ];
    const places = new Map(written.map((text, at) => [String(at), Buffer.from(text as string)]));
    expect(found([canary('it', secret)], places)).toEqual([
      'it in 0',
      'it in 1',
      'it in 2',
      'it in 3',
    ]);
  }
  expect(found([canary('it', secret)], new Map([['', Buffer.from('another')]]))).toEqual([]);
});

/** A server with people, an app and an operator on it, who leave behind one of every secret. */
class Crowd {
  readonly canaries: Canary[] = [];
  /** Of the person. */
  accountId = '';
  readonly #server: Started;

  constructor(server: Started) {
    this.#server = server;
  }

  #keep(name: string, secret: string | Buffer | null | undefined): string {
    if (secret === null || secret === undefined) throw new Error(`no ${name}`);
    this.canaries.push(canary(name, secret));
    return String(secret);
  }

  #keepCredential(name: string, credential: string | null | undefined): string {
    this.#keep(name, secretPart(credential ?? ''));
    return credential ?? '';
  }

  #keepSeed(name: string, base32: string): string {
    this.#keep(name, Buffer.from(Secret.fromBase32(base32).buffer));
    return this.#keep(`${name} as it is typed`, base32);
  }

  /** Somebody with all that can be opened by a secret, and what goes wrong with each. */
  async person(): Promise<void> {
    const email = this.#keep('e-mail', 'canary.of.the.mine@example.com');
    const password = this.#keep('password', 'amber kettle 93 northwind');
    const visitor = createClient({ baseUrl: this.#server.baseUrl });
    await visitor.sessions.logIn({ email, password }).catch(() => undefined);
    const session = await visitor.sessions.register({ email, password });
    const { session_token: token } = session;
    this.accountId = session.account_id;
    const owner = visitor.withToken(this.#keepCredential('session', token));
    await owner.sandbox.faucet();
    const key = await owner.keys.mint({ permissions: ['read', 'trade'] });
    this.#keepCredential('API key', key.key_id);
    this.#keep('secret of a key', key.secret);
    this.#keep('passphrase of a key', key.passphrase);
    await this.#trade(visitor.withToken(key.key_id ?? ''));
    await this.#sign(owner, key.public_id);
    await this.#connect(owner);
    await this.#hear(owner);
    await this.#stray([token, key.key_id ?? '']);
    await owner.sessions.stepUp({ password });
    const { secret } = await owner.factors.enrolTotp();
    const otp = codeAt(this.#keepSeed('TOTP seed', secret), Date.now());
    const { recovery_codes: codes } = await owner.factors.confirmTotp({ otp });
    this.#keep('recovery code that was used', codes[0]);
    this.#keep('recovery code', codes[1]);
    for (const recovery_code of [codes[0] ?? '', codes[0] ?? '']) {
      await visitor.sessions.logIn({ email, password, recovery_code }).catch(() => undefined);
    }
    await visitor.sessions.logIn({ email, password: `${password}!` }).catch(() => undefined);
  }

  async #trade(client: SibylClient): Promise<void> {
    const { markets } = createClient({ baseUrl: this.#server.baseUrl });
    const { items } = await markets.list({ state: 'active', sort: 'closes_at', limit: 50 });
    const market = items.at(-1);
    await client.orders.place({
      ...{ market_id: market?.market_id ?? '', outcome_id: market?.outcomes[0]?.id ?? '' },
      ...{ side: 'buy', size: '100', order_type: 'limit', price: '0.01' },
    });
  }

  async #sign(owner: SibylClient, keyId: string): Promise<void> {
    await this.operator(`/keys/${keyId}/signing`, { reason: 'a canary', enabled: true });
    const { secret, passphrase } = await owner.keys.drawSigningSecret(keyId);
    this.#keep('signing secret', secret);
    this.#keep('bytes of the signing secret', Buffer.from(secret ?? '', 'hex'));
    this.#keep('signing passphrase', passphrase);
    const signing = { keyId, secret: secret ?? '' };
    await this.#trade(createClient({ baseUrl: this.#server.baseUrl, signing }));
  }

  async #connect(owner: SibylClient): Promise<void> {
    const agreement = { version: builderAgreement.version, accepted: true };
    const about = 'A cage for canaries.';
    await owner.builders.apply({ track: 'trade_capped', name: 'Ada', about, agreement });
    const redirect = 'http://127.0.0.1/callback';
    const scopes = ['account:read', 'orders:trade'];
    const app = await owner.apps.create({
      ...{ name: 'Cage', redirect_uris: [redirect], allowed_scopes: scopes },
    });
    this.#keepCredential('client secret', app.client_secret);
    const rotated = await owner.apps.rotateSecret(app.app_id);
    const secret = this.#keepCredential('second client secret', rotated.client_secret);
    const verifier = this.#keep('PKCE verifier', randomBytes(32).toString('base64url'));
    const { code } = await owner.connect.grant({
      ...{ kind: 'oauth', client_id: app.client_id, redirect_uri: redirect, scopes },
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    });
    const client = { client_id: app.client_id, client_secret: secret };
    const redeem = { code: this.#keepCredential('code', code), redirect_uri: redirect };
    const first = await this.#token({
      ...{ grant_type: 'authorization_code', ...redeem, code_verifier: verifier, ...client },
    });
    const access = this.#keepCredential('access token', first.access_token);
    await this.#trade(createClient({ baseUrl: this.#server.baseUrl, token: access }));
    const refresh = this.#keepCredential('refresh token', first.refresh_token);
    const renew = { grant_type: 'refresh_token', refresh_token: refresh, ...client };
    const second = await this.#token(renew);
    this.#keepCredential('second access token', second.access_token);
    this.#keepCredential('second refresh token', second.refresh_token);
    // The second use, which ends the grant.
    await this.#token(renew);
    await this.#stray([access, refresh, redeem.code, secret]);
  }

  async #token(form: Readonly<Record<string, string>>): Promise<Record<string, string>> {
    const answer = await fetch(`${this.#server.baseUrl}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
    });
    return (await answer.json()) as Record<string, string>;
  }

  async #hear(owner: SibylClient): Promise<void> {
    const { secret, webhook_id: id } = await owner.webhooks.create({
      ...{ url: 'http://127.0.0.1:9/hooks', event_types: ['order.filled'] },
    });
    this.#keep('webhook secret', secret?.slice('whsec_'.length));
    this.#keep('bytes of the webhook secret', Buffer.from(secret?.slice(6) ?? '', 'base64'));
    await owner.webhooks.replay(id, { event_type: 'order.filled' });
  }

  /** Credentials where none belongs. */
  async #stray(credentials: readonly string[]): Promise<void> {
    for (const one of credentials) {
      const headers = { authorization: `Bearer ${one}`, 'x-api-key': one };
      await fetch(`${this.#server.baseUrl}/v1/nothing/${one}?token=${one}`, { headers });
      const body = JSON.stringify({ market_id: one, size: one });
      const json = { ...headers, 'content-type': 'application/json' };
      await fetch(`${this.#server.baseUrl}/v1/orders`, { method: 'POST', headers: json, body });
    }
  }

  #operatorToken = '';
  async operator(route: string, body: object): Promise<Record<string, string>> {
    const answer = await fetch(`${this.#server.adminUrl}/admin/v1${route}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.#operatorToken}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
    return ((await answer.json()) as { data: Record<string, string> }).data;
  }

  async enterAsOperator(): Promise<void> {
    const password = this.#keep('password of an operator', this.#server.operatorPassword);
    const session = await this.operator('/sessions', { name: 'admin', password });
    this.#operatorToken = this.#keepCredential('session of an operator', session.session_token);
    await this.operator('/session/step-up', { password });
  }

  /** Lost and found: an authenticator, its codes, and a user by the address. */
  async operate(): Promise<void> {
    const { secret } = await this.operator('/session/totp', {});
    const otp = codeAt(this.#keepSeed('TOTP seed of an operator', secret ?? ''), Date.now());
    const confirmed = await this.operator('/session/totp/confirm', { otp });
    const codes = confirmed.recovery_codes as unknown as readonly string[];
    this.#keep('recovery code of an operator that was used', codes[0]);
    this.#keep('recovery code of an operator', codes[1]);
    await this.operator('/session/step-up', { recovery_code: codes[0] });
    await this.operator('/session/step-up', { recovery_code: codes[0] });
    await this.operator('/session/recovery-codes', {});
  }
}

it('[P9][OP49] nothing that opens anything lies in a file, a backup, the logs or the metrics of a server that was killed', async () => {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  const environment = {
    ...{ LANES: 'sandbox', LOG_LEVEL: 'debug', RATE_MULTIPLIER: '0' },
    WEBHOOK_ALLOW: '127.0.0.0/8',
  };
  const server = await startSeeded({ dataDir: folder, environment });
  const crowd = new Crowd(server);
  await crowd.enterAsOperator();
  await crowd.person();
  await crowd.operate();
  await crowd.operator('/backups', { reason: 'canaries' });
  const metrics = await (await fetch(`${server.adminUrl}/metrics`)).text();
  await server.stop('SIGKILL');
  const killed = filesIn(folder);
  // What was being written when it ended is taken up, and a last snapshot made.
  const again = await startServer({ dataDir: folder, environment });
  await again.stop();
  const changed = [...filesIn(folder)].filter(([name, bytes]) => !killed.get(name)?.equals(bytes));
  const last = changed.map(([name, bytes]) => [`${name}, at last`, bytes] as const);
  const logs = server.output() + again.output();
  const told = new Map([
    ['metrics', Buffer.from(metrics)],
    ['logs', Buffer.from(logs)],
  ]);
  const places = new Map([...killed, ...last, ...told]);
  // What these people have done is in all of these places, and so would be what they did it with.
  const known = found([canary('account', crowd.accountId)], places).map((one) => one.slice(11));
  for (const place of [
    ...['sandbox/journal', 'sandbox/read-model', 'sandbox/snapshots', 'platform', 'requests'],
    ...['backups/.*/sandbox/journal', 'backups/.*/platform'],
  ]) {
    expect(known).toContainEqual(expect.stringMatching(`^${place}`));
  }
  for (const text of [metrics, logs]) expect(text).toContain('renewOperatorRecoveryCodes');
  const leaks = found(crowd.canaries, places);
  const allowed = [
    // A user is known by the address.
    /^e-mail in (?:backups\/[^/]+\/)?platform\.db(?:-wal)?(?:, at last)?$/,
    // The first start shows it once.
    /^password of an operator in logs$/,
  ];
  expect(leaks.filter((one) => !allowed.some((rule) => rule.test(one)))).toEqual([]);
});
