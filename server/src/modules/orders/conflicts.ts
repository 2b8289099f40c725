// Refusals that show the order they are about: a duplicate name, or an order that has already ended.
import type { Order as WireOrder } from '@sibyl/contract';
import type { AccountId, OrderId, Outcome } from '@sibyl/engine';
import { ApiError, type Reply, type RequestContext } from '../../handling/handler.ts';
import { type AnswerStore, answerFirst } from '../../wire/first-answer.ts';
import { type Histories, historyOf } from '../../wire/histories.ts';
import { wireRefusal } from '../../wire/refusals.ts';
import { NO_ORDER, readableOrder } from './lookup.ts';

export interface ConflictParts extends AnswerStore {
  readonly histories: Histories;
}

type Refused = Promise<Reply<never> | ApiError>;

/** Why an order was not taken; a name that is in use comes with the order that has it. */
export async function refusedOrder(
  parts: ConflictParts,
  request: RequestContext,
  accountId: AccountId,
  outcome: Outcome,
): Refused {
  const { answer, replayed } = outcome;
  if (answer.ok) throw new Error('the order was taken');
  const { code, details } = answer.rejection;
  const refusal = wireRefusal(answer.rejection, replayed);
  const orderId = details.order_id;
  if (code !== 'ALREADY_EXISTS' || typeof orderId !== 'number') return refusal;
  const named = { accountId, orderId: orderId as OrderId };
  return showing(parts, request, outcome, named, (order) =>
    order === null
      ? refusal
      : new ApiError(code, { details: { ...refusal.details, order }, replayed }),
  );
}

/** What a request names, and the order that this leads to today. */
export interface Named {
  readonly accountId: AccountId;
  readonly reference: string;
  readonly orderId: OrderId;
}

/** Why an order was not changed; one that has ended is shown, also when the engine has forgotten it. */
export async function conflictWith(
  parts: ConflictParts,
  request: RequestContext,
  { accountId, reference, orderId }: Named,
  outcome: Outcome,
): Refused {
  const { answer, replayed } = outcome;
  if (answer.ok) throw new Error('the order was changed');
  const { code, details } = answer.rejection;
  if (code !== 'STATE_CONFLICT' && code !== 'NOT_FOUND') {
    return wireRefusal(answer.rejection, replayed);
  }
  const named = typeof details.order_id === 'number' ? (details.order_id as OrderId) : orderId;
  if (named === NO_ORDER) return unknownOrder(reference, replayed);
  return showing(parts, request, outcome, { accountId, orderId: named }, (order) => {
    // Open, and not found by the engine: it was placed under another grant, or under none.
    if (code === 'NOT_FOUND' && (order === null || isOpen(order)))
      return unknownOrder(reference, replayed);
    return order === null
      ? wireRefusal(answer.rejection, replayed)
      : new ApiError('STATE_CONFLICT', {
          details: { order_id: order.order_id, status: order.status, order },
          replayed,
        });
  });
}

export function unknownOrder(reference: string, replayed = false): ApiError {
  return new ApiError('NOT_FOUND', { details: { order_id: reference }, replayed });
}

function isOpen({ status }: WireOrder): boolean {
  return status === 'pending' || status === 'partially_filled';
}

/** An order that has ended is the same for ever; of one that is open, a repeated request is shown what the first one was. */
async function showing(
  parts: ConflictParts,
  request: RequestContext,
  outcome: Outcome,
  { accountId, orderId }: Pick<Named, 'accountId' | 'orderId'>,
  refusalWith: (order: WireOrder | null) => ApiError,
): Refused {
  const history = historyOf(parts.histories, request.laneName);
  const order = await readableOrder(history, request, accountId, orderId);
  if ((order === null || !isOpen(order)) && !outcome.replayed) return refusalWith(order);
  return answerFirst(parts, request.lane, request, outcome, async () => refusalWith(order));
}
