// Operations of the Connect group: tokens of apps, and the grants that users give and take back.

import { Type } from 'typebox';
import { common, credentialed, identified, replayable, write } from '../bundles.ts';
import { noInput, operation, ownList } from '../define.ts';
import { idOf, pathId } from '../ids.ts';
import { limits } from '../limits.ts';
import { pageQuery } from '../paging.ts';
import { epochMs, moneyInput, oneOf } from '../primitives.ts';
import {
  exampleGivenGrant,
  exampleGrant,
  exampleTokenAnswer,
  GivenGrant,
  Grant,
  grantKinds,
  TokenAnswer,
} from '../resources/grant.ts';

const MINUTES = limits.oauth.accessMs / 60_000;
const DAY_MS = 86_400_000;

/** Calls of an app: it shows who it is by HTTP Basic or in the body, never by a bearer. */
const client = {
  method: 'POST',
  group: 'Connect',
  auth: 'public',
  permission: null,
  scope: null,
  // Of the app once it has shown its secret: it renews the tokens of all its users from one address.
  rate: 'account_read',
  idempotency: 'none',
  // Who is connected stays so while trading is paused, and can always be cut off.
  readOnlyMode: 'allowed',
  since: '0.3',
  list: false,
  takesForms: true,
} as const;

const word = Type.String({ minLength: 1, maxLength: 512 });
const clientFields = {
  client_id: Type.Optional(word),
  client_secret: Type.Optional(word),
};

const exchangeToken = operation({
  ...client,
  id: 'exchangeToken',
  call: 'oauth.token',
  path: '/oauth/token',
  summary: 'Exchange a code, or renew with a refresh token',
  description: `OAuth 2.1: authorization_code with code, redirect_uri and code_verifier, or refresh_token. A confidential client sends its secret by HTTP Basic or in the body, a public one its client_id alone; anything else is AUTH_INVALID. The access token is good for ${MINUTES} minutes. A refresh token is good once: its second use is REFRESH_TOKEN_REUSED, that of a code AUTH_CODE_CONSUMED, and each ends the grant with all its tokens. What is unknown, or was issued to another client, is TOKEN_INVALID. The answer has the fields of data at its top as well, where OAuth clients look for them. A request with a form body is refused with the error of RFC 6749 (OAuthError), a JSON request with the envelope.`,
  counted: true,
  bearsSecrets: true,
  standardFields: true,
  input: {
    ...noInput,
    body: Type.Object(
      {
        grant_type: oneOf(['authorization_code', 'refresh_token']),
        code: Type.Optional(word),
        redirect_uri: Type.Optional(word),
        code_verifier: Type.Optional(word),
        refresh_token: Type.Optional(word),
        scope: Type.Optional(
          Type.String({ maxLength: 512, description: 'At a refresh: no more than was allowed.' }),
        ),
        ...clientFields,
      },
      { title: 'TokenInput' },
    ),
  },
  data: TokenAnswer,
  errors: [
    ...common,
    'AUTH_INVALID',
    'PKCE_INVALID',
    'AUTH_CODE_EXPIRED',
    'AUTH_CODE_CONSUMED',
    'REDIRECT_URI_MISMATCH',
    'REFRESH_TOKEN_REUSED',
    'TOKEN_INVALID',
    'TOKEN_EXPIRED',
    'TOKEN_REVOKED',
    'SCOPE_NOT_ALLOWED',
    'APP_DISABLED',
    'APP_NOT_APPROVED',
  ],
  example: {
    body: {
      grant_type: 'authorization_code',
      code: exampleGivenGrant.code ?? '',
      redirect_uri: 'https://example.com/callback',
      code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
      client_id: exampleGrant.app_id ?? '',
      client_secret: `acs_EXAMPLEexample00_${'x'.repeat(43)}`,
    },
    data: exampleTokenAnswer,
  },
});

const revokeToken = operation({
  ...client,
  id: 'revokeToken',
  call: 'oauth.revoke',
  path: '/oauth/revoke',
  summary: 'Give a token back',
  description:
    'RFC 7009: a refresh token ends the whole grant, an access token itself alone. A token that is unknown, over or of another client is answered in the same way, and nothing happens.',
  counted: false,
  input: {
    ...noInput,
    body: Type.Object(
      { token: word, token_type_hint: Type.Optional(word), ...clientFields },
      { title: 'RevokeTokenInput' },
    ),
  },
  data: Type.Object({ revoked: Type.Boolean() }, { title: 'TokenRevoked' }),
  errors: [...common, 'AUTH_INVALID'],
  example: {
    body: {
      token: exampleTokenAnswer.refresh_token,
      client_id: exampleGrant.app_id ?? '',
      client_secret: `acs_EXAMPLEexample00_${'x'.repeat(43)}`,
    },
    data: { revoked: true },
  },
});

const own = {
  group: 'Connect',
  auth: 'session',
  permission: null,
  // No app says what others may do.
  scope: null,
  counted: true,
  since: '0.3',
} as const;

