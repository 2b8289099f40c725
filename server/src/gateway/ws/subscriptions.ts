// The streams of one connection: snapshots at the reader's pace, and what it gets after falling behind.
import { limits, streams } from '@sibyl/contract';
import type { Locale } from '@sibyl/contract/locales';
import type { State } from '@sibyl/engine';
import { conflatedFrames, originalFrames } from '../../streams/conflate.ts';
import type { ShowAccount, StreamHub } from '../../streams/hub.ts';
import type { Entry, Instance, Subscriber } from '../../streams/instance.ts';
import { defaultLocale } from '../../texts/locale.ts';
import type { Outlet } from './outlet.ts';
import type { SnapshotAllowance } from './snapshot-allowance.ts';

export type ResyncReason = 'gap' | 'buffer_overrun' | 'slow_consumer' | 'epoch_changed';

/** `waiting` has no snapshot yet; `behind` has missed something that it is still to be given. */
type Phase = 'waiting' | 'live' | 'behind';

interface Reader {
  readonly locale: Locale;
  readonly outlet: Outlet;
  resync(subscription: Subscription, reason: ResyncReason): void;
  missed(subscription: Subscription, bytes: number): void;
}

/** A replay goes out in pieces of so many messages. */
const PIECE = 256;
const { queueBytesMax } = limits.socket;

export class Subscription implements Subscriber {
  readonly hub: StreamHub;
  readonly instance: Instance;
  readonly showAccount: ShowAccount | null;
  readonly #reader: Reader;
  /** Whether messages had been kept before this reader came, so that it may have had some. */
  readonly wasKept: boolean;
  phase: Phase = 'live';
  sentSeq: number;
  /** A resumed reader was promised every message as it was. */
  isExact = false;
  /** Rises with every snapshot that is asked for: what was begun before is not finished. */
  round = 0;

  constructor(hub: StreamHub, instance: Instance, showAccount: ShowAccount | null, reader: Reader) {
    this.hub = hub;
    this.instance = instance;
    this.showAccount = showAccount;
    this.#reader = reader;
    this.wasKept = instance.isKept;
    this.sentSeq = instance.seq;
  }

  get locale(): Locale {
    return this.#reader.locale;
  }

  get hasSnapshot(): boolean {
    return streams[this.instance.parts.base].snapshot !== null;
  }

  deliver(chunk: Buffer, toSeq: number): void {
    if (this.phase === 'waiting' || toSeq <= this.sentSeq) return;
    if (this.phase === 'behind' || this.#reader.outlet.isBlocked) {
      this.phase = 'behind';
      this.#reader.missed(this, chunk.length);
      return;
    }
    this.#reader.outlet.push(chunk);
    this.sentSeq = toSeq;
  }

  /** Gives what was missed as far as the socket takes it. */
  catchUp(): void {
    const { outlet } = this.#reader;
    while (this.phase === 'behind' && !outlet.isBlocked) {
      const entries = this.instance.after(this.sentSeq);
      if (entries === null) {
        this.#reader.resync(this, 'slow_consumer');
        return;
      }
      const frames = this.#framesOf(entries);
      if (frames === null) {
        this.#reader.resync(this, 'slow_consumer');
        return;
      }
      for (const frame of frames) outlet.push(frame);
      this.sentSeq = this.isExact
        ? (entries[PIECE - 1]?.seq ?? this.instance.seq)
        : this.instance.seq;
      if (this.sentSeq < this.instance.seq) continue;
      this.phase = 'live';
      this.isExact = false;
    }
  }

  /** Null if it is more than a reader may have waiting. */
  #framesOf(entries: readonly Entry[]): readonly Buffer[] | null {
    const { name, parts } = this.instance;
    if (this.isExact) return originalFrames(name, entries.slice(0, PIECE), this.locale);
    const isConflated =
      parts.base === 'ticker' || parts.base === 'orderbook' || parts.base === 'fast_tick';
    const frames = isConflated
      ? conflatedFrames(name, this.sentSeq, entries)
      : originalFrames(name, entries, this.locale);
    const bytes = frames.reduce((sum, frame) => sum + frame.length, 0);
    return bytes > queueBytesMax ? null : frames;
  }
}

function live(subscription: Subscription): void {
  subscription.phase = 'live';
  subscription.sentSeq = subscription.instance.seq;
}

export class Subscriptions implements Reader {
  readonly outlet: Outlet;
  readonly #allowance: SnapshotAllowance | null;
  readonly #announce: (subscription: Subscription, reason: ResyncReason) => void;
  readonly #failed: (subscription: Subscription, error: unknown) => void;
  readonly #byName = new Map<string, Subscription>();
  readonly #behind = new Set<Subscription>();
  readonly #waiting = new Set<Subscription>();
  #isPumping = false;
  #wake: (() => void) | null = null;
  #isClosed = false;
  /** The language of whatever is sent from now on. */
  locale: Locale = defaultLocale;
  /** What was not written because the reader lagged, since it last kept up. */
  missedBytes = 0;

