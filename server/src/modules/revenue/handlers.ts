// What apps brought, what keys traded, and what the caller earned by the fees of others.
import type { AttributionRow, OperationInput, Operations, RevenueRow } from '@sibyl/contract';
import type { History } from '@sibyl/history';
import type { Clock } from '@sibyl/lane';
import { assert } from '@sibyl/money';
import {
  ApiError,
  fail,
  type Handler,
  ownAccount,
  type Reply,
  type RequestContext,
} from '../../handling/handler.ts';
import type { AppOwners } from '../../ports/app-owners.ts';
import type { PlatformStore } from '../../ports/platform.ts';
import { amountText } from '../../wire/amounts.ts';
import { type Histories, historyOf } from '../../wire/histories.ts';
import { appNamed } from '../../wire/own-builder.ts';
import { type EarnedPage, type EarnedRow, earnedPage, type Grouping } from './earned-rows.ts';
import { type Earner, ownApps, ownEarners, ownKeys } from './earners.ts';
import { readRange } from './range.ts';
import { tradedByKey } from './traded-keys.ts';

export interface RevenueParts {
  readonly histories: Histories;
  readonly owners: AppOwners;
  readonly platform: PlatformStore;
  readonly clock: Clock;
}

interface RevenueHandlers {
  readonly getAttribution: Handler<Operations['getAttribution']>;
  readonly getRevenue: Handler<Operations['getRevenue']>;
}

export function revenueHandlers(parts: RevenueParts): RevenueHandlers {
  return {
    getAttribution: (request, { query }) => getAttribution(parts, request, query),
    getRevenue: (request, { query }) => getRevenue(parts, request, query),
  };
}

type AttributionQuery = OperationInput<'getAttribution'>['query'];
type RevenueQuery = OperationInput<'getRevenue'>['query'];

async function getAttribution(
  parts: RevenueParts,
  request: RequestContext,
  query: AttributionQuery,
): Promise<Reply<AttributionRow[]> | ApiError> {
  const { group_by: grouping = 'day' } = query;
  if (grouping === 'key') return ofKeys(parts, request, query);
  const apps = await ownApps(parts.owners, request);
  const earners = query.app_id === undefined ? [...apps, ...ownKeys(request)] : apps;
  const page = await readPage(parts, request, query, earners, grouping);
  if (page instanceof ApiError) return page;
  const { rows, nextCursor } = page;
  return { data: rows.map(attributionRow), meta: { next_cursor: nextCursor } };
}

async function ofKeys(
  parts: RevenueParts,
  request: RequestContext,
  query: AttributionQuery,
): Promise<Reply<AttributionRow[]> | ApiError> {
  const { credential } = request;
  assert(credential !== null && credential.kind !== 'token', 'no scope is for earnings');
  if (query.app_id !== undefined) {
    return fail('VALIDATION_FAILED', { field: 'app_id', expected: 'nothing with group_by key' });
  }
  const page = request.page(query);
  const range = readRange(query, parts.clock.wallMs());
  if (range instanceof ApiError) return range;
  const history = await settledHistory(parts, request);
  if (history instanceof ApiError) return history;
  const { rows, nextCursor } = await tradedByKey(parts.platform, history, credential, range, page);
  return { data: [...rows], meta: { next_cursor: nextCursor } };
}

async function getRevenue(
  parts: RevenueParts,
  request: RequestContext,
  query: RevenueQuery,
): Promise<Reply<RevenueRow[]> | ApiError> {
  const grouping = query.group_by ?? 'actor';
  const isOfApps = grouping === 'app' || query.app_id !== undefined;
  const earners = isOfApps
    ? await ownApps(parts.owners, request)
    : await ownEarners(parts.owners, request);
  const page = await readPage(parts, request, query, earners, grouping);
  if (page instanceof ApiError) return page;
  const { rows, nextCursor } = page;
  return { data: rows.map(revenueRow), meta: { next_cursor: nextCursor } };
}

async function readPage(
  parts: RevenueParts,
  request: RequestContext,
  query: AttributionQuery | RevenueQuery,
  earners: readonly Earner[],
  grouping: Grouping,
): Promise<EarnedPage | ApiError> {
  const { app_id: appId } = query;
  const page = request.page(query);
  const range = readRange(query, parts.clock.wallMs());
  if (range instanceof ApiError) return range;
  const wanted = appId === undefined ? earners : earners.filter(({ id }) => id === appId);
  // Another's app is not told from one that is not there.
  if (appId !== undefined && wanted.length === 0) return fail('NOT_FOUND', { app_id: appId });
  const history = await settledHistory(parts, request);
  if (history instanceof ApiError) return history;
  return earnedPage(history.earnings, wanted, grouping, range, page);
}

/** With everything in it that the caller may have been told: that is durable after this. */
async function settledHistory(
  { histories }: RevenueParts,
  request: RequestContext,
): Promise<History | ApiError> {
  const own = ownAccount(request);
  const isOpen = await request.lane.read(({ accounts }) => accounts.has(own));
  return isOpen ? historyOf(histories, request.laneName) : fail('NOT_FOUND', { account_id: own });
}

function attributionRow(row: EarnedRow): AttributionRow {
  const { fills, volume, accrued } = row.earned;
  return {
    kind: row.isTotal ? 'total' : 'part',
    key_id: null,
    label: null,
    ...placeView(row),
    fills,
    volume: amountText(volume),
    accrued: amountText(accrued),
  };
}

function revenueRow(row: EarnedRow): RevenueRow {
  const { earner, earned, pending } = row;
  return {
    kind: row.isTotal ? 'total' : 'part',
    role: earner?.role ?? null,
    account_id: earner === null || earner.role === 'builder' ? null : earner.id,
    ...placeView(row),
    fills: earned.fills,
    accrued: amountText(earned.accrued),
    returned: amountText(earned.returned),
    credited: amountText(earned.credited),
    pending: pending === null ? null : amountText(pending),
  };
}

function placeView({ earner, marketId, day, tradeId, atMs }: EarnedRow) {
  return {
    app_id: earner?.role === 'builder' ? appNamed(earner.id) : null,
    market_id: marketId,
    day,
    trade_id: tradeId,
    ts_ms: atMs,
  };
}
