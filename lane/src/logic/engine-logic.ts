// All that a replay needs of one engine: the same of every logic number, whether it runs now or was frozen long ago.
import type { Command, LaneName, Outcome, Parameters, State } from '@sibyl/engine';
import type { JournalCommit } from '../journal/journal.ts';

/** What the state of every engine has, whatever else is in it: the rest is known to its own engine alone. */
export type AnyState = Pick<State, 'lane' | 'seq' | 'nowMs'>;

/** Goes through the records of one commit after another, as the engine of their time wrote them. */
export interface StretchReader {
  readonly seq: number;
  readonly tsMs: number;
  readonly form: string;
  readonly outcomeHash: string;
  open(commit: JournalCommit): void;
  next(): boolean;
  command(): Command;
}

/**
 * Commands and outcomes have the shape that they had under that logic; their types are those of today, so whoever reads
 * more of them than every engine ever wrote needs them brought up to date by the boundaries in between.
 */
export interface EngineLogic<S extends AnyState = AnyState> {
  readonly logic: number;
  /** What tells builds of one number apart. */
  readonly build: string;
  createState(lane: LaneName, parameters: Parameters): S;
  decodeSnapshot(lines: Iterable<string>): S;
  encodeSnapshot(state: S): Iterable<string>;
  stateHash(state: S): string;
  apply(state: S, command: Command): Outcome;
  outcomeDigest(outcome: Outcome): string;
  /** Throw by name what does not hold. */
  checkAll(state: S): void;
  checkTouched(state: S, outcome: Outcome): void;
  openReader(): StretchReader;
}
