// Operations of the Keys group: mint, list and revoke.

import { Type } from 'typebox';
import { common, credentialed, identified, replayable, write } from '../bundles.ts';
import { noInput, operation, ownList } from '../define.ts';
import { idOf, pathId } from '../ids.ts';
import { limits } from '../limits.ts';
import { queryOf, wholeQuery } from '../paging.ts';
import { personalText } from '../plain-text.ts';
import { epochMs, oneOf } from '../primitives.ts';
import {
  ApiKey,
  exampleApiKey,
  exampleMintedKey,
  exampleSandboxKey,
  MintedKey,
  RevokedKey,
} from '../resources/api-key.ts';
import { country } from '../resources/compliance.ts';
import { permissions } from '../scopes.ts';

const keys = {
  group: 'Keys',
  auth: 'credential',
  // A token of an app must not make a longer-lived credential than itself.
  scope: null,
  counted: true,
  since: '0.2',
} as const;

const KeyInput = Type.Object(
  {
    label: Type.Optional(Type.String({ ...personalText, maxLength: 64, default: '' })),
    permissions: Type.Optional(
      Type.Array(oneOf(permissions), {
        minItems: 1,
        maxItems: 3,
        uniqueItems: true,
        default: ['read'],
        description: 'At most what the caller has.',
      }),
    ),
    allowed_addresses: Type.Optional(
      Type.Array(Type.String({ minLength: 2, maxLength: 43 }), {
        maxItems: limits.keys.networksMax,
        uniqueItems: true,
        description:
          'Addresses and networks (CIDR) that the key may be used from; from anywhere if there are none.',
      }),
    ),
    expires_at_ms: Type.Optional(
      epochMs(
        `When the key stops working; never unless told. A key of the live lane ends after ${limits.liveKeyMaxMs / 86_400_000} days unless you have an approved app.`,
      ),
    ),
    subaccount_id: Type.Optional(
      idOf(
        'subaccount',
        'Bind the key to one of your subaccounts: it sees and moves nothing else.',
      ),
    ),
  },
  { title: 'KeyInput', additionalProperties: false },
);

const mintKey = operation({
  ...keys,
  id: 'mintKey',
  call: 'keys.mint',
  method: 'POST',
  path: '/v1/keys',
  summary: 'Mint a key',
  description:
    'The raw key, secret and passphrase are shown once. The first key needs a session; later ones may be minted by a key with trade, which gives no more than it has itself: the same environment, and at most its tier, permissions, addresses and expiry. A key with withdraw is minted by a session that is stepped up, or by a key with withdraw that such a session minted; otherwise STEP_UP_MFA_REQUIRED. A key that reaches the live lane ends after 90 days at most unless you have an approved app: expires_at_ms of the answer says when, and a later one asked for is BUILDER_NOT_APPROVED. A user has at most 20 active keys; one more is CONFLICT.',
  permission: 'trade',
  rate: 'account_write',
  idempotency: 'optional',
  readOnlyMode: 'blocked',
  list: false,
  bearsSecrets: true,
  input: { ...noInput, body: KeyInput },
  data: MintedKey,
  errors: [
    ...common,
    ...credentialed,
    ...write,
    'STEP_UP_MFA_REQUIRED',
    'SCOPE_NOT_ALLOWED',
    'NOT_FOUND',
    'CONFLICT',
    'BUILDER_NOT_APPROVED',
  ],
  example: { body: { label: 'bot', permissions: ['read', 'trade'] }, data: exampleMintedKey },
});

const listKeys = operation({
  ...keys,
  ...ownList,
  id: 'listKeys',
  call: 'keys.list',
  path: '/v1/keys',
  summary: 'Your keys',
  description:
    'Metadata only; no secret can be read again. A session sees every key, a key those of its own environment.',
  permission: 'read',
  input: { ...noInput, query: wholeQuery({}) },
  data: Type.Array(ApiKey),
  errors: [...common, ...credentialed],
  example: {
    query: {},
    data: [
      {
        ...exampleApiKey,
        last_used_at: '2026-11-14T12:00:00.000Z',
        last_used_at_ms: 1_794_657_600_000,
      },
    ],
  },
});

const revokeKey = operation({
  ...keys,
  id: 'revokeKey',
  call: 'keys.revoke',
  method: 'DELETE',
  path: '/v1/keys/{key_id}',
  summary: 'Revoke a key',
  description:
    'At once, on every connection, with all keys that were minted by it. Takes the public id or the raw key. A key revokes keys of its own environment only, and none with a permission or a tier above its own (SCOPE_MISSING). Its open orders are the account’s and stay: cancel them with DELETE /v1/orders. Webhooks that the key registered go on; the answer names them.',
  permission: 'trade',
  rate: 'account_write',
  idempotency: 'optional',
  // A leaked key must be revocable at any time.
  readOnlyMode: 'allowed',
  list: false,
  input: {
    ...noInput,
    params: Type.Object({ key_id: pathId('key', 'The public id, or the raw key.') }),
  },
  data: RevokedKey,
  errors: [...common, ...credentialed, ...replayable, ...identified],
  example: {
    params: { key_id: exampleApiKey.key_id },
    data: {
      ...exampleApiKey,
      minted_by: 'sk_test_EXAMPLEexample01',
      status: 'revoked',
      revoked_at: '2026-11-14T12:00:00.000Z',
      revoked_at_ms: 1_794_657_600_000,
      webhook_ids: [],
    },
  },
});

const mintSandboxKey = operation({
  ...keys,
  id: 'mintSandboxKey',
  call: 'keys.mintSandbox',
  method: 'POST',
  path: '/v1/sandbox-keys',
  summary: 'A sandbox key for anybody',
  description:
    'No credential needed; one per address and day, and a limited number an hour for all addresses together. It trades fake money at mid prices and is revoked after 7 days without a request. Pages of other sites are refused (SCOPE_NOT_ALLOWED) unless the operator allows their origin.',
  auth: 'public',
  permission: null,
  rate: 'account_write',
  idempotency: 'none',
  readOnlyMode: 'allowed',
  list: false,
  bearsSecrets: true,
  input: {
    ...noInput,
    query: queryOf({ country: Type.Optional(country) }),
  },
  data: MintedKey,
  errors: [
    ...common,
    'SCOPE_NOT_ALLOWED',
    'SANDBOX_KEY_DAILY_LIMIT',
    'ANTI_ABUSE_BLOCKED',
    'JURISDICTION_BLOCKED',
  ],
  example: { query: {}, data: exampleSandboxKey },
});

export const keyOperations = Object.freeze({ mintKey, listKeys, revokeKey, mintSandboxKey });
