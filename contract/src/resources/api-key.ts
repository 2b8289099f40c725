// API keys: the answer to a mint, shown once, and the entry of the list, without secrets.

import { type Static, Type } from 'typebox';
import { idKinds, idOf } from '../ids.ts';
import { tiers } from '../limits.ts';
import { instant, nullable, nullableInstant, oneOf } from '../primitives.ts';
import { partnerScopes, permissions } from '../scopes.ts';

export const environments = ['live', 'sandbox'] as const;
export const keyStatuses = ['active', 'revoked', 'expired'] as const;

export const publicId = Type.String({
  pattern: '^sk_(live|test)_[0-9A-Za-z]{16}$',
  description: 'The public part of the key: safe to log, useless as a credential.',
});

export const MintedKey = Type.Object(
  {
    key_id: Type.String({
      pattern: idKinds.key.pattern,
      description: 'The raw key, which is the bearer; shown once. The public part on a replay.',
    }),
    public_id: publicId,
    secret: nullable(
      Type.String({ pattern: '^[0-9a-f]{64}$', description: 'For HMAC signing; shown once.' }),
    ),
    passphrase: nullable(Type.String({ description: 'For HMAC signing; shown once.' })),
    secrets_withheld: Type.Boolean({
      description: 'True on an idempotent replay: secrets are never stored, so they cannot return.',
    }),
    label: Type.String(),
    permissions: Type.Array(oneOf(permissions)),
    tier: oneOf(tiers),
    environment: oneOf(environments),
    account_id: idOf('account'),
    subaccount_id: nullable(idOf('subaccount'), 'The one that it is bound to.'),
    allowed_addresses: Type.Array(Type.String(), {
      description: 'Networks that it may be used from; from anywhere if there are none.',
    }),
    ...instant('created_at', 'When it was minted.'),
    ...nullableInstant('expires_at', 'When it stops working.'),
  },
  { title: 'MintedKey' },
);
export type MintedKey = Static<typeof MintedKey>;

const apiKeyFields = {
  key_id: publicId,
  label: Type.String(),
  permissions: Type.Array(oneOf(permissions)),
  tier: oneOf(tiers),
  environment: oneOf(environments),
  subaccount_id: nullable(idOf('subaccount'), 'The one that it is bound to.'),
  status: oneOf(keyStatuses),
  rate_multiplier: Type.Integer({
    minimum: 1,
    description:
      'How many times the baseline it may ask: what its tier has, times what the operator granted it.',
  }),
  minted_by: nullable(
    publicId,
    'The key that minted it and with which it is revoked; null if a person did.',
  ),
  allowed_addresses: Type.Array(Type.String(), {
    description: 'Networks that it may be used from; from anywhere if there are none.',
  }),
  partner_scopes: Type.Array(oneOf(partnerScopes), {
    description:
      'What it may do on behalf of others who have delegated to you; operators grant it to keys of partners.',
  }),
  has_signing_secret: Type.Boolean({
    description: 'Whether it works and a secret was drawn for it to sign requests with (HMAC).',
  }),
  ...instant('created_at', 'When it was minted.'),
  ...nullableInstant('last_used_at', 'When it was last used, to the minute.'),
  ...nullableInstant('expires_at', 'When it stops working.'),
  ...nullableInstant('revoked_at', 'When it was revoked.'),
  ...nullableInstant(
    'limits_change_at',
    'When it may do less than now, as was announced; GET /v1/account with the key says what. Null if nothing is announced.',
  ),
};

export const ApiKey = Type.Object(apiKeyFields, { title: 'ApiKey' });
export type ApiKey = Static<typeof ApiKey>;

export const RevokedKey = Type.Object(
  {
    ...apiKeyFields,
    webhook_ids: Type.Array(idOf('webhook'), {
      description:
        'Webhooks that it, or a key revoked with it, registered or last gave an address or a secret. They are yours and go on: delete those whose receiver you do not trust. Those of an anonymous key end with it.',
    }),
  },
  { title: 'RevokedKey' },
);
export type RevokedKey = Static<typeof RevokedKey>;

export const exampleMintedKey: MintedKey = {
  key_id: `sk_test_EXAMPLEexample00_${'x'.repeat(43)}`,
  public_id: 'sk_test_EXAMPLEexample00',
  secret: '0'.repeat(64),
  passphrase: 'EXAMPLEexample00',
  secrets_withheld: false,
  label: 'bot',
  permissions: ['read', 'trade'],
  tier: 'self_serve',
  environment: 'sandbox',
  account_id: 'acc_01J0000000000004',
  subaccount_id: null,
  allowed_addresses: [],
  created_at: '2026-11-14T12:00:00.000Z',
  created_at_ms: 1_794_657_600_000,
  expires_at: null,
  expires_at_ms: null,
};

/** The one that anybody gets. */
export const exampleSandboxKey: MintedKey = {
  ...exampleMintedKey,
  key_id: `sk_live_EXAMPLEexample00_${'x'.repeat(43)}`,
  public_id: 'sk_live_EXAMPLEexample00',
  label: '',
};

export const exampleApiKey: ApiKey = {
  key_id: 'sk_test_EXAMPLEexample00',
  label: 'bot',
  permissions: ['read', 'trade'],
  tier: 'self_serve',
  environment: 'sandbox',
  subaccount_id: null,
  status: 'active',
  rate_multiplier: 1,
  minted_by: null,
  allowed_addresses: [],
  partner_scopes: [],
  has_signing_secret: false,
  created_at: '2026-11-14T12:00:00.000Z',
  created_at_ms: 1_794_657_600_000,
  last_used_at: null,
  last_used_at_ms: null,
  expires_at: null,
  expires_at_ms: null,
  revoked_at: null,
  revoked_at_ms: null,
  limits_change_at: null,
  limits_change_at_ms: null,
};
