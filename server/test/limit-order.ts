// A plain limit order to buy, for tests to which its other terms do not matter.
import type { AccountId, MarketId, PlaceOrder } from '@sibyl/engine';
import { lots, pips } from '@sibyl/money';

export function limitBuy(
  accountId: AccountId,
  marketId: MarketId,
  terms: Partial<PlaceOrder> = {},
): PlaceOrder {
  return {
    type: 'place_order',
    accountId,
    marketId,
    outcomeId: 'yes',
    side: 'buy',
    orderType: 'limit',
    price: pips(4000),
    lots: lots(1000),
    timeInForce: 'gtc',
    expiresAtMs: null,
    postOnly: false,
    reduceOnly: false,
    stpMode: 'cancel_resting',
    maxCost: null,
    validUntilMs: null,
    clientOrderId: null,
    builder: null,
    caps: null,
    grant: null,
    execution: 'hybrid',
    acceptPrice: false,
    ...terms,
  };
}
