// Tiers and rate multipliers of keys and users: platform records, each change with actor and reason.

import { type InputOf, type OperatorOperations, type OutputOf, tiers } from '@sibyl/contract';
import { keyTermsOf } from '../gateway/key-terms.ts';
import { boundTo } from '../handling/credentials.ts';
import {
  type ApiError,
  actingOperator,
  fail,
  type Reply,
  type RequestContext,
} from '../handling/handler.ts';
import { apiKey } from '../modules/keys/key.ts';
import type { KeyRecord, TierChange, UserRecord } from '../ports/platform.ts';
import { ownerWords } from '../wire/public-words.ts';
import { openLiveAccount } from './live-account.ts';
import type { OperatorHandlers, OperatorParts } from './parts.ts';
import { actOnce } from './saved-answer.ts';

type TierInput = InputOf<OperatorOperations['setKeyTier']>['body'];
type ApiKey = OutputOf<OperatorOperations['setKeyTier']>;
type AccountTier = OutputOf<OperatorOperations['setAccountTier']>;

export function tierActs(
  parts: OperatorParts,
): Pick<OperatorHandlers, 'setKeyTier' | 'setAccountTier'> {
  return {
    setKeyTier: (request, { params, body }) =>
      actOnce(parts, request, () =>
        setKeyTier(parts, request, params.key_id.slice(0, PUBLIC_ID_LENGTH), body),
      ),
    setAccountTier: (request, { params, body }) =>
      actOnce(parts, request, () => setAccountTier(parts, request, params.account_id, body)),
  };
}

const PUBLIC_ID_LENGTH = 24;

async function setKeyTier(
  parts: OperatorParts,
  request: RequestContext,
  publicId: string,
  input: TierInput,
): Promise<Reply<ApiKey> | ApiError> {
  const { platform, clock } = parts;
  if (isEmpty(input)) return nothingToSet();
  const known = await platform.keyById(publicId);
  if (known === null) return fail('NOT_FOUND');
  if (known.revokedAtMs !== null) return fail('STATE_CONFLICT', { status: 'revoked' });
  const change = changeOf(parts, request, input);
  let key: KeyRecord | null = known;
  if (input.tier !== undefined) {
    // A key must never lead to an account that is not there.
    if (input.tier !== 'self_serve' && boundTo(known) === null) {
      await openLiveAccount(parts, known.accounts.live, request.requestId);
    }
    key = await platform.setKeyTier(publicId, input.tier, change);
  }
  if (input.rate_multiplier !== undefined) {
    key = await platform.setKeyRate(publicId, input.rate_multiplier, change);
  }
  if (key === null) return fail('NOT_FOUND');
  return { data: await apiKey(keyTermsOf(platform), key, clock.wallMs()) };
}

async function setAccountTier(
  parts: OperatorParts,
  request: RequestContext,
  accountId: string,
  input: TierInput,
): Promise<Reply<AccountTier> | ApiError> {
  const { platform } = parts;
  if (isEmpty(input)) return nothingToSet();
  const known = await platform.userByAccount(accountId);
  if (known === null) return fail('NOT_FOUND');
  const change = changeOf(parts, request, input);
  let user: UserRecord | null = known;
  if (input.tier !== undefined) user = await platform.setUserTier(known.userId, input.tier, change);
  if (input.rate_multiplier !== undefined) {
    user = await platform.setUserRate(known.userId, input.rate_multiplier, change);
  }
  if (user === null) return fail('NOT_FOUND');
  const { tier, userId, rateMultiplier } = user;
  return {
    data: {
      account_id: accountId,
      user_id: userId,
      tier: tiers.find((name) => name === tier) ?? 'self_serve',
      rate_multiplier: rateMultiplier,
    },
  };
}

function isEmpty({ tier, rate_multiplier: multiplier }: TierInput): boolean {
  return tier === undefined && multiplier === undefined;
}

function nothingToSet(): ApiError {
  return fail('MISSING_FIELD', { field: 'tier', expected: 'tier, rate_multiplier or both' });
}

function changeOf(
  { clock }: OperatorParts,
  request: RequestContext,
  { message }: TierInput,
): TierChange {
  const actor = actingOperator(request).operatorId;
  return { actor, reason: message ?? ownerWords.tier, atMs: clock.wallMs() };
}
