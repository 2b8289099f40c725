// What a second operator has to agree to.

import type { AnyOperation } from '@sibyl/contract';
import { asMarketId, asWithdrawalId } from '@sibyl/engine';
import { type ApiError, fail, type RequestContext } from '../handling/handler.ts';
import { ownerOf, payoutRestriction } from '../handling/payout-obstacle.ts';
import { refused } from '../handling/restriction.ts';
import { secondFactorsOf } from '../handling/step-up.ts';
import { proposalFault } from './challenge-window.ts';
import { correctionFault, depositFault } from './deposits.ts';
import { isAboveLinkLimit } from './guarded-links.ts';
import { isAboveAlone } from './hand-deposits.ts';
import { isMore, isOtherUser } from './operators.ts';
import type { OperatorParts } from './parts.ts';
import { platformPaymentFault } from './platform-fees.ts';
import type { ActInput } from './supervision.ts';
import { isMoreScope, removalFault } from './users.ts';

type Rule = (parts: OperatorParts, input: ActInput, request: RequestContext) => Promise<boolean>;

/** Of operations that sometimes need it. */
const RULES: Readonly<Record<string, Rule>> = {
  creditDeposit: isAboveAlone,
  createResetLink: (parts, { params }) => isAboveLinkLimit(parts, String(params?.user_id)),
  // Less than before needs nobody: it must be possible at once.
  setOperatorRoles: async ({ operators }, { params, body }) => {
    const known = await operators.operatorById(String(params?.operator_id));
    const wanted = Array.isArray(body?.roles) ? body.roles.map(String) : [];
    return known !== null && isMore(known, wanted);
  },
  // An operator who unlinks the own user could cancel a market in which that user holds shares.
  setOperatorUser: async ({ operators }, { params, body }) => {
    const known = await operators.operatorById(String(params?.operator_id));
    const { user_id: wanted = null } = body ?? {};
    return known !== null && isOtherUser(known, wanted === null ? null : String(wanted));
  },
  // The password alone would open the account: two admins know who asks. Of a factor that is not there it is said at once.
  resetOperatorFactor: async ({ operators }, { params }) =>
    (await secondFactorsOf(operators.factors, String(params?.operator_id))).length > 0,
  // Whoever may rule decides over the money of others.
  setUserScopes: async ({ operators, platform }, { params, body }) => {
    const userId = String(params?.user_id);
    const wanted = Array.isArray(body?.scopes) ? body.scopes.map(String) : [];
    const held = (await operators.scopesOf(userId))?.scopes ?? [];
    // Of a user who is not there it is said at once.
    const isThere = (await platform.userById(userId)) !== null;
    return isThere && isMoreScope(held, wanted);
  },
};

/** In the sandbox nobody has to agree; what is not there, or waits for nobody, is said at once. */
export async function needsApproval(
  parts: OperatorParts,
  operation: AnyOperation,
  input: ActInput,
  request: RequestContext,
): Promise<boolean | ApiError> {
  if (operation.approval === 'never' || input.body?.lane === 'sandbox') return false;
  const absent =
    (await absentMarket(parts, operation, input)) ??
    (await decidedWithdrawal(parts, input)) ??
    (await senselessBooking(parts, operation, input)) ??
    (await absentFactor(parts, operation, input));
  if (absent !== null) return absent;
  if (operation.approval === 'always') return true;
  const rule = RULES[operation.id];
  // Whoever forgets to say when it is needed is asked each time.
  return rule === undefined || rule(parts, input, request);
}

/** Null for a market that the act could still be about. */
async function absentMarket(
  { opened, challengeMinSec }: OperatorParts,
  { id }: AnyOperation,
  { params, body }: ActInput,
): Promise<ApiError | null> {
  const marketId = params?.market_id;
  if (marketId === undefined) return null;
  const lane = opened[body?.lane === 'sandbox' ? 'sandbox' : 'live']?.lane;
  if (lane === undefined) return fail('SERVICE_UNAVAILABLE', undefined, 'No such lane runs here.');
  const { market, hasty } = await lane.read((state) => {
    const found = state.markets.get(asMarketId(marketId));
    const isAnswer = found !== undefined && id === 'proposeResolution';
    return {
      market: found,
      hasty: isAnswer ? proposalFault(lane.name, state, found, challengeMinSec) : null,
    };
  });
  if (market === undefined) return fail('MARKET_NOT_FOUND', { market_id: marketId });
  const { status, proposal } = market;
  if (status === 'resolved' || status === 'cancelled') {
    return fail('RESOLUTION_LOCKED', { market_id: marketId, status });
  }
  if (hasty !== null) return hasty;
  const isEmpty = id === 'ruleResolution' && (proposal === null || proposal.cancellation !== null);
  return isEmpty ? fail('PROPOSAL_STATE_INVALID', { market_id: marketId }) : null;
}

async function decidedWithdrawal(
  parts: OperatorParts,
  { params }: ActInput,
): Promise<ApiError | null> {
  const withdrawalId = params?.withdrawal_id;
  if (withdrawalId === undefined) return null;
  const lane = parts.opened.live?.lane;
  if (lane === undefined) return fail('SERVICE_UNAVAILABLE', undefined, 'No such lane runs here.');
  const known = await lane.read(({ funds }) => funds.withdrawal(asWithdrawalId(withdrawalId)));
  if (known === undefined) return fail('NOT_FOUND', { withdrawal_id: withdrawalId });
  const { needsApproval: isWaiting, state } = known;
  if (!isWaiting) return fail('STATE_CONFLICT', { withdrawal_id: withdrawalId, state });
  const ownerId = await lane.read((now) => ownerOf(now, known));
  const restriction = await payoutRestriction(parts, ownerId);
  return restriction === null ? null : refused(restriction);
}

async function senselessBooking(
  parts: OperatorParts,
  { id }: AnyOperation,
  { params, body }: ActInput,
): Promise<ApiError | null> {
  const accountId = String(params?.account_id);
  const amount = String(body?.amount);
  if (id === 'payPlatformFees') {
    return platformPaymentFault(parts, { accountId, amount, fund: body?.fund });
  }
  if (id !== 'correctBalance' && id !== 'creditDeposit') return null;
  const asked = { accountId, amount, reference: String(body?.external_ref) };
  if (id === 'correctBalance') return correctionFault(parts, asked);
  return depositFault(parts, { ...asked, isBeside: body?.beside_custody === true });
}

async function absentFactor(
  parts: OperatorParts,
  { id }: AnyOperation,
  { params }: ActInput,
): Promise<ApiError | null> {
  return id === 'removeUserFactors' ? removalFault(parts, String(params?.user_id)) : null;
}
