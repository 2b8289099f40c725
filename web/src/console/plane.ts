// Calls of the operator plane: typed by the contract, repeated after a step-up, and the end of a session noticed.
import {
  type AnyOperation,
  type InputOf,
  type OperatorOperations,
  type OutputOf,
  operatorOperations,
} from '@sibyl/contract/console';
import { type CallOptions, fillPath, SibylError, settingsOf, Transport } from '@sibyl/sdk';
import { factorsOf } from '../session/step-up.ts';
import { sessionEnded } from './session/session-store.ts';
import { confirmSession } from './session/step-up.ts';

/** Longer than the server takes to say that something goes on. */
const PATIENCE_MS = 40_000;

// The cookie goes along by itself: no script here knows the session.
const transport = new Transport(settingsOf({ baseUrl: location.origin, timeoutMs: PATIENCE_MS }));

/** What is asked for with, whatever the operation. */
export interface AnyInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

export interface Answer {
  readonly data: unknown;
  /** Null on the last page, and where there are no pages. */
  readonly nextCursor: string | null;
}

export type OperationId = keyof OperatorOperations;

/** Reads or acts; a session that is not enough is confirmed by its operator first. */
export async function call<Id extends OperationId>(
  id: Id,
  input: InputOf<OperatorOperations[Id]>,
  signal?: AbortSignal,
): Promise<OutputOf<OperatorOperations[Id]>> {
  const how = { idempotencyKey: crypto.randomUUID(), ...(signal !== undefined && { signal }) };
  const { data } = await send(operatorOperations[id], input as AnyInput, how);
  // The exchange answers as the contract says, and its tests compare the two.
  return data as OutputOf<OperatorOperations[Id]>;
}

export async function send(
  operation: AnyOperation,
  input: AnyInput,
  how: CallOptions = { idempotencyKey: crypto.randomUUID() },
): Promise<Answer> {
  try {
    return await attempt(operation, input, how);
  } catch (error) {
    // Who signs in, or is confirming just now, is asked by the form itself.
    const isProof = operation.auth === 'public' || operation.id === 'stepUpOperatorSession';
    const factors = isProof ? [] : factorsOf(error);
    if (factors.length === 0 || !(await confirmSession(factors))) throw error;
    return attempt(operation, input, how);
  }
}

async function attempt(
  operation: AnyOperation,
  { params = {}, query, body }: AnyInput,
  how: CallOptions,
): Promise<Answer> {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const isKeyed = operation.idempotency !== 'none';
  const request = {
    method: operation.method,
    path: fillPath(
      operation.path,
      names.map((name) => params[name] ?? ''),
    ),
    ...(query !== undefined && { query }),
    ...(body !== undefined && { body }),
    keyed: isKeyed,
    repeatable: isKeyed || operation.method === 'GET',
  };
  try {
    const { data, meta } = await transport.send(request, how);
    const next = meta.next_cursor;
    return { data, nextCursor: typeof next === 'string' ? next : null };
  } catch (error) {
    if (operation.auth !== 'public' && isSessionOver(error)) sessionEnded(whyOver(error));
    throw error;
  }
}

function isSessionOver(error: unknown): boolean {
  return isCode(error, 'AUTH_REQUIRED') || isCode(error, 'AUTH_INVALID');
}

/** Without a cookie the exchange knows nothing of a session. */
function whyOver(error: unknown): string | null {
  const isKnown = error instanceof SibylError && error.details.hint !== undefined;
  return isKnown ? String(error.details.hint) : null;
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof SibylError && error.code === code;
}
