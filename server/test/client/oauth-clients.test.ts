// Two stock OAuth clients against a real server: the whole way from the consent page to the revoked token, and every refusal.
import { builderAgreement } from '@sibyl/contract';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSeeded } from '../seeded-sandbox.ts';
import { type Started, temporaryFolder } from '../server-process.ts';
import { decide } from './consent.ts';

const CALLBACK = 'http://127.0.0.1:9/callback';
const SCOPE = 'account:read orders:trade offline';
const ada = { email: 'ada@example.com', password: 'correct horse battery staple' };

const data = temporaryFolder();
let server: Started;
let issuer: URL;
let confidential: { readonly id: string; readonly secret: string };
let open: { readonly id: string };

beforeAll(async () => {
  server = await startSeeded({ dataDir: data.folder });
  // What it calls itself where it was told no other name.
  issuer = new URL(`http://localhost:${new URL(server.baseUrl).port}`);
  const token = String((await call('/api/auth/register', ada)).session_token);
  const agreement = { version: builderAgreement.version, accepted: true };
  const application = {
    track: 'trade_full',
    name: 'Ada',
    about: 'A desk for elections.',
    agreement,
  };
  await call('/v1/apply', application, token);
  const app = { redirect_uris: ['http://127.0.0.1/callback'], allowed_scopes: SCOPE.split(' ') };
  const desk = await call('/v1/apps', { ...app, name: 'Desk' }, token);
  confidential = { id: String(desk.client_id), secret: String(desk.client_secret) };
  const phone = await call('/v1/apps', { ...app, name: 'Phone', client_type: 'public' }, token);
  open = { id: String(phone.client_id) };
});
afterAll(async () => {
  await server.stop();
  data.remove();
});

