// The first answer to a command with an Idempotency-Key, given again: also what the engine does not remember of it.
import { limits } from '@sibyl/contract';
import type { CommandKey, Outcome, State } from '@sibyl/engine';
import { type Lane, recordsOf } from '@sibyl/lane';
import type { ApiError, Reply, RequestContext } from '../handling/handler.ts';
import { requestIdIn } from '../handling/journaled-request.ts';
import type { PlatformStore } from '../ports/platform.ts';
import { readAnswer, writeAnswer } from './kept-answer.ts';

export interface AnswerStore {
  readonly platform: Pick<PlatformStore, 'savedAnswer' | 'keepAnswer'>;
}

/** The number of a command in the journal, and its time. */
export type FirstRun = Pick<Outcome, 'seq' | 'atMs'>;

/** The first command with this key, as long as the engine remembers it. */
function remembered(state: State, key: CommandKey): FirstRun | undefined {
  return state.commandKeys.get(memoryKey(key));
}

/** Longer than a request waits for its command. */
const WAIT_MS = 60_000;

/**
 * Whether a command with this key was answered before and will be again, so that no check need be made anew. The engine forgets
 * a key with the next command after the window, and that may be this very one: what is nearly forgotten counts as new.
 */
export function isAnswered(state: State, key: CommandKey, receivedAtMs: number): boolean {
  const known = remembered(state, key);
  if (known === undefined) return false;
  const nowMs = Math.max(state.nowMs, receivedAtMs);
  return nowMs - known.atMs < limits.idempotency.windowMs - WAIT_MS;
}

/** The engine's own form of the same key. */
export function memoryKey({ scope, key }: CommandKey): string {
  return `${scope}|${key}`;
}

type Keyed = Pick<RequestContext, 'idempotency'>;

/** Number and time of the command that did what the outcome tells: of a repeated request, that of the first one. */
export async function firstRun(
  lane: Lane,
  { idempotency }: Keyed,
  outcome: Outcome,
): Promise<FirstRun> {
  if (!outcome.replayed || idempotency === undefined) return outcome;
  return lane.read((state) => remembered(state, idempotency) ?? outcome);
}

/** The id of the request that became the command; the journal has it beside the command. */
export async function firstRequestId(
  lane: Lane,
  request: Keyed & Pick<RequestContext, 'requestId'>,
  outcome: Outcome,
): Promise<string> {
  if (!outcome.replayed) return request.requestId;
  const { seq } = await firstRun(lane, request, outcome);
  for await (const [commit] of lane.journal.read(seq)) {
    const record = commit === undefined ? [] : recordsOf(commit);
    const first = record.find((one) => one.seq === seq)?.requestId;
    return first === undefined ? request.requestId : requestIdIn(first);
  }
  return request.requestId;
}

/**
 * For answers that show what changes afterwards, such as balances and prices. What was told is kept before it leaves; what
 * was never told, because the server ended in between, is told of today.
 */
export async function answerFirst<Data>(
  { platform }: AnswerStore,
  lane: Lane,
  request: Keyed,
  outcome: Outcome,
  make: (first: FirstRun) => Promise<Reply<Data> | ApiError>,
): Promise<Reply<Data> | ApiError> {
  const { idempotency } = request;
  if (idempotency === undefined) return make(outcome);
  const { scope, key, bodyHash } = idempotency;
  const first = await firstRun(lane, request, outcome);
  const saved = outcome.replayed ? await platform.savedAnswer(scope, key, first.atMs) : null;
  if (saved !== null) return readAnswer<Data>(saved.answer);
  const answer = await make(first);
  await platform.keepAnswer({
    scope,
    key,
    bodyHash,
    answer: writeAnswer(answer),
    atMs: first.atMs,
  });
  return answer;
}
