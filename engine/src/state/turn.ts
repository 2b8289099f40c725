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
export interface Turn {
  readonly state: State;
  readonly events: EventList;
  /** Postings that markets may still make on closing; see MK11. */
  postings: number;
  /** What the timers of this turn came to; see CM11. */
  timerUnits: number;
}

/**
 * By a literal and not by a constructor: the shape of what a constructor makes is forgotten by a full collection that finds none
 * of them, and all compiled code that knows it is thrown away then.
 */
export function beginTurn(state: State): Turn {
  return { state, events: new EventList(), postings: state.parameters.chunkMax, timerUnits: 0 };
}

/** Whether so many postings are left, which are then used; what is more than a command may have is taken alone. */
export function takePostings(turn: Turn, count: number): boolean {
  if (count > turn.postings && turn.postings < turn.state.parameters.chunkMax) return false;
  turn.postings = count < turn.postings ? turn.postings - count : 0;
  turn.timerUnits += count;
  return true;
}

export function accept(result: Result): Answer {
  return { ok: true, result };
}

export function refuse(rejection: Rejection): Answer {
  return { ok: false, rejection };
}
