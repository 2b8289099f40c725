// How often keys, sessions and strangers may ask in each category, as operators set it.

import { type Static, Type } from 'typebox';
import { credentialClasses, limits, quotaCategories } from '../limits.ts';
import { nullable, oneOf } from '../primitives.ts';
import { announcedVersion } from './announced-version.ts';

export const quotaHolder = oneOf(credentialClasses, {
  description:
    'Whose: of each key, of all sessions of a user, or of an address without a credential.',
});
export const quotaCategory = oneOf(quotaCategories, {
  description: 'The reserve of cancels is always as large as trade.',
});
export const perMinute = Type.Integer({
  minimum: 1,
  maximum: limits.rate.perMinuteMax,
  description: 'Requests a minute, before multipliers.',
});

const QuotaVersion = announcedVersion('QuotaVersion', 'Counted over all quotas.', {
  holder: quotaHolder,
  category: quotaCategory,
  per_minute: perMinute,
});

const RateQuota = Type.Object(
  {
    holder: quotaHolder,
    category: quotaCategory,
    per_minute: perMinute,
    pending: nullable(QuotaVersion, 'What is announced and does not hold yet.'),
  },
  { title: 'RateQuota' },
);

export const RateQuotas = Type.Object(
  {
    quotas: Type.Array(RateQuota, { description: 'As they hold now.' }),
    versions: Type.Array(QuotaVersion, { description: 'All changes, newest first.' }),
  },
  { title: 'RateQuotas' },
);
export type RateQuotas = Static<typeof RateQuotas>;

const exampleVersion: Static<typeof QuotaVersion> = {
  version: 2,
  holder: 'key',
  category: 'read',
  per_minute: 40,
  announced_at: '2026-11-14T12:00:00.000Z',
  announced_at_ms: 1_794_657_600_000,
  effective_at: '2027-02-12T12:00:00.000Z',
  effective_at_ms: 1_802_433_600_000,
  actor: 'operator',
  reason: 'ticket 4711',
};

export const exampleRateQuotas: RateQuotas = {
  quotas: [{ holder: 'key', category: 'read', per_minute: 60, pending: exampleVersion }],
  versions: [exampleVersion],
};
