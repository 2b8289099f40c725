// What webhook events carry where no message of the socket has the same meaning.

import { type Static, Type } from 'typebox';
import { idOf } from './ids.ts';
import { instant, Money, moneyOf, nullable, oneOf } from './primitives.ts';
import { assets } from './resources/account.ts';
import { Resolution } from './resources/resolution.ts';
import { revenueRoles } from './resources/revenue.ts';
import { freezingParties } from './resources/subaccount.ts';

export const BalanceLow = Type.Object(
  {
    asset: oneOf(assets),
    balance_free: Money,
    balance_reserved: Money,
    threshold: moneyOf('The balance_low_threshold of the webhook.'),
    subaccount_id: Type.Optional(idOf('subaccount', 'Absent for your own account.')),
  },
  { title: 'BalanceLow' },
);

export const ResolutionFinal = Type.Object(
  { market_id: idOf('market'), resolution: Resolution },
  { title: 'ResolutionFinal' },
);

export const ProposalStatus = Type.Object(
  {
    proposal_id: idOf('proposal'),
    from: Type.String(),
    to: Type.String(),
    note: nullable(Type.String({ description: 'What the reviewer says.' })),
  },
  { title: 'ProposalStatus' },
);

export const ListingEvent = Type.Object(
  { listing_urn: Type.String(), kind: Type.String(), amount: nullable(Money) },
  { title: 'ListingEvent' },
);

export const AppEvent = Type.Object(
  { app_id: idOf('app'), name: Type.String(), status: Type.String() },
  { title: 'AppEvent' },
);

export const GrantEvent = Type.Object(
  { grant_id: idOf('grant'), app_id: nullable(idOf('app')), scopes: Type.Array(Type.String()) },
  { title: 'GrantEvent' },
);

export const SubaccountFrozen = Type.Object(
  {
    subaccount_id: idOf('subaccount'),
    label: Type.String(),
    reason: nullable(oneOf(freezingParties), 'Who froze it.'),
  },
  { title: 'SubaccountFrozen' },
);

export const IncentiveExhausted = Type.Object(
  { programme_id: Type.String(), market_id: idOf('market'), budget: Money },
  { title: 'IncentiveExhausted' },
);

export const RevenueCredited = Type.Object(
  {
    asset: oneOf(assets),
    amount: Money,
    role: oneOf(revenueRoles, { description: 'As whom it was earned.' }),
    app_id: nullable(idOf('app', 'The app of a builder.')),
    day: Type.String({ description: 'The UTC day on which it was credited.' }),
  },
  { title: 'RevenueCredited' },
);

export const WebhookPing = Type.Object(
  { webhook_id: idOf('webhook'), message: Type.String() },
  { title: 'WebhookPing' },
);

export const SecretRotated = Type.Object(
  {
    webhook_id: idOf('webhook'),
    ...instant('old_secret_expires_at', 'Until when both secrets sign.'),
  },
  { title: 'SecretRotated' },
);

export const WebhookDisabled = Type.Object(
  {
    webhook_id: idOf('webhook'),
    reason: oneOf(['gone', 'failing'], {
      description: 'The receiver answered 410, or nothing but failures for five days.',
    }),
    ...instant('disabled_at', 'When.'),
  },
  { title: 'WebhookDisabled' },
);

const exampleInstant = '2026-11-14T12:00:00.000Z';
const exampleInstantMs = 1_794_657_600_000;
const exampleWebhookId = 'wh_01J0000000000016';

export const exampleBalanceLow: Static<typeof BalanceLow> = {
  asset: 'USDT',
  balance_free: '9.500000',
  balance_reserved: '40.000000',
  threshold: '10.000000',
};
export const exampleProposalStatus: Static<typeof ProposalStatus> = {
  proposal_id: 'prp_01J0000000000017',
  from: 'in_review',
  to: 'approved',
  note: null,
};
export const exampleListingEvent: Static<typeof ListingEvent> = {
  listing_urn: 'urn:pm:listing:price-above',
  kind: 'template',
  amount: null,
};
export const exampleAppEvent: Static<typeof AppEvent> = {
  app_id: 'app_01J0000000000018',
  name: 'Example',
  status: 'approved',
};
export const exampleGrantEvent: Static<typeof GrantEvent> = {
  grant_id: 'grt_01J0000000000019',
  app_id: 'app_01J0000000000018',
  scopes: ['account:read'],
};
export const exampleSubaccountFrozen: Static<typeof SubaccountFrozen> = {
  subaccount_id: 'sub_01J0000000000020',
  label: 'hedge',
  reason: 'owner',
};
export const exampleIncentive: Static<typeof IncentiveExhausted> = {
  programme_id: 'prg_1',
  market_id: 'm_0123456789abcdef',
  budget: '500.000000',
};
export const exampleRevenue: Static<typeof RevenueCredited> = {
  asset: 'USDT',
  amount: '12.500000',
  role: 'builder',
  app_id: 'app_01J0000000000018',
  day: '2026-11-14',
};
export const examplePing: Static<typeof WebhookPing> = {
  webhook_id: exampleWebhookId,
  message: 'pong',
};
export const exampleRotated: Static<typeof SecretRotated> = {
  webhook_id: exampleWebhookId,
  old_secret_expires_at: '2026-11-15T12:00:00.000Z',
  old_secret_expires_at_ms: 1_794_744_000_000,
};
export const exampleDisabled: Static<typeof WebhookDisabled> = {
  webhook_id: exampleWebhookId,
  reason: 'gone',
  disabled_at: exampleInstant,
  disabled_at_ms: exampleInstantMs,
};
