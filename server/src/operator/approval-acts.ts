// The queue of what waits for a second operator: agree, which runs it once, or end it.

import { type AnyOperation, mayAct, operatorOperations, rolesIn } from '@sibyl/contract';
import {
  ApiError,
  actingOperator,
  fail,
  isoTime,
  type OperatorIdentity,
  type Reply,
  type RequestContext,
} from '../handling/handler.ts';
import type { ApprovalRecord } from '../ports/approvals.ts';
import type { OperatorRecord } from '../ports/operators.ts';
import { isAlone } from './able-operators.ts';
import { AGREED } from './agreement.ts';
import {
  aloneUntil,
  announce,
  approvalView,
  isLost,
  roleOf,
  viewNow,
} from './approval-proposals.ts';
import { subjectOf } from './approval-subject.ts';
import type { OperatorHandlers, OperatorParts } from './parts.ts';
import type { ActInput, Acts } from './supervision.ts';
import { recorded } from './trail.ts';

const SHOWN_MAX = 200;
const TOKEN = 'token';
/** What waits may be of another build. */
const OPERATIONS: Readonly<Record<string, AnyOperation>> = operatorOperations;

type ApprovalActs = Pick<
  OperatorHandlers,
  'listApprovals' | 'getApproval' | 'approveAct' | 'rejectAct'
>;

export function approvalActs(parts: OperatorParts, acts: Acts): ApprovalActs {
  const { approvals } = parts.operators;
  return {
    async listApprovals(_request, { query }) {
      const all = await approvals.list(query.state ?? null, SHOWN_MAX);
      return { data: { approvals: await Promise.all(all.map((one) => viewNow(parts, one))) } };
    },
    async getApproval(request, { params }) {
      const approval = await approvals.byId(params.approval_id);
      if (approval === null) return fail('NOT_FOUND');
      const about = await subjectOf(parts, approval, actingOperator(request));
      const { about: aboutThen = null } = JSON.parse(approval.input) as { about?: object | null };
      const view = await viewNow(parts, approval);
      return { data: { ...view, about, about_then: aboutThen === null ? null : { ...aboutThen } } };
    },
    async approveAct(request, { params, body }) {
      const approval = await waiting(parts, request, params.approval_id);
      if (approval instanceof ApiError) return approval;
      return agree(parts, acts, request, approval, body.reason);
    },
    async rejectAct(request, { params, body }) {
      const approval = await waiting(parts, request, params.approval_id);
      if (approval instanceof ApiError) return approval;
      const by = actingOperator(request).operatorId;
      const state = by === approval.proposedBy ? 'withdrawn' : 'rejected';
      const decision = { by, reason: body.reason, atMs: parts.clock.wallMs() };
      const ended = await approvals.end(approval.approvalId, state, decision);
      return ended === null ? conflict('it has been begun, or is over') : shown(ended);
    },
  };
}

/** It waits, has not expired, and whoever asks has the role of the act, or has asked for it. */
async function waiting(
  { operators: { approvals }, clock }: OperatorParts,
  request: RequestContext,
  approvalId: string,
): Promise<ApprovalRecord | ApiError> {
  const approval = await approvals.byId(approvalId);
  if (approval === null) return fail('NOT_FOUND');
  const { operatorId, roles } = actingOperator(request);
  const role = roleOf(approval);
  if (operatorId !== approval.proposedBy && !mayAct(roles, role)) {
    return fail('SCOPE_MISSING', { required: role, roles: [...roles] });
  }
  if (approval.state !== 'waiting') return conflict(`it is ${approval.state}`);
  const nowMs = clock.wallMs();
  if (approval.expiresAtMs > nowMs) return approval;
  await approvals.end(approvalId, 'expired', { by: 'nobody', reason: 'expired', atMs: nowMs });
  return conflict('it has expired');
}

