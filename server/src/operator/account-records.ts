// What an operator reads to answer a complaint: records of an account as its owner reads them, keys and sessions of its user.

import { asAccountId } from '@sibyl/engine';
import type { History } from '@sibyl/history';
import { keyTermsOf } from '../gateway/key-terms.ts';
import { ApiError, fail, type RequestContext } from '../handling/handler.ts';
import { fillView } from '../modules/account/queries.ts';
import { apiKey } from '../modules/keys/key.ts';
import { entryView } from '../modules/portfolio/queries.ts';
import { sessionView } from '../modules/sessions/profile-handlers.ts';
import { familyDeposits } from '../modules/withdrawals/queries.ts';
import { depositView } from '../wire/funds.ts';
import { wireOrder } from '../wire/generated/order.ts';
import { laneOf, type OperatorHandlers, type OperatorParts, type WatchedLane } from './parts.ts';

type Reads = Pick<
  OperatorHandlers,
  | 'listAccountOrders'
  | 'listAccountFills'
  | 'listAccountLedger'
  | 'listAccountDeposits'
  | 'getUserAccess'
>;

const SHOWN_MAX = 200;

export function accountRecords(parts: OperatorParts): Reads {
  return {
    async listAccountOrders(request, input) {
      const read = await opened(parts, input);
      if (read instanceof ApiError) return read;
      const page = request.page(input.query);
      const before = page.after === null ? null : Number(page.after[0]);
      const any = { status: null, marketId: null, clientOrderId: null };
      const { accountId, history } = read;
      const { rows, next } = await history.orders({ accountId, before, ...any }, page.limit);
      const data = rows.map((order) => wireOrder(order, order.updatedAtMs));
      return { data, meta: { next_cursor: next === null ? null : page.cursor([next]) } };
    },
    async listAccountFills(request, input) {
      const read = await opened(parts, input);
      if (read instanceof ApiError) return read;
      const page = request.page(input.query);
      const [tradeId, orderId] = page.after ?? [];
      const before =
        page.after === null ? null : { tradeId: Number(tradeId), orderId: Number(orderId) };
      const { accountId, history } = read;
      const filter = { accountId, marketId: null, before };
      const { rows, next } = await history.fills(filter, page.limit);
      const attached = await history.chainData(rows.map((fill) => fill.tradeId));
      const cursor = next === null ? null : page.cursor([next.tradeId, next.orderId]);
      const data = rows.map((fill) => fillView(fill, attached.get(fill.tradeId) ?? null));
      return { data, meta: { next_cursor: cursor } };
    },
    listAccountLedger: (request, input) => ledger(parts, request, input),
    async listAccountDeposits(_request, input) {
      const read = await opened(parts, input);
      if (read instanceof ApiError) return read;
      const found = await read.lane.read((state) =>
        familyDeposits(state, read.accountId, null, SHOWN_MAX),
      );
      return { data: { deposits: (found ?? []).map(depositView) } };
    },
    async getUserAccess(_request, { params: { user_id: userId } }) {
      const { platform, clock } = parts;
      if ((await platform.userById(userId)) === null) return fail('NOT_FOUND');
      const nowMs = clock.wallMs();
      const keys = await platform.keysOf(userId, { limit: SHOWN_MAX, after: null });
      const sessions = await platform.sessions.of(userId, nowMs);
      const terms = keyTermsOf(platform);
      return {
        data: {
          keys: await Promise.all(keys.map((key) => apiKey(terms, key, nowMs))),
          // No session of a user is the one that asks.
          sessions: sessions.map((session) => sessionView(session, '')),
        },
      };
    },
  };
}

type LedgerInput = Parameters<Reads['listAccountLedger']>[1];

async function ledger(parts: OperatorParts, request: RequestContext, input: LedgerInput) {
  const read = await opened(parts, input);
  if (read instanceof ApiError) return read;
  const page = request.page(input.query);
  const [seq, number] = page.after ?? [];
  const before = page.after === null ? null : { seq: Number(seq), number: Number(number) };
  const any = { reason: null, marketId: null, fromMs: null, toMs: null };
  const { accountId, history } = read;
  const { rows, next } = await history.statement({ accountId, before, ...any }, page.limit);
  const cursor = next === null ? null : page.cursor([next.seq, next.number]);
  return { data: rows.map(entryView), meta: { next_cursor: cursor } };
}

interface Asked {
  readonly params: { readonly account_id: string };
  readonly query: { readonly lane: WatchedLane['lane']['name'] };
}

interface Opened {
  readonly accountId: ReturnType<typeof asAccountId>;
  readonly lane: WatchedLane['lane'];
  readonly history: Pick<History, 'orders' | 'fills' | 'statement' | 'chainData'>;
}

/** The read waits until everything that the owner was told is durable, and so in history. */
async function opened(parts: OperatorParts, { params, query }: Asked): Promise<Opened | ApiError> {
  const watched = laneOf(parts, query.lane);
  if (watched instanceof ApiError) return watched;
  const accountId = asAccountId(params.account_id);
  const isKnown = await watched.lane.read(({ accounts }) => accounts.has(accountId));
  if (!isKnown) return fail('NOT_FOUND', { account_id: params.account_id });
  return { accountId, lane: watched.lane, history: watched.history };
}
