// Markets that an operator makes, and what cancelling one would pay.

import type { InputOf, OperatorOperations, OutputOf } from '@sibyl/contract';
import {
  asAccountId,
  asMarketId,
  asTemplateId,
  fairValue,
  type ParamValue,
  PLATFORM_ACCOUNT,
  previewVoid,
  type VoidPreview,
} from '@sibyl/engine';
import { usdt } from '@sibyl/money';
import { ApiError, fail, type Reply, type RequestContext } from '../handling/handler.ts';
import { amountText } from '../wire/amounts.ts';
import { answerFirst } from '../wire/first-answer.ts';
import {
  act,
  laneOf,
  type MarketView,
  type OperatorHandlers,
  type OperatorParts,
} from './parts.ts';

type MakingActs = Pick<OperatorHandlers, 'createPlatformMarket' | 'previewCancellation'>;

export function marketMakingActs(parts: OperatorParts): MakingActs {
  return {
    createPlatformMarket: (request, { body }) => create(parts, request, body),
    previewCancellation: (_request, { params, query }) =>
      preview(parts, query.lane, params.market_id),
  };
}

/** How many of those who gain most are shown. */
const GAINERS_MAX = 20;

type MarketInput = InputOf<OperatorOperations['createPlatformMarket']>['body'];
type Cancellation = OutputOf<OperatorOperations['previewCancellation']>;

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

async function preview(
  parts: OperatorParts,
  lane: MarketInput['lane'],
  marketId: string,
): Promise<Reply<Cancellation> | ApiError> {
  const watched = laneOf(parts, lane);
  if (watched instanceof ApiError) return watched;
  const id = asMarketId(marketId);
  let steps: ReturnType<typeof previewVoid> | null = null;
  let deposit = 0n;
  let money = 0n;
  for (;;) {
    // The market may come to its end between two portions.
    const step = await watched.lane.read((state) => {
      const market = state.markets.get(id);
      if (market === undefined) return fail('MARKET_NOT_FOUND', { market_id: marketId });
      const isOver = market.status === 'resolved' || market.status === 'cancelled';
      if (isOver || market.closing !== null) {
        return fail('STATE_CONFLICT', { market_id: marketId, status: market.status });
      }
      const value = fairValue(state, market, null);
      if ('code' in value) return fail('STATE_CONFLICT', { market_id: marketId });
      deposit = market.deposit;
      money = state.ledger.balance(market.escrow);
      steps ??= previewVoid(state, market, value.payout, 'other', GAINERS_MAX);
      return steps.next();
    });
    if (step instanceof ApiError) return step;
    if (step.done === true) return { data: cancellationView(marketId, deposit, money, step.value) };
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function cancellationView(
  marketId: string,
  deposit: bigint,
  money: bigint,
  preview: VoidPreview,
): Cancellation {
  return {
    market_id: marketId,
    money: amountText(usdt(money + preview.feesReturned)),
    deposit: amountText(usdt(deposit)),
    returned: amountText(preview.poolPaid),
    in_full: false,
    holders: preview.holders,
    gainers: preview.gainers.map(({ accountId, cost, payout, gain }) => ({
      account_id: accountId,
      net_paid: amountText(cost),
      refund: amountText(payout),
      gain: amountText(gain),
    })),
  };
}
