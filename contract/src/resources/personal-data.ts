// Everything that is kept of a user as a person, and where the rest is found.

import { type Static, Type } from 'typebox';
import { idOf } from '../ids.ts';
import { instant, nullable, oneOf } from '../primitives.ts';
import { ApiKey, environments } from './api-key.ts';
import { App } from './app.ts';
import { BuilderApplication, BuilderProfile } from './builder.ts';
import { Deposit } from './deposit.ts';
import { exampleFactors, Factors } from './factor.ts';
import { noOwnLimits, OwnLimits } from './own-limits.ts';
import { exampleOpenSession, exampleProfile, OpenSession, Profile } from './profile.ts';
import { Webhook } from './webhook.ts';
import { Destination, Withdrawal } from './withdrawal.ts';

const environment = oneOf(environments, { description: 'The lane.' });

export const PersonalData = Type.Object(
  {
    ...instant('exported_at', 'When it was put together.'),
    ...instant('registered_at', 'When the user registered.'),
    profile: Profile,
    referral_code: Type.String(),
    factors: Factors,
    sessions: Type.Array(OpenSession),
    keys: Type.Array(ApiKey, { description: 'Without their secrets, which nobody keeps.' }),
    webhooks: Type.Array(Webhook),
    builder: nullable(
      Type.Object(
        { profile: BuilderProfile, application: BuilderApplication },
        { title: 'ExportedBuilder' },
      ),
      'What was said with the latest application; null before the first.',
    ),
    apps: Type.Array(App, { description: 'Without their secrets.' }),
    destinations: Type.Array(Destination, { description: 'Where withdrawals may go.' }),
    withdrawals: Type.Array(Withdrawal, { description: 'Of all accounts, the newest first.' }),
    deposits: Type.Array(Deposit, { description: 'Of all accounts, the newest first.' }),
    own_limits: Type.Array(
      Type.Object({ environment, limits: OwnLimits }, { title: 'ExportedLimits' }),
      { description: 'Own limits and the exclusion, in each lane that runs.' },
    ),
    accounts: Type.Array(
      Type.Object({ environment, account_id: idOf('account') }, { title: 'ExportedAccount' }),
      { description: 'By these ids the ledger knows the user, and by nothing else.' },
    ),
    elsewhere: Type.Array(
      Type.Object(
        {
          what: Type.String(),
          environment,
          path: Type.String({ description: 'Where it is read, page by page.' }),
        },
        { title: 'RecordsElsewhere' },
      ),
    ),
  },
  { title: 'PersonalData' },
);
export type PersonalData = Static<typeof PersonalData>;

/** What is kept by account ids, and where it is read. */
export const recordsElsewhere = [
  ['ledger', '/v1/portfolio/ledger'],
  ['orders', '/v1/account/orders'],
  ['fills', '/v1/account/trades'],
  ['positions', '/v1/account/positions'],
  ['subaccounts', '/v1/subaccounts'],
  ['requests', '/v1/requests'],
] as const;

export const examplePersonalData: PersonalData = {
  exported_at: '2026-11-14T12:00:00.000Z',
  exported_at_ms: 1_794_657_600_000,
  registered_at: '2026-11-14T12:00:00.000Z',
  registered_at_ms: 1_794_657_600_000,
  profile: { ...exampleProfile, country: null, language: null },
  referral_code: 'EXAMPLEexamp',
  factors: exampleFactors,
  sessions: [exampleOpenSession],
  keys: [],
  webhooks: [],
  builder: null,
  apps: [],
  destinations: [],
  withdrawals: [],
  deposits: [],
  own_limits: [
    { environment: 'live', limits: noOwnLimits },
    { environment: 'sandbox', limits: noOwnLimits },
  ],
  accounts: [
    { environment: 'live', account_id: 'acc_01J0000000000003' },
    { environment: 'sandbox', account_id: 'acc_01J0000000000004' },
  ],
  elsewhere: recordsElsewhere.flatMap(([what, path]) => [
    { what, environment: 'live' as const, path },
    { what, environment: 'sandbox' as const, path: `/sandbox${path}` },
  ]),
};
