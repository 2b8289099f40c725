// Who holds the connections: how many an address and a credential may have, which of them read nothing of what they are
// sent, and which go first when there is hardly a place left.
import type { Socket } from 'node:net';
import { limits } from '@sibyl/contract';
import type { Clock } from '@sibyl/lane';
import { nameOf } from '../handling/credentials.ts';
import type { Credential, LaneName } from '../handling/handler.ts';
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

/** Who may still stay, and the check at which all go. */
interface Parting {
  readonly isOwed: (socket: Socket) => boolean;
  readonly lastCheck: number;
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

export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #all = new Map<Socket, Connection>();
  readonly #ofAddress = { silent: new Counts(), stranger: new Counts(), known: new Counts() };
  readonly #ofCredential = new Counts();
  #leaving: Leaving[] = [];
  /** Null until the listener takes no more connections. */
  #parting: Parting | null = null;
  #checks = 0;
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
  part(isOwed: (socket: Socket) => boolean, patienceMs: number): void {
    this.#stop();
    this.#stop = this.#checkLater();
    this.#parting = { isOwed, lastCheck: this.#checks + Math.ceil(patienceMs / CHECK_EVERY_MS) };
    for (const { socket, kind } of this.#all.values()) {
      if (kind === 'silent' && socket.bytesRead === 0) socket.destroy();
    }
  }

  /** False if the address holds too many silent ones; the connection must be closed then. */
  open(socket: Socket, bucket: string | null): boolean {
    const { silentPerAddressMax } = limits.connection;
    const isFull = this.#isFull('silent', null, bucket, silentPerAddressMax);
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
    if (this.#isFull('stranger', lane, bucket, strangersPerAddressMax)) return false;
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
    if (!isCounted && this.#isFull('known', lane, bucket, knownPerAddressMax)) return false;
    const name = nameOf(credential);
    const before = connection.credential;
    const isOther = before === null || connection.lane !== lane || nameOf(before) !== name;
    const hasLimits = this.#options.hasLimits && bucket !== null;
    if (hasLimits && isOther && this.#ofCredential.at(lane, name) >= perCredentialMax) return false;
    this.#turn(connection, 'known', lane, credential);
    return true;
  }

  /** It is a WebSocket now, or is refused as one. */
  upgrade(socket: Socket): void {
    const connection = this.#all.get(socket);
    if (connection !== undefined) this.#turn(connection, 'upgraded', null, null);
  }

  /** When nearly all places are taken, closes one that is owed nothing: the least known and the longest unused first. */
  makeRoom(isOwed: (socket: Socket) => boolean): void {
    if (this.#all.size < this.#options.max * NEARLY_FULL) return;
    if (this.#leaving.length === 0) this.#leaving = this.#longestIdle(isOwed);
    for (;;) {
      const next = this.#leaving.pop();
      if (next === undefined) return;
      const { connection, kind, usedAt } = next;
      const { socket } = connection;
      const isUsed = connection.kind !== kind || connection.usedAt !== usedAt || isOwed(socket);
      if (isUsed || !this.#all.has(socket)) continue;
      this.#forget(connection);
      socket.destroy();
      return;
    }
  }

  /** The next to go last; found for many newcomers at once, because all have to be looked at. */
  #longestIdle(isOwed: (socket: Socket) => boolean): Leaving[] {
    const idle: Leaving[] = [];
    for (const connection of this.#all.values()) {
      const { kind, usedAt, socket } = connection;
      if (kind !== 'upgraded' && !isOwed(socket)) idle.push({ connection, kind, usedAt });
    }
    idle.sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || a.usedAt - b.usedAt);
    return idle.slice(0, LEAVING_MAX).reverse();
  }

  #isFull(kind: CountedKind, lane: LaneName | null, bucket: string | null, max: number): boolean {
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
    const parting = this.#parting;
    if (parting === null) return false;
    if (this.#checks >= parting.lastCheck) return true;
    return kind !== 'upgraded' && socket.writableLength === 0 && !parting.isOwed(socket);
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
    if (this.#mayGo(connection)) {
      socket.destroy();
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
