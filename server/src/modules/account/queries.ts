// The caller's account and orders, read from the engine's state.
import type { Account, Fill } from '@sibyl/contract';
import { type AccountId, capUseOf, type OrderId, type State } from '@sibyl/engine';
import { fillPrice, type PastFill } from '@sibyl/history';
import type { RequestContext } from '../../handling/handler.ts';
import type { UserRecord } from '../../ports/platform.ts';
import { accountAsset, accountMode } from '../../wire/account-mode.ts';
import { amountText, lotsText, priceText } from '../../wire/amounts.ts';
import { reservedOf } from '../../wire/bonds.ts';
import { orderIdText, tradeIdText } from '../../wire/ids.ts';
import { isoTime } from '../../wire/times.ts';

/** What of a caller shows in the account. */
export type AccountViewer = Pick<RequestContext, 'caps' | 'tier' | 'permissions' | 'perMinute'>;

export function accountView(
  state: State,
  accountId: AccountId,
  request: AccountViewer,
  user: UserRecord | null,
): Account {
  const account = state.accounts.get(accountId)!;
  const { caps, tier, permissions, perMinute } = request;
  return {
    account_id: account.id,
    user_id: user?.userId ?? null,
    display_name: user?.displayName ?? null,
    email: user === null || user.isDemo ? null : user.email,
    referral_code: user === null || user.isDemo ? null : user.referralCode,
    phone: null,
    last_login_ip: null,
    wallet_address: null,
    balance_free: amountText(state.ledger.balance(account.free)),
    balance_reserved: amountText(reservedOf(state, account)),
    asset: accountAsset(account),
    mode: accountMode(account),
    tier,
    permissions: [...permissions],
    restrictions: restrictionsOf(state, account.frozen, permissions.includes('trade')),
    limits: {
      order_notional_max: capText(caps?.orderMax ?? null),
      daily_notional_max: capText(caps?.dayMax ?? null),
      daily_notional_used: amountText(usedToday(state, request, accountId)),
      requests_per_minute: perMinute,
    },
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

export function fillView(fill: PastFill): Fill {
  return {
    trade_id: tradeIdText(fill.tradeId),
    order_id: orderIdText(fill.orderId),
    client_order_id: fill.clientOrderId,
    market_id: fill.marketId,
    outcome_id: fill.outcomeId,
    side: fill.side,
    price: priceText(fillPrice(fill.cost, fill.lots)),
    size: lotsText(fill.lots),
    fee: amountText(fill.fee),
    rebate: amountText(fill.rebate),
    liquidity: fill.isMaker ? 'maker' : 'taker',
    ts_ms: fill.atMs,
    chain_data: null,
  };
}

/** What would stop an order now, as the codes that it would be refused with. */
function restrictionsOf(state: State, isFrozen: boolean, mayTrade: boolean): string[] {
  const codes: string[] = [];
  if (!mayTrade) codes.push('SCOPE_MISSING');
  if (state.readOnly) codes.push('READ_ONLY_MODE');
  if (isFrozen) codes.push('SUBACCOUNT_FROZEN');
  return codes;
}

/** Caps count what capped credentials did and what they have at rest; a session has none. */
function usedToday(state: State, { caps }: AccountViewer, accountId: AccountId): bigint {
  return caps === null ? 0n : capUseOf(state, state.accounts.get(accountId)!, caps);
}

function capText(cap: bigint | null): string | null {
  return cap === null ? null : amountText(cap);
}
