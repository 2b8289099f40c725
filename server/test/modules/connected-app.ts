// An app with a user who connects it: the steps of OAuth, one by one, on an exchange of a test.
import { createHash, randomBytes } from 'node:crypto';
import type { Response } from 'light-my-request';
import { systemRandom } from '../../src/adapters/node/random.ts';
import { freshSecret } from '../../src/handling/client-secret.ts';
import type { AppRecord } from '../../src/ports/apps.ts';
import { bearer } from '../gateway/harness.ts';
import { app as blankApp } from '../ports/apps-suite.ts';
import type { Exchange } from './exchange.ts';

export const CALLBACK = 'https://example.com/callback';

export interface Client {
  readonly app: AppRecord;
  readonly secret: string;
}

export interface Pkce {
  readonly verifier: string;
  readonly challenge: string;
}

export function pkce(): Pkce {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** One that everybody may connect, with all scopes, unless told. */
export async function addApp(
  { platform, secrets, clock }: Exchange,
  ownerToken: string,
  more: Partial<AppRecord> = {},
): Promise<Client> {
  const { kept, raw } = freshSecret({ random: systemRandom, secrets }, clock.wallMs());
  const ownerId = (await platform.sessionById(ownerToken.slice(0, 20)))!.userId;
  const name = systemRandom.token(16);
  const app = blankApp(name, {
    ...{ ownerId, name, verifiedName: `Verified ${name}`, status: 'approved', secret: kept },
    allowedScopes: ['markets:read', 'account:read', 'orders:trade', 'webhooks:manage', 'offline'],
    ...more,
  });
  if ((await platform.apps.add(app, 99)) !== 'added') throw new Error('no app');
  return { app, secret: raw };
}

export interface Tokens {
  readonly access: string;
  readonly refresh: string;
  readonly grantId: string;
}

/** The consent, the exchange of the code, and the tokens of it. */
export async function connect(
  exchange: Exchange,
  client: Client,
  token: string,
  scopes: readonly string[] = ['account:read', 'orders:trade'],
  more: object = {},
  at: '' | '/sandbox' = '/sandbox',
): Promise<Tokens> {
  const { verifier, challenge } = pkce();
  const { data, error } = await exchange.ask('createGrant', {
    ...{ token, at },
    body: { ...asked(client, challenge, scopes), ...more },
  });
  if (error !== null) throw new Error(JSON.stringify(error));
  const answer = await post(exchange, redeeming(client, data.code, verifier));
  const { access_token: access, refresh_token: refresh } = answer.json();
  return { access, refresh, grantId: data.grant_id };
}

export function asked({ app }: Client, challenge: string, scopes: readonly string[]) {
  return {
    ...{ kind: 'oauth', client_id: app.appId, redirect_uri: CALLBACK },
    ...{ scopes, code_challenge: challenge },
  };
}

export function redeeming({ app, secret }: Client, code: string, verifier: string) {
  return {
    ...{ grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: verifier },
    ...{ client_id: app.appId, client_secret: secret },
  };
}

export function renewing({ app, secret }: Client, refresh: string) {
  const grant_type = 'refresh_token';
  return { grant_type, refresh_token: refresh, client_id: app.appId, client_secret: secret };
}

/** As OAuth clients send it. */
export function post(
  { call }: Pick<Exchange, 'call'>,
  form: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
  url = '/oauth/token',
): Promise<Response> {
  return call({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams(form).toString(),
  });
}

/** What a call with the token is answered: `ok`, or the code. */
export async function verdict(
  { call }: Pick<Exchange, 'call'>,
  token: string,
  url = '/sandbox/v1/account',
): Promise<string> {
  const { ok, error } = (await call({ url, headers: bearer(token) })).json();
  return ok ? 'ok' : error.code;
}
