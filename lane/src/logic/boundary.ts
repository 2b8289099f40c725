// A boundary between two engine versions: how state and events of the older one are carried over to the newer.
import type { CommittedCommand } from '../record/submission.ts';

/** A line of a snapshot as data; `is` says of what. The header comes first, and no line counts the others. */
export type SnapshotLine = Readonly<Record<string, unknown>> & { readonly is: string };

/** From one logic number to the next. Pure, and never changed once a build with it has run: journals hold what it came to. */
export interface Boundary {
  readonly from: number;
  /** The state that the former engine left, as the next one would have written it. */
  carry(lines: Iterable<SnapshotLine>): Iterable<SnapshotLine>;
  /** What the former engine said, in the words of the next one: for history, webhooks and whoever else was not there. */
  retell(committed: CommittedCommand): CommittedCommand;
}
