// A real WebSocket server on a free port that keeps to the contract, can be told to misbehave, and checks every frame.

import {
  type AnyStreamMessage,
  closedSchema,
  exampleFrame,
  frameOf,
  parseStreamName,
  type SocketCommand,
  type StreamMessageType,
  socketCommands,
  streamMessages,
  streams,
} from '@sibyl/contract';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type WebSocket, WebSocketServer } from 'ws';

export type Command = { readonly op: string; readonly id?: string | null } & Readonly<
  Record<string, unknown>
>;

type Sent = Readonly<Record<string, unknown>>;

type Stream = {
  seq: number;
  readonly kept: { readonly seq: number; readonly frame: Sent }[];
  snapshot: (() => { readonly type: StreamMessageType; readonly data: unknown }) | null;
};

const ajv = new Ajv2020({ strict: false, validateFormats: false });
const checks = new Map<string, ReturnType<typeof ajv.compile>>();

export class Connection {
  readonly socket: WebSocket;
  readonly names = new Set<string>();
  readonly commands: Command[] = [];
  isAuthenticated = false;
  /** Frames that match are lost on the way, as if the server had forgotten them. */
  loses: (frame: Sent) => boolean = () => false;
  readonly #faults: string[];

  constructor(socket: WebSocket, faults: string[]) {
    this.socket = socket;
    this.#faults = faults;
  }

  /** Sends a frame of the connection itself, with the example's data where none are given. */
  notice(type: StreamMessageType, data: object = {}): void {
    const frame = exampleFrame(streamMessages[type]);
    this.send({ ...frame, data: { ...Object(frame.data), ...data } });
  }

  send(frame: Sent): void {
    const fault = faultOf(String(frame.type), frame);
    if (fault !== null) this.#faults.push(fault);
    if (!this.loses(frame)) this.socket.send(JSON.stringify(frame));
  }
}

export class TestSocketServer {
  epoch = 'e_1';
  url = '';
  heartbeatMs = 5_000;
  keepMax = 10_000;
  /** Sees each command first; true means that it has dealt with it. */
  intercept: (connection: Connection, command: Command) => boolean = () => false;
  /** Credentials that AUTH takes. */
  readonly tokens = new Set(['sk_test_good']);
  readonly connections: Connection[] = [];
  readonly faults: string[] = [];
  readonly #streams = new Map<string, Stream>();
  #server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  #port = 0;

  async listen(): Promise<void> {
    await new Promise((resolve) => this.#server.once('listening', resolve));
    const address = this.#server.address();
    if (typeof address === 'string' || address === null) throw new Error('no port');
    this.#port = address.port;
    this.url = `ws://127.0.0.1:${address.port}/ws`;
    this.#server.on('connection', (socket) => this.#greet(socket));
  }

  get current(): Connection {
    const connection = this.connections.at(-1);
    if (connection === undefined) throw new Error('nobody is connected');
    return connection;
  }

  /** All commands of all connections, as [op, …]. */
  ops(): readonly string[] {
    return this.connections.flatMap(({ commands }) => commands.map(({ op }) => op));
  }

  stream(name: string): Stream {
    const known = this.#streams.get(name) ?? { seq: 0, kept: [], snapshot: null };
    this.#streams.set(name, known);
    return known;
  }

  /** Numbers a message, keeps it for RESUME and sends it to who listens. */
  publish(name: string, type: StreamMessageType, data: unknown, from?: number): Sent {
    const stream = this.stream(name);
    const prev = from ?? stream.seq;
    stream.seq += 1;
    const numbers = { stream: name, seq: stream.seq, prev_seq: prev };
    const frame = { type, ...numbers, ts_ms: Date.now(), data };
    stream.kept.push({ seq: stream.seq, frame });
    stream.kept.splice(0, Math.max(0, stream.kept.length - this.keepMax));
    for (const connection of this.connections) {
      if (connection.names.has(name)) connection.send(frame);
    }
    return frame;
  }

  heartbeat(): void {
    for (const connection of this.connections) {
      const seqs = [...connection.names].map((name) => [name, this.stream(name).seq]);
      connection.notice('heartbeat', { seqs: Object.fromEntries(seqs) });
    }
  }

  /** Cuts every connection without a word. */
  cut(): void {
    for (const { socket } of this.connections) socket.terminate();
  }

  /** As a restart looks to who listens: cut off, and numbers that begin anew. The port is kept, for another program could take it. */
  forget(): void {
    this.epoch = `e_${Number(this.epoch.slice(2)) + 1}`;
    for (const stream of this.#streams.values()) {
      stream.seq = 0;
      stream.kept.length = 0;
    }
    this.cut();
  }

  /** The same, with nobody at the address in between. */
  async restart(): Promise<void> {
    this.forget();
    await this.stop();
    this.#server = new WebSocketServer({ port: this.#port, host: '127.0.0.1' });
    await this.listen();
  }

  async stop(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async close(): Promise<void> {
    await this.stop();
    if (this.faults.length > 0) throw new Error(`against the contract: ${this.faults.join('; ')}`);
  }

  #greet(socket: WebSocket): void {
    const connection = new Connection(socket, this.faults);
    this.connections.push(connection);
    socket.on('close', () => connection.names.clear());
    socket.on('message', (bytes) => this.#receive(connection, String(bytes)));
    connection.notice('welcome', { epoch: this.epoch, heartbeat_interval_ms: this.heartbeatMs });
  }

  #receive(connection: Connection, text: string): void {
    const command: Command = JSON.parse(text);
    const fault = faultOf(command.op, command);
    if (fault !== null) this.faults.push(fault);
    connection.commands.push(command);
    if (!this.intercept(connection, command)) this.answer(connection, command);
  }

  answer(connection: Connection, command: Command): void {
    const { id = null } = command;
    switch (command.op) {
      case 'AUTH':
        if (this.tokens.has(String(command.token))) {
          connection.isAuthenticated = true;
          connection.notice('authenticated', { id });
        } else connection.notice('error', { id, op: 'AUTH', code: 'AUTH_INVALID', message: 'No.' });
        break;
      case 'LOCALE':
        connection.notice('locale_set', { id, locale: 'de', requested: command.locale });
        break;
      case 'PING':
        connection.notice('pong', { id, client_ts_ms: command.client_ts_ms, server_ts_ms: 1 });
        break;
      case 'SUBSCRIBE':
        this.#subscribe(connection, id, namesOf(command.params));
        break;
      case 'UNSUBSCRIBE':
        for (const name of namesOf(command.params)) connection.names.delete(name);
        connection.notice('unsubscribed', { id, streams: namesOf(command.params) });
        break;
      case 'RESUME':
        this.#resume(connection, command);
        break;
    }
  }

  #subscribe(connection: Connection, id: string | null, asked: readonly string[]): void {
    const rejected = asked.flatMap((name) => this.#reject(connection, name));
    const names = asked.filter((name) => !rejected.some(({ stream }) => stream === name));
    for (const name of names) connection.names.add(name);
    const listed = names.map((stream) => {
      const { seq, snapshot } = this.stream(stream);
      return { stream, seq, snapshot: snapshot !== null };
    });
    connection.notice('subscribed', { id, epoch: this.epoch, streams: listed, rejected });
    for (const name of names) this.#sendSnapshot(connection, name);
  }

  #reject(connection: Connection, stream: string) {
    const parsed = parseStreamName(stream);
    if (parsed === null) return [{ stream, code: 'VALIDATION_FAILED', message: 'No such stream.' }];
    const isOpen = streams[parsed.base].visibility === 'public' || connection.isAuthenticated;
    return isOpen ? [] : [{ stream, code: 'AUTH_REQUIRED', message: 'Who are you?' }];
  }

