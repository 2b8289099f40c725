// Markets and accounts as operators look them up: what they need to know before they act.

import { type Static, Type } from 'typebox';
import { accountName, idOf, outcomeId } from '../ids.ts';
import { tiers } from '../limits.ts';
import { instant, Money, nullable, nullableInstant, oneOf } from '../primitives.ts';
import { environments } from './api-key.ts';
import { Cancellation } from './cancellation.ts';
import { marketStatuses } from './market.ts';
import { userScopes } from './operator-account.ts';
import { Resolution } from './resolution.ts';

const FoundOutcome = Type.Object(
  { id: outcomeId, label: Type.String(), price: Money },
  { title: 'FoundOutcome' },
);

const FoundDispute = Type.Object(
  {
    raised_by: accountName('Who staked the bond on the answer being wrong.'),
    evidence: Type.Array(Type.String()),
    bond: Money,
    ...instant('raised_at', 'When it was raised.'),
    ...instant(
      'ruling_due_at',
      'Without a ruling by then the proposal of an operator is carried out, and that of an account is dropped.',
    ),
  },
  { title: 'FoundDispute' },
);

const FoundCancellation = Type.Object(
  {
    ...Cancellation.properties,
    proposed_by: nullable(Type.String({ description: 'The operator who proposed it.' })),
    ...nullableInstant('notice_ends_at', 'From then on another operator can confirm it.'),
  },
  { title: 'FoundCancellation' },
);

export const FoundMarket = Type.Object(
  {
    market_id: idOf('market'),
    lane: oneOf(environments),
    title: Type.String(),
    status: oneOf(marketStatuses),
    halted: Type.Boolean(),
    halt_message: nullable(
      Type.String(),
      'What everyone reads of the halt; circuit_breaker if the market halted itself.',
    ),
    approved: Type.Boolean(),
    template_id: Type.String(),
    creator_id: nullable(accountName('Who paid the deposit; null for the platform.')),
    ...instant('closes_at', 'When trading ends.'),
    tick_size: Money,
    total_volume: Money,
    open_interest: Money,
    outcomes: Type.Array(FoundOutcome),
    clarifications: Type.Integer({ minimum: 0 }),
    challenge_sec: Type.Integer({
      minimum: 0,
      description: 'How long everybody can object to an answer that an operator proposes.',
    }),
    resolution: nullable(Resolution, 'Null until an answer was proposed.'),
    proposed_by: nullable(
      accountName('Who proposed the answer; null for an operator or a source, or without one.'),
    ),
    cancellation: nullable(
      FoundCancellation,
      'Null unless a cancellation is proposed, or the market is cancelled.',
    ),
    dispute: nullable(FoundDispute, 'Null while nobody has disputed the answer.'),
  },
  { title: 'FoundMarket' },
);
export type FoundMarket = Static<typeof FoundMarket>;

export const FoundAccount = Type.Object(
  {
    account_id: accountName(),
    lane: oneOf(environments),
    owner_id: nullable(idOf('account', 'Of a subaccount.')),
    user_id: nullable(idOf('user', 'Null where nobody has registered.')),
    demo: Type.Boolean({ description: 'Of a visitor of the pages.' }),
    tier: nullable(oneOf(tiers)),
    rate_multiplier: nullable(Type.Integer({ minimum: 1 })),
    declared_country: nullable(Type.String()),
    scopes: Type.Array(oneOf(userScopes)),
    frozen: Type.Boolean({ description: 'By an operator, by its owner, or because it is closed.' }),
    frozen_by_operator: Type.Boolean(),
    frozen_message: nullable(
      Type.String({ description: 'What the owner reads of it; the reason is in the audit log.' }),
    ),
    balance_free: Money,
    balance_reserved: Money,
    balance_withdrawing: Money,
    ...nullableInstant('excluded_until_at', 'Its owner has excluded himself until then.'),
    orders_open: Type.Integer({ minimum: 0 }),
    ...instant('opened_at', 'When it was opened.'),
    closed: Type.Boolean({
      description: 'Whether it was closed itself, or its owner has left: nobody acts with it.',
    }),
    ...nullableInstant('closed_at', 'When it was closed itself.'),
  },
  { title: 'FoundAccount' },
);
export type FoundAccount = Static<typeof FoundAccount>;

const exampleInstant = '2026-11-14T12:00:00.000Z';
const exampleInstantMs = 1_794_657_600_000;

export const exampleFoundMarket: FoundMarket = {
  market_id: 'm_0123456789abcdef',
  lane: 'sandbox',
  title: 'Will BTC close above 100000?',
  status: 'active',
  halted: false,
  halt_message: null,
  approved: true,
  template_id: 'crypto-close',
  creator_id: null,
  closes_at: '2027-01-01T00:00:00.000Z',
  closes_at_ms: 1_798_761_600_000,
  tick_size: '0.001000',
  total_volume: '272.326654',
  open_interest: '1000.000000',
  outcomes: [
    { id: 'yes', label: 'Yes', price: '0.530000' },
    { id: 'no', label: 'No', price: '0.470000' },
  ],
  clarifications: 0,
  challenge_sec: 7200,
  resolution: null,
  proposed_by: null,
  cancellation: null,
  dispute: null,
};

export const exampleFoundAccount: FoundAccount = {
  account_id: 'acc_01J0000000000004',
  lane: 'sandbox',
  owner_id: null,
  user_id: 'usr_01J0000000000005',
  demo: false,
  tier: 'trade_full',
  rate_multiplier: 1,
  declared_country: 'PT',
  scopes: [],
  frozen: false,
  frozen_by_operator: false,
  frozen_message: null,
  balance_free: '9994.807773',
  balance_reserved: '0.000000',
  balance_withdrawing: '0.000000',
  excluded_until_at: null,
  excluded_until_at_ms: null,
  orders_open: 0,
  opened_at: exampleInstant,
  opened_at_ms: exampleInstantMs,
  closed: false,
  closed_at: null,
  closed_at_ms: null,
};
