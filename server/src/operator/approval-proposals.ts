// An act that a second operator has to agree to is kept until one does.

import {
  type AnyOperation,
  type ApprovalRequest,
  limits,
  type OperatorRole,
  operatorRoles,
} from '@sibyl/contract';
import { parseMoney } from '@sibyl/money';
import {
  type ApiError,
  actingOperator,
  fail,
  isoTime,
  type Reply,
  type RequestContext,
} from '../handling/handler.ts';
import type { ApprovalRecord } from '../ports/approvals.ts';
import { isoTimeOrNull } from '../wire/times.ts';
import { isAlone } from './able-operators.ts';
import { stateThen } from './approval-subject.ts';
import type { OperatorParts } from './parts.ts';
import type { ActInput } from './supervision.ts';

const ID_LENGTH = 16;

export async function propose(
  parts: OperatorParts,
  request: RequestContext,
  operation: AnyOperation,
  { params, body }: ActInput,
): Promise<Reply<ApprovalRequest> | ApiError> {
  const { operators, random, clock } = parts;
  const nowMs = clock.wallMs();
  const role = operation.role ?? 'admin';
  const approval: ApprovalRecord = {
    approvalId: `apr_${random.token(ID_LENGTH)}`,
    operation: operation.id,
    role,
    lane: typeof body?.lane === 'string' ? body.lane : null,
    target: targetOf(operation, params),
    input: JSON.stringify({
      params,
      body,
      about: await stateThen(parts, operation, { params, body }),
    }),
    reason: String(body?.reason ?? ''),
    proposedBy: actingOperator(request).operatorId,
    createdAtMs: nowMs,
    expiresAtMs: nowMs + limits.operator.approvalMs,
    confirmableAtMs: await aloneUntil(parts, role, nowMs),
    state: 'waiting',
    startedAtMs: null,
    outcome: null,
    decidedBy: null,
    decisionReason: null,
    decidedAtMs: null,
  };
  const isSame = (other: ApprovalRecord): boolean =>
    isOpen(other, nowMs) && wishOf(other) === wishOf(approval);
  const known = await operators.approvals.add(approval, isSame);
  if (known !== null) return waitsAlready(known);
  announce(parts, approval);
  return { data: approvalView(approval) };
}

/** A copy would still be good after the first was carried out, perhaps when nobody thinks of it any more. */
function waitsAlready({ approvalId, state }: ApprovalRecord): ApiError {
  const message = `The same waits already as ${approvalId}: agree to it, or reject it before you ask anew.`;
  const reason = 'the same waits already';
  return fail('STATE_CONFLICT', { reason, approval_id: approvalId, state }, message);
}

/** Whether somebody could still agree to it, or has. */
function isOpen(approval: ApprovalRecord, nowMs: number): boolean {
  return approval.expiresAtMs > nowMs && !isLost(approval, nowMs);
}

/** The journal remembers for a day that it did something: later nobody knows what a run that was cut off did. */
export function isLost({ startedAtMs }: ApprovalRecord, nowMs: number): boolean {
  return startedAtMs !== null && nowMs - startedAtMs >= limits.idempotency.windowMs / 2;
}

/** What is asked for in words that do not depend on why, nor on how or in which order it was said. */
function wishOf({ input }: ApprovalRecord): string {
  // Written by `propose`.
  const { params, body } = JSON.parse(input) as ActInput;
  const { reason: _reason, ...rest } = body ?? {};
  return JSON.stringify(canonical({ params, body: rest }));
}

/** Fields that hold a decimal, which can be written in more than one way. */
const DECIMALS: ReadonlySet<string> = new Set(['amount', 'payout']);

