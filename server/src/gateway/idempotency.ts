// Idempotency-Key: read from the header, refused while the first request runs, found in either lane.
import { hash } from 'node:crypto';
import { type AnyOperation, limits } from '@sibyl/contract';
import type { CommandKey } from '@sibyl/engine';
import type { Lane } from '@sibyl/lane';
import { type ApiError, fail } from '../handling/handler.ts';
import { memoryKey, remembered } from '../wire/first-answer.ts';

const FORM = new RegExp(limits.idempotency.headerPattern);

/** The key of a request, undefined where none was sent or none is read, or why it is refused. */
export function readKey(
  operation: AnyOperation,
  header: string | string[] | undefined,
): string | undefined | ApiError {
  if (operation.idempotency === 'none') return undefined;
  if (header === undefined) {
    return operation.idempotency === 'required' ? fail('IDEMPOTENCY_KEY_MISSING') : undefined;
  }
  if (typeof header !== 'string' || !FORM.test(header)) return fail('IDEMPOTENCY_KEY_MALFORMED');
  return header;
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
    const place = memoryKey(key);
    const bodyHash = this.#running.get(place);
    if (bodyHash === undefined) {
      this.#running.set(place, key.bodyHash);
      return null;
    }
    return fail(bodyHash === key.bodyHash ? 'IDEMPOTENCY_IN_FLIGHT' : 'IDEMPOTENCY_BODY_MISMATCH');
  }

  leave(key: CommandKey): void {
    this.#running.delete(memoryKey(key));
  }
}

/** Whether the lane has answered this key within the window; then a retry belongs to it. */
export function isRecorded(lane: Lane, key: CommandKey): Promise<boolean> {
  return lane.read((state) => {
    const known = remembered(state, key);
    return known !== undefined && state.nowMs - known.atMs < limits.idempotency.windowMs;
  });
}
