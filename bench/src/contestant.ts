// The port through which any matching engine runs a workload: ours and the peers look the same to the clock.

import type { Workload } from './workload/generate.ts';
import type { Tally } from './workload/reference-book.ts';

export interface Contestant {
  readonly name: string;
  /** A fresh engine that knows everything about the workload but its commands. */
  begin(workload: Workload): Session;
}

export interface Session {
  /** Makes the commands [from, to) in the engine's own form and drops those made before; not timed. */
  prepare(from: number, to: number): void;
  /** Runs commands that were prepared, counting what they came to; this is what is timed. */
  run(from: number, to: number): void;
  /** What the run came to, and whatever else the engine finds wrong with itself. */
  finish(): SessionResult;
}

export interface SessionResult {
  readonly tally: Tally;
  readonly complaints: readonly string[];
}
