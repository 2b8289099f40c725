// A whole exchange with its streams on a loopback port, and clients that check every frame they get.
import { closedSchema, frameOf, type StreamMessageType, streamMessages } from '@sibyl/contract';
import type { CommandBody, Outcome } from '@sibyl/engine';
import { Ajv, type ValidateFunction } from 'ajv';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import { systemRandom } from '../../src/adapters/node/random.ts';
import { createStreams, type Streams, type StreamsOptions } from '../../src/gateway/ws/streams.ts';
import { streamAccount } from '../../src/stream-account.ts';
import { type Exchange, openExchange } from '../modules/exchange.ts';
import { testPrices } from '../test-prices.ts';

export interface Stage {
  readonly exchange: Exchange;
  readonly streams: Streams;
  readonly url: string;
  /** Messages that were seen by any client, by type. */
  readonly seen: Set<string>;
  connect(path?: string, headers?: Readonly<Record<string, string>>): Promise<Client>;
  close(): Promise<void>;
}

export interface Frame {
  readonly type: StreamMessageType;
  readonly stream?: string;
  readonly seq?: number;
  readonly prev_seq?: number;
  readonly ts_ms: number;
  // biome-ignore lint/suspicious/noExplicitAny: frames are checked against their schema, then read freely.
  readonly data: any;
}

const ajv = new Ajv({ strict: false, formats: { int64: true, 'date-time': true, uri: true } });
const checks = new Map<string, ValidateFunction>(
  Object.values(streamMessages).map((message) => [
    message.type,
    ajv.compile(closedSchema(frameOf(message))),
  ]),
);

export async function openStage(options: Partial<StreamsOptions> = {}): Promise<Stage> {
  const late: { streams: Streams | null } = { streams: null };
  const exchange = await openExchange((lane, marketId, outcomeId) =>
    late.streams === null ? 0 : late.streams.bookSeq(lane, marketId, outcomeId),
  );
  const errors: unknown[] = [];
  const prices = testPrices();
  const streams = await createStreams({
    lanes: exchange.lanes,
    histories: exchange.histories,
    platform: exchange.platform,
    authenticator: exchange.gateway.authenticator,
    clock: exchange.clock,
    random: systemRandom,
    failed: (error) => errors.push(error),
    showAccount: streamAccount,
    referencePrice: (symbol, atMs) => prices.price(symbol, atMs),
    hasLimits: false,
    bookIntervalMs: 0,
    ...options,
  });
  late.streams = streams;
  const port = await exchange.gateway.listen({ host: '127.0.0.1', port: 0 });
  streams.attach(exchange.gateway);
  const url = `ws://127.0.0.1:${port}`;
  const seen = new Set<string>();
  return {
    exchange,
    streams,
    url,
    seen,
    connect: (path = '/sandbox/ws', headers = {}) => Client.open(`${url}${path}`, seen, headers),
    async close() {
      await Promise.all([streams.close(), tickUntil(exchange)]);
      await exchange.close();
      expect(errors).toEqual([]);
    },
  };
}

/** Lets alarms of the standing clock ring while something closes. */
async function tickUntil(exchange: Exchange): Promise<void> {
  await pause(50);
  exchange.clock.advance(2_000);
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

export class Client {
  readonly socket: WebSocket;
  readonly frames: Frame[] = [];
  closed: { readonly code: number } | null = null;
  #waiting: { readonly test: (frame: Frame) => boolean; readonly found: (frame: Frame) => void }[] =
    [];
  readonly #seen: Set<string>;
  #from = 0;

  private constructor(socket: WebSocket, seen: Set<string>) {
    this.socket = socket;
    this.#seen = seen;
    socket.on('message', (data: Buffer) => this.#receive(data));
    socket.on('close', (code) => {
      this.closed = { code };
    });
    socket.on('error', () => undefined);
  }

  static async open(
    url: string,
    seen: Set<string>,
    headers: Readonly<Record<string, string>>,
  ): Promise<Client> {
    const client = new Client(new WebSocket(url, { headers }), seen);
    await client.next('welcome');
    return client;
  }

  send(frame: object): void {
    this.socket.send(JSON.stringify(frame));
  }

  /** The next frame of this type after the last one that was asked for, now or later. */
  next(type: StreamMessageType, test: (frame: Frame) => boolean = () => true): Promise<Frame> {
    const matches = (frame: Frame): boolean => frame.type === type && test(frame);
    const at = this.frames.findIndex((frame, index) => index >= this.#from && matches(frame));
    if (at >= 0) {
      this.#from = at + 1;
      return Promise.resolve(this.frames[at]!);
    }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no ${type} came`)), 8_000);
      this.#waiting.push({
        test: matches,
        found: (frame) => {
          clearTimeout(timer);
          this.#from = this.frames.indexOf(frame) + 1;
          resolve(frame);
        },
      });
    });
  }

  async ask(frame: object, reply: StreamMessageType): Promise<Frame> {
    const answer = this.next(reply);
    this.send(frame);
    return answer;
  }

  /** Everything sent before has been read and answered. */
  async settle(): Promise<void> {
    await this.ask({ op: 'PING', id: 'settle' }, 'pong');
  }

  async ended(): Promise<number> {
    for (let turn = 0; turn < 800 && this.closed === null; turn += 1) await pause(10);
    return this.closed?.code ?? 0;
  }

  #receive(data: Buffer): void {
    const frame: Frame = JSON.parse(data.toString());
    const check = checks.get(frame.type);
    if (check === undefined || !check(frame)) {
      throw new Error(`bad frame: ${JSON.stringify(check?.errors)} ${data.toString()}`);
    }
    this.#seen.add(frame.type);
    this.frames.push(frame);
    const at = this.#waiting.findIndex(({ test }) => test(frame));
    if (at >= 0) this.#waiting.splice(at, 1)[0]!.found(frame);
  }
}

export function submit(stage: Stage, body: CommandBody): Promise<Outcome> {
  return stage.exchange.lanes.sandbox!.submit({
    body,
    actor: { kind: 'operator', name: 'test', reason: 'test' },
    requestId: 'test',
  });
}
