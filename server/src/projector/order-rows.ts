// What became of orders, and the terms under which they were placed, from events and commands.
import type { Command, MakerFill, OrderCancelled, OrderView, Outcome } from '@sibyl/engine';
import type { OrderStateRow } from '../ports/read-store.ts';
import { encodeAmendment, NO_REASON, reasonCode, statusCode } from './order-table.ts';

/** What a placement says that its order does not keep. */
export interface PlacementTerms {
  readonly validUntilMs: number | null;
  readonly maxCost: bigint | null;
}

const NO_TERMS: PlacementTerms = { validUntilMs: null, maxCost: null };
const FILLED = statusCode('filled');
const PARTIALLY_FILLED = statusCode('partially_filled');
const CANCELLED = statusCode('cancelled');

export function amendedState(view: OrderView, account: number, atMs: number): OrderStateRow {
  return {
    account,
    orderId: view.orderId,
    filledLots: view.filledLots,
    status: statusCode(view.status),
    reason: reasonCode(view.rejectReason, view.cancelReason),
    updatedAtMs: atMs,
    amended: encodeAmendment(view),
  };
}

export function filledState(maker: MakerFill, account: number, atMs: number): OrderStateRow {
  return {
    account,
    orderId: maker.orderId,
    filledLots: maker.filledLots,
    status: maker.remainingLots === 0 ? FILLED : PARTIALLY_FILLED,
    reason: NO_REASON,
    updatedAtMs: atMs,
    amended: null,
  };
}

export function cancelledState(
  event: OrderCancelled,
  account: number,
  atMs: number,
): OrderStateRow {
  return {
    account,
    orderId: event.orderId,
    filledLots: event.filledLots,
    status: CANCELLED,
    reason: reasonCode(null, event.reason),
    updatedAtMs: atMs,
    amended: null,
  };
}

/** The terms under which an order of this command was placed. */
export function termsOf(command: Command, outcome: Outcome, orderId: number): PlacementTerms {
  if (command.type === 'place_order') return command;
  if (command.type !== 'batch' || !outcome.answer.ok) return NO_TERMS;
  const { result } = outcome.answer;
  if (result.kind !== 'batch') return NO_TERMS;
  for (const [index, item] of command.items.entries()) {
    if (item.type === 'place_order' && isOf(result.items[index], orderId)) return item;
  }
  return NO_TERMS;
}

function isOf(answer: Outcome['answer'] | undefined, orderId: number): boolean {
  if (answer === undefined || !answer.ok) return false;
  return answer.result.kind === 'order' && answer.result.order.orderId === orderId;
}
