// What is known of one stream: its last number, and whether the next frame follows it.

import type { AnyFrame } from './frames.ts';

/**
 * `idle`: to be asked for. `asked`: the reply or the snapshot is on its way. `live`: in sequence.
 * `recovering`: something was missed and has been asked for.
 */
export type Phase = 'idle' | 'asked' | 'live' | 'recovering';

export type Verdict = 'deliver' | 'drop' | 'gap';

/** The numbers of one stream, by the four rules of the contract. */
export class StreamState {
  phase: Phase = 'idle';
  /** Null until a snapshot, or a reply without one, has set it. */
  last: number | null = null;
  epoch: string | null = null;
  #owed = 0;
  #isOverdue = false;

  get isSynced(): boolean {
    return this.phase === 'live' && this.last !== null;
  }

  /** Judges a frame and moves on if it is to be delivered. */
  receive(frame: AnyFrame, epoch: string): Verdict {
    if (frame.seq === null) return 'drop';
    if (frame.prev_seq === null) {
      this.last = Math.max(this.last ?? 0, frame.seq);
      this.epoch = epoch;
      this.phase = 'live';
      return 'deliver';
    }
    if (this.last === null || frame.seq <= this.last) return 'drop';
    if (frame.prev_seq > this.last) {
      if (this.phase !== 'live') return 'drop';
      this.phase = 'recovering';
      return 'gap';
    }
    this.last = frame.seq;
    return 'deliver';
  }

  /**
   * Compares with a heartbeat; true if the stream must be asked for again. What was owed at the last
   * heartbeat and has not come by this one is lost, and so is a stream that the server no longer
   * names, or a reply that is still out. One heartbeat of patience leaves room for what is on its way.
   */
  heartbeat(seq: number | null): boolean {
    const isBehind = seq === null || !this.isSynced || (this.last ?? 0) < this.#owed;
    this.#owed = seq ?? this.#owed;
    const isWaiting = seq === null || !this.isSynced;
    const isLost = isBehind && (!isWaiting || this.#isOverdue);
    this.#isOverdue = isWaiting && !isLost;
    if (isLost) this.phase = 'recovering';
    return isLost;
  }

  /** The reply to SUBSCRIBE: where the stream is, and whether a snapshot follows. */
  subscribed(seq: number, epoch: string, snapshotFollows: boolean): void {
    // Asked for twice, a stream without a snapshot goes on from what was really heard of it.
    const isContinued = this.isSynced && this.epoch === epoch && !snapshotFollows;
    if (!isContinued) this.restart(seq, epoch, snapshotFollows);
  }

  /** The reply to RESUME: what was missed follows with its own numbers. */
  resumed(epoch: string): void {
    this.#forgive();
    this.epoch = epoch;
    this.phase = this.last === null ? 'asked' : 'live';
  }

  /** Nothing is known any more; without a snapshot the stream goes on from `seq`. */
  restart(seq: number, epoch: string, snapshotFollows: boolean): void {
    this.#forgive();
    this.epoch = epoch;
    this.last = snapshotFollows ? null : seq;
    this.phase = snapshotFollows ? 'asked' : 'live';
  }

  /** The connection is gone; what was learnt stays for RESUME. */
  disconnect(): void {
    this.#forgive();
    this.phase = 'idle';
  }

  #forgive(): void {
    this.#owed = 0;
    this.#isOverdue = false;
  }
}
