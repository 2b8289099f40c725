// The writing side of a socket: what one turn has for it leaves in one write, and it tells when the reader lags.
import type { Socket } from 'node:net';
import type { Clock } from '@sibyl/lane';

/** More than this in one turn waits until the socket has taken it. */
const TURN_BYTES_MAX = 262_144;

/** All outlets that have something to write; one flush serves them all. */
export class WriteTurn {
  readonly #outlets = new Set<Outlet>();
  #isScheduled = false;

  add(outlet: Outlet): void {
    this.#outlets.add(outlet);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.flush();
    });
  }

  flush(): void {
    if (this.#outlets.size === 0) return;
    const outlets = [...this.#outlets];
    this.#outlets.clear();
    for (const outlet of outlets) outlet.write();
  }
}

export class Outlet {
  readonly #socket: Socket;
  readonly #turn: WriteTurn;
  readonly #clock: Clock;
  readonly #ready: () => void;
  #chunks: Buffer[] = [];
  #pendingBytes = 0;
  #blockedSinceMs: number | null = null;

  /** `ready` is called whenever the socket can take more. */
  constructor(socket: Socket, turn: WriteTurn, clock: Clock, ready: () => void) {
    this.#socket = socket;
    this.#turn = turn;
    this.#clock = clock;
    this.#ready = ready;
    socket.on('drain', () => {
      this.#blockedSinceMs = null;
      if (this.#chunks.length === 0) this.#ready();
      else this.write();
    });
  }

  get isBlocked(): boolean {
    return this.#blockedSinceMs !== null || this.#pendingBytes > TURN_BYTES_MAX;
  }

  get blockedSinceMs(): number | null {
    return this.#blockedSinceMs;
  }

  /** Everything that has not reached the kernel yet. */
  get queuedBytes(): number {
    return this.#socket.writableLength + this.#pendingBytes;
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#pendingBytes += chunk.length;
    if (this.#chunks.length === 1) this.#turn.add(this);
  }

  /** What the socket has no room for stays here, where it can still be discarded. */
  write(): void {
    if (this.#blockedSinceMs === null) this.#hand();
  }

  /** Drops what was not handed to the socket yet: whole messages, because none is handed over in parts. */
  discard(): void {
    this.#chunks = [];
    this.#pendingBytes = 0;
  }

  /** What is here are last words: they have their place behind the message that was begun, room or not. */
  finish(): void {
    this.#hand();
  }

  /**
   * Ends the connection. Without the peer's help half a message may be on its way: then it is reset, so that nobody
   * takes what came for all there was.
   */
  drop(): void {
    if (this.#socket.writableLength === 0) this.#socket.destroy();
    else this.#socket.resetAndDestroy();
  }

  #hand(): void {
    const chunks = this.#chunks;
    this.discard();
    const socket = this.#socket;
    if (!socket.writable || chunks.length === 0) return;
    if (chunks.length === 1) {
      socket.write(chunks[0]!);
    } else {
      socket.cork();
      for (const chunk of chunks) socket.write(chunk);
      socket.uncork();
    }
    if (!socket.writableNeedDrain) this.#ready();
    else this.#blockedSinceMs ??= this.#clock.monotonicMs();
  }
}
