// One publisher and many readers: how many messages reach them per second, and per second of CPU.
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import path from 'node:path';
import { Outlet, Registry, WriteTurn } from '@sibyl/server';
import { type WebSocket, WebSocketServer } from 'ws';
import { canPin } from '../harness/child.ts';
import type { Measurement } from '../suite.ts';

export const variants = ['ws send', 'frame once', 'coalesced'] as const;
export type Variant = (typeof variants)[number];

/** A book delta of 208 bytes, 212 with its frame. */
const MESSAGE_BYTES = 208;
const FRAME_BYTES = 212;
const PER_WRITE = 10;
const QUEUED_MAX = 262_144;
const WINDOW_MS = 1_500;
const WINDOWS = 3;
const WARM_UP_MS = 700;

const READERS_PROGRAM = path.resolve(import.meta.dirname, 'readers.ts');
const STREAM = 'orderbook:m_0123456789abcdef:yes';

interface Reader {
  readonly webSocket: WebSocket;
  readonly socket: Socket;
}

export async function measureFanOut(variant: Variant, count: number): Promise<Measurement> {
  const readers: Reader[] = [];
  const server = createServer();
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  server.on('upgrade', (request, duplex, head) => {
    sockets.handleUpgrade(request, duplex, head, (webSocket) => {
      readers.push({ webSocket, socket: duplex as Socket });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 4_096, resolve));
  const { port } = server.address() as AddressInfo;
  const client = startReaders(port, count);
  await askBytes(client, false);
  const publish = publisherOf(variant, readers);
  const work = pump(readers, publish);
  await pause(WARM_UP_MS);
  const perSecond: number[] = [];
  const perCpuSecond: number[] = [];
  for (let window = 0; window < WINDOWS; window += 1) {
    const before = await askBytes(client, true);
    const cpu = process.cpuUsage();
    const startMs = performance.now();
    await pause(WINDOW_MS);
    const after = await askBytes(client, true);
    const elapsedMs = performance.now() - startMs;
    const { user, system } = process.cpuUsage(cpu);
    const messages = (after - before) / FRAME_BYTES;
    perSecond.push((messages * 1000) / elapsedMs);
    perCpuSecond.push((messages * 1_000_000) / (user + system));
  }
  work.stop();
  client.disconnect();
  for (const { socket } of readers) socket.destroy();
  server.close();
  return {
    perSecond: middle(perSecond),
    perCpuSecond: middle(perCpuSecond),
    readers: readers.length,
  };
}

/** Sends the next messages to everybody and gives how many they were. */
type Publish = () => void;

function publisherOf(variant: Variant, readers: readonly Reader[]): Publish {
  let seq = 0;
  if (variant === 'ws send') {
    return () => {
      seq += 1;
      const message = Buffer.from(frameText(seq));
      for (const { webSocket } of readers) webSocket.send(message, { binary: false });
    };
  }
  const turn = new WriteTurn();
  const clock = {
    wallMs: () => 0,
    monotonicMs: () => Math.floor(performance.now()),
    bootMs: () => Math.floor(performance.now()),
    setAlarm: () => () => undefined,
  };
  const registry = new Registry({ clock, flushed: () => turn.flush() });
  const instance = registry.instance(STREAM);
  for (const { socket } of readers) {
    const outlet = new Outlet(socket, turn, clock, () => undefined);
    registry.listen(instance, { locale: 'en', deliver: (chunk) => outlet.push(chunk) });
  }
  const perWrite = variant === 'coalesced' ? PER_WRITE : 1;
  return () => {
    for (let index = 0; index < perWrite; index += 1) {
      seq += 1;
      const data = dataText(seq);
      registry.publish('orderbook', 'm_0123456789abcdef', ['yes'], {
        type: 'orderbook_delta',
        atMs: AT_MS,
        data,
        key: null,
      });
    }
    registry.flush();
  };
}

const AT_MS = 1_794_657_600_000;

/** The whole message, of one length whatever its number. */
function frameText(seq: number): string {
  const head = `{"type":"orderbook_delta","stream":"${STREAM}","seq":${seq},"prev_seq":${seq - 1},"ts_ms":${AT_MS},"data":`;
  return `${head}${dataText(seq)}}`;
}

/** Filled up so that the frame around it has its length. */
function dataText(seq: number): string {
  const around = `{"type":"orderbook_delta","stream":"${STREAM}","seq":${seq},"prev_seq":${seq - 1},"ts_ms":${AT_MS},"data":}`;
  const room = MESSAGE_BYTES - around.length;
  const bare = '{"bids":[["0.517","0"]],"asks":[["","2.5"]]}';
  return bare.replace('["",', `["${'0.518'.padEnd(room - bare.length, '0')}",`);
}

/** Publishes as fast as the readers take it. */
function pump(readers: readonly Reader[], publish: Publish): { stop(): void } {
  let isRunning = true;
  const sample = readers.filter((_, index) => index % 100 === 0);
  const step = (): void => {
    if (!isRunning) return;
    for (let turn = 0; turn < 5; turn += 1) {
      if (sample.some(({ socket }) => socket.writableLength > QUEUED_MAX)) break;
      publish();
    }
    setImmediate(step);
  };
  step();
  return {
    stop: () => {
      isRunning = false;
    },
  };
}

function startReaders(port: number, count: number): ChildProcess {
  const node = [process.execPath, READERS_PROGRAM, String(port), String(count)];
  const [program = '', ...args] = canPin() ? ['taskset', '-c', '1', ...node] : node;
  return spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
}

/** The bytes that all readers have got; without asking, waits until they are all there. */
function askBytes(client: ChildProcess, isAsked: boolean): Promise<number> {
  return new Promise((resolve, reject) => {
    const ended = (): void => reject(new Error('the readers ended'));
    client.once('exit', ended);
    client.once('message', (message) => {
      client.off('exit', ended);
      resolve(bytesOf(message));
    });
    if (isAsked) client.send('bytes');
  });
}

function bytesOf(message: unknown): number {
  if (typeof message === 'object' && message !== null && 'bytes' in message) {
    return Number(message.bytes);
  }
  throw new Error('the readers answered nothing');
}

function middle(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
