// Builders: who applied for what, how far that is, and what their keys may do.

import { type Static, Type } from 'typebox';
import { builderAgreement } from '../builder-agreement.ts';
import { idOf } from '../ids.ts';
import { limits, type RateCategory, tiers } from '../limits.ts';
import { instant, moneyOf, nullable, nullableInstant, oneOf } from '../primitives.ts';

/** What can be applied for; each is also the tier that its approval gives. */
export const tracks = [
  'genesis',
  'partner',
  'institutional',
  'trade_capped',
  'trade_full',
] as const;
export type Track = (typeof tracks)[number];

export const applicationStatuses = ['in_review', 'approved', 'rejected'] as const;

const { genesisMax, rateMax } = limits.builders;

const applicationFields = {
  track: oneOf(tracks),
  status: oneOf(applicationStatuses),
  note: nullable(Type.String(), 'What the reviewer says.'),
  ...instant('applied_at', 'When it was sent.'),
  ...nullableInstant('decided_at', 'When it was decided.'),
};

export const BuilderApplication = Type.Object(applicationFields, { title: 'BuilderApplication' });

export const BuilderProfile = Type.Object(
  {
    name: Type.String({ description: 'Of the person or company.' }),
    website: nullable(Type.String({ format: 'uri' })),
    about: Type.String({ description: 'What is to be built.' }),
    agreement_version: Type.String({ description: 'Of the agreement that was accepted.' }),
    ...instant('agreed_at', 'When it was accepted.'),
  },
  { title: 'BuilderProfile' },
);

const Graduation = Type.Object(
  {
    volume_30d: moneyOf(
      `What your key with the most of it has traded in the last ${limits.graduation.windowDays} days, today included.`,
    ),
    threshold: moneyOf('At how much a key graduates at midnight UTC.'),
    remaining: moneyOf('What is left to that.'),
  },
  { title: 'Graduation' },
);

const LoadTest = Type.Object(
  {
    multiplier: Type.Integer({ minimum: 1, maximum: rateMax.loadTest }),
    ...instant('ends_at', 'When the ordinary limits hold again.'),
  },
  { title: 'LoadTest' },
);

const perMinute = Type.Integer({ minimum: 0, description: 'Requests a minute.' });
const BuilderRates = Type.Object(
  {
    read: perMinute,
    trade: perMinute,
    cancel: Type.Integer({
      minimum: 0,
      description: 'The reserve of cancels and heartbeats, for when the trade quota is used up.',
    }),
    account_write: perMinute,
    account_read: perMinute,
    create: perMinute,
  } satisfies Record<RateCategory, typeof perMinute>,
  { title: 'BuilderRates' },
);

const AppCounts = Type.Object(
  {
    draft: Type.Integer({ minimum: 0 }),
    in_review: Type.Integer({ minimum: 0 }),
    approved: Type.Integer({ minimum: 0 }),
    disabled: Type.Integer({ minimum: 0 }),
  },
  { title: 'AppCounts' },
);

export const Builder = Type.Object(
  {
    user_id: idOf('user'),
    tier: oneOf(tiers, { description: 'Of you; a key says its own in GET /v1/account.' }),
    track: nullable(oneOf(tracks), 'The last that was approved; null while none was.'),
    is_approved: Type.Boolean({ description: 'Whether you may submit apps.' }),
    profile: nullable(BuilderProfile, 'Null before the first application.'),
    application: nullable(BuilderApplication, 'The latest; null before the first.'),
    agreement_version: Type.String({ description: 'Of the agreement that applications accept.' }),
    graduation: nullable(Graduation, 'Null once you are above self_serve.'),
    apps: AppCounts,
    rate_multiplier: Type.Integer({
      minimum: 1,
      description: 'How many times the baseline this credential may ask.',
    }),
    rate_limits: BuilderRates,
    uncapped: Type.Boolean({
      description: 'By contract: reads and account reads of your keys have no limit.',
    }),
    load_test: nullable(LoadTest, 'Higher limits for a while; null if none are granted.'),
  },
  { title: 'Builder' },
);
export type Builder = Static<typeof Builder>;

/** As the reviewers see it. */
export const ReviewedBuilder = Type.Object(
  {
    user_id: idOf('user'),
    tier: oneOf(tiers),
    ...applicationFields,
    name: Type.String(),
    website: nullable(Type.String()),
    about: Type.String(),
    agreement_version: Type.String(),
    decided_by: nullable(Type.String(), 'The operator who decided.'),
    approved_track: nullable(oneOf(tracks), 'The last that was approved.'),
    agreed_rate_multiplier: nullable(
      Type.Integer({ minimum: 1 }),
      'By agreement, in place of what the tier says; null if nothing was agreed.',
    ),
    uncapped: Type.Boolean({
      description: 'By contract: reads and account reads without a limit.',
    }),
    load_test: nullable(LoadTest),
    genesis_places_left: Type.Integer({
      minimum: 0,
      maximum: genesisMax,
      description: `Of the ${genesisMax} of the first cohort.`,
    }),
  },
  { title: 'ReviewedBuilder' },
);
export type ReviewedBuilder = Static<typeof ReviewedBuilder>;

const exampleInstant = '2026-11-14T12:00:00.000Z';
const exampleInstantMs = 1_794_657_600_000;

const exampleProfile = {
  name: 'Grace Example',
  website: 'https://example.com/',
  about: 'A dashboard for election markets.',
  agreement_version: builderAgreement.version,
} as const;

const exampleApplication = {
  track: 'genesis',
  status: 'in_review',
  note: null,
  applied_at: exampleInstant,
  applied_at_ms: exampleInstantMs,
  decided_at: null,
  decided_at_ms: null,
} as const;

export const exampleBuilder: Builder = {
  user_id: 'usr_01J0000000000005',
  tier: 'self_serve',
  track: null,
  is_approved: false,
  profile: { ...exampleProfile, agreed_at: exampleInstant, agreed_at_ms: exampleInstantMs },
  application: { ...exampleApplication },
  agreement_version: builderAgreement.version,
  graduation: { volume_30d: '0.000000', threshold: '100.000000', remaining: '100.000000' },
  apps: { draft: 0, in_review: 0, approved: 0, disabled: 0 },
  rate_multiplier: 1,
  rate_limits: {
    read: 600,
    trade: 120,
    cancel: 120,
    account_write: 60,
    account_read: 600,
    create: 60,
  },
  uncapped: false,
  load_test: null,
};

export const exampleReviewedBuilder: ReviewedBuilder = {
  user_id: exampleBuilder.user_id,
  tier: 'self_serve',
  ...exampleApplication,
  ...exampleProfile,
  decided_by: null,
  approved_track: null,
  agreed_rate_multiplier: null,
  uncapped: false,
  load_test: null,
  genesis_places_left: genesisMax,
};
