// What waits for a second operator, and the trail of everything that operators did.

import { type Static, type TSchema, type TUnsafe, Type } from 'typebox';
import { idOf } from '../ids.ts';
import { operatorRoles } from '../operator/roles.ts';
import { instant, nullable, nullableInstant, oneOf, openObject } from '../primitives.ts';
import { environments } from './api-key.ts';

export const approvalStates = [
  'waiting',
  'running',
  'done',
  'failed',
  'rejected',
  'withdrawn',
  'expired',
] as const;

export const ApprovalRequest = Type.Object(
  {
    approval_id: idOf('approval'),
    state: oneOf(approvalStates),
    operation: Type.String({ description: 'The operation that was asked for.' }),
    role: oneOf(operatorRoles, { description: 'Who may agree to it.' }),
    lane: nullable(oneOf(environments)),
    target: Type.String({ description: 'Its path.' }),
    input: openObject('What was asked for, as it was sent.'),
    proposed_by: Type.String({ description: 'An operator, or token.' }),
    reason: Type.String(),
    ...instant('proposed_at', 'When it was asked for.'),
    ...instant('expires_at', 'When nobody can agree to it any more.'),
    ...nullableInstant(
      'confirmable_at',
      'From when on whoever asked may confirm it alone, as long as nobody else could agree; null where a second operator has to.',
    ),
    decided_by: nullable(Type.String()),
    decision_reason: nullable(Type.String()),
    ...nullableInstant('decided_at', 'When somebody agreed to it or ended it.'),
    outcome: nullable(openObject('What came of it: data, or code and message.')),
  },
  { title: 'ApprovalRequest' },
);
export type ApprovalRequest = Static<typeof ApprovalRequest>;

/** The answer of an act, or what waits for a second operator in its place. */
export function orApproval<Schema extends TSchema>(
  schema: Schema,
): TUnsafe<Static<Schema> | ApprovalRequest> {
  return Type.Unsafe<Static<Schema> | ApprovalRequest>({ anyOf: [schema, ApprovalRequest] });
}

export const TrailEntry = Type.Object(
  {
    seq: Type.Integer({ minimum: 1, description: 'Counts up without a gap.' }),
    ...instant('acted_at', 'When it was over.'),
    operator_id: Type.String({ description: 'An operator, token, or offline.' }),
    roles: Type.Array(Type.String()),
    operation: Type.String(),
    lane: nullable(oneOf(environments)),
    target: Type.String(),
    what: Type.String({ description: 'What was said beside that, without secrets.' }),
    reason: nullable(Type.String()),
    request_id: Type.String(),
    outcome: Type.String({ description: 'ok, replayed, proposed, interrupted, or a code.' }),
    previous: Type.String({ description: 'Hash of the entry before.' }),
    hash: Type.String({ description: 'SHA-256 of all other fields.' }),
  },
  { title: 'TrailEntry' },
);

const exampleInstant = '2026-11-14T12:00:00.000Z';
const exampleInstantMs = 1_794_657_600_000;

export const exampleApproval: ApprovalRequest = {
  approval_id: 'apr_01J0000000000001',
  state: 'waiting',
  operation: 'ruleResolution',
  role: 'market_manager',
  lane: 'live',
  target: '/admin/v1/markets/m_0123456789abcdef/ruling',
  input: { ruling: 'upheld' },
  proposed_by: 'opr_01J0000000000001',
  reason: 'ticket 4711',
  proposed_at: exampleInstant,
  proposed_at_ms: exampleInstantMs,
  expires_at: '2026-11-21T12:00:00.000Z',
  expires_at_ms: 1_795_262_400_000,
  confirmable_at: null,
  confirmable_at_ms: null,
  decided_by: null,
  decision_reason: null,
  decided_at: null,
  decided_at_ms: null,
  outcome: null,
};

export const exampleTrailEntry: Static<typeof TrailEntry> = {
  seq: 1,
  acted_at: exampleInstant,
  acted_at_ms: exampleInstantMs,
  operator_id: 'opr_01J0000000000001',
  roles: ['market_manager'],
  operation: 'haltMarket',
  lane: 'sandbox',
  target: '/admin/v1/markets/m_0123456789abcdef/halt',
  what: '',
  reason: 'ticket 4711',
  request_id: 'req_01J0000000000001',
  outcome: 'ok',
  previous: '0'.repeat(64),
  hash: '1'.repeat(64),
};
