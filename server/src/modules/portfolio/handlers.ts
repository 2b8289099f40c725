// Money and complete sets: the balance, what the portfolio comes to, the statement, mint and merge.
import type { Balance, Conversion, LedgerEntry, OperationInput, Operations } from '@sibyl/contract';
import { type AccountId, asMarketId, findHolding, type MarketId, type State } from '@sibyl/engine';
import {
  ApiError,
  accountFor,
  fail,
  type Handler,
  knownAccount,
  type Page,
  type Reply,
  type RequestContext,
} from '../../handling/handler.ts';
import { submit } from '../../handling/submit.ts';
import { amountText, lotsText, readSize } from '../../wire/amounts.ts';
import { type AnswerStore, answerFirst } from '../../wire/first-answer.ts';
import { type Histories, historyOf } from '../../wire/histories.ts';
import { conversionIdText } from '../../wire/ids.ts';
import { positionsIn } from '../../wire/position-view.ts';
import { asClosed, wireRefusal } from '../../wire/refusals.ts';
import { isoTime } from '../../wire/times.ts';
import { balanceView, entryView } from './queries.ts';
import { readSummary } from './summary.ts';

export interface PortfolioParts extends AnswerStore {
  readonly histories: Histories;
  readonly payouts?: { readonly depositInstructions: string };
}

interface PortfolioHandlers {
  readonly getBalance: Handler<Operations['getBalance']>;
  readonly getPortfolioSummary: Handler<Operations['getPortfolioSummary']>;
  readonly listLedger: Handler<Operations['listLedger']>;
  readonly convertPosition: Handler<Operations['convertPosition']>;
}

export function portfolioHandlers(parts: PortfolioParts): PortfolioHandlers {
  return {
    getBalance: (request, { query }) => getBalance(parts, request, query.subaccount_id),
    getPortfolioSummary: async (request, { query }) => ({
      data: await readSummary(
        parts.histories,
        request,
        await knownAccount(request, query.subaccount_id),
        query.range ?? '1d',
      ),
    }),
    listLedger: (request, { query }) => listLedger(parts, request, query),
    convertPosition: (request, { body }) => convert(parts, request, body),
  };
}

async function getBalance(
  { payouts }: PortfolioParts,
  request: RequestContext,
  subaccountId: string | undefined,
): Promise<Reply<Balance> | ApiError> {
  const accountId = await knownAccount(request, subaccountId);
  const data = await request.lane.read((state) =>
    balanceView(state, accountId, payouts?.depositInstructions ?? null),
  );
  return data === null ? fail('NOT_FOUND', { account_id: accountId }) : { data };
}

async function listLedger(
  { histories }: PortfolioParts,
  request: RequestContext,
  query: OperationInput<'listLedger'>['query'],
): Promise<Reply<LedgerEntry[]>> {
  const page = request.page(query);
  const accountId = await knownAccount(request, query.subaccount_id);
  // Everything that the caller may have been told is durable after this, and so in history.
  await request.lane.read(() => null);
  const history = historyOf(histories, request.laneName);
  const filter = {
    accountId,
    reason: query.reason ?? null,
    marketId: query.market_id ?? null,
    fromMs: query.from_ms ?? null,
    toMs: query.to_ms ?? null,
    before: entryCursor(page),
  };
  const { rows, next } = await history.statement(filter, page.limit);
  const cursor = next === null ? null : page.cursor([next.seq, next.number]);
  return { data: rows.map(entryView), meta: { next_cursor: cursor } };
}

function entryCursor({ after }: Page) {
  return after === null ? null : { seq: Number(after[0]), number: Number(after[1]) };
}

async function convert(
  parts: PortfolioParts,
  request: RequestContext,
  body: OperationInput<'convertPosition'>['body'],
): Promise<Reply<Conversion> | ApiError> {
  const accountId = accountFor(request, body.subaccount_id);
  const lots = readSize(body.size);
  if (lots instanceof ApiError) return lots;
  const marketId = asMarketId(body.market_id);
  const { lane, caps, grant } = request;
  const sets = { accountId, marketId, lots };
  const command =
    body.action === 'mint'
      ? ({ type: 'mint_sets', ...sets, caps, grant } as const)
      : ({ type: 'merge_sets', ...sets } as const);
  const outcome = await submit(request, command);
  const { answer, replayed } = outcome;
  return answerFirst(parts, lane, request, outcome, async ({ seq, atMs }) => {
    if (!answer.ok) return wireRefusal(await asClosed(lane, answer.rejection), replayed);
    const { result } = answer;
    if (result.kind !== 'converted') throw new Error('a conversion was answered by something else');
    const holdings = await lane.read((state) => holdingsOf(state, accountId, marketId));
    const data = {
      conversion_id: conversionIdText(seq),
      created_at: isoTime(atMs),
      created_at_ms: atMs,
      action: body.action,
      market_id: marketId,
      size: lotsText(lots),
      fee: amountText(result.fee),
      ...holdings,
    };
    return { data, replayed };
  });
}

function holdingsOf(state: State, accountId: AccountId, marketId: MarketId) {
  const account = state.accounts.get(accountId)!;
  const holding = findHolding(state, accountId, marketId);
  return {
    balance_free: amountText(state.ledger.balance(account.free)),
    positions: holding === undefined ? [] : positionsIn(state, holding),
  };
}
