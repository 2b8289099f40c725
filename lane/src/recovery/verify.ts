// Verification: the whole journal replayed from its beginning, everything checked that can be.
import { JournalCorrupt } from '../journal/journal.ts';
import type { Ruled } from '../logic/engines.ts';
import type { CommittedCommand } from '../record/submission.ts';
import { findCheckpoint, type RecoveryProgress, type RecoverySource } from './recover.ts';
import { hashOf, replay } from './replay.ts';
import type { BadSnapshot } from './snapshots.ts';
import { type Stretch, Stretches } from './stretches.ts';

export interface Verified {
  readonly seq: number;
  /** Of the last record: what an outside witness may compare with. */
  readonly headHash: string;
  readonly stateHash: string;
  /** Snapshots that were found equal to the replayed state at their position. */
  readonly snapshots: readonly number[];
  /** Snapshots that a start would pass over. */
  readonly damaged: readonly BadSnapshot[];
  /** Which engine ran which commands, oldest first. */
  readonly stretches: readonly Stretch[];
}

/**
 * Throws when chain, outcomes, invariants or a snapshot do not hold; the message names the record. Snapshots that are
 * damaged are not errors here, since recovery passes over them; one that is whole and yet differs is.
 */
export async function verify(
  source: RecoverySource,
  progress: (progress: RecoveryProgress) => void = () => {},
): Promise<Verified> {
  const head = await source.journal.head();
  const checkpoint = await findCheckpoint(source, 0, {});
  const { whole, damaged } = examineSnapshots(source);
  const pending = whole.filter(({ seq }) => seq <= head.seq);
  const equal: number[] = [];
  let { link } = checkpoint;
  let ruled: Ruled = checkpoint;
  const stretches = new Stretches();
  const watch = ({ outcome }: CommittedCommand, at: Ruled): boolean => {
    const { engine, state } = at;
    engine.checkTouched(state, outcome);
    stretches.add(engine.logic, state.seq, state.seq);
    if (pending[0]?.seq === state.seq) equal.push(compareSnapshot(at, pending.shift()!));
    return false;
  };
  for await (const page of replay(source, checkpoint, 'all', { watch })) {
    link = page.link;
    ruled = page.ruled;
    ruled.engine.checkAll(ruled.state);
    progress({ seq: link.seq, headSeq: head.seq });
  }
  if (link.seq < head.seq || (link.seq === head.seq && head.seq > 0 && link.hash !== head.hash)) {
    throw new JournalCorrupt(
      `the journal says that it ends at ${head.seq} but reads to ${link.seq}`,
    );
  }
  const found = { headHash: link.hash, stateHash: hashOf(ruled), snapshots: equal, damaged };
  return { seq: link.seq, ...found, stretches: stretches.all };
}

interface WholeSnapshot {
  readonly seq: number;
  readonly stateHash: string;
}

interface Examined {
  readonly whole: WholeSnapshot[];
  readonly damaged: readonly BadSnapshot[];
}

/** Those to compare with, oldest first. The first of all is where the replay began. */
function examineSnapshots({ snapshots }: RecoverySource): Examined {
  const whole: WholeSnapshot[] = [];
  const damaged: BadSnapshot[] = [];
  if (snapshots === null) return { whole, damaged };
  for (const seq of snapshots.list()) {
    const found = snapshots.examine(seq);
    if ('reason' in found) damaged.push(found);
    else if (seq > 0) whole.unshift({ seq, stateHash: hashOf(found) });
  }
  return { whole, damaged };
}

function compareSnapshot(ruled: Ruled, snapshot: WholeSnapshot): number {
  if (hashOf(ruled) !== snapshot.stateHash) {
    throw new JournalCorrupt(
      `snapshot ${snapshot.seq} holds another state than the journal leads to`,
    );
  }
  return snapshot.seq;
}
