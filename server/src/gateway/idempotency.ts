// Idempotency-Key: read from the header, refused while the first request runs, found in either lane.
import { hash } from 'node:crypto';
import { type AnyOperation, limits } from '@sibyl/contract';
import type { CommandKey } from '@sibyl/engine';
import type { Lane } from '@sibyl/lane';
import { type ApiError, fail } from '../handling/handler.ts';
import { isAnswered, memoryKey } from '../wire/first-answer.ts';
import type { Incoming } from './exchange.ts';

const FORM = new RegExp(limits.idempotency.headerPattern);

/** The key of a request, undefined where none was sent or none is read, or why it is refused. */
type KeyReader = (request: Pick<Incoming, 'headers' | 'body'>) => string | undefined | ApiError;

/** Where the body may have a key of its own, the header goes before it; they never meet, because no header has a colon. */
export function keyReaderOf({ idempotency, method, input }: AnyOperation): KeyReader {
  if (method === 'GET') return () => undefined;
  const hasBodyKey = input.body !== null && BODY_KEY in input.body.properties;
  return ({ headers, body }) => {
    const header = headers['idempotency-key'];
    if (header === undefined) {
      if (idempotency === 'required') return fail('IDEMPOTENCY_KEY_MISSING');
      return hasBodyKey ? bodyKey(body) : undefined;
    }
    if (typeof header !== 'string' || !FORM.test(header)) return fail('IDEMPOTENCY_KEY_MALFORMED');
    return idempotency === 'none' ? undefined : header;
  };
}

const BODY_KEY = 'idempotency_key';

function bodyKey(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !(BODY_KEY in body)) return undefined;
  return `body:${body[BODY_KEY]}`;
}

export interface KeyedRequest {
  readonly holderId: string;
  readonly method: string;
  /** Canonical, without the prefix of an address, so that a retry finds either lane. */
  readonly path: string;
  /** As it came, `?` excluded. */
  readonly query: string;
  readonly body: string | Buffer;
}

/** Scope and fingerprint: the same key on another path or of another holder is another key. */
export function commandKey(key: string, request: KeyedRequest): CommandKey {
  const { holderId, method, path, query, body } = request;
  const text = query === '' ? body : `${query}\n${body.toString()}`;
  return {
    scope: `${holderId} ${method} ${path}`,
    key,
    bodyHash: hash('sha256', text, 'hex'),
  };
}

/** Requests that are running now; their keys are refused until they are answered. */
export class InFlight {
  readonly #running = new Map<string, string>();

  /** Null if the key was free and is now taken. */
  enter(key: CommandKey): ApiError | null {
    const mapKey = memoryKey(key);
    const bodyHash = this.#running.get(mapKey);
    if (bodyHash === undefined) {
      this.#running.set(mapKey, key.bodyHash);
      return null;
    }
    return fail(bodyHash === key.bodyHash ? 'IDEMPOTENCY_IN_FLIGHT' : 'IDEMPOTENCY_BODY_MISMATCH');
  }

  leave(key: CommandKey): void {
    this.#running.delete(memoryKey(key));
  }
}

/** Whether the lane has answered this key within the window; then a retry belongs to it. */
export function isRecorded(lane: Lane, key: CommandKey, receivedAtMs: number): Promise<boolean> {
  return lane.read((state) => isAnswered(state, key, receivedAtMs));
}
