// Limits that users set themselves, and self-exclusion: commands of the lane that was called.
import type { OperationInput, OwnLimits } from '@sibyl/contract';
import {
  type AccountId,
  amountAt,
  type CommandBody,
  FOR_EVER_MS,
  LIMIT_KINDS,
  type LimitKind,
  lossesOf,
  type OwnLimitValues,
  PERIODS,
  type State,
} from '@sibyl/engine';
import { parseMoney, type Usdt } from '@sibyl/money';
import {
  ApiError,
  fail,
  type Handlers,
  ownAccount,
  type Reply,
  type RequestContext,
} from '../../handling/handler.ts';
import { type StepUpParts, stepUpRefusal } from '../../handling/step-up.ts';
import type { Turns } from '../../handling/turns.ts';
import { amountText } from '../../wire/amounts.ts';
import { wireRefusal } from '../../wire/refusals.ts';

type LimitHandlers = Pick<Handlers, 'getOwnLimits' | 'setOwnLimits' | 'excludeSelf'>;

export interface LimitParts extends StepUpParts {
  /** By account: a market that is being made is journaled before the exclusion, or judged after it. */
  readonly exclusionTurns: Turns;
}

export function limitHandlers(parts: LimitParts): LimitHandlers {
  return {
    getOwnLimits: async (request) => ({ data: await read(request) }),
    setOwnLimits(request, { body }) {
      const limits = valuesOf(body);
      if (limits instanceof ApiError) return limits;
      return submit(request, { type: 'set_own_limits', accountId: ownAccount(request), limits });
    },
    async excludeSelf(request, { body }) {
      const unproved = await unprovedExclusion(parts, request);
      if (unproved !== null) return unproved;
      const untilMs = body.until_ms ?? FOR_EVER_MS;
      const accountId = ownAccount(request);
      return parts.exclusionTurns.take(accountId, () =>
        submit(request, { type: 'exclude_self', accountId, untilMs }),
      );
    },
  };
}

/** Nobody can take an exclusion back, so a session that was left open does not make one. A visitor has nothing to prove it by. */
async function unprovedExclusion(
  parts: StepUpParts,
  request: RequestContext,
): Promise<ApiError | null> {
  const { credential } = request;
  const isVisitor = credential?.kind === 'session' && credential.isDemo;
  return isVisitor ? null : stepUpRefusal(parts, request);
}

async function submit(
  request: RequestContext,
  body: CommandBody,
): Promise<Reply<OwnLimits> | ApiError> {
  const { lane, actor, requestId } = request;
  const { answer } = await lane.submit({ body, actor, requestId });
  return answer.ok ? { data: await read(request) } : wireRefusal(answer.rejection, false);
}

function read(request: RequestContext): Promise<OwnLimits> {
  const accountId = ownAccount(request);
  return request.lane.read((state) => limitsView(state, accountId));
}

export function limitsView(state: State, accountId: AccountId): OwnLimits {
  const account = state.accounts.get(accountId);
  if (account === undefined) throw fail('NOT_FOUND', { account_id: accountId });
  const { family } = account;
  const { limits } = family;
  const losses = lossesOf(state, family);
  const view = (kind: LimitKind, at: number): OwnLimits['loss']['day'] => {
    const used = kind === 'loss' ? losses[at]! : (limits?.deposited[at] ?? 0n);
    const limit = limits?.limits[kind][at];
    const amount = limit === undefined ? null : amountAt(limit, state.nowMs);
    const next = limit?.next ?? null;
    const isAhead = next !== null && next.fromMs > state.nowMs;
    return {
      amount: textOf(amount),
      used: amountText(used > 0n ? used : 0n),
      next_amount: isAhead ? textOf(next.amount) : null,
      next_from_ms: isAhead ? next.fromMs : null,
    };
  };
  const periods = (kind: LimitKind) => ({
    day: view(kind, 0),
    week: view(kind, 1),
    month: view(kind, 2),
  });
  const untilMs = limits?.excludedUntilMs ?? 0;
  return {
    deposit: periods('deposit'),
    loss: periods('loss'),
    excluded_until_ms: untilMs > state.nowMs ? untilMs : null,
  };
}

type Wanted = OperationInput<'setOwnLimits'>['body'];

function valuesOf(body: Wanted): OwnLimitValues | ApiError {
  for (const kind of LIMIT_KINDS) {
    const wrong = PERIODS.find((period) => amountOf(body[kind][period]) === undefined);
    if (wrong !== undefined) return unreadable(`${kind}.${wrong}`);
  }
  return { deposit: amountsOf(body.deposit), loss: amountsOf(body.loss) };
}

function amountsOf({ day, week, month }: Wanted['loss']): OwnLimitValues['loss'] {
  return {
    day: amountOf(day) ?? null,
    week: amountOf(week) ?? null,
    month: amountOf(month) ?? null,
  };
}

/** Undefined for what is no amount. */
function amountOf(text: string | null): Usdt | null | undefined {
  if (text === null) return null;
  const parsed = parseMoney(text, 'USDT');
  return parsed.ok && parsed.value >= 0n ? parsed.value : undefined;
}

function textOf(amount: bigint | null): string | null {
  return amount === null ? null : amountText(amount);
}

function unreadable(field: string): ApiError {
  return fail('VALIDATION_FAILED', { field, expected: '0 or more, up to 6 places, or null' });
}
