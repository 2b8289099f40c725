// One turn of the engine: the state being changed and the events collected while it is.
import type { Event } from './event.ts';
import type { Answer, Result } from './outcome.ts';
import type { Rejection } from './reject.ts';
import type { State } from './state.ts';

/**
 * Collects the events of one turn. The first few are fields: an array that grows would take room for many more, and
 * one that is used again would be old, so that every event put into it is extra work for the collector.
 */
export class EventList {
  /** Compiled code is thrown away with the last object of a shape that it was made for: this one stays. */
  static readonly kept = new EventList();

  #count = 0;
  #first: Event | null = null;
  #second: Event | null = null;
  #third: Event | null = null;
  /** All of them, once there are more. */
  #many: Event[] | null = null;

  push(event: Event): void {
    const count = this.#count;
    this.#count = count + 1;
    if (count === 0) this.#first = event;
    else if (count === 1) this.#second = event;
    else if (count === 2) this.#third = event;
    else if (this.#many === null) this.#many = [this.#first!, this.#second!, this.#third!, event];
    else this.#many.push(event);
  }

  all(): readonly Event[] {
    switch (this.#count) {
      case 0:
        return [];
      case 1:
        return [this.#first!];
      case 2:
        return [this.#first!, this.#second!];
      case 3:
        return [this.#first!, this.#second!, this.#third!];
      default:
        return this.#many!;
    }
  }
}

/** Made for every command: what it holds are pointers and small integers, so that it stays one small object. */
export class Turn {
  readonly state: State;
  readonly events = new EventList();
  /** Postings that markets may still make on closing; see MK11. */
  postings: number;
  /** What the timers of this turn came to; see CM11. */
  timerUnits = 0;

  constructor(state: State) {
    this.state = state;
    this.postings = state.parameters.chunkMax;
  }

  /** Whether so many postings are left, which are then used; what is more than a command may have is taken alone. */
  takePostings(count: number): boolean {
    if (count > this.postings && this.postings < this.state.parameters.chunkMax) return false;
    this.postings = count < this.postings ? this.postings - count : 0;
    this.timerUnits += count;
    return true;
  }
}

export function accept(result: Result): Answer {
  return { ok: true, result };
}

export function refuse(rejection: Rejection): Answer {
  return { ok: false, rejection };
}
