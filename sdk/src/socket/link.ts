// One connection of the socket: opening, commands and their replies, throttling, and the watch for silence.

import { deferred } from '../deferred.ts';
import { SibylConnectionError, SibylError, SibylTimeoutError } from '../errors.ts';
import { errorTable } from '../generated/errors.ts';
import { type AnyFrame, readFrame } from './frames.ts';
import type { SocketSettings } from './socket-options.ts';
import type { SocketEvent, SocketLike } from './web-socket.ts';

export type LinkListener = {
  /** Called at once with every frame, before a command that waits for it goes on. */
  readonly onFrame: (frame: AnyFrame) => void;
  /** Called once, whoever ended the connection. */
  readonly onClose: (end: LinkEnd) => void;
};

export type LinkEnd = {
  readonly code: number;
  readonly reason: string;
  /** Nothing was heard for too long, so the connection was given up. */
  readonly isStale: boolean;
};

type Pending = {
  readonly text: string;
  readonly resolve: (frame: AnyFrame) => void;
  readonly reject: (error: Error) => void;
  readonly timer: ReturnType<typeof setTimeout>;
};

/** Close codes that a client may send itself. */
const normalClosure = 1000;

export class Link {
  epoch = '';
  lastHeardMs = 0;
  staleAfterMs = 0;
  readonly #settings: SocketSettings;
  readonly #listener: LinkListener;
  readonly #socket: SocketLike;
  readonly #pending = new Map<string, Pending>();
  readonly #welcome = deferred<void>();
  readonly #opening: ReturnType<typeof setTimeout>;
  #watch: ReturnType<typeof setInterval> | null = null;
  #nextId = 1;
  #isOver = false;

  constructor(settings: SocketSettings, listener: LinkListener) {
    this.#settings = settings;
    this.#listener = listener;
    this.#welcome.promise.catch(() => undefined);
    this.#socket = new settings.WebSocket(settings.url);
    this.#socket.addEventListener('message', (event) => this.#receive(event));
    this.#socket.addEventListener('close', (event) => this.#closed(event));
    // Details of a failed connection are kept from scripts by browsers; the close that follows ends it.
    this.#socket.addEventListener('error', () => this.#closed({ code: 1006, reason: 'error' }));
    this.#opening = setTimeout(() => this.drop('no welcome'), settings.timeoutMs);
  }

  /** Settles when the server has greeted, or when the connection has failed. */
  welcomed(): Promise<void> {
    return this.#welcome.promise;
  }

  /** Sends a command; its reply, or the error the service gave instead. */
  command(op: string, fields: Readonly<Record<string, unknown>>): Promise<AnyFrame> {
    const id = `c${this.#nextId++}`;
    const { promise, resolve, reject } = deferred<AnyFrame>();
    if (this.#isOver) {
      reject(new SibylConnectionError('the connection is closed', null, null));
      return promise;
    }
    const text = JSON.stringify({ op, id, ...fields });
    const timer = setTimeout(() => this.#expire(id, op), this.#settings.timeoutMs);
    this.#pending.set(id, { text, resolve, reject, timer });
    this.#socket.send(text);
    return promise;
  }

  /** Ends the connection as its user wishes. */
  close(): void {
    this.#end({ code: normalClosure, reason: 'closed by the client', isStale: false });
  }

  /** Gives the connection up without waiting for a peer that may be gone. */
  drop(reason: string, isStale = false): void {
    this.#end({ code: 1006, reason, isStale });
  }

  #receive(event: SocketEvent): void {
    if (this.#isOver) return;
    this.lastHeardMs = Date.now();
    const frame = readFrame(event.data);
    if (frame === null) return;
    if (frame.type === 'welcome') this.#greet(frame);
    if (frame.type === 'throttled') this.#repeatLater(frame);
    this.#listener.onFrame(frame);
    this.#settle(frame);
  }

  #greet(frame: AnyFrame): void {
    const { epoch, heartbeat_interval_ms: intervalMs } = frame.data;
    this.epoch = typeof epoch === 'string' ? epoch : '';
    const heartbeatMs = typeof intervalMs === 'number' && intervalMs > 0 ? intervalMs : 5_000;
    this.staleAfterMs = this.#settings.staleAfterMs ?? heartbeatMs * 2.5;
    clearTimeout(this.#opening);
    this.#watch = setInterval(() => this.#checkSilence(), Math.max(10, this.staleAfterMs / 5));
    this.#welcome.resolve();
  }

  #checkSilence(): void {
    const silentMs = Date.now() - this.lastHeardMs;
    if (silentMs > this.staleAfterMs) this.drop(`silent for ${silentMs} ms`, true);
  }

  #settle(frame: AnyFrame): void {
    const { id } = frame.data;
    const pending = typeof id === 'string' ? this.#pending.get(id) : undefined;
    if (typeof id !== 'string' || pending === undefined) return;
    this.#pending.delete(id);
    clearTimeout(pending.timer);
    if (frame.type === 'error') pending.reject(errorOf(frame.data));
    else pending.resolve(frame);
  }

  /** Dropped frames are not named, so all that still wait are sent again; commands bear repetition. */
  #repeatLater(frame: AnyFrame): void {
    const { retry_after_ms: waitMs } = frame.data;
    setTimeout(
      () => {
        if (this.#isOver) return;
        for (const { text } of this.#pending.values()) this.#socket.send(text);
      },
      typeof waitMs === 'number' ? waitMs : 1_000,
    );
  }

  /** A connection that leaves a command unanswered is not worth keeping. */
  #expire(id: string, op: string): void {
    const { timeoutMs } = this.#settings;
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    pending?.reject(new SibylTimeoutError(`no reply to ${op} within ${timeoutMs} ms`, null, null));
    this.drop(`no reply to ${op}`);
  }

  #closed(event: SocketEvent): void {
    const { code = 1006, reason = '' } = event;
    this.#end({ code, reason, isStale: false });
  }

  #end(end: LinkEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#opening);
    if (this.#watch !== null) clearInterval(this.#watch);
    const error = new SibylConnectionError(
      `the connection ended: ${end.code} ${end.reason}`,
      null,
      null,
    );
    this.#welcome.reject(error);
    for (const { reject, timer } of this.#pending.values()) {
      clearTimeout(timer);
      reject(error);
    }
    this.#pending.clear();
    this.#socket.close(normalClosure);
    this.#listener.onClose(end);
  }
}

/** The error of the catalogue that a frame or a rejection names. */
export function errorOf(data: Readonly<Record<string, unknown>>): SibylError {
  const code = typeof data.code === 'string' ? data.code : 'UNREADABLE_ANSWER';
  const known = isKnown(code) ? errorTable[code] : null;
  const facts = {
    code,
    // The socket has no statuses; the code says it all.
    status: 0,
    message: typeof data.message === 'string' ? data.message : code,
    details:
      typeof data.details === 'object' && data.details !== null
        ? Object.fromEntries(Object.entries(data.details))
        : {},
    requestId: null,
    retryable: known?.retryable ?? false,
    retryAfterMs: null,
  };
  return known === null ? new SibylError(facts) : new known.make(facts);
}

function isKnown(code: string): code is keyof typeof errorTable {
  return Object.hasOwn(errorTable, code);
}
