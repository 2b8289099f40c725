// A lane: the one writer of a total order. It applies commands, makes them durable, and only then lets anything out.
import { isRelief, type LaneName, type Outcome, type State } from '@sibyl/engine';
import { type ChainLink, linkOf } from '../journal/chain.ts';
import { type Journal, type JournalCommit, JournalFull } from '../journal/journal.ts';
import type { CommitListener, CommittedCommand, Submission } from '../record/submission.ts';
import { TextSheet } from '../record/text-sheet.ts';
import { type Recovered, type RecoverySource, recover, replayAfter } from '../recovery/recover.ts';
import { SnapshotMaker } from '../recovery/snapshot-maker.ts';
import type { SnapshotStore } from '../recovery/snapshots.ts';
import type { Clock } from '../time/clock.ts';
import { Alarm } from './alarm.ts';
import { BatchWait } from './batch-wait.ts';
import { ClockWatch } from './clock-watch.ts';
import { Flight, isDue, type Loading, type Read, settling } from './flight.ts';
import { type ClockDecision, JournalTime } from './journal-time.ts';
import {
  type LaneLimits,
  type LaneNotice,
  type LaneOptions,
  type LaneState,
  type LaneStatus,
  LIMITS,
} from './lane-options.ts';
import { CommandQueue, ownCommand, type QueuedCommand } from './queue.ts';
import { LaneUnavailable, textOf, type UnavailableCode } from './unavailable.ts';

export type { CommittedCommand, Submission } from '../record/submission.ts';

export class Lane {
  readonly name: LaneName;
  readonly journal: Pick<Journal, 'read'>;
  readonly #source: RecoverySource;
  readonly #clock: Clock;
  readonly #limits: LaneLimits;
  readonly #notify: (notice: LaneNotice) => void;
  readonly #queue: CommandQueue;
  readonly #batchWait: BatchWait;
  readonly #listeners = new Set<CommitListener>();
  readonly #wakeUp: Alarm;
  readonly #refill: Alarm;
  readonly #maker: SnapshotMaker | null;
  #engine: State;
  #link: ChainLink;
  readonly #time: JournalTime;
  readonly #watch: ClockWatch;
  readonly #loading: Loading;
  #status: LaneState = 'recovering';
  #reason: string | null = 'starting';
  #flight: Flight | null = null;
  #isScheduled = false;
  #isClosing = false;
  /** Not even a cancel can be journaled: trying again would only throw memory away again. */
  #isExhausted = false;
  #recoveredAtMs = Number.NEGATIVE_INFINITY;
  #idle: (() => void)[] = [];

  /** Recovers from snapshot and journal, takes the lead, and journals that it did. */
  static async open(options: LaneOptions): Promise<Lane> {
    const { name, parameters, journal, snapshots, engines } = options;
    const source: RecoverySource = { lane: name, parameters, journal, snapshots, engines };
    const epoch = await journal.lead();
    const lane = new Lane(options, source, await recover(source, options.watcher, epoch), epoch);
    await lane.#resume();
    return lane;
  }

