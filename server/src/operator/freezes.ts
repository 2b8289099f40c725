// Freezing accounts, and ending that.

import type { InputOf, OperatorOperations, OutputOf } from '@sibyl/contract';
import { type AccountId, asAccountId, PLATFORM_ACCOUNT } from '@sibyl/engine';
import { CLOSED, isClosedByOwner } from '../handling/closed-account.ts';
import { ApiError, fail, type Reply, type RequestContext } from '../handling/handler.ts';
import { answerFirst, isAnswered } from '../wire/first-answer.ts';
import { isoTime } from '../wire/times.ts';
import { besideClosing } from './deposits.ts';
import { type Act, act, laneOf, type OperatorHandlers, type OperatorParts } from './parts.ts';

type FreezeInput = InputOf<OperatorOperations['freezeAccount']>['body'];
type AccountFreeze = OutputOf<OperatorOperations['freezeAccount']>;

export function freezeActs(
  parts: OperatorParts,
): Pick<OperatorHandlers, 'freezeAccount' | 'unfreezeAccount'> {
  return {
    freezeAccount: async (request, { params, body }) =>
      freezeRefusal(params.account_id, body) ??
      setFrozen(parts, request, params.account_id, body, true),
    unfreezeAccount: (request, { params, body }) =>
      unfreeze(parts, request, params.account_id, body),
  };
}

/** Null if it may be frozen, as far as can be said without looking. */
function freezeRefusal(id: string, input: FreezeInput): ApiError | null {
  if (id === PLATFORM_ACCOUNT) {
    const details = { field: 'account_id', account_id: id, expected: 'an account of a user' };
    const words = `${PLATFORM_ACCOUNT} is the exchange's own, and markets stand on it: halt a market or the lane instead.`;
    return fail('VALIDATION_FAILED', details, words);
  }
  // By these words an account that its owner has closed is known: nobody else may say them.
  if (input.message !== CLOSED) return null;
  const details = { field: 'message', expected: `other words than "${CLOSED}"` };
  return fail('VALIDATION_FAILED', details, 'Only its owner closes an account.');
}

/** With no closing in between: it would be undone unseen. */
async function unfreeze(
  parts: OperatorParts,
  request: RequestContext,
  id: string,
  input: Act,
): Promise<Reply<AccountFreeze> | ApiError> {
  const accountId = asAccountId(id);
  return besideClosing(
    parts,
    input.lane,
    accountId,
    async () =>
      (await closedForGood(parts, input.lane, accountId, request)) ??
      setFrozen(parts, request, id, input, false),
  );
}

/** Whoever closed it is gone: nobody owns what would happen in it. Null if it was not closed, or not when this was first asked for. */
async function closedForGood(
  { opened }: OperatorParts,
  lane: Act['lane'],
  accountId: AccountId,
  { idempotency, receivedAtMs }: RequestContext,
): Promise<ApiError | null> {
  const isClosed = await opened[lane]?.lane.read((state) => {
    const account = state.accounts.get(accountId);
    if (account === undefined || !isClosedByOwner(account)) return false;
    return idempotency === undefined || !isAnswered(state, idempotency, receivedAtMs);
  });
  if (isClosed !== true) return null;
  const details = { account_id: accountId, reason: CLOSED };
  return fail('NOT_FOUND', details, 'The account was closed by its owner, and stays closed.');
}

/** Its orders are gone and every further one is refused once this has answered. */
async function setFrozen(
  parts: OperatorParts,
  request: RequestContext,
  id: string,
  input: FreezeInput,
  frozen: boolean,
): Promise<Reply<AccountFreeze> | ApiError> {
  const watched = laneOf(parts, input.lane);
  if (watched instanceof ApiError) return watched;
  const { lane } = watched;
  const accountId = asAccountId(id);
  // The journal has the operator's own reason; the account keeps what its owner reads.
  const { message } = input;
  const told = frozen && message !== undefined ? { reason: message } : {};
  const body = { type: 'freeze_account', accountId, frozen, ...told } as const;
  const outcome = await act(lane, request, input, body);
  if (outcome instanceof ApiError) return outcome;
  const cancelled = outcome.events.filter(({ type }) => type === 'order_cancelled').length;
  return answerFirst(parts, lane, request, outcome, async ({ atMs }) => ({
    data: {
      account_id: accountId,
      lane: input.lane,
      frozen,
      message: await lane.read((state) => state.accounts.get(accountId)?.frozenReason ?? null),
      orders_cancelled: cancelled,
      changed_at: isoTime(atMs),
      changed_at_ms: atMs,
    },
    replayed: outcome.replayed,
  }));
}
