// A request and its answer as the gateway sees them, whoever read the one and writes the other.
import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { Reply } from '../handling/handler.ts';
import type { Admission, Route } from './gate.ts';

/** A request whose body was read; Fastify's requests are of this form. */
export interface Incoming {
  readonly id: string;
  readonly method: string;
  readonly url: string;
  /** As it came, also where the path was an alias; absent where it is the same. */
  readonly originalUrl?: string;
  readonly headers: IncomingHttpHeaders;
  readonly raw: { readonly socket: Socket; readonly headers: IncomingHttpHeaders };
  readonly routeOptions: { readonly config: { readonly route?: Route } };
  readonly params: unknown;
  readonly query: unknown;
  body: unknown;
  rawBody: Buffer | null;
  admission: Admission | null;
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

/** Where the answer goes; Fastify's replies are of this form. */
export interface Outgoing {
  readonly statusCode: number;
  /** Milliseconds since the request was read. */
  readonly elapsedTime: number;
  header(name: string, value: string | number): unknown;
  code(status: number): Outgoing;
  send(payload?: unknown): unknown;
  /** Whether it can write this reply without its data; where it is absent, none. */
  canSpell?(reply: Reply): boolean;
  /** To be called with such a reply only. */
  sendSpelled?(reply: Reply, nowMs: number): void;
}
