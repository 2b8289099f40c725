// Markets that an operator makes.

import type { InputOf, OperatorOperations } from '@sibyl/contract';
import { asAccountId, asTemplateId, type ParamValue, PLATFORM_ACCOUNT } from '@sibyl/engine';
import { ApiError, fail, type Reply, type RequestContext } from '../handling/handler.ts';
import { answerFirst } from '../wire/first-answer.ts';
import {
  act,
  laneOf,
  type MarketView,
  type OperatorHandlers,
  type OperatorParts,
} from './parts.ts';

type MakingActs = Pick<OperatorHandlers, 'createPlatformMarket'>;

export function marketMakingActs(parts: OperatorParts): MakingActs {
  return {
    createPlatformMarket: (request, { body }) => create(parts, request, body),
  };
}

type MarketInput = InputOf<OperatorOperations['createPlatformMarket']>['body'];

async function create(
  parts: OperatorParts,
  request: RequestContext,
  body: MarketInput,
): Promise<Reply<MarketView> | ApiError> {
  const watched = laneOf(parts, body.lane);
  if (watched instanceof ApiError) return watched;
  const accountId = body.account_id ?? PLATFORM_ACCOUNT;
  if (body.lane === 'live' && accountId !== PLATFORM_ACCOUNT) return atAnothersCost(accountId);
  const outcome = await act(watched.lane, request, body, {
    type: 'create_market',
    accountId: asAccountId(accountId),
    templateId: asTemplateId(body.template_id),
    // Values of other kinds are the engine's to refuse: it knows the template.
    params: body.params as Readonly<Record<string, ParamValue>>,
    displayTitle: body.display_title ?? null,
    displayImageUrl: body.display_image_url ?? null,
  });
  if (outcome instanceof ApiError) return outcome;
  const { answer, replayed } = outcome;
  if (!answer.ok || answer.result.kind !== 'market') {
    throw new Error('a create was answered by something else');
  }
  const { marketId } = answer.result;
  return answerFirst(parts, watched.lane, request, outcome, async () => ({
    data: await parts.views.market(body.lane, marketId),
    replayed,
  }));
}

/** No operator spends the money of a user: whoever wants a market at the own cost makes it. */
function atAnothersCost(accountId: string): ApiError {
  const details = {
    field: 'account_id',
    account_id: accountId,
    expected: `${PLATFORM_ACCOUNT}, or left out`,
  };
  const words = `In live an operator makes markets at the cost of ${PLATFORM_ACCOUNT} alone: the deposit of a market is taken from no other account but by its owner.`;
  return fail('VALIDATION_FAILED', details, words);
}
