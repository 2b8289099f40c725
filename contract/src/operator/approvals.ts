// What a second operator has to agree to: the queue, and how something leaves it. And the trail of all acts.

import { Type } from 'typebox';
import { identified } from '../bundles.ts';
import { noInput, operation } from '../define.ts';
import { pathId } from '../ids.ts';
import { limits } from '../limits.ts';
import { pageQuery, queryOf } from '../paging.ts';
import { nullable, oneOf, openObject } from '../primitives.ts';
import { environments } from '../resources/api-key.ts';
import {
  ApprovalRequest,
  approvalStates,
  exampleApproval,
  exampleTrailEntry,
  TrailEntry,
} from '../resources/approval.ts';
import { exampleFoundMarket } from '../resources/found.ts';
import { closed, looking, operatorReadErrors, plane, reason } from './plane.ts';

const days = limits.operator.approvalMs / 86_400_000;
const hours = limits.operator.aloneMs / 3_600_000;

export const listApprovals = operation({
  ...looking,
  id: 'listApprovals',
  path: '/admin/v1/approvals',
  summary: 'What waits for agreement',
  description: 'Newest first, at most 200; with state those in it alone.',
  input: { ...noInput, query: queryOf({ state: Type.Optional(oneOf(approvalStates)) }) },
  data: Type.Object({ approvals: Type.Array(ApprovalRequest) }, { title: 'ApprovalRequests' }),
  errors: [...operatorReadErrors],
  example: { query: { state: 'waiting' }, data: { approvals: [exampleApproval] } },
});

const ApprovalDetail = Type.Object(
  {
    ...ApprovalRequest.properties,
    about: nullable(
      openObject(
        'The market, withdrawal, account, operator or user that it is about, as it stands now.',
      ),
      'Null if it is about none of them.',
    ),
    about_then: nullable(
      openObject('The same record as it was when the act was asked for.'),
      'Null if it is about none of them, or was not kept.',
    ),
  },
  { title: 'ApprovalDetail' },
);

export const getApproval = operation({
  ...looking,
  id: 'getApproval',
  path: '/admin/v1/approvals/{approval_id}',
  summary: 'What an approval is about',
  description:
    'The act with all that was asked for, and the record that it is about, as it was when the act was asked for and as it is now: compare them before you agree. Who a user is whose second factors are to be removed is shown to support and admins.',
  input: {
    ...noInput,
    params: Type.Object({ approval_id: pathId('approval', 'What waits, or was decided.') }),
  },
  data: ApprovalDetail,
  errors: [...operatorReadErrors, ...identified],
  example: {
    params: { approval_id: exampleApproval.approval_id },
    data: {
      ...exampleApproval,
      about: { ...exampleFoundMarket },
      about_then: { ...exampleFoundMarket },
    },
  },
});

const decision = {
  ...plane,
  role: 'viewer',
  method: 'POST',
  idempotency: 'none',
  input: {
    ...noInput,
    params: Type.Object({ approval_id: pathId('approval', 'What waits.') }),
    body: Type.Object({ reason }, { title: 'DecisionInput', ...closed }),
  },
  data: ApprovalRequest,
  errors: [...operatorReadErrors, ...identified, 'SCOPE_MISSING', 'STATE_CONFLICT'],
} as const;
const decisionExample = {
  params: { approval_id: exampleApproval.approval_id },
  body: { reason: 'checked' },
} as const;

export const approveAct = operation({
  ...decision,
  id: 'approveAct',
  path: '/admin/v1/approvals/{approval_id}/approve',
  summary: 'Agree to an act',
  description: `By another operator than the one who asked, with the role of the act; it runs once, and outcome tells what came of it. Where nobody else could agree, whoever asked may confirm it after ${hours} hours. What the operator token asked for is first taken over by one operator, then agreed to by another. If the act returns a secret, such as a link, only this answer has it, and later reads of the approval do not.`,
  stepUp: true,
  bearsSecrets: true,
  example: { ...decisionExample, data: { ...exampleApproval, state: 'done' } },
});

export const rejectAct = operation({
  ...decision,
  id: 'rejectAct',
  path: '/admin/v1/approvals/{approval_id}/reject',
  summary: 'Reject an act',
  description: `By an operator with the role of the act, or by the one who asked, which withdraws it. It would be over by itself after ${days} days.`,
  example: { ...decisionExample, data: { ...exampleApproval, state: 'rejected' } },
});

export const listTrail = operation({
  ...looking,
  id: 'listTrail',
  path: '/admin/v1/trail',
  summary: 'Trail of acts',
  description:
    'Everything that operators did, in order, the oldest first unless told: who, as what, why, and what came of it. Each entry has the hash of the one before, so that none can be changed or taken away unseen.',
  list: true,
  input: {
    ...noInput,
    query: pageQuery({
      operator_id: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
      operation: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
      lane: Type.Optional(oneOf(environments)),
      order: Type.Optional(
        oneOf(['oldest', 'newest'], { default: 'oldest', description: 'Which come first.' }),
      ),
    }),
  },
  data: Type.Array(TrailEntry),
  errors: [...operatorReadErrors],
  example: { query: { limit: 1 }, data: [exampleTrailEntry] },
});
