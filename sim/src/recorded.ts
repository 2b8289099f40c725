// Commands as recorded from a run: order ids follow the order they mean, whatever else is left out.
import type { NaiveOutcome } from './naive/exchange.ts';
import type { PlainCommand } from './naive/plain.ts';

export interface Recorded {
  readonly command: PlainCommand;
  /** Ids of the orders that it made when it was recorded. */
  readonly made: readonly number[];
}

/** An id that no order has. */
const NO_ORDER = 999_999_999;

export function ordersMade(outcome: NaiveOutcome): number[] {
  return outcome.events.flatMap((event) =>
    event.type === 'order_placed' ? [event.order.orderId] : [],
  );
}

/** Numbers the commands anew and points their order ids at the orders of this run. */
export class Renumbering {
  readonly #ids = new Map<number, number>();
  #seq = 0;

  next(recorded: Recorded): PlainCommand {
    this.#seq += 1;
    return this.#pointed({ ...recorded.command, seq: this.#seq });
  }

  learn(recorded: Recorded, outcome: NaiveOutcome): void {
    const now = ordersMade(outcome);
    for (const [index, orderId] of recorded.made.entries()) {
      const made = now[index];
      if (made !== undefined) this.#ids.set(orderId, made);
    }
  }

  #pointed(command: PlainCommand): PlainCommand {
    switch (command.type) {
      case 'cancel_order':
      case 'amend_order':
        return { ...command, orderId: this.#id(command.orderId) };
      case 'cancel_orders':
        return {
          ...command,
          orderIds: command.orderIds?.map((orderId) => this.#id(orderId)) ?? null,
        };
      case 'batch':
        return {
          ...command,
          items: command.items.map((item) =>
            item.type === 'place_order' ? item : { ...item, orderId: this.#id(item.orderId) },
          ),
        };
      default:
        return command;
    }
  }

  #id(orderId: number): number {
    return this.#ids.get(orderId) ?? NO_ORDER;
  }
}
