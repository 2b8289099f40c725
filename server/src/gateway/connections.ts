// Who holds the connections: how many an address and a credential may have, which of them read nothing of what they are
// sent, and which go first when there is hardly a place left.
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { limits } from '@sibyl/contract';
import type { Clock } from '@sibyl/lane';
import { nameOf } from '../handling/credentials.ts';
import type { Credential, LaneName } from '../handling/handler.ts';
import { afterReading, farewell, unlessBytesWait } from './farewell.ts';
import { bytesTaken } from './socket-handle.ts';

/** In the order in which they go; WebSockets have limits and an end of their own. */
const KINDS = ['refused', 'silent', 'stranger', 'known', 'upgraded'] as const;
type Kind = (typeof KINDS)[number];
type CountedKind = 'silent' | 'stranger' | 'known';

interface Connection {
  readonly socket: Socket;
  /** Null for one of a proxy, which carries the requests of many. */
  readonly bucket: string | null;
  kind: Kind;
  /** Where it counts: the lane of the request that made it what it is; null until one came. */
  lane: LaneName | null;
  /** Of its latest request; null until one was known. */
  credential: Credential | null;
  /** The check after which its latest request came. */
  usedAt: number;
  /** Bytes that the other side or the system has taken, and the check since which it has taken no more. */
  taken: number;
  takenAt: number;
}

/** One that may go, as it was when it was chosen. */
interface Leaving {
  readonly connection: Connection;
  readonly kind: Kind;
  readonly usedAt: number;
}

export interface ConnectionsOptions {
  readonly clock: Clock;
  /** Places there are. */
  readonly max: number;
  /** False lets one address hold any number: load tests come from one. */
  readonly hasLimits: boolean;
}

const CHECK_EVERY_MS = 1_000;
/** Answers of which nothing was taken for so many checks are given up. */
const STALLED_CHECKS_MAX = limits.connection.unreadAnswerMs / CHECK_EVERY_MS;
/** From this part of all places on, one that nobody uses is closed for each newcomer. */
const NEARLY_FULL = 0.95;
const LEAVING_MAX = 100;
/** What `Keep-Alive` announces, and how long an idle connection is kept: a client that is late does not meet its end. */
export const KEEP_ALIVE = { keepAliveMs: 5_000, idleMs: 60_000 } as const;
/** A connection is overdue once no client that keeps to the announced timeout uses it again. */
const OVERDUE_CHECKS = KEEP_ALIVE.keepAliveMs / CHECK_EVERY_MS + 1;
/** A stop waits this long for further requests on kept connections, whose answers then say `Connection: close`. */
const STOP_PATIENCE_MS = 500;
const STOP_LOOK_EVERY_MS = 25;

