// Recovery, which is how every start begins: the newest good snapshot, then the journal's tail.
import type { LaneName, Parameters, State } from '@sibyl/engine';
import type { ChainLink } from '../journal/chain.ts';
import type { Journal, JournalCommit } from '../journal/journal.ts';
import type { EngineLogic } from '../logic/engine-logic.ts';
import { ENGINES, type Ruled } from '../logic/engines.ts';
import type { CommittedCommand } from '../record/submission.ts';
import { type Checkpoint, hashOf, type ReplaySource, replay } from './replay.ts';
import type { BadSnapshot, SnapshotStore } from './snapshots.ts';
import { upgrades } from './upgrade.ts';

export interface RecoverySource extends ReplaySource {
  readonly lane: LaneName;
  /** Used when the journal is new; afterwards the journal's own stand. */
  readonly parameters: Parameters;
  readonly snapshots: SnapshotStore | null;
}

export interface RecoveryProgress {
  readonly seq: number;
  readonly headSeq: number;
}

export interface RecoveryWatcher {
  readonly skipped?: (bad: BadSnapshot) => void;
  readonly progress?: (progress: RecoveryProgress) => void;
  /**
   * Where the replay starts, then where it is after every command: whether `replayed` shall be told of what comes next,
   * which is everything unless asked here. Must be cheap, which looking at the state of a former engine is not.
   */
  readonly reached?: (seq: number, state: () => State) => boolean;
  /** A boundary between two engines was written into the journal. */
  readonly upgraded?: (message: string) => void;
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

/** With the epoch of a lead, a journal of a former engine is upgraded; without, it is refused. */
export async function recover(
  source: RecoverySource,
  watcher: RecoveryWatcher = {},
  epoch: number | null = null,
): Promise<Recovered> {
  const { engines = ENGINES } = source;
  const head = await source.journal.head();
  refuseLostTail(source, head.seq);
  const checkpoint = await findCheckpoint(source, Number.MAX_SAFE_INTEGER, watcher);
  const { reached } = watcher;
  const isWanted = (at: Checkpoint['state'], engine: Checkpoint['engine']): boolean =>
    reached?.(at.seq, () => engines.today({ engine, state: at })) ?? true;
  isWanted(checkpoint.state, checkpoint.engine);
  if (head.seq === 0) saveFirst(source, checkpoint);
  if (head.seq > 0) await tendFirst(source, watcher);
  let ended = checkpoint;
  const watch = { watch: (_: CommittedCommand, at: Ruled) => isWanted(at.state, at.engine) };
  for await (const { ruled, link, commands } of replay(source, checkpoint, 'sample', watch)) {
    ended = { ...ruled, link };
    watcher.replayed?.(commands);
    watcher.progress?.({ seq: link.seq, headSeq: head.seq });
  }
  if (ended.link.seq < head.seq) {
    throw new RecoveryRefused(
      `the journal says that it ends at ${head.seq} but reads only to ${ended.link.seq}`,
    );
  }
  if (ended.engine !== engines.current) ended = await upgraded(source, ended, watcher, epoch);
  return { state: engines.today(ended), link: ended.link, snapshotSeq: checkpoint.link.seq };
}

async function upgraded(
  source: RecoverySource,
  from: Checkpoint,
  watcher: RecoveryWatcher,
  epoch: number | null,
): Promise<Checkpoint> {
  if (epoch === null) {
    throw new RecoveryRefused(
      `the journal ends under engine logic ${from.engine.logic}: a start of the server upgrades it`,
    );
  }
  let ended = from;
  for await (const { checkpoint, committed, message } of upgrades(source, from, epoch)) {
    ended = checkpoint;
    const { engines = ENGINES } = source;
    watcher.reached?.(checkpoint.state.seq, () => engines.today(checkpoint));
    watcher.replayed?.([engines.retell(checkpoint.engine, committed)]);
    watcher.upgraded?.(message);
  }
  return ended;
}

/** The parameters that the chain hangs on. One that is there already was the first of a start that was cut off. */
function saveFirst({ snapshots, engines = ENGINES }: RecoverySource, checkpoint: Checkpoint): void {
  if (checkpoint.engine === engines.current)
    snapshots?.save(engines.today(checkpoint), checkpoint.link);
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
  const { engines = ENGINES } = source;
  const checkpoint = await findCheckpoint(source, afterSeq, {});
  begin?.(engines.today(checkpoint));
  const options = { sliceMs: SLICE_MS };
  for await (const { commands } of replay(source, checkpoint, 'sample', options)) {
    const wanted =
      begin === undefined ? commands.filter(({ command }) => command.seq > afterSeq) : commands;
    if (wanted.length > 0) yield wanted;
  }
}

/**
 * Not needed to go on, but no backup can be restored without it: it is made anew where the chain proves that the parameters of
 * this start are those that the journal began with.
 */
async function tendFirst(source: RecoverySource, { skipped }: RecoveryWatcher): Promise<void> {
  const { snapshots, journal } = source;
  const first = snapshots?.examine(0) ?? null;
  if (first === null || 'state' in first) return;
  const { file, reason } = first;
  const begun = await hashInJournal(journal, 0);
  const made = genesis(source, begun);
  if (made.link.hash === begun) saveFirst(source, made);
  const isMade = 'state' in (snapshots?.examine(0) ?? first);
  const advice = isMade
    ? 'it was made anew'
    : 'no backup can be made without it: put that of an earlier backup in its place';
  skipped?.({ file, reason: `${reason}; ${advice}` });
}

/** A state to replay from: a snapshot whose position in the journal is confirmed, else the beginning. */
export async function findCheckpoint(
  source: RecoverySource,
  seqMax: number,
  watcher: RecoveryWatcher,
): Promise<Checkpoint> {
  const loaded = source.snapshots?.newest(seqMax, watcher.skipped ?? (() => {})) ?? null;
  const begun = await hashInJournal(source.journal, 0);
  const checkpoint = loaded ?? genesis(source, begun);
  const { state, link } = checkpoint;
  if (state.lane !== source.lane) {
    throw new RecoveryRefused(`the snapshot is of the ${state.lane} lane, not of ${source.lane}`);
  }
  const confirmed = link.seq === 0 ? begun : await hashInJournal(source.journal, link.seq);
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
  return checkpoint;
}

/**
 * The chain hangs on the hash of the state that it began with, so other parameters make another journal, and so does
 * another engine: the one that began it is known by that hash, which is null for a journal that begins now.
 */
function genesis(source: RecoverySource, begun: string | null): Checkpoint {
  const { lane, parameters, engines = ENGINES } = source;
  const first = (engine: EngineLogic): Checkpoint => {
    const ruled = { engine, state: engine.createState(lane, parameters) };
    return { ...ruled, link: { seq: 0, hash: hashOf(ruled), tsMs: 0, epoch: 0 } };
  };
  const ours = first(engines.current);
  if (begun === null || begun === ours.link.hash) return ours;
  for (const logic of engines.known.slice(1)) {
    const former = first(engines.find(logic, 'the journal began with'));
    if (former.link.hash === begun) return former;
  }
  return ours;
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
