// The socket of the service: connects, authenticates, comes back by itself, and carries the streams.

import { SibylConnectionError, SibylError } from '../errors.ts';
import { errorTable } from '../generated/errors.ts';
import type { AnyFrame, BaseOf, FrameOn, NoticeFrame, StreamNameText, TypesOn } from './frames.ts';
import { Link, type LinkEnd } from './link.ts';
import { type BookOptions, LiveOrderBook } from './live-order-book.ts';
import {
  reconnectPauseMs,
  type SocketOptions,
  type SocketSettings,
  socketSettingsOf,
} from './socket-options.ts';
import { StreamBoard } from './stream-board.ts';
import type { ResyncNotice, SubscribeOptions, Subscription } from './subscription.ts';

/** `waiting` for the next attempt after a loss; `closed` for good, by its user or by a refusal. */
export type SocketState = 'idle' | 'connecting' | 'open' | 'waiting' | 'closed';

export type SocketListeners = {
  readonly state: (state: SocketState) => void;
  /** Whatever the connection itself says, breakers and maintenance included. */
  readonly notice: (frame: NoticeFrame<TypesOn<'session' | 'broadcast'>>) => void;
  /** Messages of a stream were lost for good. */
  readonly resync: (notice: ResyncNotice) => void;
  /** A connection was lost, or the service refused something nobody waits for. */
  readonly fault: (error: Error) => void;
};

export type Identity = {
  readonly userId: string;
  readonly accountId: string;
  /** Epoch milliseconds; null if the credential does not end. */
  readonly expiresAtMs: number | null;
};

export type Latency = {
  readonly roundTripMs: number;
  /** The server's clock minus this machine's. */
  readonly clockOffsetMs: number;
};

const authRevoked = 4001;

export function createSocket(options: SocketOptions = {}): SibylSocket {
  return new SibylSocket(options);
}

export class SibylSocket {
  readonly #settings: SocketSettings;
  readonly #board: StreamBoard;
  readonly #listeners = new Map<keyof SocketListeners, Set<(value: never) => void>>();
  #state: SocketState = 'idle';
  #link: Link | null = null;
  #identity: Identity | null = null;
  #locale: string | null;
  #attempt = 0;
  #comeBackMs: number | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #connecting: Promise<void> | null = null;

  constructor(options: SocketOptions) {
    this.#settings = socketSettingsOf(options);
    this.#locale = this.#settings.locale;
    this.#board = new StreamBoard((notice) => this.#emit('resync', notice));
  }

  get state(): SocketState {
    return this.#state;
  }

  /** Who AUTH found; null before it, and on an anonymous socket. */
  get identity(): Identity | null {
    return this.#identity;
  }

  /** When the server was last heard, in epoch milliseconds; null while there is no connection. */
  get lastHeardMs(): number | null {
    const heardMs = this.#link?.lastHeardMs ?? 0;
    return heardMs === 0 ? null : heardMs;
  }

  /** Whether what is shown may be out of date: not connected, or silent for too long. */
  get isStale(): boolean {
    if (this.#state !== 'open' || this.#link === null) return true;
    return Date.now() - this.#link.lastHeardMs > this.#link.staleAfterMs;
  }

  /** Connects; rejects if this first attempt fails. Later losses are repaired without asking. */
  connect(): Promise<void> {
    if (this.#state === 'closed') throw new TypeError('the socket was closed');
    this.#connecting ??= this.#open().catch((error: unknown) => {
      this.#connecting = null;
      if (this.#state === 'connecting') this.#become('idle');
      throw error;
    });
    return this.#connecting;
  }

  /** Listens to a stream, now or as soon as there is a connection. */
  subscribe<const Name extends StreamNameText>(
    stream: Name,
    options: SubscribeOptions<FrameOn<BaseOf<Name>>> = {},
  ): Subscription<FrameOn<BaseOf<Name>>> {
    return this.#board.join(stream, options);
  }

  /** The book of an outcome, kept up to date and verified. */
  orderBook(marketId: string, outcomeId: string, options: BookOptions = {}): LiveOrderBook {
    const name = `orderbook:${marketId}:${outcomeId}` as const;
    const feed = {
      subscribe: (onFrame: (frame: FrameOn<'orderbook'>) => void) =>
        this.subscribe(name, { onFrame }),
      refresh: () => this.#board.refresh(name),
    };
    return new LiveOrderBook(marketId, outcomeId, feed, options);
  }

  async ping(): Promise<Latency> {
    const sentMs = Date.now();
    const startMs = performance.now();
    const { data } = await this.#opened().command('PING', { client_ts_ms: sentMs });
    const roundTripMs = performance.now() - startMs;
    const serverMs = typeof data.server_ts_ms === 'number' ? data.server_ts_ms : sentMs;
    return { roundTripMs, clockOffsetMs: serverMs - (sentMs + roundTripMs / 2) };
  }

  /** Sets the language, also for later connections; gives the one the service chose. */
  async setLocale(locale: string): Promise<string> {
    const { data } = await this.#opened().command('LOCALE', { locale });
    this.#locale = locale;
    return typeof data.locale === 'string' ? data.locale : locale;
  }

  /** Calls the listener until the function it gives back is called. */
  on<Name extends keyof SocketListeners>(name: Name, listener: SocketListeners[Name]): () => void {
    const set = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, set);
    set.add(listener);
    return () => set.delete(listener);
  }

