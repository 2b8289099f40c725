// Money out: asked for by its owner, to destinations that were known for a while; listed, and cancelled while it can be. And
// what comes in, listed.
import { limits, type OperationInput, type Operations, type Withdrawal } from '@sibyl/contract';
import {
  type AccountId,
  asWithdrawalId,
  type WithdrawalHold,
  type WithdrawalRecord,
} from '@sibyl/engine';
import type { Lane } from '@sibyl/lane';
import {
  ApiError,
  fail,
  type Handler,
  isoTime,
  knownAccount,
  ownAccount,
  type Reply,
  type RequestContext,
} from '../../handling/handler.ts';
import { stepUpRefusal } from '../../handling/step-up.ts';
import { submit } from '../../handling/submit.ts';
import { Turns } from '../../handling/turns.ts';
import { withdrawalsHeldUntilMs } from '../../handling/withdrawal-hold.ts';
import { CustodySilent } from '../../ports/custody.ts';
import type { DestinationRecord } from '../../ports/destinations.ts';
import { amountText, readMoney } from '../../wire/amounts.ts';
import { answerOnce } from '../../wire/answer-once.ts';
import { answerFirst } from '../../wire/first-answer.ts';
import { depositView, whileHeld, withdrawalView } from '../../wire/funds.ts';
import { wireRefusal } from '../../wire/refusals.ts';
import { type DestinationHandlers, destinationHandlers } from './destinations.ts';
import type { WithdrawalParts } from './parts.ts';
import {
  familyDeposits,
  familyFree,
  familyWithdrawals,
  ownWithdrawal,
  withdrawnSince,
} from './queries.ts';

interface WithdrawalHandlers extends DestinationHandlers {
  readonly createWithdrawal: Handler<Operations['createWithdrawal']>;
  readonly listWithdrawals: Handler<Operations['listWithdrawals']>;
  readonly getWithdrawal: Handler<Operations['getWithdrawal']>;
  readonly cancelWithdrawal: Handler<Operations['cancelWithdrawal']>;
  readonly listDeposits: Handler<Operations['listDeposits']>;
}

type Answered = Reply<Withdrawal> | ApiError;

export function withdrawalHandlers(parts: WithdrawalParts): WithdrawalHandlers {
  const answers = { store: parts.platform, clock: parts.clock };
  // Two at once would each not see the other, and pass the limit of a day together.
  const turns = new Turns();
  return {
    ...destinationHandlers(parts),
    createWithdrawal: (request, { body }) =>
      turns.take(request.credential?.holderId ?? '', () =>
        answerOnce(answers, request, () => create(parts, request, body)),
      ),
    listWithdrawals: (request, { query }) => list(parts, request, query),
    getWithdrawal: async (request, { params }) => {
      const found = await find(request, params.withdrawal_id);
      if (found instanceof ApiError) return found;
      return { data: withdrawalView(whileHeld(found, await heldUntilMs(parts, request))) };
    },
    cancelWithdrawal: (request, { params }) => cancel(request, params.withdrawal_id),
    listDeposits: (request, { query }) => listIn(request, query),
  };
}

async function create(
  parts: WithdrawalParts,
  request: RequestContext,
  input: OperationInput<'createWithdrawal'>['body'],
): Promise<Answered> {
  const { destination_id: destinationId, amount: text } = input;
  const accountId = await knownAccount(request, input.subaccount_id);
  const amount = readMoney(text, 'amount');
  if (amount instanceof ApiError) return amount;
  const tooLittle = await leastRefusal(parts, request, accountId, amount);
  if (tooLittle !== null) return tooLittle;
  const unproved = await stepUpRefusal(parts, request);
  if (unproved !== null) return unproved;
  const target = await usableDestination(parts, request, destinationId);
  if (target instanceof ApiError) return target;
  const unpayable = await custodyRefusal(parts, target.destination, amount);
  if (unpayable !== null) return unpayable;
  const { lane } = request;
  const outcome = await submit(request, {
    type: 'withdraw',
    accountId,
    amount,
    custody: parts.payouts.custody.name,
    destination: target.destination,
    hold: await holdOf(parts, lane, { ...target, accountId, amount }),
  });
  const { answer, replayed } = outcome;
  if (!answer.ok) return wireRefusal(answer.rejection, replayed);
  const { result } = answer;
  if (result.kind !== 'withdrawal') throw new Error('a withdrawal was answered by something else');
  return answerFirst(parts, lane, request, outcome, async () => ({
    data: withdrawalView(result.withdrawal),
    replayed,
  }));
}

/** Less is refused where more is left to withdraw; all that is left goes, so that nobody is kept here by dust. */
async function leastRefusal(
  { payouts }: WithdrawalParts,
  { lane }: RequestContext,
  accountId: AccountId,
  amount: bigint,
): Promise<ApiError | null> {
  if (amount >= payouts.leastAmount) return null;
  if (amount >= (await lane.read((state) => familyFree(state, accountId)))) return null;
  const least = amountText(payouts.leastAmount);
  const expected = `at least ${least}, or all that is free`;
  const details = { field: 'amount', expected, min_withdrawal: least };
  const words = `The least that can be withdrawn is ${least} USDT, or all that is free.`;
  return fail('VALIDATION_FAILED', details, words);
}

