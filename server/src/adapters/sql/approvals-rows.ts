// Rows of approvals and of the trail, and the records they stand for.
import type { ApprovalRecord, BegunAct, TrailRecord } from '../../ports/approvals.ts';

export interface ApprovalRow {
  readonly approval_id: string;
  readonly operation: string;
  readonly role: string;
  readonly lane: string | null;
  readonly target: string;
  readonly input: string;
  readonly reason: string;
  readonly proposed_by: string;
  readonly created_at_ms: number;
  readonly expires_at_ms: number;
  readonly confirmable_at_ms: number | null;
  readonly state: ApprovalRecord['state'];
  readonly started_at_ms: number | null;
  readonly decided_by: string | null;
  readonly decision_reason: string | null;
  readonly decided_at_ms: number | null;
  readonly outcome: string | null;
}

export function approvalRow(approval: ApprovalRecord): ApprovalRow {
  const { operation, role, lane, target, input, reason, state, outcome } = approval;
  return {
    operation,
    role,
    lane,
    target,
    input,
    reason,
    state,
    outcome,
    approval_id: approval.approvalId,
    proposed_by: approval.proposedBy,
    created_at_ms: approval.createdAtMs,
    expires_at_ms: approval.expiresAtMs,
    confirmable_at_ms: approval.confirmableAtMs,
    started_at_ms: approval.startedAtMs,
    decided_by: approval.decidedBy,
    decision_reason: approval.decisionReason,
    decided_at_ms: approval.decidedAtMs,
  };
}

export function approvalOf(row: ApprovalRow): ApprovalRecord {
  const { operation, role, lane, target, input, reason, state, outcome } = row;
  return {
    operation,
    role,
    lane,
    target,
    input,
    reason,
    state,
    outcome,
    approvalId: row.approval_id,
    proposedBy: row.proposed_by,
    createdAtMs: row.created_at_ms,
    expiresAtMs: row.expires_at_ms,
    confirmableAtMs: row.confirmable_at_ms,
    startedAtMs: row.started_at_ms,
    decidedBy: row.decided_by,
    decisionReason: row.decision_reason,
    decidedAtMs: row.decided_at_ms,
  };
}

export interface BegunRow {
  readonly request_id: string;
  readonly operator_id: string;
  /** Separated by spaces. */
  readonly roles: string;
  readonly operation: string;
  readonly lane: string | null;
  readonly target: string;
  readonly what: string;
  readonly reason: string | null;
}

export function begunRow(act: BegunAct): BegunRow {
  const { requestId, operatorId, roles, operation, lane, target, what, reason } = act;
  return {
    operation,
    lane,
    target,
    what,
    reason,
    request_id: requestId,
    operator_id: operatorId,
    roles: roles.join(' '),
  };
}

export function begunOf(row: BegunRow): BegunAct {
  const { operation, lane, target, what, reason } = row;
  return {
    operation,
    lane,
    target,
    what,
    reason,
    requestId: row.request_id,
    operatorId: row.operator_id,
    roles: row.roles === '' ? [] : row.roles.split(' '),
  };
}

export interface TrailRow extends BegunRow {
  readonly seq: number;
  readonly at_ms: number;
  readonly outcome: string;
  readonly previous: string;
  readonly hash: string;
}

export function trailRow(entry: TrailRecord): TrailRow {
  const { seq, atMs, outcome, previous, hash } = entry;
  return { ...begunRow(entry), seq, at_ms: atMs, outcome, previous, hash };
}

export function trailOf(row: TrailRow): TrailRecord {
  const { seq, at_ms: atMs, outcome, previous, hash } = row;
  return { ...begunOf(row), seq, atMs, outcome, previous, hash };
}
