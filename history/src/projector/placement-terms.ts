// The terms under which the orders of a command were placed.
import type { Command, Outcome } from '@sibyl/engine';

/** What a placement says that its order does not keep. */
export interface PlacementTerms {
  readonly validUntilMs: number | null;
  readonly maxCost: bigint | null;
}

const NO_TERMS: PlacementTerms = { validUntilMs: null, maxCost: null };

/** Orders of a batch are placed in the order of its items. */
export class PlacementFinder {
  #command: Command | null = null;
  #place = 0;

  termsOf(command: Command, outcome: Outcome, orderId: number): PlacementTerms {
    if (command.type === 'place_order') return command;
    if (command.type !== 'batch' || !outcome.answer.ok) return NO_TERMS;
    const { result } = outcome.answer;
    if (result.kind !== 'batch') return NO_TERMS;
    if (this.#command !== command) this.#place = 0;
    this.#command = command;
    const { items } = command;
    for (let count = 0; count < items.length; count += 1) {
      const item = items[this.#place]!;
      const answer = result.items[this.#place];
      this.#place = this.#place + 1 < items.length ? this.#place + 1 : 0;
      if (item.type === 'place_order' && isOf(answer, orderId)) return item;
    }
    return NO_TERMS;
  }
}

function isOf(answer: Outcome['answer'] | undefined, orderId: number): boolean {
  if (answer === undefined || !answer.ok) return false;
  return answer.result.kind === 'order' && answer.result.order.orderId === orderId;
}
