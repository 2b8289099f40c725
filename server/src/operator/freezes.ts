// Freezing accounts, and ending that.

import type { OperatorOperations, OutputOf } from '@sibyl/contract';
import { asAccountId } from '@sibyl/engine';
import { ApiError, type Reply, type RequestContext } from '../handling/handler.ts';
import { answerFirst } from '../wire/first-answer.ts';
import { isoTime } from '../wire/times.ts';
import {
  type Act,
  act,
  laneOf,
  type OperatorHandlers,
  type OperatorParts,
  shortReason,
} from './parts.ts';

type AccountFreeze = OutputOf<OperatorOperations['freezeAccount']>;

export function freezeActs(
  parts: OperatorParts,
): Pick<OperatorHandlers, 'freezeAccount' | 'unfreezeAccount'> {
  return {
    freezeAccount: (request, { params, body }) =>
      setFrozen(parts, request, params.account_id, body, true),
    unfreezeAccount: (request, { params, body }) =>
      setFrozen(parts, request, params.account_id, body, false),
  };
}

/** Its orders are gone and every further one is refused once this has answered. */
async function setFrozen(
  parts: OperatorParts,
  request: RequestContext,
  id: string,
  input: Act,
  frozen: boolean,
): Promise<Reply<AccountFreeze> | ApiError> {
  const watched = laneOf(parts, input.lane);
  if (watched instanceof ApiError) return watched;
  const { lane } = watched;
  const accountId = asAccountId(id);
  const reason = shortReason(input);
  const body = { type: 'freeze_account', accountId, frozen, reason } as const;
  const outcome = await act(lane, request, input, body);
  if (outcome instanceof ApiError) return outcome;
  const cancelled = outcome.events.filter(({ type }) => type === 'order_cancelled').length;
  return answerFirst(parts, lane, request, outcome, async ({ atMs }) => ({
    data: {
      account_id: accountId,
      lane: input.lane,
      frozen,
      reason: await lane.read((state) => state.accounts.get(accountId)?.frozenReason ?? null),
      orders_cancelled: cancelled,
      changed_at: isoTime(atMs),
      changed_at_ms: atMs,
    },
    replayed: outcome.replayed,
  }));
}