async function call(path: string, body: object, token?: string): Promise<Record<string, unknown>> {
  const answer = await fetch(new URL(path, issuer), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${text}`);
  return JSON.parse(text).data;
}

const balance = () => new URL('/sandbox/v1/balance', issuer);
const insecure = { [oauth.allowInsecureRequests]: true };

/** What both clients throw for a refused form: the name of the standard, with our code beside it. */
const reason = (error: string, code: string, status: number) => ({
  ...{ code: 'OAUTH_RESPONSE_BODY_ERROR', error, status },
  cause: { error, code, error_description: expect.stringMatching(/^[A-Z].+\.$/) },
});

/** What both throw where a token is no longer accepted. */
const REVOKED = {
  code: 'OAUTH_WWW_AUTHENTICATE_CHALLENGE',
  status: 401,
  cause: [
    {
      scheme: 'bearer',
      parameters: {
        ...{ realm: 'sibyl', error: 'invalid_token' },
        error_description: 'The token was revoked.',
      },
    },
  ],
};

describe('[OAU16] [OAU23] [OAU22] openid-client', () => {
  it('completes the flow, refreshes and revokes, and fails safely where it is refused', async () => {
    const { id, secret } = confidential;
    const config = await openid.discovery(issuer, id, secret, undefined, {
      algorithm: 'oauth2',
      execute: [openid.allowInsecureRequests],
    });
    const authorize = async () => {
      const verifier = openid.randomPKCECodeVerifier();
      const challenge = await openid.calculatePKCECodeChallenge(verifier);
      const state = openid.randomState();
      const url = openid.buildAuthorizationUrl(config, {
        ...{ redirect_uri: CALLBACK, scope: SCOPE, state, environment: 'sandbox' },
        ...{ code_challenge: challenge, code_challenge_method: 'S256' },
      });
      return { verifier, state, url };
    };
    const { verifier, state, url } = await authorize();
    const back = await decide(url, ada, 'approve');
    const checks = { pkceCodeVerifier: verifier, expectedState: state };
    const stranger = { ...checks, pkceCodeVerifier: openid.randomPKCECodeVerifier() };
    await expect(openid.authorizationCodeGrant(config, back, stranger)).rejects.toMatchObject(
      reason('invalid_grant', 'PKCE_INVALID', 400),
    );
    const tokens = await openid.authorizationCodeGrant(config, back, checks);
    expect(tokens.scope).toBe(SCOPE);
    const read = (token: string) => openid.fetchProtectedResource(config, token, balance(), 'GET');
    expect((await read(tokens.access_token)).status).toBe(200);
    const next = await openid.refreshTokenGrant(config, String(tokens.refresh_token));
    expect((await read(next.access_token)).status).toBe(200);
    await openid.tokenRevocation(config, String(next.refresh_token));
    await expect(read(next.access_token)).rejects.toMatchObject(REVOKED);
    await expect(
      openid.refreshTokenGrant(config, String(next.refresh_token)),
    ).rejects.toMatchObject(reason('invalid_grant', 'TOKEN_REVOKED', 401));
    const wrong = new openid.Configuration(config.serverMetadata(), id, `${secret}x`);
    openid.allowInsecureRequests(wrong);
    await expect(openid.refreshTokenGrant(wrong, 'ort_nobody')).rejects.toMatchObject(
      reason('invalid_client', 'AUTH_INVALID', 401),
    );
    const denied = await authorize();
    const refusal = await decide(denied.url, ada, 'deny');
    await expect(
      openid.authorizationCodeGrant(config, refusal, {
        ...{ pkceCodeVerifier: denied.verifier, expectedState: denied.state },
      }),
    ).rejects.toMatchObject({ error: 'access_denied' });
  });
});

describe('[OAU16] [OAU23] [OAU22] oauth4webapi', () => {
  it.each([
    [
      'a confidential client by HTTP Basic',
      () => confidential.id,
      () => oauth.ClientSecretBasic(confidential.secret),
    ],
    ['a public client', () => open.id, () => oauth.None()],
  ] as const)(
    'completes the flow, refreshes and revokes as %s, and fails safely',
    async (_as, idOf, authOf) => {
      const client: oauth.Client = { client_id: idOf() };
      const auth = authOf();
      const found = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
      const as = await oauth.processDiscoveryResponse(issuer, found);
      const verifier = oauth.generateRandomCodeVerifier();
      const state = oauth.generateRandomState();
      const url = new URL(String(as.authorization_endpoint));
      const asked = {
        ...{ response_type: 'code', client_id: client.client_id, redirect_uri: CALLBACK, state },
        ...{ scope: SCOPE, environment: 'sandbox', code_challenge_method: 'S256' },
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      };
      for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
      const back = oauth.validateAuthResponse(as, client, await decide(url, ada, 'approve'), state);
      const redeem = async () =>
        oauth.processAuthorizationCodeResponse(
          as,
          client,
          await oauth.authorizationCodeGrantRequest(
            as,
            client,
            auth,
            back,
            CALLBACK,
            verifier,
            insecure,
          ),
        );
      const tokens = await redeem();
      const refresh = async (token: string) =>
        oauth.processRefreshTokenResponse(
          as,
          client,
          await oauth.refreshTokenGrantRequest(as, client, auth, token, insecure),
        );
      const read = (token: string) =>
        oauth.protectedResourceRequest(token, 'GET', balance(), undefined, null, insecure);
      expect((await read(tokens.access_token)).status).toBe(200);
      const next = await refresh(String(tokens.refresh_token));
      expect((await read(next.access_token)).status).toBe(200);
      const given = await oauth.revocationRequest(as, client, auth, next.access_token, insecure);
      await oauth.processRevocationResponse(given);
      await expect(read(next.access_token)).rejects.toMatchObject(REVOKED);
      // A refresh token that was used before ends the family of it.
      const last = await refresh(String(next.refresh_token));
      await expect(refresh(String(next.refresh_token))).rejects.toMatchObject(
        reason('invalid_grant', 'REFRESH_TOKEN_REUSED', 401),
      );
      await expect(read(last.access_token)).rejects.toMatchObject(REVOKED);
      await expect(redeem()).rejects.toMatchObject(
        reason('invalid_grant', 'AUTH_CODE_CONSUMED', 400),
      );
    },
  );
});
