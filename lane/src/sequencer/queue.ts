// Commands that wait for their turn: bounded, first come first served, with room kept free for cancels.
import { type CommandBody, isRelief, type Outcome } from '@sibyl/engine';
import type { Submission } from '../record/submission.ts';
import { LaneUnavailable } from './unavailable.ts';

export interface QueuedCommand {
  readonly submission: Submission;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: LaneUnavailable) => void;
}

/** A command of the lane itself. As a rule nobody waits for it: what went wrong is in the lane's status. */
export function ownCommand(
  body: CommandBody,
  resolve: QueuedCommand['resolve'] = ignore,
  reject: QueuedCommand['reject'] = ignore,
): QueuedCommand {
  return { submission: { body, actor: { kind: 'system' }, requestId: body.type }, resolve, reject };
}

function ignore(): void {}

/** Empty slots in front that are worth moving the others for. */
const TAKEN_MAX = 8192;

export class CommandQueue {
  readonly #max: number;
  readonly #reliefMax: number;
  /**
   * Used again and again, and emptied slot by slot. A new one for each batch would, once the collector has put one of
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
    return new LaneUnavailable('SERVICE_UNAVAILABLE', 'busy', 'too many commands are waiting');
  }

  add(command: QueuedCommand): void {
    this.#waiting.push(command);
  }

  /** Before everybody who waits. */
  addFirst(command: QueuedCommand): void {
    if (this.#taken === 0) {
      this.#waiting.unshift(command);
      return;
    }
    this.#taken -= 1;
    this.#waiting[this.#taken] = command;
  }

  /** Whoever is next. */
  get first(): QueuedCommand | null {
    return this.#waiting[this.#taken] ?? null;
  }

  take(): QueuedCommand | null {
    const command = this.#waiting[this.#taken] ?? null;
    if (command === null) return null;
    this.#waiting[this.#taken] = null;
    this.#taken += 1;
    // Under a load that never lets it run empty, the empty slots in front would only become more.
    if (this.#taken === this.#waiting.length || this.#taken === TAKEN_MAX) {
      this.#waiting.copyWithin(0, this.#taken);
      this.#waiting.length -= this.#taken;
      this.#taken = 0;
    }
    return command;
  }
}
