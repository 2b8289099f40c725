// Who may decide on the cancellation of a market: two operators, neither with anything at stake in it.
import { limits } from '@sibyl/contract';
import { type AccountId, asAccountId, freeShares, type Market, type State } from '@sibyl/engine';
import {
  type ApiError,
  actingOperator,
  fail,
  isoTime,
  type RequestContext,
} from '../handling/handler.ts';
import { isAlone } from './able-operators.ts';
import type { OperatorParts, WatchedLane } from './parts.ts';

const ROLE = 'market_manager';

/** Null if the operator may decide on the markets. In live the operator token decides on none. */
export async function peopleFault(
  parts: Pick<OperatorParts, 'operators' | 'platform' | 'clock'>,
  { lane }: WatchedLane,
  request: RequestContext,
  marketIds: readonly Market['id'][],
): Promise<ApiError | null> {
  const { operatorId, session } = actingOperator(request);
  if (session === null) {
    const reason = 'the operator token cancels no market';
    return lane.name === 'live' ? fail('STATE_CONFLICT', { reason }) : null;
  }
  const operator = await parts.operators.operatorById(operatorId);
  const userId = operator?.userId ?? null;
  const user = userId === null ? null : await parts.platform.userById(userId);
  if (user === null) return null;
  const accountId = asAccountId(user.accounts[lane.name]);
  return lane.read((state) => {
    for (const marketId of marketIds) {
      const market = state.markets.get(marketId);
      const stake = market === undefined ? null : stakeIn(state, market, accountId);
      if (stake === null) continue;
      const message = `Your own user has ${stake} in this market: another operator decides on it.`;
      return fail('STATE_CONFLICT', { market_id: marketId, reason: 'own_stake', stake }, message);
    }
    return null;
  });
}

/** What the family of the account has in the market; null for nothing. */
function stakeIn(state: State, market: Market, accountId: AccountId): string | null {
  const family = state.accounts.get(accountId)?.family;
  if (family === undefined) return null;
  if (!market.platform && market.creator.family === family) return 'its deposit';
  for (const member of family.members) {
    const holding = state.holdings.find(member, market);
    if (holding === undefined) continue;
    if (holding.openOrders > 0) return 'orders';
    if (market.outcomes.some((_, index) => freeShares(state, holding, index) > 0n)) return 'shares';
  }
  return null;
}

/** Whether the proposer may confirm alone, or why this credential may not confirm yet. */
export async function confirmation(
  parts: OperatorParts,
  { lane }: WatchedLane,
  request: RequestContext,
  { operator: proposedBy, proposedAtMs }: { operator: string | null; proposedAtMs: number },
): Promise<{ readonly alone: boolean } | ApiError> {
  if (lane.name === 'sandbox') return { alone: true };
  if (actingOperator(request).operatorId !== proposedBy) return { alone: false };
  const possibleFromMs = proposedAtMs + limits.operator.aloneMs;
  if (!(await isAlone(parts.operators, ROLE, parts.clock.wallMs())))
    return refused('another operator has to confirm');
  if (parts.clock.wallMs() >= possibleFromMs) return { alone: true };
  return refused(`another operator has to confirm, or you from ${isoTime(possibleFromMs)} on`);
}

function refused(reason: string): ApiError {
  return fail('STATE_CONFLICT', { reason }, `This cannot be confirmed yet: ${reason}.`);
}
