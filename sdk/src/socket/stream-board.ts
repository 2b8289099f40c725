// All streams of a socket: who listens to which, what to ask the server for, and which listeners a frame goes to.

import { SibylError } from '../errors.ts';
import { type AnyFrame, isRecord, recordsOf } from './frames.ts';
import { errorOf } from './link.ts';
import { StreamState } from './stream-state.ts';
import {
  type Listener,
  type ResyncNotice,
  type SubscribeOptions,
  Subscription,
} from './subscription.ts';

/** Sends a command; a refusal of the whole command comes back as an error. */
export type Send = (op: string, fields: Readonly<Record<string, unknown>>) => Promise<unknown>;

type Stream = { readonly state: StreamState; readonly listeners: Set<Listener> };

/** So many names fit into one frame whatever their length. */
const namesPerFrame = 100;

export class StreamBoard {
  readonly #streams = new Map<string, Stream>();
  readonly #toSubscribe = new Set<string>();
  readonly #toResume = new Set<string>();
  readonly #toLeave = new Set<string>();
  readonly #onResync: (notice: ResyncNotice) => void;
  #send: Send | null = null;
  #isFlushing = false;

  constructor(onResync: (notice: ResyncNotice) => void) {
    this.#onResync = onResync;
  }

  join<Frame>(name: string, options: SubscribeOptions<Frame>): Subscription<Frame> {
    const stream = this.#streams.get(name) ?? { state: new StreamState(), listeners: new Set() };
    this.#streams.set(name, stream);
    this.#toLeave.delete(name);
    const { state, listeners } = stream;
    const leave = (): void => this.#leave(name, subscription);
    const subscription = new Subscription<Frame>(name, { state, leave }, options);
    listeners.add(subscription);
    this.#toSubscribe.add(name);
    this.#flushSoon();
    return subscription;
  }

  /** Asks for a fresh snapshot; until it comes nothing of the stream is delivered. */
  refresh(name: string): void {
    const stream = this.#streams.get(name);
    if (stream === undefined) return;
    stream.state.last = null;
    stream.state.phase = 'asked';
    this.#toSubscribe.add(name);
    this.#flushSoon();
  }

  /** A connection is ready: everything is asked for, and continued where it left off. */
  connected(send: Send): void {
    this.#send = send;
    this.#toSubscribe.clear();
    this.#toResume.clear();
    this.#toLeave.clear();
    for (const [name, { state }] of this.#streams) {
      (state.last === null ? this.#toSubscribe : this.#toResume).add(name);
    }
    this.#flush();
  }

  disconnected(): void {
    this.#send = null;
    for (const { state } of this.#streams.values()) state.disconnect();
  }

  /** Ends every subscription. */
  finish(error: Error | null): void {
    for (const { listeners } of [...this.#streams.values()]) {
      for (const listener of [...listeners]) listener.finish(error);
    }
  }

  receive(frame: AnyFrame, epoch: string): void {
    switch (frame.type) {
      case 'subscribed':
        this.#subscribed(frame, epoch);
        break;
      case 'resumed':
        this.#resumed(frame, epoch);
        break;
      case 'resync_required':
        this.#resync(frame, epoch);
        break;
      case 'heartbeat':
        this.#heartbeat(frame);
        break;
      default:
        this.#deliver(frame, epoch);
    }
  }

  #deliver(frame: AnyFrame, epoch: string): void {
    const name = frame.stream;
    const stream = name === null ? undefined : this.#streams.get(name);
    if (name === null || stream === undefined) return;
    const verdict = stream.state.receive(frame, epoch);
    if (verdict === 'deliver') {
      for (const listener of [...stream.listeners]) listener.deliver(frame.whole);
    }
    if (verdict === 'gap') this.#recover(name);
  }

  #subscribed(frame: AnyFrame, epoch: string): void {
    for (const { stream: name, seq, snapshot } of recordsOf(frame.data.streams)) {
      const stream = typeof name === 'string' ? this.#streams.get(name) : undefined;
      if (stream === undefined || typeof seq !== 'number') continue;
      stream.state.subscribed(seq, epoch, snapshot === true);
      for (const listener of stream.listeners) listener.accept();
    }
    this.#rejected(frame);
  }

  #resumed(frame: AnyFrame, epoch: string): void {
    for (const { stream: name } of recordsOf(frame.data.streams)) {
      const stream = typeof name === 'string' ? this.#streams.get(name) : undefined;
      if (stream === undefined) continue;
      stream.state.resumed(epoch);
      for (const listener of stream.listeners) listener.accept();
    }
    this.#rejected(frame);
  }

