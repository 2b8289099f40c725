// The trail: every act with who, as what, why and what came of it, each entry chained to the one before.

import type { OperatorOperations, OutputOf } from '@sibyl/contract';
import type { RefusedAct } from '../gateway/operator-guard.ts';
import { cutPage } from '../handling/cut-page.ts';
import { ApiError, isoTime, type Reply, type RequestContext } from '../handling/handler.ts';
import type { BegunAct, TrailRecord } from '../ports/approvals.ts';
import { linkOf } from '../stores/trail-chain.ts';
import { targetOf } from './approval-proposals.ts';
import type { OperatorHandlers, OperatorParts } from './parts.ts';
import type { Act, ActInput } from './supervision.ts';

type TrailParts = 'operators' | 'secrets' | 'clock';
type Entry = OutputOf<OperatorOperations['listTrail']>[number];

/** Notes the act before it is begun, and what came of it after. */
export function recorded(parts: OperatorParts, act: Act): Act {
  const { trail } = parts.operators;
  return async (request, input) => {
    const begun = begunAct(request, input);
    const isSignIn = request.operation.auth === 'public';
    if (!isSignIn) await trail.begin(begun);
    let outcome = 'failed';
    let operatorId = begun.operatorId;
    let isVain = false;
    try {
      const answer = await act(request, input);
      outcome = outcomeOf(answer);
      isVain = answer instanceof ApiError && isWithoutEffect(request, answer);
      if (isSignIn && !(answer instanceof ApiError)) operatorId = signedIn(answer);
      return answer;
    } finally {
      // Wrong passwords are in the log: whoever guesses must not be able to fill the trail.
      const isKept = !isSignIn || outcome === 'ok';
      if (isVain && isKept) await appendRefusal(parts, begun, outcome);
      else if (isKept) await append(parts, { ...begun, operatorId }, outcome);
    }
  };
}

/** Acts that an operator has no role for never reach their handlers, and are in the trail all the same. */
export function refusalsInto(
  parts: Pick<OperatorParts, TrailParts | 'refusals'>,
): (refused: RefusedAct) => Promise<void> {
  return ({ operator, operation, requestId, params, code }) => {
    // The router fills what the path names; nothing of the body was read.
    const input = { params: params as ActInput['params'] };
    return appendRefusal(parts, begunAct({ operator, operation, requestId }, input), code);
  };
}

/** Surely nothing was done, and no lane has a command of it that the trail would have to have too. */
function isWithoutEffect({ operation }: RequestContext, { code }: ApiError): boolean {
  return code === 'SCOPE_MISSING' || code === 'STEP_UP_MFA_REQUIRED' || operation.own;
}

async function appendRefusal(
  parts: Pick<OperatorParts, TrailParts | 'refusals'>,
  begun: BegunAct,
  code: string,
): Promise<void> {
  const again = parts.refusals.count(begun);
  if (again === 'omitted') return parts.operators.trail.drop(begun.requestId);
  const what = again === null ? begun.what : JSON.stringify(again);
  await append(parts, { ...begun, what }, code);
}

/** At a start: acts that an end of the process cut off are in the trail as that. */
export async function closeTrail(parts: Pick<OperatorParts, TrailParts>): Promise<void> {
  for (const begun of await parts.operators.trail.begun()) {
    await append(parts, begun, 'interrupted');
  }
}

export function trailActs({ operators }: OperatorParts): Pick<OperatorHandlers, 'listTrail'> {
  return {
    async listTrail(request, { query }) {
      const page = request.page(query);
      const place = page.after === null ? null : Number(page.after[0]);
      const filter = {
        operatorId: query.operator_id ?? null,
        operation: query.operation ?? null,
        lane: query.lane ?? null,
      };
      const { trail } = operators;
      const found =
        query.order === 'newest'
          ? await trail.readBack(place, page.limit + 1, filter)
          : await trail.read(place ?? 0, page.limit + 1, filter);
      const { shown, nextCursor } = cutPage(found, page, ({ seq }) => [seq]);
      return { data: shown.map(entryView), meta: { next_cursor: nextCursor } };
    },
  };
}

async function append(
  { operators, secrets, clock }: Pick<OperatorParts, TrailParts>,
  begun: BegunAct,
  outcome: string,
): Promise<void> {
  await operators.trail.append(linkOf(secrets, { ...begun, outcome, atMs: clock.wallMs() }));
}

function begunAct(
  { operator, operation, requestId }: Pick<RequestContext, 'operator' | 'operation' | 'requestId'>,
  input: ActInput,
): BegunAct {
  const { params } = input;
  const body = input.body ?? {};
  const { reason, lane } = body;
  return {
    requestId,
    operatorId: operator?.operatorId ?? 'nobody',
    roles: [...(operator?.roles ?? [])],
    operation: operation.id,
    lane: typeof lane === 'string' ? lane : null,
    target: targetOf(operation, params),
    what: whatOf(body),
    reason: typeof reason === 'string' ? reason : null,
  };
}

const WHAT_MAX = 2_000;
const SECRET = /password|secret|otp|recovery_code/;

/** The rest of what was said, without passwords and codes. */
function whatOf(body: Readonly<Record<string, unknown>>): string {
  const words = Object.entries(body).filter(
    ([name]) => name !== 'reason' && name !== 'lane' && !SECRET.test(name),
  );
  return words.length === 0 ? '' : JSON.stringify(Object.fromEntries(words)).slice(0, WHAT_MAX);
}

function outcomeOf(answer: Reply | ApiError): string {
  if (answer instanceof ApiError) return answer.code;
  const { data, replayed } = answer;
  if (replayed === true) return 'replayed';
  const isProposed = typeof data === 'object' && data !== null && 'confirmable_at' in data;
  return isProposed && 'state' in data && data.state === 'waiting' ? 'proposed' : 'ok';
}

function signedIn({ data }: Reply): string {
  const operator = (data as { readonly operator?: { readonly operator_id?: string } }).operator;
  return operator?.operator_id ?? 'nobody';
}

function entryView(entry: TrailRecord): Entry {
  const { seq, atMs, operatorId, roles, operation, lane, target, what, reason } = entry;
  return {
    seq,
    operation,
    target,
    what,
    reason,
    acted_at: isoTime(atMs),
    acted_at_ms: atMs,
    operator_id: operatorId,
    roles: [...roles],
    lane: lane === 'live' || lane === 'sandbox' ? lane : null,
    request_id: entry.requestId,
    outcome: entry.outcome,
    previous: entry.previous,
    hash: entry.hash,
  };
}
