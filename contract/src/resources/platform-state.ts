// How the whole service is, as its operators see it at one look.

import { type Static, Type } from 'typebox';
import { instant, nullable, nullableInstant, oneOf } from '../primitives.ts';
import { environments } from './api-key.ts';
import { MaintenanceState, platformModes } from './operator.ts';

const laneStates = ['recovering', 'running', 'read_only', 'stopped'] as const;

const count = (description: string) => Type.Integer({ format: 'int64', minimum: 0, description });

const LaneState = Type.Object(
  {
    lane: oneOf(environments),
    state: oneOf(laneStates, { description: 'Of its process; read_only while it cannot write.' }),
    mode: oneOf(platformModes, { description: 'As an operator has set it.' }),
    mode_reason: nullable(
      Type.String({ description: 'Why it is paused or halted, for operators alone.' }),
    ),
    mode_message: nullable(Type.String({ description: 'What everyone reads of it.' })),
    mode_set_by: nullable(
      Type.String({ description: 'Who did that: opr_…, token, or system for the lane itself.' }),
    ),
    ...nullableInstant('mode_set_at', 'When; null in normal.'),
    reason: nullable(Type.String({ description: 'Why it does not run; null while it does.' })),
    seq: count('Last command that was decided.'),
    durable_seq: count('Last command of the journal.'),
    history_seq: count('Last command that history shows.'),
    accounts: count('Accounts and subaccounts.'),
    markets: count('Markets, those that are over as well.'),
    orders_open: count('Orders that rest.'),
    orders_taken: count('Orders that were ever taken.'),
    fills_made: count('Fills that there ever were.'),
  },
  { title: 'LaneState' },
);

const CustodyState = Type.Object(
  {
    name: Type.String(),
    state: oneOf(['answers', 'silent', 'not_asked'], {
      description:
        'silent: some question has got no clear answer since; not_asked: nobody has asked it anything since the start.',
    }),
    reason: nullable(Type.String(), 'What the first such question came to.'),
    ...nullableInstant('silent_since_at', 'Null while it answers.'),
    payouts_unclear: count('Payouts of which nobody knows whether they were made.'),
  },
  { title: 'CustodyState' },
);

export const PlatformState = Type.Object(
  {
    lanes: Type.Array(LaneState),
    custody: nullable(CustodyState, 'Who keeps the money of live; null where live is not run.'),
    maintenance: nullable(MaintenanceState, 'What is announced or under way.'),
    approvals_waiting: count('Acts that wait for a second operator.'),
    ...instant('taken_at', 'When this was so.'),
  },
  { title: 'PlatformState' },
);
export type PlatformState = Static<typeof PlatformState>;

export const examplePlatform: PlatformState = {
  lanes: [
    {
      lane: 'live',
      state: 'running',
      mode: 'normal',
      mode_reason: null,
      mode_message: null,
      mode_set_by: null,
      mode_set_at: null,
      mode_set_at_ms: null,
      reason: null,
      seq: 42,
      durable_seq: 42,
      history_seq: 42,
      accounts: 3,
      markets: 1,
      orders_open: 2,
      orders_taken: 12,
      fills_made: 8,
    },
  ],
  custody: {
    name: 'custody',
    state: 'answers',
    reason: null,
    silent_since_at: null,
    silent_since_at_ms: null,
    payouts_unclear: 0,
  },
  maintenance: null,
  approvals_waiting: 1,
  taken_at: '2026-11-14T12:00:00.000Z',
  taken_at_ms: 1_794_657_600_000,
};