  constructor(
    outlet: Outlet,
    allowance: SnapshotAllowance | null,
    announce: (subscription: Subscription, reason: ResyncReason) => void,
    failed: (subscription: Subscription, error: unknown) => void,
  ) {
    this.outlet = outlet;
    this.#allowance = allowance;
    this.#announce = announce;
    this.#failed = failed;
  }

  get size(): number {
    return this.#byName.size;
  }

  get behind(): Iterable<Subscription> {
    return this.#behind;
  }

  find(name: string): Subscription | undefined {
    return this.#byName.get(name);
  }

  all(): Iterable<Subscription> {
    return this.#byName.values();
  }

  put(subscription: Subscription): void {
    const { name } = subscription.instance;
    this.remove(name);
    this.#byName.set(name, subscription);
  }

  remove(name: string): boolean {
    const known = this.#byName.get(name);
    if (known === undefined) return false;
    known.hub.registry.unlisten(known.instance, known);
    this.#byName.delete(name);
    this.#behind.delete(known);
    this.#waiting.delete(known);
    return true;
  }

  close(): void {
    this.#isClosed = true;
    for (const name of [...this.#byName.keys()]) this.remove(name);
    this.#wake?.();
  }

  /** The state is sent as soon as the reader takes it; until then nothing of the stream is. */
  await(subscription: Subscription): void {
    subscription.phase = 'waiting';
    subscription.round += 1;
    this.#behind.delete(subscription);
    this.#waiting.add(subscription);
    if (!this.#isPumping) void this.#pump();
  }

  /** Whether the address may be sent so much of the past again: it shares in what snapshots may take. */
  affords(bytes: number): boolean {
    if (this.#allowance === null || bytes === 0) return true;
    if (!this.#allowance.hasRoom) return false;
    this.#allowance.spend(bytes);
    return true;
  }

  /** Replays from the number on. */
  replay(subscription: Subscription, afterSeq: number): void {
    subscription.sentSeq = afterSeq;
    if (afterSeq === subscription.instance.seq) return;
    subscription.phase = 'behind';
    subscription.isExact = true;
    this.#behind.add(subscription);
  }

  missed(subscription: Subscription, bytes: number): void {
    this.missedBytes += bytes;
    this.#behind.add(subscription);
  }

  resync(subscription: Subscription, reason: ResyncReason): void {
    this.#behind.delete(subscription);
    subscription.isExact = false;
    this.#announce(subscription, reason);
    if (subscription.hasSnapshot) {
      this.await(subscription);
      return;
    }
    subscription.phase = 'live';
    subscription.sentSeq = subscription.instance.seq;
  }

  /** The socket takes more. */
  ready(): void {
    for (const subscription of this.#behind) {
      if (this.outlet.isBlocked) return;
      subscription.catchUp();
      if (subscription.phase !== 'behind') this.#behind.delete(subscription);
    }
    if (this.#behind.size === 0) this.missedBytes = 0;
    this.#wake?.();
  }

  async #pump(): Promise<void> {
    this.#isPumping = true;
    for (const subscription of this.#waiting) {
      let round: number;
      do {
        round = subscription.round;
        await this.#send(subscription, round).catch((error: unknown) =>
          this.#failed(subscription, error),
        );
      } while (round !== subscription.round && this.#isWanted(subscription));
      this.#waiting.delete(subscription);
    }
    this.#isPumping = false;
  }

  async #send(subscription: Subscription, round: number): Promise<void> {
    const { hub, instance } = subscription;
    const parts = await hub.partsOf(instance);
    for (const part of parts) {
      // All books at once would hold everybody else up.
      if (parts.length > 1) await new Promise((resolve) => setImmediate(resolve));
      await this.#allowance?.room();
      if (!this.#isWanted(subscription)) return;
      await hub.prepare(instance, part);
      do {
        await this.#roomToWrite();
        if (!this.#isWanted(subscription) || round !== subscription.round) return;
      } while (!(await hub.settled((state) => this.#sendPart(state, subscription, part))));
    }
    if (parts.length === 0) live(subscription);
  }

  /** False if the reader must be given what it missed before, and has no room for that. */
  #sendPart(state: State, subscription: Subscription, part: string | null): boolean {
    const { hub, instance, showAccount } = subscription;
    if (!this.#isWanted(subscription)) return true;
    const frames = hub.snapshotFrames(state, instance, part, { showAccount, locale: this.locale });
    // A snapshot of one book moves the number on: nothing of the others may be missing before it.
    if (subscription.phase === 'behind') subscription.catchUp();
    if (subscription.phase === 'behind') return false;
    for (const frame of frames) this.outlet.push(frame);
    this.#allowance?.spend(frames.reduce((sum, frame) => sum + frame.length, 0));
    live(subscription);
    return true;
  }

  #isWanted(subscription: Subscription): boolean {
    return !this.#isClosed && this.#byName.get(subscription.instance.name) === subscription;
  }

  async #roomToWrite(): Promise<void> {
    while (this.outlet.isBlocked && !this.#isClosed) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = null;
    }
  }
}
