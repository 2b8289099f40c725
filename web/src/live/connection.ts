// The page's one connection for live data: opened for whoever is at the page, and opened anew when that changes.
import { AuthInvalidError, createSocket, type SibylSocket, type SocketState } from '@sibyl/sdk';
import { basePath } from '../lane.ts';
import { sessionStore } from '../session/session-store.ts';

/** A stream that says nothing for longer is shown with its age. */
const LATE_AFTER_MS = 5_000;
/** The exchange gives a sign of life every five seconds; what is slower than one and a half of them is late. */
const HEARTBEAT_MS = 5_000;
const CHECK_MS = 1_000;

export interface ConnectionView {
  readonly state: SocketState;
  /** How long nothing was heard, once that is too long; null while all is well. */
  readonly silentMs: number | null;
}

class Connection {
  #socket: SibylSocket | null = null;
  #who = '';
  #view: ConnectionView = { state: 'idle', silentMs: null };
  #heardMs = Date.now();
  #wasLost = false;
  #listeners = new Set<() => void>();
  #returned = new Set<() => void>();

  /** Opens the connection; to be called once. */
  start(): void {
    sessionStore.subscribe(() => this.#follow());
    this.#follow();
    setInterval(() => this.#check(), CHECK_MS);
  }

  get socket(): SibylSocket | null {
    return this.#socket;
  }

  get view(): ConnectionView {
    return this.#view;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Calls the listener when a connection that was lost is there again. */
  onReturn(listener: () => void): void {
    this.#returned.add(listener);
  }

  #follow(): void {
    const { state } = sessionStore;
    if (state.status === 'unknown') return;
    const who = state.status === 'signed_in' ? state.token : 'visitor';
    if (who === this.#who) return;
    this.#who = who;
    // What was asked before the exchange answered for the first time is asked again too.
    if (sessionStore.wasUnanswered && this.#socket === null) this.#wasLost = true;
    this.#socket?.close();
    const socket = createSocket({
      baseUrl: location.origin + basePath,
      ...(state.status === 'signed_in' && { token: state.token }),
      reconnectMsMax: 5_000,
      staleAfterMs: HEARTBEAT_MS * 2.5,
    });
    this.#socket = socket;
    socket.on('state', () => {
      if (this.#socket === socket) this.#check();
    });
    socket.on('fault', (fault) => {
      const isRefused = this.#socket === socket && fault instanceof AuthInvalidError;
      // If the exchange does not answer, the next attempt is refused again.
      if (isRefused) sessionStore.doubt().catch(() => undefined);
    });
    this.#connect(socket);
    this.#check();
    for (const listener of this.#listeners) listener();
  }

  /** The first attempt is the caller's to repeat; later ones the socket repeats by itself. */
  #connect(socket: SibylSocket): void {
    socket.connect().catch(() => {
      if (this.#socket !== socket || socket.state === 'closed') return;
      this.#wasLost = true;
      setTimeout(() => this.#connect(socket), CHECK_MS * 2);
    });
  }

  #check(): void {
    const { lastHeardMs = null, state = 'idle' } = this.#socket ?? {};
    if (lastHeardMs !== null) this.#heardMs = lastHeardMs;
    const silent = Date.now() - this.#heardMs;
    const isLate =
      silent > HEARTBEAT_MS + LATE_AFTER_MS / 2 || (state !== 'open' && silent > LATE_AFTER_MS);
    // Whole seconds, so that nothing is drawn anew without a reason.
    const silentMs = isLate ? silent - (silent % CHECK_MS) : null;
    if (state === this.#view.state && silentMs === this.#view.silentMs) return;
    const isBack = state === 'open' && this.#view.state !== 'open' && this.#wasLost;
    if (state === 'waiting') this.#wasLost = true;
    this.#view = { state, silentMs };
    if (isBack) {
      this.#wasLost = false;
      for (const listener of this.#returned) listener();
    }
    for (const listener of this.#listeners) listener();
  }
}

export const connection = new Connection();
