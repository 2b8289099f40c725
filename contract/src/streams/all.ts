// All 57 messages of the socket by type; a new one adds its line here and nowhere else.

import type { Static } from 'typebox';
import * as account from './account.ts';
import * as broadcast from './broadcast.ts';
import * as fastTick from './fast-tick.ts';
import * as funds from './funds.ts';
import * as markets from './markets.ts';
import * as orderbook from './orderbook.ts';
import * as rfq from './rfq.ts';
import * as session from './session.ts';
import { signals } from './signals.ts';
import * as ticker from './ticker.ts';

export const streamMessages = Object.freeze({
  welcome: session.welcome,
  authenticated: session.authenticated,
  auth_expiring: session.authExpiring,
  auth_revoked: session.authRevoked,
  subscribed: session.subscribed,
  unsubscribed: session.unsubscribed,
  resumed: session.resumed,
  resync_required: session.resyncRequired,
  locale_set: session.localeSet,
  pong: session.pong,
  heartbeat: session.heartbeat,
  error: session.error,
  throttled: session.throttled,
  going_away: session.goingAway,
  circuit_breaker: broadcast.circuitBreaker,
  maintenance: broadcast.maintenance,
  platform_mode: broadcast.platformMode,
  ticker: ticker.ticker,
  trade_print: ticker.tradePrint,
  candle_update: ticker.candleUpdate,
  open_interest: ticker.openInterest,
  orderbook: orderbook.orderbook,
  orderbook_delta: orderbook.orderbookDelta,
  orderbook_checksum: orderbook.orderbookChecksum,
  tick_size_changed: orderbook.tickSizeChanged,
  fast_tick: fastTick.fastTick,
  fast_round_opened: fastTick.fastRoundOpened,
  fast_round_locking: fastTick.fastRoundLocking,
  fast_round_locked: fastTick.fastRoundLocked,
  fast_round_settled: fastTick.fastRoundSettled,
  markets_snapshot: markets.marketsSnapshot,
  market_created: markets.marketCreated,
  market_updated: markets.marketUpdated,
  market_status_changed: markets.marketStatusChanged,
  market_halted: markets.marketHalted,
  market_resumed: markets.marketResumed,
  resolution_proposed: markets.resolutionProposed,
  resolution_disputed: markets.resolutionDisputed,
  market_resolved: markets.marketResolved,
  signals,
  account: account.account,
  order_accepted: account.orderAccepted,
  order_updated: account.orderUpdated,
  order_cancelled: account.orderCancelled,
  order_rejected: account.orderRejected,
  balance_updated: account.balanceUpdated,
  position_updated: account.positionUpdated,
  position_settled: account.positionSettled,
  tier_changed: account.tierChanged,
  dead_man_triggered: account.deadManTriggered,
  trade_executed: funds.tradeExecuted,
  deposit: funds.deposit,
  withdrawal_updated: funds.withdrawalUpdated,
  rfq_opened: rfq.rfqOpened,
  rfq_quote: rfq.rfqQuote,
  rfq_filled: rfq.rfqFilled,
  rfq_closed: rfq.rfqClosed,
});

export type StreamMessages = typeof streamMessages;
export type StreamMessageType = keyof StreamMessages;
/** What a message of this type carries under `data`. */
export type StreamData<Type extends StreamMessageType> = Static<StreamMessages[Type]['data']>;