  #rejected(frame: AnyFrame): void {
    for (const rejection of recordsOf(frame.data.rejected)) {
      if (typeof rejection.stream === 'string') this.#refuse(rejection.stream, errorOf(rejection));
    }
  }

  #refuse(name: string, error: Error): void {
    for (const listener of [...(this.#streams.get(name)?.listeners ?? [])]) listener.finish(error);
  }

  #resync(frame: AnyFrame, epoch: string): void {
    const { stream: name, reason, last_seq: seq, snapshot } = frame.data;
    const stream = typeof name === 'string' ? this.#streams.get(name) : undefined;
    if (typeof name !== 'string' || stream === undefined) return;
    const isFollowed = snapshot !== false;
    stream.state.restart(typeof seq === 'number' ? seq : 0, epoch, isFollowed);
    const notice = { stream: name, reason: String(reason), snapshot: isFollowed };
    for (const listener of [...stream.listeners]) {
      listener.accept();
      listener.resync(notice);
    }
    this.#onResync(notice);
  }

  #heartbeat(frame: AnyFrame): void {
    const seqs = isRecord(frame.data.seqs) ? frame.data.seqs : {};
    for (const [name, { state }] of this.#streams) {
      const seq = seqs[name];
      if (state.heartbeat(typeof seq === 'number' ? seq : null)) this.#recover(name);
    }
  }

  /** What is known is continued; where nothing is, the stream is asked for from the start. */
  #recover(name: string): void {
    const isKnown = (this.#streams.get(name)?.state.last ?? null) !== null;
    (isKnown ? this.#toResume : this.#toSubscribe).add(name);
    this.#flushSoon();
  }

  #leave(name: string, subscription: Listener): void {
    const stream = this.#streams.get(name);
    if (stream?.listeners.delete(subscription) !== true || stream.listeners.size > 0) return;
    this.#streams.delete(name);
    this.#toSubscribe.delete(name);
    this.#toResume.delete(name);
    this.#toLeave.add(name);
    this.#flushSoon();
  }

  /** What one turn of the program asks for goes out together: control frames are throttled. */
  #flushSoon(): void {
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    queueMicrotask(() => {
      this.#isFlushing = false;
      this.#flush();
    });
  }

  #flush(): void {
    if (this.#send === null) return;
    for (const names of chunks(take(this.#toLeave))) void this.#ask('UNSUBSCRIBE', names);
    for (const [epoch, names] of this.#byEpoch(take(this.#toResume))) {
      for (const part of chunks(names)) void this.#ask('RESUME', part, epoch);
    }
    for (const names of chunks(take(this.#toSubscribe))) {
      for (const name of names) this.#mark(name, 'asked');
      void this.#ask('SUBSCRIBE', names);
    }
  }

  async #ask(op: string, names: readonly string[], epoch: string | null = null): Promise<void> {
    const fields = op === 'RESUME' ? this.#resumeFields(names, epoch) : { params: names };
    try {
      await this.#send?.(op, fields);
    } catch (error) {
      // A lost connection is asked again on the next one; only the service's own refusal is final.
      if (!(error instanceof SibylError)) return;
      for (const name of names) this.#refuse(name, error);
    }
  }

  #resumeFields(names: readonly string[], epoch: string | null) {
    for (const name of names) this.#mark(name, 'recovering');
    const numbers = names.map((name) => [name, this.#streams.get(name)?.state.last ?? 0]);
    return { ...(epoch !== null && { epoch }), streams: Object.fromEntries(numbers) };
  }

  #byEpoch(names: readonly string[]): ReadonlyMap<string | null, readonly string[]> {
    const groups = new Map<string | null, string[]>();
    for (const name of names) {
      const epoch = this.#streams.get(name)?.state.epoch ?? null;
      const group = groups.get(epoch);
      if (group === undefined) groups.set(epoch, [name]);
      else group.push(name);
    }
    return groups;
  }

  #mark(name: string, phase: StreamState['phase']): void {
    const state = this.#streams.get(name)?.state;
    if (state !== undefined && (state.phase !== 'live' || phase === 'recovering')) {
      state.phase = phase;
    }
  }
}

function take(names: Set<string>): readonly string[] {
  const taken = [...names];
  names.clear();
  return taken;
}

function chunks(names: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(names.length / namesPerFrame);
  return Array.from({ length: count }, (_, index) =>
    names.slice(index * namesPerFrame, (index + 1) * namesPerFrame),
  );
}