function canonical(value: unknown, name = ''): unknown {
  if (typeof value === 'string' && DECIMALS.has(name)) return decimalOf(value);
  if (Array.isArray(value)) {
    return [...new Set(value.map((one) => JSON.stringify(canonical(one))))].sort();
  }
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value)
    // What is denied is what was not said.
    .filter(([, one]) => one !== false && one !== undefined)
    .map(([field, one]): [string, unknown] => [field, canonical(one, field)]);
  return Object.fromEntries(fields.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** What is no amount is compared as it was written: the act refuses it. */
function decimalOf(text: string): string {
  const parsed = parseMoney(text, 'USDT');
  return parsed.ok ? String(parsed.value) : text;
}

export function targetOf({ path }: AnyOperation, params: ActInput['params']): string {
  return path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => params?.[name] ?? '');
}

/** When somebody may confirm alone what nobody else could agree to; null if there are two who could. */
export async function aloneUntil(
  parts: OperatorParts,
  role: OperatorRole,
  nowMs: number,
): Promise<number | null> {
  return (await isAlone(parts.operators, role, nowMs)) ? nowMs + limits.operator.aloneMs : null;
}

/** Whoever watches the log, or reads the mail of operators, sees what waits and from when on one alone decides. */
export function announce({ log, announced }: OperatorParts, approval: ApprovalRecord): void {
  const { approvalId, operation, proposedBy, reason, confirmableAtMs } = approval;
  const alone =
    confirmableAtMs === null ? '' : `; can be confirmed alone from ${isoTime(confirmableAtMs)}`;
  log.write('warn', 'an act waits for a second operator', {
    operation,
    actor: proposedBy,
    reason,
    what: `approval_id=${approvalId} target=${approval.target} input=${inputText(approval)}${alone}`,
    ...(approval.lane === null ? {} : { lane: approval.lane }),
  });
  announced?.();
}

const INPUT_SHOWN_MAX = 500;

/** What else was said: nothing that waits for agreement holds a secret. */
function inputText({ input }: ApprovalRecord): string {
  // Written by `propose`.
  const { body } = JSON.parse(input) as { readonly body?: Readonly<Record<string, unknown>> };
  const { lane: _lane, reason: _reason, ...rest } = body ?? {};
  return JSON.stringify(rest).slice(0, INPUT_SHOWN_MAX);
}

export function approvalView(approval: ApprovalRecord): ApprovalRequest {
  const { createdAtMs, expiresAtMs, confirmableAtMs, decidedAtMs, outcome, lane } = approval;
  return {
    approval_id: approval.approvalId,
    state: approval.state,
    operation: approval.operation,
    role: roleOf(approval),
    lane: lane === 'live' || lane === 'sandbox' ? lane : null,
    target: approval.target,
    // Written by `propose`.
    input: (JSON.parse(approval.input) as { body?: Record<string, unknown> }).body ?? {},
    proposed_by: approval.proposedBy,
    reason: approval.reason,
    proposed_at: isoTime(createdAtMs),
    proposed_at_ms: createdAtMs,
    expires_at: isoTime(expiresAtMs),
    expires_at_ms: expiresAtMs,
    confirmable_at: isoTimeOrNull(confirmableAtMs),
    confirmable_at_ms: confirmableAtMs,
    decided_by: approval.decidedBy,
    decision_reason: approval.decisionReason,
    decided_at: isoTimeOrNull(decidedAtMs),
    decided_at_ms: decidedAtMs,
    outcome: outcome === null ? null : (JSON.parse(outcome) as Record<string, unknown>),
  };
}

/** As it stands now: once somebody else could agree, whoever asked does not confirm alone any more. */
export async function viewNow(
  parts: OperatorParts,
  approval: ApprovalRecord,
): Promise<ApprovalRequest> {
  const view = approvalView(approval);
  const isOpenToOne = approval.state === 'waiting' && approval.confirmableAtMs !== null;
  if (!isOpenToOne || (await isAlone(parts.operators, roleOf(approval), parts.clock.wallMs())))
    return view;
  return { ...view, confirmable_at: null, confirmable_at_ms: null };
}

/** A role that this build does not know is the highest. */
export function roleOf({ role }: Pick<ApprovalRecord, 'role'>): OperatorRole {
  return operatorRoles.find((one) => one === role) ?? 'admin';
}
