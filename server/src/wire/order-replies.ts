// Replies of placed orders as the engine tells of them: the objects of the interface are only made for those who ask.
import type { OperationOutput } from '@sibyl/contract';
import type { Answer, BatchItem, FillVenue, OrderId, OrderView } from '@sibyl/engine';
import type { Reply, ReplyMeta } from '../handling/handler.ts';
import { wireOrder } from './generated/order.ts';

type PlacedOrder = OperationOutput<'placeOrder'>;
type BatchAnswer = OperationOutput<'batchOrders'>;

export class PlacedReply implements Reply<PlacedOrder> {
  readonly meta: ReplyMeta | undefined;
  readonly replayed: boolean;
  readonly order: OrderView;

  constructor(order: OrderView, fillVenue: FillVenue | null, replayed: boolean) {
    this.order = order;
    this.meta = fillVenue === null ? undefined : { fill_venue: fillVenue };
    this.replayed = replayed;
  }

  get data(): PlacedOrder {
    return wireOrder(this.order, this.order.createdAtMs);
  }
}

/** Of a batch in which every item did what it should, and left an order. */
export class BatchReply implements Reply<BatchAnswer> {
  readonly replayed: boolean;
  readonly commands: readonly BatchItem[];
  readonly answers: readonly Answer[];
  readonly atMs: number;

  constructor(
    commands: readonly BatchItem[],
    answers: readonly Answer[],
    atMs: number,
    replayed: boolean,
  ) {
    this.commands = commands;
    this.answers = answers;
    this.atMs = atMs;
    this.replayed = replayed;
  }

  get data(): BatchAnswer {
    const results = this.answers.map((answer, index) => {
      const command = this.commands[index]!;
      const data = itemOrder(orderOf(answer), command, this.atMs);
      return { ok: true, action: actionOf(command), data, error: null } as const;
    });
    return { results, succeeded: results.length, failed: 0 };
  }
}

/** Whether the answer to an item is an order as the command left it. */
export function isOrder(answer: Answer): boolean {
  return answer.ok && answer.result.kind === 'order';
}

/** The order that a cancel has ended; null for any other answer. */
export function cancelledBy(answer: Answer): OrderId | null {
  return answer.ok && answer.result.kind === 'cancelled'
    ? (answer.result.cancelled[0] ?? null)
    : null;
}

/** The order of such an answer as clients see it. */
export function itemOrder(order: OrderView, command: BatchItem, atMs: number): PlacedOrder {
  return wireOrder(order, updatedMs(order, command, atMs));
}

export function orderOf(answer: Answer): OrderView {
  if (answer.ok && answer.result.kind === 'order') return answer.result.order;
  throw new Error('the item was answered by something else');
}

export function updatedMs(order: OrderView, command: BatchItem, atMs: number): number {
  return command.type === 'place_order' ? order.createdAtMs : atMs;
}

/** A cancel leaves no order in its answer. */
export function actionOf(command: BatchItem): 'place' | 'amend' {
  return command.type === 'place_order' ? 'place' : 'amend';
}
