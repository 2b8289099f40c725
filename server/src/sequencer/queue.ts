// Commands that wait for their turn: bounded, first come first served, with places kept free for cancels.
import type { Outcome } from '@sibyl/engine';
import { isRelief, type Submission } from './submission.ts';
import { LaneUnavailable } from './unavailable.ts';

export interface QueuedCommand {
  readonly submission: Submission;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: LaneUnavailable) => void;
}

export class CommandQueue {
  readonly #max: number;
  readonly #reliefMax: number;
  /**
   * Used again and again, and emptied place by place. A new one for each batch would, once the collector has put one of
   * them among the old, hold all commands that it ever held until the next full collection, with all that they came to.
   */
  readonly #waiting: (QueuedCommand | null)[] = [];
  #taken = 0;

  constructor(max: number, reliefMax: number) {
    this.#max = max;
    this.#reliefMax = reliefMax;
  }

  get isEmpty(): boolean {
    return this.size === 0;
  }

  get size(): number {
    return this.#waiting.length - this.#taken;
  }

  refusal(submission: Submission): LaneUnavailable | null {
    if (this.size < this.#max) return null;
    if (this.size < this.#max + this.#reliefMax && isRelief(submission)) return null;
    return new LaneUnavailable('SERVICE_UNAVAILABLE', 'too many commands are waiting');
  }

  add(command: QueuedCommand): void {
    this.#waiting.push(command);
  }

  take(): QueuedCommand | null {
    const command = this.#waiting[this.#taken] ?? null;
    if (command === null) return null;
    this.#waiting[this.#taken] = null;
    this.#taken += 1;
    if (this.#taken === this.#waiting.length) {
      this.#waiting.length = 0;
      this.#taken = 0;
    }
    return command;
  }
}