async function agree(
  parts: OperatorParts,
  acts: Acts,
  request: RequestContext,
  approval: ApprovalRecord,
  reason: string,
): Promise<Reply<ReturnType<typeof approvalView>> | ApiError> {
  const { approvals } = parts.operators;
  const operator = actingOperator(request);
  const nowMs = parts.clock.wallMs();
  if (operator.session === null) return conflict('the operator token agrees to nothing');
  if (approval.proposedBy === TOKEN) {
    const until = await aloneUntil(parts, roleOf(approval), nowMs);
    const taken = await approvals.takeOver(approval.approvalId, operator.operatorId, until);
    if (taken === null) return conflict('somebody else has taken it over');
    announce(parts, taken);
    return shown(taken);
  }
  const refused = await refusalOf(parts, operator, approval, nowMs);
  if (refused !== null) return refused;
  if (isLost(approval, nowMs)) {
    return conflict(
      'it was cut off too long ago: look into the trail and the ledger, and ask anew',
    );
  }
  const decision = { by: operator.operatorId, reason, atMs: nowMs };
  // Once more at the moment from which on it runs: a role may have been lost since it was looked at.
  const isFit = (all: readonly OperatorRecord[]): boolean =>
    [approval.proposedBy, operator.operatorId].every((id) => isAble(approval, all, id));
  const claimed = await approvals.claim(approval.approvalId, decision, isFit);
  if (claimed === null) return conflict('somebody has just decided, or lost the role for it');
  const answer = await run(parts, acts, request, claimed, operator);
  const isDone = !(answer instanceof ApiError);
  const outcome = isDone
    ? { data: answer.data }
    : { code: answer.code, message: answer.message, details: answer.details };
  const state = isDone ? 'done' : 'failed';
  const isSecret = isDone && bearsSecrets(claimed);
  const kept = isSecret ? { data: {} } : outcome;
  await approvals.settle(claimed.approvalId, state, JSON.stringify(kept));
  const { data } = shown((await approvals.byId(claimed.approvalId)) ?? claimed);
  // The approver alone gets the secret, in this one answer.
  return { data: isSecret ? { ...data, outcome: { ...outcome } } : data };
}

function bearsSecrets({ operation }: ApprovalRecord): boolean {
  return OPERATIONS[operation]?.bearsSecrets === true;
}

function isAble(
  approval: ApprovalRecord,
  operators: readonly OperatorRecord[],
  id: string,
): boolean {
  const known = operators.find(({ operatorId }) => operatorId === id);
  if (known === undefined || known.disabledAtMs !== null) return false;
  return mayAct(rolesIn(known.roles), roleOf(approval));
}

/** Two people, or one who has waited and is still alone. */
async function refusalOf(
  parts: OperatorParts,
  operator: OperatorIdentity,
  approval: ApprovalRecord,
  nowMs: number,
): Promise<ApiError | null> {
  if (!mayAct(operator.roles, roleOf(approval))) {
    return fail('SCOPE_MISSING', { required: approval.role, roles: [...operator.roles] });
  }
  if (operator.operatorId !== approval.proposedBy) return proposerRefusal(parts, approval);
  const { confirmableAtMs } = approval;
  if (confirmableAtMs === null || !(await isAlone(parts.operators, roleOf(approval), nowMs))) {
    return conflict('another operator has to agree');
  }
  if (confirmableAtMs > nowMs) return conflict(`it waits until ${isoTime(confirmableAtMs)}`);
  return null;
}

/** What somebody asked for who is not to act any more would be the act of one person. */
async function proposerRefusal(
  { operators }: OperatorParts,
  approval: ApprovalRecord,
): Promise<ApiError | null> {
  const proposer = await operators.operatorById(approval.proposedBy);
  if (proposer === null || proposer.disabledAtMs !== null) {
    return conflict('whoever asked for it is no operator any more: reject it, and ask anew');
  }
  if (mayAct(rolesIn(proposer.roles), roleOf(approval))) return null;
  return conflict('whoever asked for it has lost the role for it: reject it, and ask anew');
}

/** Once, whoever runs it how often: the key is that of the approval. */
function run(
  parts: OperatorParts,
  acts: Acts,
  request: RequestContext,
  approval: ApprovalRecord,
  operator: OperatorIdentity,
): Promise<Reply | ApiError> {
  const operation = OPERATIONS[approval.operation];
  const act = acts[approval.operation];
  if (operation === undefined || act === undefined) {
    return Promise.resolve(conflict('this build has no such operation'));
  }
  const { approvalId, proposedBy } = approval;
  const acting: RequestContext = {
    ...request,
    page: (query) => request.page(query),
    requestId: `${request.requestId}-act`,
    operation,
    operator: { ...operator, operatorId: `${proposedBy}+${operator.operatorId}` },
    idempotency: { scope: AGREED, key: approvalId, bodyHash: approvalId },
  };
  // Written by `propose`, which had it from a request that was checked.
  return recorded(parts, act)(acting, JSON.parse(approval.input) as ActInput);
}

function shown(approval: ApprovalRecord): Reply<ReturnType<typeof approvalView>> {
  return { data: approvalView(approval) };
}

function conflict(reason: string): ApiError {
  return fail('STATE_CONFLICT', { reason }, `This cannot be decided so: ${reason}.`);
}
