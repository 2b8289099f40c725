// The caller's account and orders, read from the engine's state.
import type { Account, Fill } from '@sibyl/contract';
import { type AccountId, capUseOf, type OrderId, type State } from '@sibyl/engine';
import { fillPrice, type PastFill } from '@sibyl/history';
import type { RequestContext } from '../../handling/handler.ts';
import type { AnnouncedLimits } from '../../handling/quotas.ts';
import type { UserRecord } from '../../ports/platform.ts';
import type { ProfileRecord } from '../../ports/profiles.ts';
import { ASSET, accountMode } from '../../wire/account-mode.ts';
import { amountText, lotsText, priceText } from '../../wire/amounts.ts';
import { reservedOf } from '../../wire/bonds.ts';
import { chainDataView } from '../../wire/chain-data.ts';
import { orderIdText, tradeIdText } from '../../wire/ids.ts';
import { appNamed } from '../../wire/own-builder.ts';
import { isoTime } from '../../wire/times.ts';
import { restrictionsOf, stopsOrders } from './restrictions.ts';

/** What of a caller shows in the account. */
export type AccountViewer = Pick<
  RequestContext,
  'caps' | 'tier' | 'permissions' | 'perMinute' | 'announced' | 'restrictions'
>;

export function accountView(
  state: State,
  accountId: AccountId,
  request: AccountViewer,
  user: UserRecord | null,
  profile: ProfileRecord | null = null,
): Account {
  const account = state.accounts.get(accountId)!;
  const { caps, tier, permissions, perMinute, announced } = request;
  const details = restrictionsOf(state, account, request);
  return {
    account_id: account.id,
    user_id: user?.userId ?? null,
    display_name: user?.displayName ?? null,
    email: user === null || user.isDemo ? null : user.email,
    referral_code: user === null || user.isDemo ? null : user.referralCode,
    phone: profile?.phone ?? null,
    last_login_ip: profile?.lastLoginIp ?? null,
    wallet_address: profile?.walletAddress ?? null,
    balance_free: amountText(state.ledger.balance(account.free)),
    balance_reserved: amountText(reservedOf(state, account)),
    asset: ASSET,
    mode: accountMode(account),
    tier,
    permissions: [...permissions],
    restrictions: [...new Set(details.filter(stopsOrders).map(({ code }) => code))],
    restriction_reasons: details,
    country: profile?.country ?? null,
    limits: {
      ...capsView(caps),
      daily_notional_used: amountText(usedToday(state, request, accountId)),
      requests_per_minute: perMinute,
      announced: announced.map(announcedView),
    },
    chain_data: chainDataView(account.chainData),
    created_at: isoTime(account.openedAtMs),
    created_at_ms: account.openedAtMs,
  };
}

export interface OpenFilter {
  readonly marketId: string | undefined;
  readonly clientOrderId: string | undefined;
  readonly before: number;
}

/** Newest first. */
export function openOrderIds(state: State, accountId: AccountId, filter: OpenFilter): OrderId[] {
  const { marketId, clientOrderId, before } = filter;
  const ids: OrderId[] = [];
  for (const order of state.orderLists.of(state.accounts.get(accountId)!)) {
    if (marketId !== undefined && order.holding.market.id !== marketId) continue;
    if (clientOrderId !== undefined && order.clientOrderId !== clientOrderId) continue;
    if (order.id < before) ids.push(order.id);
  }
  return ids.sort((a, b) => b - a);
}

/** `chainData` is what was attached to the trade, as JSON. */
export function fillView(fill: PastFill, chainData: string | null): Fill {
  return {
    trade_id: tradeIdText(fill.tradeId),
    order_id: orderIdText(fill.orderId),
    client_order_id: fill.clientOrderId,
    market_id: fill.marketId,
    outcome_id: fill.outcomeId,
    side: fill.side,
    price: priceText(fillPrice(fill.cost, fill.lots)),
    size: lotsText(fill.lots),
    cost: amountText(fill.cost),
    fee: amountText(fill.fee),
    rebate: amountText(fill.rebate),
    liquidity: fill.isMaker ? 'maker' : 'taker',
    builder_app_id: appNamed(fill.builderAppId),
    ts_ms: fill.atMs,
    chain_data: chainDataView(chainData),
  };
}

/** Caps count what capped credentials did and what they have at rest; a session has none. */
function usedToday(state: State, { caps }: AccountViewer, accountId: AccountId): bigint {
  return caps === null ? 0n : capUseOf(state, state.accounts.get(accountId)!, caps);
}

function capsView(caps: RequestContext['caps']) {
  return {
    order_notional_max: capText(caps?.orderMax ?? null),
    daily_notional_max: capText(caps?.dayMax ?? null),
  };
}

function announcedView(limits: AnnouncedLimits): Account['limits']['announced'][number] {
  const { announcedAtMs, effectiveAtMs, caps, perMinute } = limits;
  return {
    announced_at: isoTime(announcedAtMs),
    announced_at_ms: announcedAtMs,
    effective_at: isoTime(effectiveAtMs),
    effective_at_ms: effectiveAtMs,
    ...capsView(caps),
    requests_per_minute: perMinute,
  };
}

function capText(cap: bigint | null): string | null {
  return cap === null ? null : amountText(cap);
}