  /** Ends the connection and every subscription. */
  close(): void {
    this.#shut(null);
  }

  async #open(): Promise<void> {
    this.#become('connecting');
    const link = new Link(this.#settings, {
      onFrame: (frame) => this.#receive(link, frame),
      onClose: (end) => this.#closed(link, end),
    });
    this.#link = link;
    try {
      await link.welcomed();
      await this.#authenticate(link);
      await this.#chooseLocale(link);
    } catch (error) {
      // A refused credential ends everything; anything else only this attempt.
      if (error instanceof SibylError && !error.retryable) this.#shut(error);
      link.drop('not accepted');
      throw error;
    }
    if (this.#link !== link) throw new SibylConnectionError('the connection was lost', null, null);
    this.#become('open');
    this.#board.connected((op, fields) => link.command(op, fields));
  }

  async #authenticate(link: Link): Promise<void> {
    const { token, cancelOnDisconnect, graceMs } = this.#settings;
    if (token === null) return;
    const current = typeof token === 'string' ? token : await token();
    const { data } = await link.command('AUTH', {
      token: current,
      ...(cancelOnDisconnect && { cancel_on_disconnect: true }),
      ...(graceMs !== null && { grace_ms: graceMs }),
    });
    this.#identity = {
      userId: String(data.user_id),
      accountId: String(data.account_id),
      expiresAtMs: typeof data.expires_at_ms === 'number' ? data.expires_at_ms : null,
    };
  }

  /** A language that is not to be had is no reason to go without a connection. */
  async #chooseLocale(link: Link): Promise<void> {
    if (this.#locale === null) return;
    try {
      await link.command('LOCALE', { locale: this.#locale });
    } catch (error) {
      if (!(error instanceof SibylError)) throw error;
      this.#emit('fault', error);
    }
  }

  #receive(link: Link, frame: AnyFrame): void {
    if (frame.stream !== null) {
      this.#board.receive(frame, link.epoch);
      return;
    }
    if (frame.type === 'going_away') {
      const { reconnect_after_ms: afterMs } = frame.data;
      this.#comeBackMs = typeof afterMs === 'number' ? afterMs : null;
    }
    // Only a connection that lasts is a success; one that is lost at once keeps the pauses growing.
    if (frame.type === 'heartbeat') this.#attempt = 0;
    if (frame.type === 'auth_expiring') this.#renew(link);
    this.#board.receive(frame, link.epoch);
    this.#emit('notice', frame.whole);
  }

  /** A new credential is only to be had where the caller gave a function for it. */
  #renew(link: Link): void {
    if (typeof this.#settings.token !== 'function') return;
    this.#authenticate(link).catch((error: unknown) => this.#emit('fault', error));
  }

  #closed(link: Link, end: LinkEnd): void {
    if (this.#link !== link) return;
    this.#link = null;
    this.#identity = null;
    this.#board.disconnected();
    if (this.#state === 'closed') return;
    if (end.code === authRevoked && typeof this.#settings.token !== 'function') {
      this.#shut(revoked(end));
      return;
    }
    const wasOpen = this.#state === 'open' || this.#attempt > 0;
    if (!wasOpen) return;
    const reason = end.isStale ? 'went silent' : 'was lost';
    this.#emit('fault', new SibylConnectionError(`the connection ${reason}`, null, end));
    this.#reconnectLater();
  }

  #reconnectLater(): void {
    this.#attempt += 1;
    const pauseMs = reconnectPauseMs(this.#settings, this.#attempt, Math.random);
    const waitMs = Math.max(this.#comeBackMs ?? 0, pauseMs);
    this.#comeBackMs = null;
    this.#become('waiting');
    this.#timer = setTimeout(() => {
      this.#timer = null;
      // Its failure has already led to the next attempt.
      this.#open().catch(() => undefined);
    }, waitMs);
  }

  #shut(error: SibylError | null): void {
    if (this.#state === 'closed') return;
    this.#become('closed');
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#board.finish(error);
    this.#link?.close();
    if (error !== null) this.#emit('fault', error);
  }

  #opened(): Link {
    if (this.#link === null || this.#state !== 'open') {
      throw new SibylConnectionError('the socket is not connected', null, null);
    }
    return this.#link;
  }

  #become(state: SocketState): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#emit('state', state);
  }

  #emit(name: keyof SocketListeners, value: unknown): void {
    for (const listener of this.#listeners.get(name) ?? []) {
      // Each name has one type of value, which `on` has checked.
      (listener as (value: unknown) => void)(value);
    }
  }
}

function revoked(end: LinkEnd): SibylError {
  return new errorTable.AUTH_INVALID.make({
    code: 'AUTH_INVALID',
    status: 0,
    message: end.reason === '' ? 'the credential was revoked or has expired' : end.reason,
    details: { reason: 'revoked' },
    requestId: null,
    retryable: false,
    retryAfterMs: null,
  });
}