  private constructor(
    options: LaneOptions,
    source: RecoverySource,
    recovered: Recovered,
    epoch: number,
  ) {
    this.name = options.name;
    this.journal = options.journal;
    this.#source = source;
    this.#clock = options.clock;
    for (const listener of options.listeners ?? []) this.#listeners.add(listener);
    this.#limits = { ...LIMITS, ...options.limits };
    this.#notify = options.notify ?? (() => {});
    this.#queue = new CommandQueue(this.#limits.queueMax, this.#limits.reliefMax);
    this.#batchWait = new BatchWait(this.#limits);
    this.#engine = recovered.state;
    this.#link = recovered.link;
    this.#time = new JournalTime(this.#clock, recovered.state.nowMs, options.clockOffsetMs);
    this.#watch = new ClockWatch({
      clock: this.#clock,
      time: this.#time,
      putFirst: (body) => this.#putFirst(body),
      alarm: (message) => this.#tell(message, 'warn'),
    });
    this.#loading = {
      epoch,
      time: this.#time,
      clock: this.#clock,
      limits: this.#limits,
      sheet: new TextSheet(),
    };
    this.#wakeUp = new Alarm(this.#clock);
    this.#refill = new Alarm(this.#clock);
    this.#maker =
      source.snapshots === null ? null : this.#createMaker(source.snapshots, recovered.snapshotSeq);
  }

  /** Resolves when the command is durable; rejects with LaneUnavailable when it was not taken or its fate is unknown. */
  submit(submission: Submission): Promise<Outcome> {
    const refusal = this.#refusal(submission);
    if (refusal !== null) return Promise.reject(refusal);
    return new Promise((resolve, reject) => {
      this.#queue.add({ submission, resolve, reject });
      if (!this.#batchWait.isOpen(this.#queue.size)) this.#schedule();
    });
  }

  /** Runs now; what it returns or throws is released when everything that it could have seen is durable. */
  read<T>(query: (state: State) => T): Promise<T> {
    if (this.#status === 'stopped' || this.#status === 'recovering')
      return Promise.reject(this.#unavailable());
    const flight = this.#flight;
    return new Promise((resolve, reject) => {
      const release = settling(() => query(this.#engine), resolve, reject);
      if (flight === null) release();
      else flight.reads.push({ release, refuse: reject });
    });
  }

  /** Replays what came after the command, up to what is durable now: for projections that must catch up. */
  replayAfter(
    afterSeq: number,
    begin?: (state: State) => void,
  ): AsyncIterable<readonly CommittedCommand[]> {
    return replayAfter(this.#source, afterSeq, begin);
  }

  /** Batches in order, after they are durable and before their answers leave. The call must be cheap. */
  onCommitted(listener: CommitListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  status(): LaneStatus {
    return {
      state: this.#status,
      seq: this.#engine.seq,
      durableSeq: this.#link.seq,
      reason: this.#reason ?? this.#watch.reason,
      clockDifferenceMs: this.#time.differenceMs,
    };
  }

  /** Journal time of this moment. */
  nowMs(): number {
    return this.#time.nowMs();
  }

  /** Whose time is right, where journal time and wall time differ; the offset that is accepted from now on. */
  decideClock(decision: ClockDecision): number {
    this.#watch.decide(decision);
    return this.#time.offsetMs;
  }

  /** Finishes what was taken, writes a last snapshot, lets go of the journal. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#batchWait.close();
    this.#schedule();
    this.#wakeUp.cancel();
    this.#refill.cancel();
    this.#watch.stop();
    await this.#maker?.stop();
    if (this.#flight !== null || !this.#queue.isEmpty) {
      await new Promise<void>((resolve) => this.#idle.push(resolve));
    }
    if (this.#status === 'running') this.#maker?.saveNow(this.#engine, this.#link);
    this.#status = 'stopped';
    this.#reason ??= 'closed';
    await this.#source.journal.close();
  }

  #refusal(submission: Submission): LaneUnavailable | null {
    if (this.#isClosing) return this.#unavailable();
    const parted = this.#watch.reason;
    if (parted !== null && !isRelief(submission)) {
      return new LaneUnavailable('READ_ONLY_MODE', 'read_only', parted);
    }
    if (this.#status === 'running') return this.#queue.refusal(submission);
    if (this.#status === 'read_only' && !this.#isExhausted && isRelief(submission)) {
      return this.#queue.refusal(submission);
    }
    return this.#unavailable();
  }

  #unavailable(): LaneUnavailable {
    const status = this.#isClosing || this.#status === 'running' ? 'closing' : this.#status;
    const code: UnavailableCode = status === 'read_only' ? 'READ_ONLY_MODE' : 'SERVICE_UNAVAILABLE';
    return new LaneUnavailable(code, status, this.#reason ?? 'the lane is not running');
  }

  /** At the end of this turn of the event loop, so that requests which came in together share a commit. */
  #schedule(): void {
    if (this.#isScheduled || this.#flight !== null) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#fly();
    });
  }

  #fly(): void {
    if (this.#flight !== null || this.#queue.isEmpty || !this.#isServing) return;
    // Nothing comes before a recovery.
    if (this.#queue.first?.submission.body.type !== 'recover') this.#watch.check();
    const flight = new Flight();
    let commit: JournalCommit;
    try {
      commit = flight.load(this.#engine, this.#queue, this.#link, this.#loading);
    } catch (defect) {
      const culprit = flight.entries[flight.entries.length - 1]!.submission;
      const reason = `${culprit.body.type} of ${culprit.requestId}: ${textOf(defect)}`;
      this.#abandon(flight.entries, `a defect stopped the lane in ${reason}`);
      this.#recoverFrom(reason, 'defect');
      return;
    }
    this.#flight = flight;
    this.#source.journal.append(commit, this.#loading.epoch).then(
      () => this.#land(flight, linkOf(commit)),
      (error: unknown) => this.#lose(flight, error),
    );
  }

  #land(flight: Flight, link: ChainLink): void {
    this.#flight = null;
    this.#link = link;
    try {
      for (const listener of this.#listeners) listener(flight.commands);
    } finally {
      for (const [index, entry] of flight.entries.entries())
        entry.resolve(flight.commands[index]!.outcome);
      for (const read of flight.reads) read.release();
      this.#continue(flight.unload());
    }
  }

  #continue(landed: number): void {
    if (this.#source.journal.isOnReserve && this.#status === 'running')
      this.#enterReadOnly('the disk is full');
    this.#armWakeUp();
    this.#maker?.consider(this.#link.seq, this.#limits.snapshotEvery);
    if (this.#queue.isEmpty) this.#announceIdle();
    if (landed >= this.#limits.gatherMin && !this.#isClosing) {
      this.#batchWait.open(landed + this.#queue.size, () => this.#schedule());
    }
    if (!this.#queue.isEmpty && !this.#batchWait.isOpen(this.#queue.size)) this.#schedule();
  }

  /** The engine is ahead of the disk. Nothing of the batch may be answered, and nothing may be built on it. */
  #lose(flight: Flight, error: unknown): void {
    this.#flight = null;
    const reason = textOf(error);
    if (error instanceof JournalFull) {
      this.#abandon(flight.entries, reason, flight.reads);
      this.#recoverFrom(reason, 'full');
      return;
    }
    this.#stop(reason, flight.entries, flight.reads);
  }

  #stop(reason: string, entries: readonly QueuedCommand[] = [], reads: readonly Read[] = []): void {
    this.#status = 'stopped';
    this.#reason = reason;
    this.#wakeUp.cancel();
    this.#refill.cancel();
    this.#watch.stop();
    this.#abandon(entries, reason, reads);
    this.#tell(reason, 'error');
  }

  /** Everybody who waits is told that the fate of the command is unknown. */
  #abandon(entries: readonly QueuedCommand[], reason: string, reads: readonly Read[] = []): void {
    const error = new LaneUnavailable('SERVICE_UNAVAILABLE', 'interrupted', reason);
    for (const entry of entries) entry.reject(error);
    for (const read of reads) read.refuse(error);
    for (let entry = this.#queue.take(); entry !== null; entry = this.#queue.take())
      entry.reject(error);
    this.#announceIdle();
  }

  /** Memory is thrown away and rebuilt from the disk: once, and not again soon, since a defect may come back at once. */
  #recoverFrom(reason: string, cause: 'defect' | 'full'): void {
    const nowMs = this.#clock.monotonicMs();
    if (cause === 'defect' && nowMs - this.#recoveredAtMs < this.#limits.recoveryGapMs) {
      this.#stop(`a second defect soon after a recovery: ${reason}`);
      return;
    }
    if (cause === 'defect') this.#recoveredAtMs = nowMs;
    this.#status = 'recovering';
    this.#reason = reason;
    this.#tell(reason);
    recover(this.#source)
      .then((recovered) => {
        this.#engine = recovered.state;
        this.#link = recovered.link;
        if (cause === 'defect') return this.#resume();
        this.#isExhausted = true;
        return this.#enterReadOnly(reason);
      })
      .catch((error: unknown) =>
        this.#stop(`recovery failed: ${textOf(error)}; before that: ${reason}`),
      );
  }

  /** Journals the `recover` command and ticks until nothing is due; requests that come meanwhile wait. */
  async #resume(): Promise<void> {
    this.#status = 'running';
    this.#reason = null;
    this.#isExhausted = false;
    if (this.#source.journal.isOnReserve) this.#enterReadOnly('the disk is full');
    try {
      await this.#submitOwn({ type: 'recover' });
      const untilMs = this.#time.nowMs();
      while (isDue(this.#engine, untilMs)) await this.#submitOwn({ type: 'tick' });
      this.#watch.check();
      this.#watch.start();
    } catch (error) {
      if (this.status().state === 'stopped') throw error;
      return;
    }
    this.#tell(`running at ${this.#link.seq}`);
  }

  #submitOwn(body: Submission['body']): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.#queue.add(ownCommand(body, resolve, reject));
      this.#schedule();
    });
  }

  /** While nothing can be journaled it is left out. */
  #putFirst(body: Submission['body']): void {
    if (!this.#isServing || this.#isExhausted) return;
    this.#queue.addFirst(ownCommand(body));
    this.#schedule();
  }

  #enterReadOnly(reason: string): void {
    this.#status = 'read_only';
    this.#reason = reason;
    this.#tell(reason, 'error');
    this.#refill.set(this.#limits.refillMs, () => this.#leaveReadOnly());
  }

  #leaveReadOnly(): void {
    this.#source.journal.refillReserve().then(
      (isHeld) => {
        if (this.#status !== 'read_only' || this.#isClosing) return;
        if (!isHeld) this.#refill.set(this.#limits.refillMs, () => this.#leaveReadOnly());
        else this.#resume().catch(() => undefined);
      },
      (error: unknown) => this.#stop(textOf(error)),
    );
  }

  /** Timers of the engine ring in commands; when none comes in time, the lane sends one of its own. */
  #armWakeUp(): void {
    if (this.#isClosing || this.#isExhausted || !this.#isServing) return;
    const dueMs = this.#engine.timers.nextDueMs();
    if (dueMs === null) {
      this.#wakeUp.cancel();
      return;
    }
    this.#wakeUp.set(dueMs - this.#time.nowMs(), () => {
      if (this.#time.nowMs() < dueMs) this.#armWakeUp();
      else this.#putFirst({ type: 'tick' });
    });
  }

  get #isServing(): boolean {
    return this.#status === 'running' || this.#status === 'read_only';
  }

  #announceIdle(): void {
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  #tell(message: string, level: LaneNotice['level'] = 'info'): void {
    this.#notify({ lane: this.name, state: this.#status, message, level });
  }

  #createMaker(store: SnapshotStore, snapshotSeq: number): SnapshotMaker {
    return new SnapshotMaker(store, this.#source.journal, snapshotSeq, {
      saved: (seq) => this.#tell(`snapshot ${seq} was saved`),
      failed: (message) => this.#tell(message),
      diverged: (message) => this.#stop(message),
    });
  }
}
