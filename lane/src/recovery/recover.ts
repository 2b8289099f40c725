// Recovery, which is how every start begins: the newest good snapshot, then the journal's tail.
import { createState, type Lane, type Parameters, type State, stateHash } from '@sibyl/engine';
import type { Journal, JournalCommit } from '../journal/journal.ts';
import type { ChainLink } from '../record/commit.ts';
import type { CommittedCommand } from '../record/submission.ts';
import { replay, type Standing } from './replay.ts';
import type { BadSnapshot, SnapshotStore } from './snapshots.ts';

export interface RecoverySource {
  readonly lane: Lane;
  /** Used when the journal is new; afterwards the journal's own stand. */
  readonly parameters: Parameters;
  readonly journal: Journal;
  readonly snapshots: SnapshotStore | null;
}

export interface RecoveryProgress {
  readonly seq: number;
  readonly headSeq: number;
}

export interface RecoveryWatcher {
  readonly passedOver?: (bad: BadSnapshot) => void;
  readonly progress?: (progress: RecoveryProgress) => void;
  /**
   * The state that the replay starts from, then what it is after every command: whether `replayed` shall be told of
   * what comes next, which is everything unless asked here. Must be cheap.
   */
  readonly passed?: (state: State) => boolean;
  /** What the replayed tail came to, for projections that have not seen it; may begin with the command before. */
  readonly replayed?: (commands: readonly CommittedCommand[]) => void;
}

export interface Recovered {
  readonly state: State;
  readonly link: ChainLink;
  /** The command after which the replay began. */
  readonly snapshotSeq: number;
}

/** The data on disk contradict themselves: starting would lose or change what somebody was promised. */
export class RecoveryRefused extends Error {
  override readonly name = 'RecoveryRefused';
}

export async function recover(
  source: RecoverySource,
  watcher: RecoveryWatcher = {},
): Promise<Recovered> {
  const head = await source.journal.head();
  refuseLostTail(source, head.seq);
  const standing = await findStanding(source, Number.MAX_SAFE_INTEGER, watcher);
  const { state } = standing;
  const { passed } = watcher;
  passed?.(state);
  if (head.seq === 0) source.snapshots?.save(standing.state, standing.link);
  tellOfFirst(source, standing, watcher);
  let { link } = standing;
  const watch = passed === undefined ? {} : { watch: () => passed(state) };
  for await (const page of replay(source.journal, standing, 'sample', watch)) {
    link = page.link;
    watcher.replayed?.(page.commands);
    watcher.progress?.({ seq: link.seq, headSeq: head.seq });
  }
  if (link.seq < head.seq) {
    throw new RecoveryRefused(
      `the journal says that it ends at ${head.seq} but reads only to ${link.seq}`,
    );
  }
  return { state: standing.state, link, snapshotSeq: standing.link.seq };
}

/** A replay while the lane serves gives way so often. */
const SLICE_MS = 3;

/**
 * Replays what came after `afterSeq`, from the newest snapshot at or before it: how a projection that fell behind,
 * or starts from nothing, catches up. Ends at the journal's head. Whoever asks for the state that the replay starts
 * from gets all that came after that state, be it before `afterSeq` or not.
 */
export async function* replayAfter(
  source: RecoverySource,
  afterSeq: number,
  begin?: (state: State) => void,
): AsyncGenerator<readonly CommittedCommand[]> {
  const standing = await findStanding(source, afterSeq, {});
  begin?.(standing.state);
  const options = { sliceMs: SLICE_MS };
  for await (const { commands } of replay(source.journal, standing, 'sample', options)) {
    const wanted =
      begin === undefined ? commands.filter(({ command }) => command.seq > afterSeq) : commands;
    if (wanted.length > 0) yield wanted;
  }
}

/** Not needed to go on, but no backup can be restored without it: who watches the start must hear of it. */
function tellOfFirst(
  { snapshots }: RecoverySource,
  { link }: Standing,
  { passedOver }: RecoveryWatcher,
): void {
  const first = link.seq === 0 ? null : (snapshots?.examine(0) ?? null);
  if (first !== null && 'reason' in first) passedOver?.(first);
}

/** A state to replay from: a snapshot whose place in the journal is confirmed, else the beginning. */
export async function findStanding(
  source: RecoverySource,
  seqMax: number,
  watcher: RecoveryWatcher,
): Promise<Standing> {
  const loaded = source.snapshots?.newest(seqMax, watcher.passedOver ?? (() => {})) ?? null;
  const standing = loaded ?? genesis(source);
  const { state, link } = standing;
  if (state.lane !== source.lane) {
    throw new RecoveryRefused(`the snapshot is of the ${state.lane} lane, not of ${source.lane}`);
  }
  const confirmed = await hashInJournal(source.journal, link.seq);
  if (confirmed === null && link.seq > 0) {
    throw new RecoveryRefused(
      `record ${link.seq}, of which there is a snapshot, is missing from the journal`,
    );
  }
  if (confirmed !== null && confirmed !== link.hash) {
    throw new RecoveryRefused(
      link.seq === 0
        ? 'the journal began with other parameters: the first snapshot, snap-0, is missing or damaged; put that of a backup in its place'
        : `snapshot ${link.seq} was taken from another journal than this one`,
    );
  }
  return standing;
}

/** The chain hangs on the hash of the state that it began with, so other parameters make another journal. */
function genesis(source: RecoverySource): Standing {
  const state = createState(source.lane, source.parameters);
  return { state, link: { seq: 0, hash: stateHash(state), tsMs: 0, epoch: 0 } };
}

/** Snapshots are taken of durable commands only: one that is ahead of the journal proves that the journal lost some. */
function refuseLostTail(source: RecoverySource, headSeq: number): void {
  const newest = source.snapshots?.list()[0] ?? 0;
  if (newest > headSeq) {
    throw new RecoveryRefused(
      `the journal ends at ${headSeq} but snapshot ${newest} exists: the end of the journal is missing`,
    );
  }
}

/** The chain's hash after `seq`, as the journal has it: null beyond its end, empty where no commit ends. */
async function hashInJournal(journal: Journal, seq: number): Promise<string | null> {
  const commit = await commitWith(journal, seq === 0 ? 1 : seq);
  if (commit === null) return null;
  if (seq === 0) return commit.prevHash;
  return commit.seq === seq ? commit.hash : '';
}

async function commitWith(journal: Journal, seq: number): Promise<JournalCommit | null> {
  for await (const [commit] of journal.read(seq)) {
    return commit === undefined || commit.firstSeq > seq || commit.seq < seq ? null : commit;
  }
  return null;
}
