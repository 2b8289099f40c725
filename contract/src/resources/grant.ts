// Grants: what a user has allowed an app or a partner, and what an app draws on one.

import { type Static, Type } from 'typebox';
import { accountName, idOf } from '../ids.ts';
import { limits } from '../limits.ts';
import { instant, Money, nullable, nullableInstant, oneOf } from '../primitives.ts';
import { environments } from './api-key.ts';

/** An app acts with tokens, a partner with keys of its own. */
export const grantKinds = ['oauth', 'delegation'] as const;

export const grantStatuses = ['active', 'expired', 'revoked'] as const;

/** Why a grant ended before its time. */
export const grantEnds = [
  'user',
  'app',
  'app_disabled',
  'account_closed',
  'partner_closed',
  'password_changed',
  'code_reused',
  'refresh_token_reused',
] as const;

const grantFields = {
  grant_id: idOf('grant'),
  kind: oneOf(grantKinds),
  app_id: nullable(idOf('app'), 'Null for a delegation.'),
  app_name: nullable(Type.String(), 'As its owner calls it.'),
  verified_name: nullable(Type.String(), 'Whom the reviewers found behind the app.'),
  partner_id: nullable(idOf('user'), 'Who may act for you; null for an app.'),
  partner_name: nullable(
    Type.String(),
    'As operators approved it last; null for an app, and for a partner whose name nobody approved.',
  ),
  environment: oneOf(environments),
  account_id: accountName('Your account, or the one subaccount that it reaches.'),
  scopes: Type.Array(Type.String(), { description: 'What is allowed, and nothing else.' }),
  daily_cap: nullable(Money, 'What its orders of a UTC day may come to; null for no cap.'),
  fee_cap_bps: Type.Integer({
    minimum: 0,
    maximum: limits.builderFeeBpsMax,
    description:
      'The most that its orders may pay the app on top, in basis points, as you agreed to; 0 for none.',
  }),
  status: oneOf(grantStatuses),
  revoked_for: nullable(oneOf(grantEnds), 'Null unless revoked.'),
  consent_text: Type.String({ description: 'What was agreed to, in lines of a fixed form.' }),
  signature: Type.String({ description: 'Of the exchange, over the text.' }),
  ...instant('created_at', 'When it was given.'),
  ...instant('expires_at', 'When it ends by itself.'),
  ...nullableInstant('revoked_at', 'When it was revoked.'),
  ...nullableInstant('last_used_at', 'To the minute, and never before it was given.'),
};

export const Grant = Type.Object(grantFields, { title: 'Grant' });
export type Grant = Static<typeof Grant>;

export const GivenGrant = Type.Object(
  {
    ...grantFields,
    code: nullable(
      Type.String({ pattern: '^oac_[0-9A-Za-z]{16}_[0-9A-Za-z_-]{43}$' }),
      'For the redirect to the app: good once, for a minute. Null for a delegation.',
    ),
    secrets_withheld: Type.Boolean({
      description: 'True on an idempotent replay: codes are never stored, so they cannot return.',
    }),
  },
  { title: 'GivenGrant' },
);
export type GivenGrant = Static<typeof GivenGrant>;

export const TokenAnswer = Type.Object(
  {
    access_token: Type.String({
      pattern: '^oat_[0-9A-Za-z]{16}_[0-9A-Za-z_-]{43}$',
      description: 'Send it as Authorization: Bearer.',
    }),
    token_type: oneOf(['Bearer']),
    expires_in: Type.Integer({ minimum: 0, description: 'Seconds until it ends.' }),
    refresh_token: Type.String({
      pattern: '^ort_[0-9A-Za-z]{16}_[0-9A-Za-z_-]{43}$',
      description: 'Good once; its use gives the next one.',
    }),
    scope: Type.String({ description: 'What was allowed, separated by spaces.' }),
    grant_id: idOf('grant', 'What the user revokes.'),
    environment: oneOf(environments),
    account_id: accountName('The account that it acts for.'),
  },
  { title: 'TokenAnswer' },
);
export type TokenAnswer = Static<typeof TokenAnswer>;

const exampleInstant = '2026-11-14T12:00:00.000Z';
const exampleInstantMs = 1_794_657_600_000;

export const exampleGrant: Grant = {
  grant_id: 'grt_01J0000000000019',
  kind: 'oauth',
  app_id: 'app_01J0000000000018',
  app_name: 'Election desk',
  verified_name: null,
  partner_id: null,
  partner_name: null,
  environment: 'sandbox',
  account_id: 'acc_01J0000000000001',
  scopes: ['account:read', 'orders:trade'],
  daily_cap: null,
  fee_cap_bps: limits.builderFeeBpsMax,
  status: 'active',
  revoked_for: null,
  consent_text:
    'sibyl grant 2\nkind: oauth\nto: app_01J0000000000018\nby: usr_01J0000000000005\naccount: acc_01J0000000000001\nenvironment: sandbox\nscopes: account:read orders:trade\ndaily_cap: none\nfee_cap_bps: 100\nfrom: 2026-11-14T12:00:00.000Z\nuntil: 2026-11-15T00:00:00.000Z\n',
  signature: 'x'.repeat(43),
  created_at: exampleInstant,
  created_at_ms: exampleInstantMs,
  expires_at: '2026-11-15T00:00:00.000Z',
  expires_at_ms: 1_794_700_800_000,
  revoked_at: null,
  revoked_at_ms: null,
  last_used_at: null,
  last_used_at_ms: null,
};

export const exampleGivenGrant: GivenGrant = {
  ...exampleGrant,
  expires_at: '2026-11-14T12:01:00.000Z',
  expires_at_ms: 1_794_657_660_000,
  code: `oac_EXAMPLEexample00_${'x'.repeat(43)}`,
  secrets_withheld: false,
};

export const exampleTokenAnswer: TokenAnswer = {
  access_token: `oat_EXAMPLEexample00_${'x'.repeat(43)}`,
  token_type: 'Bearer',
  expires_in: 900,
  refresh_token: `ort_EXAMPLEexample00_${'x'.repeat(43)}`,
  scope: 'account:read orders:trade',
  grant_id: exampleGrant.grant_id,
  environment: 'sandbox',
  account_id: exampleGrant.account_id,
};
