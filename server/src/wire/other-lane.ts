// A market that is not in this lane may be in the other one; what is public there is told here.
import { asMarketId } from '@sibyl/engine';
import type { Lane } from '@sibyl/lane';
import { ApiError, type LaneName } from '../handling/handler.ts';

const ADVICE: Readonly<Record<LaneName, string>> = {
  live: 'It is in the live environment: ask without /sandbox, to trade with a live key.',
  sandbox: 'It is in the sandbox: ask below /sandbox, to trade with a sandbox key.',
};

/** The same refusal, with the lane that has the market if there is one. */
export async function withOtherLane(
  error: ApiError,
  here: LaneName,
  lanes: Readonly<Partial<Record<LaneName, Lane>>>,
): Promise<ApiError> {
  const { code, message, details, headers, replayed } = error;
  const marketId = details?.market_id;
  const other = here === 'live' ? 'sandbox' : 'live';
  if (code !== 'MARKET_NOT_FOUND' || typeof marketId !== 'string') return error;
  const isThere = await lanes[other]
    ?.read(({ markets }) => markets.has(asMarketId(marketId)))
    // What ails the other lane is no reason to answer less here.
    .catch(() => false);
  if (isThere !== true) return error;
  return new ApiError(code, {
    message: `${message} ${ADVICE[other]}`,
    details: { ...details, exists_in: other },
    headers,
    replayed,
  });
}
