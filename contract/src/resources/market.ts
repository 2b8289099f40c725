// Market and its outcomes: the record every client begins with.

import { type Static, Type } from 'typebox';
import { idOf, outcomeId, templateId } from '../ids.ts';
import {
  instant,
  Money,
  moneyOf,
  nullable,
  nullableInstant,
  oneOf,
  openObject,
} from '../primitives.ts';
import { Cancellation } from './cancellation.ts';
import { Payout, Resolution } from './resolution.ts';
import { marketTypes, outcomeSchemas } from './template.ts';

export const marketStatuses = [
  'scheduled',
  'active',
  'locked',
  'settling',
  'resolved',
  'cancelled',
] as const;

export const chainData = nullable(
  openObject('Settlement metadata for on-chain use; null until attached.'),
);

const Outcome = Type.Object(
  {
    id: outcomeId,
    label: Type.String(),
    price: Money,
    volume_24h: Money,
    change_24h: Type.Optional(
      moneyOf('Only where history was asked for: the price less that of a day ago.'),
    ),
    history: Type.Optional(
      Type.Array(Money, {
        description:
          'Only where it was asked for: the last trade of each of 24 hours, oldest first; an hour without one repeats the one before, and the running hour has the price of now.',
      }),
    ),
  },
  { title: 'Outcome', description: 'The prices of a market sum to exactly 1.' },
);

const Clarification = Type.Object(
  { text: Type.String(), ...instant('clarified_at', 'When it was said.') },
  { title: 'Clarification' },
);

export const exampleClarification: Static<typeof Clarification> = {
  text: 'The closing price of the source counts, not the last trade.',
  clarified_at: '2026-11-14T12:00:00.000Z',
  clarified_at_ms: 1_794_657_600_000,
};

export const Market = Type.Object(
  {
    market_id: idOf('market'),
    template_id: templateId,
    template_version: Type.Integer({ minimum: 1 }),
    title: Type.String(),
    rendered_title: Type.String({
      description: 'What the template makes of the params, whatever the title says.',
    }),
    subtitle: Type.String(),
    description: Type.String(),
    image_url: nullable(Type.String({ format: 'uri' })),
    category: Type.String(),
    market_type: oneOf(marketTypes),
    outcome_schema: oneOf(outcomeSchemas),
    outcomes: Type.Array(Outcome),
    status: oneOf(marketStatuses),
    halted: Type.Boolean({ description: 'Orders are refused, cancels are not.' }),
    approved: Type.Boolean({ description: 'False while an operator still has to approve it.' }),
    asset: oneOf(['USDT']),
    params: openObject('The parameters it was made with.'),
    ...instant('created_at', 'When it was created.'),
    ...instant('opens_at', 'When trading opens.'),
    ...instant('closes_at', 'When trading closes.'),
    ...nullableInstant('settles_at', 'When it settled or will settle.'),
    total_volume: Money,
    open_interest: Money,
    tick_size: Money,
    lot_size: Money,
    min_size: Money,
    min_notional: Money,
    max_notional: Money,
    creator_address: nullable(
      Type.String({ pattern: '^0x[0-9a-fA-F]{40}$', description: 'Null for platform markets.' }),
    ),
    clarifications: Type.Array(Clarification, {
      description: 'What an operator has added on how it will be decided, oldest first.',
    }),
    resolution: nullable(Resolution, 'Null until an answer is proposed.'),
    payout_vector: nullable(
      Type.Array(Payout),
      'What each share was paid, resolved or cancelled; null until the market has ended.',
    ),
    cancellation: nullable(
      Cancellation,
      'Null unless it is proposed to cancel it, or it is cancelled.',
    ),
    chain_data: chainData,
  },
  { title: 'Market' },
);
export type Market = Static<typeof Market>;

export const exampleMarket: Market = {
  market_id: 'm_0123456789abcdef',
  template_id: 'own-question',
  template_version: 1,
  title: 'Will BTC close above 100000?',
  rendered_title: 'Will BTC close above 100000?',
  subtitle: '',
  description: 'Resolves to yes or to no.',
  image_url: null,
  category: 'community',
  market_type: 'creator',
  outcome_schema: 'binary',
  outcomes: [
    { id: 'yes', label: 'Yes', price: '0.538049', volume_24h: '57.094742' },
    { id: 'no', label: 'No', price: '0.461951', volume_24h: '0.000000' },
  ],
  status: 'active',
  halted: false,
  approved: true,
  asset: 'USDT',
  params: { question: 'Will BTC close above 100000?', closes_at_ms: 1_798_761_600_000 },
  created_at: '2026-11-01T00:00:00.000Z',
  created_at_ms: 1_793_491_200_000,
  opens_at: '2026-11-01T00:00:00.000Z',
  opens_at_ms: 1_793_491_200_000,
  closes_at: '2027-01-01T00:00:00.000Z',
  closes_at_ms: 1_798_761_600_000,
  settles_at: null,
  settles_at_ms: null,
  total_volume: '57.094742',
  open_interest: '557.094742',
  tick_size: '0.001000',
  lot_size: '0.010000',
  min_size: '1.000000',
  min_notional: '0.010000',
  max_notional: '100000.000000',
  creator_address: '0x00112233445566778899aabbccddeeff00112233',
  clarifications: [],
  resolution: null,
  payout_vector: null,
  cancellation: null,
  chain_data: null,
};

/** As it is made, before anybody trades. */
export const exampleNewMarket: Market = {
  ...exampleMarket,
  outcomes: [
    { id: 'yes', label: 'Yes', price: '0.500000', volume_24h: '0.000000' },
    { id: 'no', label: 'No', price: '0.500000', volume_24h: '0.000000' },
  ],
  total_volume: '0.000000',
  open_interest: '500.000000',
};