export class Connections {
  /** Whether an answer is owed; set before the first connection. */
  isOwed: (socket: Socket) => boolean = () => false;
  readonly #options: ConnectionsOptions;
  readonly #all = new Map<Socket, Connection>();
  readonly #ofAddress = { silent: new Counts(), stranger: new Counts(), known: new Counts() };
  readonly #ofCredential = new Counts();
  #leaving: Leaving[] = [];
  /** The check at which all go; null until the listener takes no more connections. */
  #lastCheck: number | null = null;
  #checks = 0;
  /** The check at which no connection was overdue: a flood must not have all of them searched for each newcomer. */
  #noneOverdueAt = -1;
  #stop: () => void;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
    this.#stop = this.#checkLater();
  }

  close(): void {
    this.#stop();
  }

  /**
   * The listener takes no more connections. Node closes those that have asked once and are idle; those that never asked, or
   * stopped in the middle of it, it would wait for without end. Who is asking has a second for the rest, and who is owed
   * an answer goes when even the slowest request has had its time.
   */
  part(patienceMs: number): void {
    this.#stop();
    this.#stop = this.#checkLater();
    this.#lastCheck = this.#checks + Math.ceil(patienceMs / CHECK_EVERY_MS);
    for (const { socket, kind } of this.#all.values()) {
      if (kind === 'silent' && socket.bytesRead === 0) socket.destroy();
    }
  }

  /** Gives clients in the middle of their work time for one more answer, which says `Connection: close`. */
  async settle(): Promise<void> {
    const endMs = performance.now() + STOP_PATIENCE_MS;
    while (performance.now() < endMs && this.#hasRequests()) await pause(STOP_LOOK_EVERY_MS);
    // What the system still holds is read before the caller goes on.
    await new Promise<void>(afterReading);
  }

  #hasRequests(): boolean {
    for (const { kind } of this.#all.values()) if (kind !== 'upgraded') return true;
    return false;
  }

  /** False if the address holds too many silent ones; the connection must be closed then. */
  open(socket: Socket, bucket: string | null): boolean {
    const { silentPerAddressMax } = limits.connection;
    const isFull = this.#isAt(silentPerAddressMax, 'silent', null, bucket);
    const connection: Connection = {
      socket,
      bucket,
      kind: isFull ? 'refused' : 'silent',
      lane: null,
      credential: null,
      usedAt: this.#checks,
      taken: 0,
      takenAt: this.#checks,
    };
    this.#all.set(socket, connection);
    this.#count(connection, 1);
    socket.once('close', () => this.#forget(connection));
    return !isFull;
  }

  /** A request without a credential came in; false if the address has too many such connections to this lane. */
  admitStranger(socket: Socket, lane: LaneName): boolean {
    const connection = this.#all.get(socket);
    if (connection === undefined) return true;
    connection.usedAt = this.#checks;
    const { kind, bucket } = connection;
    const isStranger = kind === 'silent' || kind === 'stranger';
    if (!isStranger || connection.lane === lane) return true;
    const { strangersPerAddressMax } = limits.connection;
    const isFull = this.#isAt(strangersPerAddressMax, 'stranger', lane, bucket);
    const isAlike = (one: Connection): boolean =>
      one.kind === 'stranger' && one.lane === lane && one.bucket === bucket;
    if (isFull && !this.#closeOverdue(isAlike)) return false;
    this.#turn(connection, 'stranger', lane, null);
    return true;
  }

  /** A request with a good credential came in; false if that, or the address, has too many such connections to this lane. */
  admitKnown(socket: Socket, credential: Credential, lane: LaneName): boolean {
    const connection = this.#all.get(socket);
    if (connection === undefined) return true;
    connection.usedAt = this.#checks;
    if (connection.credential === credential && connection.lane === lane) return true;
    const { bucket, kind } = connection;
    const { knownPerAddressMax, perCredentialMax } = limits.connection;
    const isCounted = kind === 'known' && connection.lane === lane;
    const isFull = !isCounted && this.#isAt(knownPerAddressMax, 'known', lane, bucket);
    const isNeighbour = (one: Connection): boolean =>
      one.kind === 'known' && one.lane === lane && one.bucket === bucket;
    if (isFull && !this.#closeOverdue(isNeighbour)) return false;
    const name = nameOf(credential);
    const before = connection.credential;
    const isOther = before === null || connection.lane !== lane || nameOf(before) !== name;
    const hasLimits = this.#options.hasLimits && bucket !== null;
    const isShared = hasLimits && isOther && this.#ofCredential.at(lane, name) >= perCredentialMax;
    const isSibling = (one: Connection): boolean =>
      one.lane === lane && one.credential !== null && nameOf(one.credential) === name;
    if (isShared && !this.#closeOverdue(isSibling)) return false;
    this.#turn(connection, 'known', lane, credential);
    return true;
  }

  /** It is a WebSocket now, or is refused as one. */
  upgrade(socket: Socket): void {
    const connection = this.#all.get(socket);
    if (connection !== undefined) this.#turn(connection, 'upgraded', null, null);
  }

  /** When nearly all places are taken, closes one that is owed nothing: the least known and the longest unused first. */
  makeRoom(): void {
    if (this.#all.size < this.#options.max * NEARLY_FULL) return;
    if (this.#leaving.length === 0) this.#leaving = this.#longestIdle();
    for (;;) {
      const next = this.#leaving.pop();
      if (next === undefined) return;
      const { connection, kind, usedAt } = next;
      const { socket } = connection;
      const isUsed =
        connection.kind !== kind || connection.usedAt !== usedAt || this.isOwed(socket);
      if (isUsed || !this.#all.has(socket)) continue;
      unlessBytesWait(socket, () => socket.destroy());
      return;
    }
  }

  /** Closes the one that is longest overdue for a newcomer; it counts again with its next request, if that has arrived. */
  #closeOverdue(isAlike: (connection: Connection) => boolean): boolean {
    if (this.#noneOverdueAt === this.#checks) return false;
    let oldest: Connection | null = null;
    for (const connection of this.#all.values()) {
      const { usedAt, socket } = connection;
      if (this.#checks - usedAt <= OVERDUE_CHECKS || usedAt >= (oldest?.usedAt ?? Infinity))
        continue;
      if (isAlike(connection) && !this.isOwed(socket)) oldest = connection;
    }
    if (oldest === null) {
      this.#noneOverdueAt = this.#checks;
      return false;
    }
    this.#turn(oldest, 'silent', null, null);
    this.closeIdle(oldest.socket);
    return true;
  }

  /** Closes a connection on which no request has arrived for long enough. */
  closeIdle(socket: Socket): void {
    unlessBytesWait(socket, () => {
      if (!this.isOwed(socket)) farewell(socket, this.#options.clock);
    });
  }

  /** The next to go last; found for many newcomers at once, because all have to be looked at. */
  #longestIdle(): Leaving[] {
    const idle: Leaving[] = [];
    for (const connection of this.#all.values()) {
      const { kind, usedAt, socket } = connection;
      if (kind !== 'upgraded' && !this.isOwed(socket)) idle.push({ connection, kind, usedAt });
    }
    idle.sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || a.usedAt - b.usedAt);
    return idle.slice(0, LEAVING_MAX).reverse();
  }

  #isAt(max: number, kind: CountedKind, lane: LaneName | null, bucket: string | null): boolean {
    if (!this.#options.hasLimits || bucket === null) return false;
    return this.#ofAddress[kind].at(lane, bucket) >= max;
  }

  #turn(
    connection: Connection,
    kind: Kind,
    lane: LaneName | null,
    credential: Credential | null,
  ): void {
    this.#count(connection, -1);
    connection.kind = kind;
    connection.lane = lane;
    connection.credential = credential;
    this.#count(connection, 1);
  }

  #forget(connection: Connection): void {
    if (this.#all.delete(connection.socket)) this.#count(connection, -1);
  }

  #count({ bucket, kind, lane, credential }: Connection, by: 1 | -1): void {
    if (bucket === null || kind === 'refused' || kind === 'upgraded') return;
    this.#ofAddress[kind].add(lane, bucket, by);
    if (credential !== null) this.#ofCredential.add(lane, nameOf(credential), by);
  }

  #mayGo({ socket, kind }: Connection): boolean {
    if (this.#lastCheck === null || kind === 'upgraded') return false;
    return socket.writableLength === 0 && !this.isOwed(socket);
  }

  #checkLater(): () => void {
    return this.#options.clock.setAlarm(CHECK_EVERY_MS, () => {
      this.#stop = this.#checkLater();
      this.#checks += 1;
      for (const connection of this.#all.values()) this.#check(connection);
    });
  }

  /** Gives up one that takes nothing of what waits for it, and one that holds up the end. */
  #check(connection: Connection): void {
    const { socket, kind } = connection;
    if (this.#lastCheck !== null && this.#checks >= this.#lastCheck) {
      socket.destroy();
      return;
    }
    if (this.#mayGo(connection)) {
      unlessBytesWait(socket, () => socket.destroy());
      return;
    }
    if (kind === 'upgraded') return;
    const taken = socket.writableLength === 0 ? -1 : bytesTaken(socket);
    if (taken === -1 || taken !== connection.taken) {
      connection.taken = taken;
      connection.takenAt = this.#checks;
    } else if (this.#checks - connection.takenAt >= STALLED_CHECKS_MAX) {
      socket.destroy();
    }
  }
}

/** How many there are of each name in each lane, and in none. */
class Counts {
  // A name joined with its lane would be a new text for every request, to be hashed each time.
  readonly #live = new Map<string, number>();
  readonly #sandbox = new Map<string, number>();
  readonly #nowhere = new Map<string, number>();

  at(lane: LaneName | null, name: string): number {
    return this.#of(lane).get(name) ?? 0;
  }

  add(lane: LaneName | null, name: string, by: 1 | -1): void {
    const counts = this.#of(lane);
    const count = (counts.get(name) ?? 0) + by;
    if (count === 0) counts.delete(name);
    else counts.set(name, count);
  }

  #of(lane: LaneName | null): Map<string, number> {
    if (lane === null) return this.#nowhere;
    return lane === 'live' ? this.#live : this.#sandbox;
  }
}
