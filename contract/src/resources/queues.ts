// Everything that waits for an operator.

import { type Static, Type } from 'typebox';
import { instant, nullableInstant, oneOf } from '../primitives.ts';
import { environments } from './api-key.ts';

export const queueKinds = [
  'market_approval',
  'proposal_missing',
  'proposal',
  'dispute',
  'cancellation',
  'withdrawal',
  'payout',
  'payout_taken',
  'deposit',
  'custody',
  'flag',
  'builder',
  'app',
  'approval',
] as const;

const QueueItem = Type.Object(
  {
    id: Type.String({ description: 'Of the record that waits.' }),
    title: Type.String(),
    ...instant('since_at', 'Since when it waits.'),
    ...nullableInstant('due_at', 'When it is decided without anybody, as far as known.'),
  },
  { title: 'QueueItem' },
);

const Queue = Type.Object(
  {
    kind: oneOf(queueKinds, {
      description:
        'Markets to approve; locked markets without a proposed answer; proposals whose window is open; disputes to rule on; cancellations to confirm or drop, and those that accounts propose; withdrawals above the limit; withdrawals to be paid by hand; those that an operator has taken up and not settled yet; deposits that the custody has seen and that are not credited; a custody that gives no clear answer; flags that rules against abuse have raised, applications of builders, apps that were submitted, and acts that a second operator has to agree to, those of no lane in both.',
    }),
    count: Type.Integer({ minimum: 0 }),
    items: Type.Array(QueueItem, { description: 'Those that wait longest, at most 100.' }),
  },
  { title: 'Queue' },
);

export const Queues = Type.Object(
  {
    lane: oneOf(environments),
    count: Type.Integer({ minimum: 0, description: 'Of all queues together.' }),
    queues: Type.Array(Queue),
  },
  { title: 'Queues' },
);
export type Queues = Static<typeof Queues>;

export const exampleQueues: Queues = {
  lane: 'sandbox',
  count: 1,
  queues: [
    {
      kind: 'market_approval',
      count: 1,
      items: [
        {
          id: 'm_0123456789abcdef',
          title: 'Will BTC close above 100000?',
          since_at: '2026-11-14T12:00:00.000Z',
          since_at_ms: 1_794_657_600_000,
          due_at: '2027-01-01T00:00:00.000Z',
          due_at_ms: 1_798_761_600_000,
        },
      ],
    },
    { kind: 'proposal_missing', count: 0, items: [] },
    { kind: 'proposal', count: 0, items: [] },
    { kind: 'dispute', count: 0, items: [] },
    { kind: 'cancellation', count: 0, items: [] },
    { kind: 'withdrawal', count: 0, items: [] },
    { kind: 'payout', count: 0, items: [] },
    { kind: 'payout_taken', count: 0, items: [] },
    { kind: 'deposit', count: 0, items: [] },
    { kind: 'custody', count: 0, items: [] },
    { kind: 'flag', count: 0, items: [] },
    { kind: 'builder', count: 0, items: [] },
    { kind: 'app', count: 0, items: [] },
    { kind: 'approval', count: 0, items: [] },
  ],
};
