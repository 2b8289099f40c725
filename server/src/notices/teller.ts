// What a row of the event table is given to make the notices of one event: the command's outcome, and what is remembered.
import type { Outcome } from '@sibyl/engine';
import type { LaneMemory } from './lane-memory.ts';
import type { MoneyEvents } from './money-events.ts';
import type { Audience, Say, ToldAs } from './notice.ts';
import type { OrderEvents } from './order-events.ts';
import type { TouchedPositions } from './position-events.ts';

/** Whether anybody wants notices of this account; most accounts have no listener, and cost nothing then. */
export type Watch = (accountId: string) => boolean;

/** `Name` are the types that the row declares: it can say no others. */
export interface Teller<Who extends Audience, Name extends ToldAs> {
  readonly say: Say<Who, Name>;
  /** Of the command that the event is of. */
  readonly outcome: Outcome;
  readonly memory: LaneMemory;
  readonly orders: OrderEvents;
  readonly positions: TouchedPositions;
  readonly money: MoneyEvents;
  /** The last entries of an account come after the event that closes it. */
  readonly forgetLater: (accountId: string) => void;
  /** When a dead-man switch was last renewed, which is then forgotten. */
  readonly takeArmedAtMs: (accountId: string, marketId: string | null) => number;
}
