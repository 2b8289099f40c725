// Refusals that show the order they are about: a duplicate name, or an order that has already ended.
import type { AccountId, OrderId, Outcome } from '@sibyl/engine';
import { ApiError, ownAccount, type RequestContext } from '../../gateway/handler.ts';
import type { History } from '../../ports/history.ts';
import { wireRefusal } from '../../wire/refusals.ts';
import { readOrder } from './lookup.ts';

/** Why an order was not taken; a name that is in use comes with the order that has it. */
export async function refusedOrder(
  history: History,
  request: RequestContext,
  outcome: Outcome,
): Promise<ApiError> {
  const { answer, replayed } = outcome;
  if (answer.ok) throw new Error('the order was taken');
  const { code, details } = answer.rejection;
  const refusal = wireRefusal(answer.rejection, replayed);
  const orderId = details.order_id;
  if (code !== 'ALREADY_EXISTS' || typeof orderId !== 'number') return refusal;
  const order = await readOrder(history, ownAccount(request), orderId as OrderId);
  return order === null ? refusal : withDetails(refusal, { ...refusal.details, order });
}

/** Why an order was not changed; one that has ended is shown, also when the engine has forgotten it. */
export async function conflictWith(
  history: History,
  accountId: AccountId,
  orderId: OrderId,
  outcome: Outcome,
): Promise<ApiError> {
  const { answer, replayed } = outcome;
  if (answer.ok) throw new Error('the order was changed');
  const { code } = answer.rejection;
  const refusal = wireRefusal(answer.rejection, replayed);
  if (code !== 'STATE_CONFLICT' && code !== 'NOT_FOUND') return refusal;
  const order = await readOrder(history, accountId, orderId);
  if (order === null) return refusal;
  const details = { order_id: order.order_id, status: order.status, order };
  return new ApiError('STATE_CONFLICT', { details, replayed });
}

function withDetails({ code, replayed }: ApiError, details: Record<string, unknown>): ApiError {
  return new ApiError(code, { details, replayed });
}
