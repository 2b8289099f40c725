// One listener of one stream: frames by callback or by iteration, bounded, and never silently short.

import { deferred } from '../deferred.ts';
import type { StreamState } from './stream-state.ts';

export type ResyncNotice = {
  readonly stream: string;
  /** gap, buffer_overrun, slow_consumer, epoch_changed, or a word that a later server adds. */
  readonly reason: string;
  /** A snapshot follows; otherwise read what was missed over REST. */
  readonly snapshot: boolean;
};

export type SubscribeOptions<Frame> = {
  /** Called with each frame in order; without it, iterate over the subscription. */
  readonly onFrame?: (frame: Frame) => void;
  /** Called when messages were lost for good: what follows starts anew. */
  readonly onResync?: (notice: ResyncNotice) => void;
  /** How many frames may wait for a slow iteration before it fails with StreamOverrun. */
  readonly bufferMax?: number;
};

/** The iteration fell so far behind that frames would have been lost. */
export class StreamOverrun extends Error {
  override readonly name = 'StreamOverrun';
}

/** A subscription as its socket sees it, whatever its frames are. */
export interface Listener {
  /** Hands a frame over. */
  deliver(frame: Readonly<Record<string, unknown>>): void;
  /** The subscription stands. */
  accept(): void;
  /** Messages were lost for good. */
  resync(notice: ResyncNotice): void;
  /** No more frames come. */
  finish(error: Error | null): void;
}

/** What a subscription needs of its socket. */
export type Feed = { readonly state: StreamState; readonly leave: () => void };

export class Subscription<Frame> implements AsyncIterable<Frame>, Listener {
  readonly stream: string;
  /** Settles when the service has taken the subscription, or refused it. */
  readonly ready: Promise<void>;
  readonly #options: SubscribeOptions<Frame>;
  readonly #feed: Feed;
  readonly #buffer: Frame[] = [];
  #settle: { readonly resolve: () => void; readonly reject: (error: Error) => void };
  #wake: (() => void) | null = null;
  #end: { readonly error: Error | null } | null = null;

  constructor(stream: string, feed: Feed, options: SubscribeOptions<Frame>) {
    this.stream = stream;
    this.#feed = feed;
    this.#options = options;
    const { promise, resolve, reject } = deferred<void>();
    this.ready = promise;
    this.#settle = { resolve, reject };
    // Whoever only iterates hears of a refusal there; it must not crash the process here as well.
    promise.catch(() => undefined);
  }

  /** The last number heard; null before the first. */
  get lastSeq(): number | null {
    return this.#feed.state.last;
  }

  /** Whether everything up to now has been heard. */
  get isSynced(): boolean {
    return this.#end === null && this.#feed.state.isSynced;
  }

  close(): void {
    this.finish(null);
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Frame> {
    try {
      for (;;) {
        const frame = this.#buffer.shift();
        if (frame !== undefined) yield frame;
        else if (this.#end !== null) break;
        else await this.#nextWake();
      }
      if (this.#end.error !== null) throw this.#end.error;
    } finally {
      this.close();
    }
  }

  deliver(whole: Readonly<Record<string, unknown>>): void {
    if (this.#end !== null) return;
    // The service's word for what it sends on this stream; the contract says which frames those are.
    const frame = whole as Frame;
    if (this.#options.onFrame !== undefined) {
      this.#options.onFrame(frame);
      return;
    }
    if (this.#buffer.length >= (this.#options.bufferMax ?? 10_000)) {
      this.finish(new StreamOverrun(`${this.stream}: frames arrive faster than they are taken`));
      return;
    }
    this.#buffer.push(frame);
    this.#wakeUp();
  }

  accept(): void {
    this.#settle.resolve();
  }

  resync(notice: ResyncNotice): void {
    if (this.#end === null) this.#options.onResync?.(notice);
  }

  finish(error: Error | null): void {
    if (this.#end !== null) return;
    this.#end = { error };
    if (error === null) this.#settle.resolve();
    else this.#settle.reject(error);
    this.#feed.leave();
    this.#wakeUp();
  }

  #nextWake(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #wakeUp(): void {
    const wake = this.#wake;
    this.#wake = null;
    wake?.();
  }
}
