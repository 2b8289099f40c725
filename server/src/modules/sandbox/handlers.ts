// What exists only where the money is fake: the faucet, starting over, and settling a market by hand.
import type { OperationInput, OperationOutput, Operations } from '@sibyl/contract';
import { type AccountId, asMarketId, type Outcome, type State } from '@sibyl/engine';
import {
  ApiError,
  type Handler,
  ownAccount,
  type Reply,
  type RequestContext,
} from '../../handling/handler.ts';
import { submit } from '../../handling/submit.ts';
import { ASSET } from '../../wire/account-mode.ts';
import { amountText } from '../../wire/amounts.ts';
import { reservedOf } from '../../wire/bonds.ts';
import { type AnswerStore, answerFirst } from '../../wire/first-answer.ts';
import { type Histories, historyOf } from '../../wire/histories.ts';
import { marketView, resolutionView, withDayVolumes } from '../../wire/market-view.ts';
import { wireRefusal } from '../../wire/refusals.ts';
import { isoTime } from '../../wire/times.ts';
import { clearedBy, payoutsOf } from './queries.ts';

export interface SandboxParts extends AnswerStore {
  /** Absent refuses nobody. */
  readonly office?: { admitFaucet(ipBucket: string, accountId: string): Promise<ApiError | null> };
  readonly histories: Histories;
}

interface SandboxHandlers {
  readonly useFaucet: Handler<Operations['useFaucet']>;
  readonly resetSandbox: Handler<Operations['resetSandbox']>;
  readonly settleWithMockOracle: Handler<Operations['settleWithMockOracle']>;
}

export function sandboxHandlers(parts: SandboxParts): SandboxHandlers {
  return {
    useFaucet: (request) => useFaucet(parts, request),
    resetSandbox: (request) => resetSandbox(parts, request),
    settleWithMockOracle: (request, { body }) => settle(parts, request, body),
  };
}

async function useFaucet(
  parts: SandboxParts,
  request: RequestContext,
): Promise<Reply<OperationOutput<'useFaucet'>> | ApiError> {
  const accountId = ownAccount(request);
  const { actor } = request;
  const keyId = actor.kind === 'account' ? actor.keyId : null;
  const refused = (await parts.office?.admitFaucet(request.ipBucket, accountId)) ?? null;
  if (refused !== null) return refused;
  const outcome = await submit(request, { type: 'faucet', accountId, keyId });
  const { answer, replayed } = outcome;
  if (!answer.ok) return wireRefusal(answer.rejection, replayed);
  const { lane } = request;
  return answerFirst(parts, lane, request, outcome, async () => {
    const data = await lane.read((state) => faucetView(state, accountId, outcome));
    return { data, replayed };
  });
}

function faucetView(state: State, accountId: AccountId, { atMs }: Outcome) {
  const account = state.accounts.get(accountId)!;
  const { amount, intervalMs } = state.parameters.faucet;
  const usedAtMs = state.faucetUses.get(`account:${account.family.id}`)?.atMs ?? atMs;
  const nextAtMs = usedAtMs + intervalMs;
  return {
    account_id: account.id,
    asset: ASSET,
    amount: amountText(amount),
    balance_free: amountText(state.ledger.balance(account.free)),
    next_at: isoTime(nextAtMs),
    next_at_ms: nextAtMs,
  } as const;
}

async function resetSandbox(
  parts: SandboxParts,
  request: RequestContext,
): Promise<Reply<OperationOutput<'resetSandbox'>> | ApiError> {
  const accountId = ownAccount(request);
  const outcome = await submit(request, { type: 'reset_account', accountId });
  const { answer, replayed, events } = outcome;
  if (!answer.ok) return wireRefusal(answer.rejection, replayed);
  const { orders, positions } = clearedBy(events);
  const { lane } = request;
  return answerFirst(parts, lane, request, outcome, async () => {
    const data = await lane.read((state) => {
      const account = state.accounts.get(accountId)!;
      return {
        account_id: account.id,
        orders_cancelled: orders,
        positions_cleared: positions,
        balance_free: amountText(state.ledger.balance(account.free)),
        balance_reserved: amountText(reservedOf(state, account)),
      };
    });
    return { data, replayed };
  });
}

const NOT_YOURS =
  'Only markets that you created can be settled here. Create one with POST /v1/markets from a template of GET /v1/markets/templates with market_type creator and oracle_config.source sandbox_mock, then settle that one.';

async function settle(
  parts: SandboxParts,
  request: RequestContext,
  input: OperationInput<'settleWithMockOracle'>['body'],
): Promise<Reply<OperationOutput<'settleWithMockOracle'>> | ApiError> {
  const accountId = ownAccount(request);
  const marketId = asMarketId(input.market_id);
  const outcome = await submit(request, {
    type: 'mock_oracle',
    accountId,
    marketId,
    winningOutcomeId: input.winning_outcome_id,
  });
  const { answer, replayed } = outcome;
  const { lane, laneName, receivedAtMs } = request;
  if (!answer.ok) {
    const refused = wireRefusal(answer.rejection, replayed);
    if (answer.rejection.code !== 'MARKET_NOT_FOUND') return refused;
    const isKnown = await lane.read(({ markets }) => markets.has(marketId));
    if (!isKnown) return refused;
    const { code, details } = refused;
    return new ApiError(code, { details, message: NOT_YOURS, replayed });
  }
  return answerFirst(parts, lane, request, outcome, async () => {
    const view = await lane.read((state) => {
      const market = state.markets.get(marketId)!;
      return { market: marketView(state, market), resolution: resolutionView(market) };
    });
    if (view.resolution === null) throw new Error('a settled market has no resolution');
    const history = historyOf(parts.histories, laneName);
    const market = await withDayVolumes(view.market, history, receivedAtMs);
    const payouts = await payoutsOf(history, marketId, accountId);
    return { data: { market, resolution: view.resolution, payouts }, replayed };
  });
}