  #resume(connection: Connection, { id = null, epoch, streams: asked }: Command): void {
    const numbers = Object.entries(Object(asked)).map(
      ([name, last]) => [name, Number(last)] as const,
    );
    const rejected = numbers.flatMap(([name]) => this.#reject(connection, name));
    const taken = numbers.filter(([name]) => !rejected.some(({ stream }) => stream === name));
    const resumable = taken.filter(([name, last]) => this.#has(name, last, epoch));
    for (const [name] of taken) connection.names.add(name);
    const listed = resumable.map(([stream, last]) => {
      const { seq } = this.stream(stream);
      return { stream, from_seq: last, to_seq: seq, replayed: this.#missed(stream, last).length };
    });
    connection.notice('resumed', { id, epoch: this.epoch, streams: listed, rejected });
    for (const [name, last] of resumable) {
      for (const { frame } of this.#missed(name, last)) connection.send(frame);
    }
    for (const [stream] of taken) {
      if (resumable.some(([name]) => name === stream)) continue;
      const { seq, snapshot } = this.stream(stream);
      const reason = epoch === this.epoch ? 'buffer_overrun' : 'epoch_changed';
      const facts = { stream, reason, last_seq: seq, epoch: this.epoch };
      connection.notice('resync_required', { ...facts, snapshot: snapshot !== null });
      this.#sendSnapshot(connection, stream);
    }
  }

  #has(name: string, last: number, epoch: unknown): boolean {
    const { seq, kept } = this.stream(name);
    if (epoch !== this.epoch || last > seq) return false;
    return last === seq || (kept[0]?.seq ?? Number.POSITIVE_INFINITY) <= last + 1;
  }

  #missed(name: string, last: number) {
    return this.stream(name).kept.filter(({ seq }) => seq > last);
  }

  #sendSnapshot(connection: Connection, name: string): void {
    const { seq, snapshot } = this.stream(name);
    if (snapshot === null) return;
    connection.send({ ...snapshot(), stream: name, seq, ts_ms: Date.now() });
  }
}

/** What the contract has against a frame of either direction; null if nothing. */
function faultOf(name: string, frame: unknown): string | null {
  const message = Object.entries<AnyStreamMessage>(streamMessages).find(([type]) => type === name);
  const command = Object.entries<SocketCommand>(socketCommands).find(([op]) => op === name);
  const schema = message === undefined ? command?.[1].frame : closedSchema(frameOf(message[1]));
  if (schema === undefined) return `unknown ${name}`;
  const check = checks.get(name) ?? ajv.compile(JSON.parse(JSON.stringify(schema)));
  checks.set(name, check);
  return check(frame) ? null : `${name}: ${ajv.errorsText(check.errors)}`;
}

function namesOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
