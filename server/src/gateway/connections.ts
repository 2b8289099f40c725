// How many connections one address may hold: few until one of their requests carries a credential.
import type { Socket } from 'node:net';

/** Connections of an address whose requests carry no credential. */
const STRANGERS_MAX = 20;

/** Connections of an address that have not sent a request yet; the header timeout ends those that never do. */
const SILENT_MAX = 512;

type Kind = 'silent' | 'stranger' | 'known';

interface Connection {
  readonly bucket: string;
  kind: Kind;
}

export class Connections {
  readonly #connections = new WeakMap<Socket, Connection>();
  readonly #counts = { silent: new Map<string, number>(), stranger: new Map<string, number>() };
  readonly #strangersMax: number;

  constructor(strangersMax = STRANGERS_MAX) {
    this.#strangersMax = strangersMax;
  }

  /** False if the address holds too many silent ones; the connection must be closed then. */
  open(socket: Socket, bucket: string): boolean {
    if ((this.#counts.silent.get(bucket) ?? 0) >= SILENT_MAX) return false;
    const connection: Connection = { bucket, kind: 'silent' };
    this.#connections.set(socket, connection);
    this.#count(connection, 1);
    socket.once('close', () => this.#count(connection, -1));
    return true;
  }

  /** A request without a credential came in; false if the address has too many such connections. */
  admitStranger(socket: Socket): boolean {
    const connection = this.#connections.get(socket);
    if (connection === undefined || connection.kind !== 'silent') return true;
    if ((this.#counts.stranger.get(connection.bucket) ?? 0) >= this.#strangersMax) return false;
    this.#turn(connection, 'stranger');
    return true;
  }

  /** A request with a good credential came in: from now on its limits count, not the address. */
  admitKnown(socket: Socket): void {
    const connection = this.#connections.get(socket);
    if (connection !== undefined && connection.kind !== 'known') this.#turn(connection, 'known');
  }

  #turn(connection: Connection, kind: Kind): void {
    this.#count(connection, -1);
    connection.kind = kind;
    this.#count(connection, 1);
  }

  #count({ bucket, kind }: Connection, by: 1 | -1): void {
    if (kind === 'known') return;
    const counts = this.#counts[kind];
    const count = (counts.get(bucket) ?? 0) + by;
    if (count === 0) counts.delete(bucket);
    else counts.set(bucket, count);
  }
}
