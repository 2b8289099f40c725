// Apps: what others build on the exchange, the answer that shows a client secret once, and the same as reviewers see it.

import { type Static, Type } from 'typebox';
import { idOf } from '../ids.ts';
import { limits } from '../limits.ts';
import { instant, nullable, nullableInstant, oneOf } from '../primitives.ts';

/** `draft` works in the sandbox for its owner alone; `approved` for everybody; `disabled` for nobody. */
export const appStatuses = ['draft', 'in_review', 'approved', 'disabled'] as const;

/** `public`: it can keep no secret, has none, and proves itself by PKCE alone. */
export const clientTypes = ['confidential', 'public'] as const;

const bps = { minimum: 0, maximum: limits.builderFeeBpsMax };

const appFields = {
  app_id: idOf('app', 'OAuth knows it as the client_id.'),
  client_id: idOf('app', 'The same as app_id.'),
  name: Type.String(),
  verified_name: nullable(
    Type.String(),
    'Whom the reviewer found behind it, which users are shown; null before the first approval.',
  ),
  client_type: oneOf(clientTypes),
  redirect_uris: Type.Array(Type.String(), {
    description: 'Where codes may be sent: compared as they are, the port of a loopback excepted.',
  }),
  allowed_origins: Type.Array(Type.String(), {
    description: 'Pages that may use the widget key.',
  }),
  allowed_scopes: Type.Array(Type.String(), { description: 'What it may ask users for.' }),
  builder_fee_bps: Type.Integer({ ...bps, description: 'What it takes on top, in basis points.' }),
  fee_cap_bps: Type.Integer({ ...bps, description: 'The most it may take.' }),
  widget_key: Type.String({
    pattern: '^pk_[0-9A-Za-z]{16}_[0-9A-Za-z_-]{43}$',
    description:
      'For pages, not secret: public reads, from the allowed origins alone, in the sandbox until the app is approved.',
  }),
  status: oneOf(appStatuses),
  disabled_by: nullable(oneOf(['owner', 'operator']), 'Null unless disabled.'),
  review_note: nullable(Type.String(), 'What the reviewer last said.'),
  ...nullableInstant('old_secret_expires_at', 'Until when the secret before the last is good.'),
  ...nullableInstant('submitted_at', 'When it was last submitted for review.'),
  ...instant('created_at', 'When it was registered.'),
  ...instant('updated_at', 'When it was last changed.'),
};

export const App = Type.Object(appFields, { title: 'App' });
export type App = Static<typeof App>;

export const AppWithSecret = Type.Object(
  {
    ...appFields,
    client_secret: nullable(
      Type.String({ pattern: '^acs_[0-9A-Za-z]{16}_[0-9A-Za-z_-]{43}$' }),
      'Shown once; null for a public client.',
    ),
    secrets_withheld: Type.Boolean({
      description: 'True on an idempotent replay: secrets are never stored, so they cannot return.',
    }),
  },
  { title: 'AppWithSecret' },
);
export type AppWithSecret = Static<typeof AppWithSecret>;

/** As the reviewers see it. */
export const ReviewedApp = Type.Object(
  { ...appFields, owner_id: idOf('user', 'Whose it is.') },
  { title: 'ReviewedApp' },
);
export type ReviewedApp = Static<typeof ReviewedApp>;

const exampleInstant = '2026-11-14T12:00:00.000Z';
const exampleInstantMs = 1_794_657_600_000;

export const exampleApp: App = {
  app_id: 'app_01J0000000000018',
  client_id: 'app_01J0000000000018',
  name: 'Election desk',
  verified_name: null,
  client_type: 'confidential',
  redirect_uris: ['https://example.com/callback'],
  allowed_origins: ['https://example.com'],
  allowed_scopes: ['account:read', 'orders:trade'],
  builder_fee_bps: 10,
  fee_cap_bps: limits.builderFeeBpsMax,
  widget_key: `pk_EXAMPLEexample00_${'x'.repeat(43)}`,
  status: 'draft',
  disabled_by: null,
  review_note: null,
  old_secret_expires_at: null,
  old_secret_expires_at_ms: null,
  submitted_at: null,
  submitted_at_ms: null,
  created_at: exampleInstant,
  created_at_ms: exampleInstantMs,
  updated_at: exampleInstant,
  updated_at_ms: exampleInstantMs,
};

export const exampleAppWithSecret: AppWithSecret = {
  ...exampleApp,
  client_secret: `acs_EXAMPLEexample00_${'x'.repeat(43)}`,
  secrets_withheld: false,
};

export const exampleReviewedApp: ReviewedApp = {
  ...exampleApp,
  status: 'in_review',
  submitted_at: exampleInstant,
  submitted_at_ms: exampleInstantMs,
  owner_id: 'usr_01J0000000000005',
};