/** One of the caller's own; others' look like none. */
async function usableDestination(
  { platform, clock }: WithdrawalParts,
  { credential }: RequestContext,
  destinationId: string,
): Promise<DestinationRecord | ApiError> {
  const userId = credential?.userId ?? null;
  const known = userId === null ? [] : await platform.destinations.of(userId);
  const found = known.find((each) => each.destinationId === destinationId);
  if (found === undefined) return fail('NOT_FOUND', { destination_id: destinationId });
  const { usableFromMs } = found;
  if (usableFromMs <= clock.wallMs()) return found;
  const details = {
    destination_id: destinationId,
    usable_from_at: isoTime(usableFromMs),
    usable_from_at_ms: usableFromMs,
  };
  const message = `The destination is new: it can be used from ${isoTime(usableFromMs)}.`;
  return fail('STATE_CONFLICT', details, message);
}

/** Nothing is reserved that the custody would not pay, or of which it could not be asked. */
async function custodyRefusal(
  { payouts }: WithdrawalParts,
  destination: string,
  amount: bigint,
): Promise<ApiError | null> {
  try {
    const fault = await payouts.custody.check(destination, amount);
    if (fault === null) return null;
    const details = { field: 'destination_id', expected: 'one that can be paid to', reason: fault };
    return fail('VALIDATION_FAILED', details, `The destination cannot be paid to: ${fault}`);
  } catch (error) {
    if (!(error instanceof CustodySilent)) throw error;
    return fail(error.isLate ? 'UPSTREAM_TIMEOUT' : 'UPSTREAM_ERROR');
  }
}

interface Wanted {
  readonly userId: string;
  readonly accountId: AccountId;
  readonly amount: bigint;
}

/** Null lets it go out at once. */
async function holdOf(
  { platform, clock, payouts: { approvalAbove } }: WithdrawalParts,
  lane: Lane,
  { userId, accountId, amount }: Wanted,
): Promise<WithdrawalHold | null> {
  const nowMs = clock.wallMs();
  const untilMs = await withdrawalsHeldUntilMs(platform, userId, nowMs);
  const before = await lane.read((state) => withdrawnSince(state, accountId, nowMs - DAY_MS));
  const approval = approvalAbove !== null && before + amount > approvalAbove;
  if (!approval && untilMs === null) return null;
  return { approval, untilMs, reason: approval ? 'above_limit' : 'credentials_changed' };
}

const DAY_MS = 86_400_000;

/** Those that were asked for before the change wait with the later ones. */
async function heldUntilMs(
  { platform, clock }: WithdrawalParts,
  { credential }: RequestContext,
): Promise<number | null> {
  const userId = credential?.userId ?? null;
  return userId === null ? null : withdrawalsHeldUntilMs(platform, userId, clock.wallMs());
}

async function list(
  parts: WithdrawalParts,
  request: RequestContext,
  { before, limit = limits.page.limitDefault }: OperationInput<'listWithdrawals'>['query'],
) {
  const accountId = ownAccount(request);
  // One more than asked for shows that there are others.
  const found = await request.lane.read((state) =>
    familyWithdrawals(state, accountId, before ?? null, limit + 1),
  );
  if (found === null) return fail('NOT_FOUND', { account_id: accountId });
  const shown = found.slice(0, limit);
  const hasMore = found.length > shown.length;
  const untilMs = await heldUntilMs(parts, request);
  return {
    data: {
      withdrawals: shown.map((each) => withdrawalView(whileHeld(each, untilMs))),
      next_before: hasMore ? (shown.at(-1)?.withdrawalId ?? null) : null,
    },
  };
}

async function listIn(
  request: RequestContext,
  { before, limit = limits.page.limitDefault }: OperationInput<'listDeposits'>['query'],
) {
  const accountId = ownAccount(request);
  const found = await request.lane.read((state) =>
    familyDeposits(state, accountId, before ?? null, limit + 1),
  );
  if (found === null) return fail('NOT_FOUND', { account_id: accountId });
  const shown = found.slice(0, limit);
  const hasMore = found.length > shown.length;
  return {
    data: {
      deposits: shown.map(depositView),
      next_before: hasMore ? (shown.at(-1)?.depositId ?? null) : null,
    },
  };
}

/** As the lane has it, once that is durable. */
async function find(
  request: RequestContext,
  withdrawalId: string,
): Promise<WithdrawalRecord | ApiError> {
  const accountId = ownAccount(request);
  const found = await request.lane.read((state) => ownWithdrawal(state, accountId, withdrawalId));
  return found ?? fail('NOT_FOUND', { withdrawal_id: withdrawalId });
}

async function cancel(request: RequestContext, withdrawalId: string): Promise<Answered> {
  const found = await find(request, withdrawalId);
  if (found instanceof ApiError) return found;
  const { lane, actor, requestId } = request;
  const { answer } = await lane.submit({
    body: {
      type: 'cancel_withdrawal',
      accountId: found.accountId,
      withdrawalId: asWithdrawalId(withdrawalId),
      reason: 'cancelled',
    },
    actor,
    requestId,
  });
  if (!answer.ok) return wireRefusal(answer.rejection, false);
  const { result } = answer;
  if (result.kind !== 'withdrawal') throw new Error('a cancel was answered by something else');
  return { data: withdrawalView(result.withdrawal) };
}