const listGrants = operation({
  ...own,
  ...ownList,
  id: 'listGrants',
  call: 'connect.listGrants',
  path: '/v1/connect/grants',
  summary: 'What you have allowed others',
  description:
    'The newest first, those of both environments: apps and partners with their scopes, caps and last use.',
  input: {
    ...noInput,
    query: pageQuery({
      status: Type.Optional(oneOf(['active'], { description: 'Leaves out those that are over.' })),
    }),
  },
  data: Type.Array(Grant),
  errors: [...common, ...credentialed],
  example: { query: {}, data: [exampleGrant] },
});

const createGrant = operation({
  ...own,
  id: 'createGrant',
  call: 'connect.grant',
  method: 'POST',
  path: '/v1/connect/grants',
  summary: 'Allow an app or a partner to act for you',
  description: `kind oauth is what the consent page does: client_id, redirect_uri, scopes and code_challenge (S256) as the app asked, and the answer has the code for the redirect, good once, for ${limits.oauth.codeMs / 1000} seconds. An app that is not approved works in the sandbox for its owner alone (APP_NOT_APPROVED). Without the scope offline the grant lasts ${limits.oauth.presentMs / 3_600_000} hours, with it ${limits.oauth.offlineMs / DAY_MS} days, and it needs a session that is stepped up. kind delegation is for a partner: partner_id, scopes and expires_at_ms, at most ${limits.oauth.delegationMaxMs / DAY_MS} days ahead; it needs a session that is stepped up. It is for the account in the environment of the address that is called, or for subaccount_id. More than ${limits.oauth.grantsMax} that hold at a time are CONFLICT; a scope that the app may not ask for, and demo accounts, SCOPE_NOT_ALLOWED.`,
  rate: 'account_write',
  idempotency: 'optional',
  readOnlyMode: 'blocked',
  list: false,
  bearsSecrets: true,
  input: {
    ...noInput,
    body: Type.Object(
      {
        kind: oneOf(grantKinds),
        // Free text, since a scope that may not be given has a code of its own: SCOPE_NOT_ALLOWED.
        scopes: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
          minItems: 1,
          maxItems: 16,
          uniqueItems: true,
        }),
        subaccount_id: Type.Optional(
          idOf('subaccount', 'One of your subaccounts; your own account unless told.'),
        ),
        daily_cap: Type.Optional(moneyInput('What its orders of a UTC day may come to, in USDT.')),
        client_id: Type.Optional(idOf('app', 'Of an app; oauth.')),
        redirect_uri: Type.Optional(
          Type.String({ minLength: 1, maxLength: limits.apps.uriLengthMax, description: 'oauth.' }),
        ),
        code_challenge: Type.Optional(
          Type.String({
            pattern: '^[A-Za-z0-9_-]{43}$',
            'x-expected': 'base64url of the SHA-256 of the verifier, 43 characters',
            description: 'S256; oauth.',
          }),
        ),
        partner_id: Type.Optional(
          idOf('user', 'Who may act for you: a partner whom operators approved; delegation.'),
        ),
        expires_at_ms: Type.Optional(epochMs('When it ends; delegation.')),
      },
      { title: 'GrantInput', additionalProperties: false },
    ),
  },
  data: GivenGrant,
  errors: [
    ...common,
    ...credentialed,
    ...write,
    'NOT_FOUND',
    'APP_NOT_APPROVED',
    'SCOPE_NOT_ALLOWED',
    'REDIRECT_URI_MISMATCH',
    'STEP_UP_MFA_REQUIRED',
    'JURISDICTION_BLOCKED',
    'SANCTIONS_HIT',
    'COMPLIANCE_GATE_BLOCKED',
    'CONFLICT',
  ],
  example: {
    body: {
      kind: 'oauth',
      client_id: exampleGrant.app_id ?? '',
      redirect_uri: 'https://example.com/callback',
      scopes: exampleGrant.scopes,
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    },
    data: exampleGivenGrant,
  },
});

const revokeGrant = operation({
  ...own,
  id: 'revokeGrant',
  call: 'connect.revokeGrant',
  method: 'DELETE',
  path: '/v1/connect/grants/{grant_id}',
  summary: 'Take back what you allowed',
  description:
    'Ends all its access and refresh tokens at once, and closes its sockets. One that is over already is answered as it is.',
  rate: 'account_write',
  idempotency: 'optional',
  readOnlyMode: 'allowed',
  list: false,
  input: { ...noInput, params: Type.Object({ grant_id: pathId('grant', 'The grant.') }) },
  data: Grant,
  errors: [...common, ...credentialed, ...replayable, ...identified],
  example: {
    params: { grant_id: exampleGrant.grant_id },
    data: {
      ...exampleGrant,
      status: 'revoked',
      revoked_for: 'user',
      revoked_at: '2026-11-14T12:05:00.000Z',
      revoked_at_ms: 1_794_657_900_000,
    },
  },
});

export const connectOperations = Object.freeze({
  exchangeToken,
  revokeToken,
  listGrants,
  createGrant,
  revokeGrant,
});
