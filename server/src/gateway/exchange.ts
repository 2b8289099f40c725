// A request and its answer as the gateway sees them, whoever read the one and writes the other.
import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { Reply } from '../handling/handler.ts';
import type { Passage, Route } from './gate.ts';
import type { RateDecision } from './rate-limit.ts';

/** A request whose body was read; Fastify's requests are of this form. */
export interface Incoming {
  readonly id: string;
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly raw: { readonly socket: Socket; readonly headers: IncomingHttpHeaders };
  readonly routeOptions: { readonly config: { readonly route?: Route } };
  readonly params: unknown;
  readonly query: unknown;
  body: unknown;
  rawBody: Buffer | null;
  passage: Passage | null;
  /** Null unless the log of requests wants it. */
  kept?(): Kept | null;
}

/** A finished exchange for the log of requests, as it lies in memory: good until others are read and answered. */
export interface Kept {
  /** The first line and the headers, up to `headEnd`. */
  readonly head: Buffer | string;
  readonly headEnd: number;
  /** From `bodyFrom` on. */
  readonly body: Buffer | null;
  readonly bodyFrom: number;
  /** Bytes come with the head of the answer. */
  readonly answer: Buffer | string | null;
}

/** One that can be written without being made first. */
export type SpelledReply = Required<Pick<Reply, 'spell'>> & Pick<Reply, 'meta'>;

/** Where the answer goes; Fastify's replies are of this form. */
export interface Outgoing {
  readonly statusCode: number;
  /** Milliseconds since the request was read. */
  readonly elapsedTime: number;
  header(name: string, value: string | number): unknown;
  /** Writes the headers of every answer at once; where it is absent they are set one by one. */
  stamp?(requestId: string, rate: RateDecision, isRedacted: boolean): void;
  code(status: number): Outgoing;
  send(payload?: unknown): unknown;
  /** Sends a reply that can spell itself; where it is absent, all are sent as objects. */
  sendSpelled?(reply: SpelledReply, nowMs: number): void;
}
