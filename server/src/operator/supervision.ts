// What stands between an operator and an act: a confirmed session, a second operator, and the trail that keeps it all.

import { type AnyOperation, operatorOperations } from '@sibyl/contract';
import {
  ApiError,
  actingOperator,
  type OperatorIdentity,
  type Reply,
  type RequestContext,
} from '../handling/handler.ts';
import { approvalActs } from './approval-acts.ts';
import { needsApproval } from './approval-policy.ts';
import { propose } from './approval-proposals.ts';
import { isConfirmed, unconfirmed } from './confirmation.ts';
import type { OperatorHandlers, OperatorParts } from './parts.ts';
import { actOnce } from './saved-answer.ts';
import { recorded, trailActs } from './trail.ts';

/** What an act was asked for with, whatever the operation. */
export interface ActInput {
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query?: object | undefined;
  /** Null if just that was sent to an operation that reads none. */
  readonly body?: Readonly<Record<string, unknown>> | null | undefined;
}

/** A handler whose types were lost on the way through the table. */
export type Act = (request: RequestContext, input: ActInput) => Promise<Reply | ApiError>;
export type Acts = Readonly<Record<string, Act>>;

type Plain = Omit<
  OperatorHandlers,
  'listApprovals' | 'getApproval' | 'approveAct' | 'rejectAct' | 'listTrail'
>;

/** The handlers of the plane, each behind what its operation asks for. */
export function supervised(parts: OperatorParts, plain: Plain): OperatorHandlers {
  const acts = plain as unknown as Acts;
  const all = { ...acts, ...(approvalActs(parts, acts) as unknown as Acts) };
  const operations: Readonly<Record<string, AnyOperation>> = operatorOperations;
  const guarded = Object.entries(all).map(([id, act]): [string, Act] => {
    const operation = operations[id];
    if (operation === undefined || operation.method === 'GET') return [id, act];
    return [id, recorded(parts, behindChecks(parts, operation, act))];
  });
  // The table has exactly the operations that it had, with the same types.
  const table = { ...Object.fromEntries(guarded), ...trailActs(parts) };
  return table as unknown as OperatorHandlers;
}

function behindChecks(parts: OperatorParts, operation: AnyOperation, act: Act): Act {
  if (!operation.stepUp) return act;
  return async (request, input) => {
    const operator = actingOperator(request);
    const unproved = await stepUpRefusal(parts, operator, input);
    if (unproved !== null) return unproved;
    const isNeeded = await needsApproval(parts, operation, input, request);
    if (isNeeded instanceof ApiError) return isNeeded;
    if (!isNeeded) return act(request, input);
    return actOnce(parts, request, () => propose(parts, request, operation, input));
  };
}

/** A token has nothing to prove; in the sandbox nobody has to. */
async function stepUpRefusal(
  { operators, clock }: OperatorParts,
  operator: OperatorIdentity,
  { body }: ActInput,
): Promise<ApiError | null> {
  const { session } = operator;
  if (session === null || body?.lane === 'sandbox') return null;
  return isConfirmed(session, clock.wallMs()) ? null : unconfirmed(operators, operator);
}
