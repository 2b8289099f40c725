// The dead man's switch of an account, or of its orders in one market.
import type { OperationInput, OperationOutput } from '@sibyl/contract';
import { asMarketId } from '@sibyl/engine';
import {
  type ApiError,
  accountFor,
  fail,
  type Reply,
  type RequestContext,
} from '../../handling/handler.ts';
import { wireRefusal } from '../../wire/refusals.ts';
import { isoTimeOrNull } from '../../wire/times.ts';

export async function heartbeat(
  request: RequestContext,
  body: OperationInput<'heartbeat'>['body'],
): Promise<Reply<OperationOutput<'heartbeat'>> | ApiError> {
  const accountId = accountFor(request, body.subaccount_id);
  const marketId = body.market_id ?? null;
  const scope = marketId === null ? 'account' : 'market';
  if (scope === 'market' && body.scope === 'account') {
    return fail('VALIDATION_FAILED', {
      field: 'scope',
      expected: 'market or omitted when market_id is sent',
    });
  }
  const { lane, actor, requestId } = request;
  const { timeout_ms: timeoutMs } = body;
  const outcome = await lane.submit({
    body: {
      type: 'heartbeat',
      accountId,
      timeoutMs,
      marketId: marketId === null ? null : asMarketId(marketId),
    },
    actor,
    requestId,
  });
  if (!outcome.answer.ok) return wireRefusal(outcome.answer.rejection);
  const isArmed = timeoutMs > 0;
  const expiresAtMs = isArmed ? outcome.atMs + timeoutMs : null;
  return {
    data: {
      armed: isArmed,
      timeout_ms: timeoutMs,
      scope,
      market_id: marketId,
      expires_at: isoTimeOrNull(expiresAtMs),
      expires_at_ms: expiresAtMs,
    },
  };
}
