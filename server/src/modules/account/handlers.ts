// What the caller owns and did: the account itself, its positions, orders and fills.
import type { Account, Fill, OperationInput, Operations, Order, Position } from '@sibyl/contract';
import type { AccountId, OrderStatus, State } from '@sibyl/engine';
import type { History } from '@sibyl/history';
import { hidesPerson } from '../../handling/credentials.ts';
import { cutPage } from '../../handling/cut-page.ts';
import {
  fail,
  type Handler,
  knownAccount,
  ownAccount,
  type Page,
  type Reply,
  type RequestContext,
} from '../../handling/handler.ts';
import type { PlatformStore } from '../../ports/platform.ts';
import { wireOrder } from '../../wire/generated/order.ts';
import { type Histories, historyOf } from '../../wire/histories.ts';
import { type PositionFilter, positionsAfter } from '../../wire/position-view.ts';
import { accountView, fillView, openOrderIds } from './queries.ts';

export interface AccountParts {
  readonly histories: Histories;
  readonly platform: PlatformStore;
}

interface AccountHandlers {
  readonly getAccount: Handler<Operations['getAccount']>;
  readonly listPositions: Handler<Operations['listPositions']>;
  readonly listOrders: Handler<Operations['listOrders']>;
  readonly listFills: Handler<Operations['listFills']>;
}

export function accountHandlers(parts: AccountParts): AccountHandlers {
  return {
    getAccount: (request) => getAccount(parts, request),
    listPositions: (request, { query }) => listPositions(request, query),
    listOrders: (request, { query }) =>
      query.status === 'pending'
        ? listOpenOrders(parts, request, query)
        : listOrders(parts, request, query),
    listFills: (request, { query }) => listFills(parts, request, query),
  };
}

async function getAccount(
  { platform }: AccountParts,
  request: RequestContext,
): Promise<Reply<Account>> {
  const { credential } = request;
  const isHidden = request.grant !== null || (credential !== null && hidesPerson(credential));
  const userId = isHidden ? null : (credential?.userId ?? null);
  const user = userId === null ? null : await platform.userById(userId);
  const profile = userId === null ? null : await platform.profiles.of(userId);
  const data = await ownState(request, ownAccount(request), (state, accountId) =>
    accountView(state, accountId, request, user, profile),
  );
  return { data, isStripped: isHidden };
}

async function listPositions(
  request: RequestContext,
  query: OperationInput<'listPositions'>['query'],
): Promise<Reply<Position[]>> {
  const page = request.page(query);
  const accountId = await knownAccount(request, query.subaccount_id);
  const filter = { marketId: query.market_id ?? null, after: positionCursor(page) };
  if (page.limit === Number.POSITIVE_INFINITY) {
    return { data: await allPositions(request, accountId, filter), meta: { next_cursor: null } };
  }
  // One more than asked for shows that there is another page.
  const found = await ownState(request, accountId, (state) =>
    positionsAfter(state, state.accounts.get(accountId)!, filter, page.limit + 1),
  );
  const { shown, nextCursor } = cutPage(found, page, (last) => [last.market_id, last.outcome_id]);
  return { data: [...shown], meta: { next_cursor: nextCursor } };
}

/** Holdings looked at before others get their turn. */
const PORTION = 500;

/** In portions, however many there are: nobody waits for all of them. */
async function allPositions(
  request: RequestContext,
  accountId: AccountId,
  filter: PositionFilter,
): Promise<Position[]> {
  const all: Position[] = [];
  let { after } = filter;
  for (;;) {
    const found = await ownState(request, accountId, (state) =>
      positionsAfter(state, state.accounts.get(accountId)!, { ...filter, after }, PORTION),
    );
    for (const position of found) all.push(position);
    const last = found.at(-1);
    if (last === undefined || found.length < PORTION) return all;
    after = { marketId: last.market_id, outcomeId: last.outcome_id };
  }
}

type OrderQuery = OperationInput<'listOrders'>['query'];

/** Open orders are few, and the engine knows which they are. */
async function listOpenOrders(
  { histories }: AccountParts,
  request: RequestContext,
  query: OrderQuery,
): Promise<Reply<Order[]>> {
  const page = request.page(query);
  const before = page.after === null ? Number.MAX_SAFE_INTEGER : Number(page.after[0]);
  const filter = { marketId: query.market_id, clientOrderId: query.client_order_id, before };
  const accountId = await knownAccount(request, query.subaccount_id);
  const ids = await ownState(request, accountId, (state) => openOrderIds(state, accountId, filter));
  const { shown, nextCursor } = cutPage(ids, page, (last) => [last]);
  const history = historyOf(histories, request.laneName);
  const orders = await history.ordersById(accountId, shown);
  // One that was closed between the two reads is no longer pending.
  const open = orders.filter(({ status }) => status === 'pending' || status === 'partially_filled');
  return {
    data: open.map((order) => wireOrder(order, order.updatedAtMs)),
    meta: { next_cursor: nextCursor },
  };
}

async function listOrders(
  { histories }: AccountParts,
  request: RequestContext,
  query: OrderQuery,
): Promise<Reply<Order[]>> {
  const page = request.page(query);
  const accountId = await knownAccount(request, query.subaccount_id);
  const history = await settledHistory(histories, request);
  const filter = {
    accountId,
    before: page.after === null ? null : Number(page.after[0]),
    status: statusFilter(query.status),
    marketId: query.market_id ?? null,
    clientOrderId: query.client_order_id ?? null,
  };
  const { rows, next } = await history.orders(filter, page.limit);
  const meta = { next_cursor: next === null ? null : page.cursor([next]) };
  return { data: rows.map((order) => wireOrder(order, order.updatedAtMs)), meta };
}

async function listFills(
  { histories }: AccountParts,
  request: RequestContext,
  query: OperationInput<'listFills'>['query'],
): Promise<Reply<Fill[]>> {
  const page = request.page(query);
  const accountId = await knownAccount(request, query.subaccount_id);
  const history = await settledHistory(histories, request);
  const marketId = query.market_id ?? null;
  const { rows, next } = await history.fills(
    { accountId, marketId, before: fillCursor(page) },
    page.limit,
  );
  const cursor = next === null ? null : page.cursor([next.tradeId, next.orderId]);
  const attached = await history.chainData(rows.map(({ tradeId }) => tradeId));
  const data = rows.map((fill) => fillView(fill, attached.get(fill.tradeId) ?? null));
  return { data, meta: { next_cursor: cursor } };
}

function fillCursor({ after }: Page) {
  return after === null ? null : { tradeId: Number(after[0]), orderId: Number(after[1]) };
}

/** `all` has no status of its own; `pending` is answered from the engine. */
function statusFilter(status: OrderQuery['status']): OrderStatus | null {
  return status === 'filled' || status === 'cancelled' ? status : null;
}

function positionCursor({ after }: Page) {
  if (after === null) return null;
  const [marketId = '', outcomeId = ''] = after.map(String);
  return { marketId, outcomeId };
}

/** Waits until everything that the caller may have been told is durable, and so in history. */
async function settledHistory(histories: Histories, request: RequestContext): Promise<History> {
  await request.lane.read((state) => state.seq);
  return historyOf(histories, request.laneName);
}

function ownState<T>(
  request: RequestContext,
  accountId: AccountId,
  query: (state: State, accountId: AccountId) => T,
): Promise<T> {
  return request.lane.read((state) => {
    if (!state.accounts.has(accountId)) throw fail('NOT_FOUND', { account_id: accountId });
    return query(state, accountId);
  });
}
