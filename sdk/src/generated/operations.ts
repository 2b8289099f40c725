// Generated from the contract by sdk/emit/main.ts; edit the contract instead.

import type { Answer, Body, Item, Query } from '../types.ts';
import type { CallOptions } from '../options.ts';
import type { Listing } from '../listing.ts';

/** What the client must know of each operation to call it. */
export const operations = {
  getHealth: { group: 'system', name: 'health', method: 'GET', path: '/v1/health', body: false, query: false, list: false, keyed: false, repeatable: true, subaccount: 'none' },
  getStatus: { group: 'system', name: 'status', method: 'GET', path: '/v1/status', body: false, query: false, list: false, keyed: false, repeatable: true, subaccount: 'none' },
  listMarkets: { group: 'markets', name: 'list', method: 'GET', path: '/v1/markets', body: false, query: true, list: true, keyed: false, repeatable: true, subaccount: 'none' },
  getMarket: { group: 'markets', name: 'get', method: 'GET', path: '/v1/markets/{market_id}', body: false, query: false, list: false, keyed: false, repeatable: true, subaccount: 'none' },
  getCancellationPrice: { group: 'markets', name: 'cancellationPrice', method: 'GET', path: '/v1/markets/{market_id}/cancellation', body: false, query: false, list: false, keyed: false, repeatable: true, subaccount: 'none' },
  listCandles: { group: 'markets', name: 'candles', method: 'GET', path: '/v1/candles/{market_id}', body: false, query: true, list: true, keyed: false, repeatable: true, subaccount: 'none' },
  getOrderBook: { group: 'markets', name: 'orderBook', method: 'GET', path: '/v1/orderbook/{market_id}', body: false, query: true, list: false, keyed: false, repeatable: true, subaccount: 'none' },
  listTrades: { group: 'markets', name: 'trades', method: 'GET', path: '/v1/trades/{market_id}', body: false, query: true, list: true, keyed: false, repeatable: true, subaccount: 'none' },
  listTemplates: { group: 'templates', name: 'list', method: 'GET', path: '/v1/markets/templates', body: false, query: true, list: true, keyed: false, repeatable: true, subaccount: 'none' },
  createMarket: { group: 'markets', name: 'create', method: 'POST', path: '/v1/markets', body: true, query: true, list: false, keyed: true, repeatable: true, subaccount: 'none' },
  getAccount: { group: 'account', name: 'get', method: 'GET', path: '/v1/account', body: false, query: true, list: false, keyed: false, repeatable: true, subaccount: 'none' },
  listPositions: { group: 'account', name: 'positions', method: 'GET', path: '/v1/account/positions', body: false, query: true, list: true, keyed: false, repeatable: true, subaccount: 'query' },
  listOrders: { group: 'account', name: 'orders', method: 'GET', path: '/v1/account/orders', body: false, query: true, list: true, keyed: false, repeatable: true, subaccount: 'query' },
  listFills: { group: 'account', name: 'fills', method: 'GET', path: '/v1/account/trades', body: false, query: true, list: true, keyed: false, repeatable: true, subaccount: 'query' },
  placeOrder: { group: 'orders', name: 'place', method: 'POST', path: '/v1/orders', body: true, query: true, list: false, keyed: true, repeatable: true, subaccount: 'body' },
  getOrder: { group: 'orders', name: 'get', method: 'GET', path: '/v1/orders/{order_id}', body: false, query: true, list: false, keyed: false, repeatable: true, subaccount: 'query' },
  amendOrder: { group: 'orders', name: 'amend', method: 'PATCH', path: '/v1/orders/{order_id}', body: true, query: true, list: false, keyed: true, repeatable: true, subaccount: 'query' },
  cancelOrder: { group: 'orders', name: 'cancel', method: 'DELETE', path: '/v1/orders/{order_id}', body: false, query: true, list: false, keyed: true, repeatable: true, subaccount: 'query' },
  batchOrders: { group: 'orders', name: 'batch', method: 'POST', path: '/v1/orders/batch', body: true, query: false, list: false, keyed: true, repeatable: true, subaccount: 'body' },
  cancelAllOrders: { group: 'orders', name: 'cancelAll', method: 'DELETE', path: '/v1/orders', body: false, query: true, list: false, keyed: false, repeatable: true, subaccount: 'query' },
  heartbeat: { group: 'orders', name: 'heartbeat', method: 'POST', path: '/v1/orders/heartbeat', body: true, query: false, list: false, keyed: false, repeatable: true, subaccount: 'body' },
  mintKey: { group: 'keys', name: 'mint', method: 'POST', path: '/v1/keys', body: true, query: false, list: false, keyed: true, repeatable: true, subaccount: 'none' },
  listKeys: { group: 'keys', name: 'list', method: 'GET', path: '/v1/keys', body: false, query: true, list: true, keyed: false, repeatable: true, subaccount: 'none' },
  revokeKey: { group: 'keys', name: 'revoke', method: 'DELETE', path: '/v1/keys/{key_id}', body: false, query: false, list: false, keyed: true, repeatable: true, subaccount: 'none' },
  mintSandboxKey: { group: 'keys', name: 'mintSandbox', method: 'POST', path: '/v1/sandbox-keys', body: false, query: true, list: false, keyed: false, repeatable: false, subaccount: 'none' },
  drawSigningSecret: { group: 'keys', name: 'drawSigningSecret', method: 'POST', path: '/v1/keys/{key_id}/signing-secret', body: false, query: false, list: false, keyed: true, repeatable: true, subaccount: 'none' },
  useFaucet: { group: 'sandbox', name: 'faucet', method: 'POST', path: '/v1/sandbox/faucet', body: false, query: false, list: false, keyed: true, repeatable: true, subaccount: 'none' },
  resetSandbox: { group: 'sandbox', name: 'reset', method: 'POST', path: '/v1/sandbox/reset', body: false, query: false, list: false, keyed: true, repeatable: true, subaccount: 'none' },
  settleWithMockOracle: { group: 'sandbox', name: 'settle', method: 'POST', path: '/v1/sandbox/mock-oracle', body: true, query: false, list: false, keyed: true, repeatable: true, subaccount: 'none' },
  getBuilder: { group: 'builders', name: 'me', method: 'GET', path: '/v1/builders/me', body: false, query: false, list: false, keyed: false, repeatable: true, subaccount: 'none' },
  applyForTrack: { group: 'builders', name: 'apply', method: 'POST', path: '/v1/apply', body: true, query: false, list: false, keyed: true, repeatable: true, subaccount: 'none' },
  createApp: { group: 'apps', name: 'create', method: 'POST', path: '/v1/apps', body: true, query: false, list: false, keyed: true, repeatable: true, subaccount: 'none' },
  listApps: { group: 'apps', name: 'list', method: 'GET', path: '/v1/apps', body: false, query: true, list: true, keyed: false, repeatable: true, subaccount: 'none' },
  updateApp: { group: 'apps', name: 'update', method: 'PATCH', path: '/v1/apps/{app_id}', body: true, query: false, list: false, keyed: true, repeatable: true, subaccount: 'none' },
  rotateAppSecret: { group: 'apps', name: 'rotateSecret', method: 'POST', path: '/v1/apps/{app_id}/rotate-secret', body: false, query: false, list: false, keyed: true, repeatable: true, subaccount: 'none' },
  exchangeToken: { group: 'oauth', name: 'token', method: 'POST', path: '/oauth/token', body: true, query: false, list: false, keyed: false, repeatable: false, subaccount: 'none' },
  revokeToken: { group: 'oauth', name: 'revoke', method: 'POST', path: '/oauth/revoke', body: true, query: false, list: false, keyed: false, repeatable: false, subaccount: 'none' },
  listGrants: { group: 'connect', name: 'listGrants', method: 'GET', path: '/v1/connect/grants', body: false, query: true, list: true, keyed: false, repeatable: true, subaccount: 'none' },
  createGrant: { group: 'connect', name: 'grant', method: 'POST', path: '/v1/connect/grants', body: true, query: false, list: false, keyed: true, repeatable: true, subaccount: 'none' },
  revokeGrant: { group: 'connect', name: 'revokeGrant', method: 'DELETE', path: '/v1/connect/grants/{grant_id}', body: false, query: false, list: false, keyed: true, repeatable: true, subaccount: 'none' },
  getLqfConfig: { group: 'liquidity', name: 'config', method: 'GET', path: '/v1/lqf/config', body: false, query: false, list: false, keyed: false, repeatable: true, subaccount: 'none' },
  getBalance: { group: 'portfolio', name: 'balance', method: 'GET', path: '/v1/balance', body: false, query: true, list: false, keyed: false, repeatable: true, subaccount: 'query' },
  getPortfolioSummary: { group: 'portfolio', name: 'summary', method: 'GET', path: '/v1/portfolio/summary', body: false, query: true, list: false, keyed: false, repeatable: true, subaccount: 'query' },
  listLedger: { group: 'portfolio', name: 'ledger', method: 'GET', path: '/v1/portfolio/ledger', body: false, query: true, list: true, keyed: false, repeatable: true, subaccount: 'query' },
  convertPosition: { group: 'portfolio', name: 'convert', method: 'POST', path: '/v1/portfolio/conversions', body: true, query: false, list: false, keyed: true, repeatable: true, subaccount: 'body' },
  getAttribution: { group: 'attribution', name: 'rows', method: 'GET', path: '/v1/attribution', body: false, query: true, list: true, keyed: false, repeatable: true, subaccount: 'none' },
  getRevenue: { group: 'revenue', name: 'rows', method: 'GET', path: '/v1/revenue', body: false, query: true, list: true, keyed: false, repeatable: true, subaccount: 'none' },
  createSubaccount: { group: 'subaccounts', name: 'create', method: 'POST', path: '/v1/subaccounts', body: true, query: false, list: false, keyed: true, repeatable: true, subaccount: 'none' },
  listSubaccounts: { group: 'subaccounts', name: 'list', method: 'GET', path: '/v1/subaccounts', body: false, query: true, list: true, keyed: false, repeatable: true, subaccount: 'none' },
  changeSubaccount: { group: 'subaccounts', name: 'change', method: 'PATCH', path: '/v1/subaccounts/{subaccount_id}', body: true, query: false, list: false, keyed: true, repeatable: true, subaccount: 'none' },
  transferFunds: { group: 'subaccounts', name: 'transfer', method: 'POST', path: '/v1/subaccounts/transfers', body: true, query: false, list: false, keyed: true, repeatable: true, subaccount: 'none' },
  createWithdrawal: { group: 'withdrawals', name: 'create', method: 'POST', path: '/v1/account/withdrawals', body: true, query: false, list: false, keyed: true, repeatable: true, subaccount: 'body' },
  listDestinations: { group: 'destinations', name: 'list', method: 'GET', path: '/api/auth/destinations', body: false, query: false, list: false, keyed: false, repeatable: true, subaccount: 'none' },
  addDestination: { group: 'destinations', name: 'add', method: 'POST', path: '/api/auth/destinations', body: true, query: false, list: false, keyed: false, repeatable: false, subaccount: 'none' },
  removeDestination: { group: 'destinations', name: 'remove', method: 'DELETE', path: '/api/auth/destinations/{destination_id}', body: false, query: false, list: false, keyed: false, repeatable: true, subaccount: 'none' },
  listWithdrawals: { group: 'withdrawals', name: 'list', method: 'GET', path: '/api/auth/withdrawals', body: false, query: true, list: false, keyed: false, repeatable: true, subaccount: 'none' },
  getWithdrawal: { group: 'withdrawals', name: 'get', method: 'GET', path: '/api/auth/withdrawals/{withdrawal_id}', body: false, query: false, list: false, keyed: false, repeatable: true, subaccount: 'none' },
  cancelWithdrawal: { group: 'withdrawals', name: 'cancel', method: 'DELETE', path: '/api/auth/withdrawals/{withdrawal_id}', body: false, query: false, list: false, keyed: false, repeatable: true, subaccount: 'none' },
  listDeposits: { group: 'deposits', name: 'list', method: 'GET', path: '/api/auth/deposits', body: false, query: true, list: false, keyed: false, repeatable: true, subaccount: 'none' },
  register: { group: 'sessions', name: 'register', method: 'POST', path: '/api/auth/register', body: true, query: false, list: false, keyed: false, repeatable: false, subaccount: 'none' },
  logIn: { group: 'sessions', name: 'logIn', method: 'POST', path: '/api/auth/login', body: true, query: false, list: false, keyed: false, repeatable: false, subaccount: 'none' },
  openDemo: { group: 'sessions', name: 'demo', method: 'POST', path: '/api/auth/demo', body: true, query: false, list: false, keyed: false, repeatable: false, subaccount: 'none' },
  resumeSession: { group: 'sessions', name: 'resume', method: 'POST', path: '/api/auth/session', body: false, query: false, list: false, keyed: false, repeatable: true, subaccount: 'none' },
  logOut: { group: 'sessions', name: 'logOut', method: 'POST', path: '/api/auth/logout', body: false, query: false, list: false, keyed: false, repeatable: false, subaccount: 'none' },
  changePassword: { group: 'sessions', name: 'changePassword', method: 'POST', path: '/api/auth/password', body: true, query: false, list: false, keyed: false, repeatable: false, subaccount: 'none' },
  stepUp: { group: 'sessions', name: 'stepUp', method: 'POST', path: '/api/auth/step-up', body: true, query: false, list: false, keyed: false, repeatable: false, subaccount: 'none' },
  listFactors: { group: 'factors', name: 'list', method: 'GET', path: '/api/auth/factors', body: false, query: false, list: false, keyed: false, repeatable: true, subaccount: 'none' },
  enrolTotp: { group: 'factors', name: 'enrolTotp', method: 'POST', path: '/api/auth/totp', body: false, query: false, list: false, keyed: false, repeatable: false, subaccount: 'none' },
  confirmTotp: { group: 'factors', name: 'confirmTotp', method: 'POST', path: '/api/auth/totp/confirm', body: true, query: false, list: false, keyed: false, repeatable: false, subaccount: 'none' },
  removeTotp: { group: 'factors', name: 'removeTotp', method: 'DELETE', path: '/api/auth/totp', body: false, query: false, list: false, keyed: false, repeatable: true, subaccount: 'none' },
  renewRecoveryCodes: { group: 'factors', name: 'renewRecoveryCodes', method: 'POST', path: '/api/auth/recovery-codes', body: false, query: false, list: false, keyed: false, repeatable: false, subaccount: 'none' },
  beginPasskey: { group: 'passkeys', name: 'begin', method: 'POST', path: '/api/auth/passkeys/options', body: false, query: false, list: false, keyed: false, repeatable: false, subaccount: 'none' },
  addPasskey: { group: 'passkeys', name: 'add', method: 'POST', path: '/api/auth/passkeys', body: true, query: false, list: false, keyed: false, repeatable: false, subaccount: 'none' },
  renamePasskey: { group: 'passkeys', name: 'rename', method: 'PATCH', path: '/api/auth/passkeys/{passkey_id}', body: true, query: false, list: false, keyed: false, repeatable: false, subaccount: 'none' },
  removePasskey: { group: 'passkeys', name: 'remove', method: 'DELETE', path: '/api/auth/passkeys/{passkey_id}', body: false, query: false, list: false, keyed: false, repeatable: true, subaccount: 'none' },
  askPasskey: { group: 'passkeys', name: 'ask', method: 'POST', path: '/api/auth/passkey/options', body: false, query: false, list: false, keyed: false, repeatable: false, subaccount: 'none' },
  logInWithPasskey: { group: 'passkeys', name: 'logIn', method: 'POST', path: '/api/auth/passkey', body: true, query: false, list: false, keyed: false, repeatable: false, subaccount: 'none' },
  getProfile: { group: 'profile', name: 'get', method: 'GET', path: '/api/auth/profile', body: false, query: false, list: false, keyed: false, repeatable: true, subaccount: 'none' },
  updateProfile: { group: 'profile', name: 'update', method: 'PATCH', path: '/api/auth/profile', body: true, query: false, list: false, keyed: false, repeatable: false, subaccount: 'none' },
  listSessions: { group: 'sessions', name: 'list', method: 'GET', path: '/api/auth/sessions', body: false, query: false, list: false, keyed: false, repeatable: true, subaccount: 'none' },
  endSession: { group: 'sessions', name: 'end', method: 'DELETE', path: '/api/auth/sessions/{session_id}', body: false, query: false, list: false, keyed: false, repeatable: true, subaccount: 'none' },
  endOtherSessions: { group: 'sessions', name: 'endOthers', method: 'POST', path: '/api/auth/sessions/end-others', body: false, query: false, list: false, keyed: false, repeatable: false, subaccount: 'none' },
  sendVerification: { group: 'email', name: 'sendVerification', method: 'POST', path: '/api/auth/email/verification', body: false, query: false, list: false, keyed: false, repeatable: false, subaccount: 'none' },
  confirmEmail: { group: 'email', name: 'confirm', method: 'POST', path: '/api/auth/email/confirm', body: true, query: false, list: false, keyed: false, repeatable: false, subaccount: 'none' },
  requestPasswordReset: { group: 'sessions', name: 'requestPasswordReset', method: 'POST', path: '/api/auth/password/forgot', body: true, query: false, list: false, keyed: false, repeatable: false, subaccount: 'none' },
  resetPassword: { group: 'sessions', name: 'resetPassword', method: 'POST', path: '/api/auth/password/reset', body: true, query: false, list: false, keyed: false, repeatable: false, subaccount: 'none' },
  exportData: { group: 'profile', name: 'export', method: 'GET', path: '/api/auth/export', body: false, query: false, list: false, keyed: false, repeatable: true, subaccount: 'none' },
  closeAccount: { group: 'profile', name: 'close', method: 'POST', path: '/api/auth/close', body: true, query: false, list: false, keyed: false, repeatable: false, subaccount: 'none' },
  getOwnLimits: { group: 'limits', name: 'get', method: 'GET', path: '/api/auth/limits', body: false, query: false, list: false, keyed: false, repeatable: true, subaccount: 'none' },
  setOwnLimits: { group: 'limits', name: 'set', method: 'POST', path: '/api/auth/limits', body: true, query: false, list: false, keyed: false, repeatable: false, subaccount: 'none' },
  excludeSelf: { group: 'limits', name: 'exclude', method: 'POST', path: '/api/auth/exclusion', body: true, query: false, list: false, keyed: false, repeatable: false, subaccount: 'none' },
  listRequests: { group: 'requests', name: 'list', method: 'GET', path: '/v1/requests', body: false, query: true, list: true, keyed: false, repeatable: true, subaccount: 'none' },
  getRequestSummary: { group: 'requests', name: 'summary', method: 'GET', path: '/v1/requests/summary', body: false, query: true, list: false, keyed: false, repeatable: true, subaccount: 'none' },
  getRequest: { group: 'requests', name: 'get', method: 'GET', path: '/v1/requests/{request_id}', body: false, query: false, list: false, keyed: false, repeatable: true, subaccount: 'none' },
  createWebhook: { group: 'webhooks', name: 'create', method: 'POST', path: '/v1/webhooks', body: true, query: false, list: false, keyed: true, repeatable: true, subaccount: 'none' },
  listWebhooks: { group: 'webhooks', name: 'list', method: 'GET', path: '/v1/webhooks', body: false, query: true, list: true, keyed: false, repeatable: true, subaccount: 'none' },
  updateWebhook: { group: 'webhooks', name: 'update', method: 'PATCH', path: '/v1/webhooks/{webhook_id}', body: true, query: false, list: false, keyed: true, repeatable: true, subaccount: 'none' },
  deleteWebhook: { group: 'webhooks', name: 'remove', method: 'DELETE', path: '/v1/webhooks/{webhook_id}', body: false, query: false, list: false, keyed: true, repeatable: true, subaccount: 'none' },
  rotateWebhookSecret: { group: 'webhooks', name: 'rotateSecret', method: 'POST', path: '/v1/webhooks/{webhook_id}/rotate-secret', body: false, query: false, list: false, keyed: true, repeatable: true, subaccount: 'none' },
  listWebhookDeliveries: { group: 'webhooks', name: 'deliveries', method: 'GET', path: '/v1/webhooks/{webhook_id}/deliveries', body: false, query: true, list: true, keyed: false, repeatable: true, subaccount: 'none' },
  replayWebhook: { group: 'webhooks', name: 'replay', method: 'POST', path: '/v1/webhooks/{webhook_id}/replay', body: true, query: false, list: false, keyed: true, repeatable: true, subaccount: 'none' },
} as const;

export interface SystemCalls {
  /** Is the service up. Liveness, the state of each lane, whether trading is paused, and when maintenance begins or began. */
  health(options?: CallOptions): Promise<Answer<'getHealth'>>;
  /** How the service does and did. The state of each lane since when, how long commits take, what was the matter in the last 90 days, and what that came to day by day. Both addresses tell of both lanes. */
  status(options?: CallOptions): Promise<Answer<'getStatus'>>;
}

export interface MarketsCalls {
  /** List markets. Newest first, all states unless filtered. */
  list(query?: Query<'listMarkets'>, options?: CallOptions): Listing<Item<'listMarkets'>>;
  /** One market. With tick_size, lot_size, min_notional, the halted flag and its resolution. */
  get(marketId: string, options?: CallOptions): Promise<Answer<'getMarket'>>;
  /** Cancellation price now. What each share would pay if the market were cancelled now by the default window; of a market that is proposed to be cancelled or has ended, see the market. Operators may publish another window. */
  cancellationPrice(marketId: string, options?: CallOptions): Promise<Answer<'getCancellationPrice'>>;
  /** Price candles. Oldest first; without from_ms the newest ones. Gaps repeat the previous close, so a known market never has none. */
  candles(marketId: string, query: Query<'listCandles'>, options?: CallOptions): Listing<Item<'listCandles'>>;
  /** Order book. One merged ladder of all liquidity, with the sequence the stream continues from. */
  orderBook(marketId: string, query: Query<'getOrderBook'>, options?: CallOptions): Promise<Answer<'getOrderBook'>>;
  /** Public tape. Newest first, the complete history. */
  trades(marketId: string, query?: Query<'listTrades'>, options?: CallOptions): Listing<Item<'listTrades'>>;
  /** Create a market. Makes a market from a template of market_type creator and draws the creator deposit; other templates are the platform’s (MARKET_NOT_APPROVED). In live a market with a display_title of its own waits for approval. The id follows from template, params and creator: repeating it returns the same market. With dry_run=true nothing is created, and the request counts as an order in the rate limit. */
  create(body: Body<'createMarket'>, query?: Query<'createMarket'>, options?: CallOptions): Promise<Answer<'createMarket'>>;
}

export interface TemplatesCalls {
  /** List templates. Active and deprecated ones; a draft is seen by its owner only. */
  list(query?: Query<'listTemplates'>, options?: CallOptions): Listing<Item<'listTemplates'>>;
}

export interface AccountCalls {
  /** Your account. Balance, tier, permissions, caps used today and what would stop an order. Sessions and own keys see e-mail, phone, last login IP and wallet; apps, partners and keys of a subaccount get null, and X-PII-Redacted is true. */
  get(query?: Query<'getAccount'>, options?: CallOptions): Promise<Answer<'getAccount'>>;
  /** Open positions. One entry for each outcome held; all of them unless a limit is given. */
  positions(query?: Query<'listPositions'>, options?: CallOptions): Listing<Item<'listPositions'>>;
  /** Your orders. Newest first. The filter pending includes partially_filled; rejected ones appear under all only. */
  orders(query?: Query<'listOrders'>, options?: CallOptions): Listing<Item<'listOrders'>>;
  /** Your fills. Newest first, with fee, rebate and whether you were maker or taker. */
  fills(query?: Query<'listFills'>, options?: CallOptions): Listing<Item<'listFills'>>;
}

export interface OrdersCalls {
  /** Place an order. The server finds the best price by itself; the answer may already be filled. A fok that cannot fill, a post_only that would take, a late order and a reduce_only with nothing to reduce are answered with status rejected and a reject_reason. With dry_run=true the same checks run, preview shows fills and fees, and nothing is booked; it counts as an order in the rate limit. */
  place(body: Body<'placeOrder'>, query?: Query<'placeOrder'>, options?: CallOptions): Promise<Answer<'placeOrder'>>;
  /** One order. By order_id or by coid: and your client_order_id, so no placement is ever lost. */
  get(orderId: string, query?: Query<'getOrder'>, options?: CallOptions): Promise<Answer<'getOrder'>>;
  /** Amend an order. Atomic. A smaller size keeps the place in the queue; anything else queues anew. An app or partner amends only orders that it placed under the same grant; others are NOT_FOUND. */
  amend(orderId: string, body: Body<'amendOrder'>, query?: Query<'amendOrder'>, options?: CallOptions): Promise<Answer<'amendOrder'>>;
  /** Cancel an order. Answers the final order. Works while the market is halted and in read-only mode. A finished order is STATE_CONFLICT with the order in details. An app or partner cancels only orders that it placed under the same grant; others are NOT_FOUND. When the trade quota is used up, cancels go on from a reserve as large as it. */
  cancel(orderId: string, query?: Query<'cancelOrder'>, options?: CallOptions): Promise<Answer<'cancelOrder'>>;
  /** Place, amend and cancel in one call. Up to 20 items, executed in order; each has its own result and costs one trade request, a cancel too. The first is charged before the body is read, also of a batch that does not fit into what is left. An app or partner amends and cancels only orders that it placed under the same grant; others are NOT_FOUND. */
  batch(body: Body<'batchOrders'>, options?: CallOptions): Promise<Answer<'batchOrders'>>;
  /** Cancel all orders. All open orders, or those the filters name. An app or partner cancels only orders that it placed under the same grant; others that it names are NOT_FOUND. Works while halted and in read-only mode, and costs one request, from the reserve of cancels when the trade quota is used up. */
  cancelAll(query?: Query<'cancelAllOrders'>, options?: CallOptions): Promise<Answer<'cancelAllOrders'>>;
  /** Dead-man switch. Renew it in time, or all open orders in its scope are cancelled (`dead_man`): those in one market if `market_id` is sent, else all of the account. It draws on the reserve of cancels when the trade quota is used up. cancel_on_disconnect of the socket is a switch apart from it (`disconnect`): neither renews or disarms the other. It also cancels orders that an app did not place, so no app arms or disarms it: apps have cancel_on_disconnect, which is about their own. */
  heartbeat(body: Body<'heartbeat'>, options?: CallOptions): Promise<Answer<'heartbeat'>>;
}

export interface KeysCalls {
  /** Mint a key. The raw key, secret and passphrase are shown once. The first key needs a session; later ones may be minted by a key with trade, which gives no more than it has itself: the same environment, and at most its tier, permissions, addresses and expiry. A key with withdraw is minted by a session that is stepped up, or by a key with withdraw that such a session minted; otherwise STEP_UP_MFA_REQUIRED. A key that reaches the live lane ends after 90 days at most unless you have an approved app: expires_at_ms of the answer says when, and a later one asked for is BUILDER_NOT_APPROVED. A user has at most 20 active keys; one more is CONFLICT. */
  mint(body: Body<'mintKey'>, options?: CallOptions): Promise<Answer<'mintKey'>>;
  /** Your keys. Metadata only; no secret can be read again. A session sees every key, a key those of its own environment. */
  list(query?: Query<'listKeys'>, options?: CallOptions): Listing<Item<'listKeys'>>;
  /** Revoke a key. At once, on every connection, with all keys that were minted by it. Takes the public id or the raw key. A key revokes keys of its own environment only, and none with a permission or a tier above its own (SCOPE_MISSING). Its open orders are the account’s and stay: cancel them with DELETE /v1/orders. Webhooks that the key registered go on; the answer names them. */
  revoke(keyId: string, options?: CallOptions): Promise<Answer<'revokeKey'>>;
  /** A sandbox key for anybody. No credential needed; one per address and day, and a limited number an hour for all addresses together. It trades fake money at mid prices and is revoked after 7 days without a request. Pages of other sites are refused (SCOPE_NOT_ALLOWED) unless the operator allows their origin. */
  mintSandbox(query?: Query<'mintSandboxKey'>, options?: CallOptions): Promise<Answer<'mintSandboxKey'>>;
  /** Draw a signing secret. A secret and a passphrase by which requests of the key are signed, in the place of those before; shown once. By a session that is stepped up, or by the key itself if such a session minted it. STATE_CONFLICT unless the operator has switched signing on for the key or its tier. */
  drawSigningSecret(keyId: string, options?: CallOptions): Promise<Answer<'drawSigningSecret'>>;
}

export interface SandboxCalls {
  /** Test money. Credits 10,000 test USDT; once per hour and account, else RATE_LIMITED. A reset frees the hour, at most ten times per UTC day. An address may do so for as many accounts a day as the rules of compliance say, else ANTI_ABUSE_BLOCKED. */
  faucet(options?: CallOptions): Promise<Answer<'useFaucet'>>;
  /** Start over. Cancels open orders, clears positions and sets the balance to 0; idempotent. The faucet then gives again without waiting for its hour, at most ten times per UTC day. A reset of a subaccount alone does not free the faucet. Deposits of your own open markets and bonds stay there and come back when the market ends. */
  reset(options?: CallOptions): Promise<Answer<'resetSandbox'>>;
  /** Settle a market. Resolves a market that you created from a template with the oracle source sandbox_mock, in one step. Other markets are MARKET_NOT_FOUND, also the sandbox's own; finished ones are STATE_CONFLICT. */
  settle(body: Body<'settleWithMockOracle'>, options?: CallOptions): Promise<Answer<'settleWithMockOracle'>>;
}

export interface BuildersCalls {
  /** You as a builder. Tier, application, what is left to graduation, apps by status, and the rate limits of this credential as they are now. Anonymous keys, keys of subaccounts and demo accounts are nobody: NOT_FOUND. */
  me(options?: CallOptions): Promise<Answer<'getBuilder'>>;
  /** Apply for a track. Makes or changes your builder profile and asks for a track; an operator reviews it. It takes the acceptance of the builder agreement in its current version, 2026-08: without it, or with another version, OPERATOR_AGREEMENT_MISSING names the one to accept. While an application is in review, and for the track that you have, ALREADY_EXISTS. genesis has 20 places. Anonymous keys, keys of subaccounts and demo accounts cannot apply (SCOPE_NOT_ALLOWED). */
  apply(body: Body<'applyForTrack'>, options?: CallOptions): Promise<Answer<'applyForTrack'>>;
}

export interface AppsCalls {
  /** Register an app. A draft, which works in the sandbox for you alone; with submit it goes to review at once, which takes an approved builder (BUILDER_NOT_APPROVED). Registering takes a builder profile with the agreement, which POST /v1/apply makes (OPERATOR_AGREEMENT_MISSING). The client secret is shown once; a public client has none. A name that another app of yours has, and more than 50 apps, are CONFLICT. Anonymous keys, keys of subaccounts and demo accounts have no apps (SCOPE_NOT_ALLOWED). */
  create(body: Body<'createApp'>, options?: CallOptions): Promise<Answer<'createApp'>>;
  /** Your apps. The oldest first, with status and fee cap; no secret can be read again. */
  list(query?: Query<'listApps'>, options?: CallOptions): Listing<Item<'listApps'>>;
  /** Change, submit or disable an app. Another name, other redirect URIs and added scopes of an approved app have to be reviewed again: without resubmit they are STATE_CONFLICT, with it the app goes back to review, users who have connected it stay connected, and nobody new can. What is in review waits, and what is disabled stays as it is (STATE_CONFLICT). submit takes an approved builder (BUILDER_NOT_APPROVED). disable ends the app for everybody at once; only an operator enables it again. */
  update(appId: string, body: Body<'updateApp'>, options?: CallOptions): Promise<Answer<'updateApp'>>;
  /** New client secret. Shown once. For 24 hours the old one is good as well; a second rotation within them, and one of a public client, is STATE_CONFLICT. While the app is in review or disabled, APP_NOT_APPROVED. Needs a session that is stepped up, or a key that such a session minted. */
  rotateSecret(appId: string, options?: CallOptions): Promise<Answer<'rotateAppSecret'>>;
}

export interface OauthCalls {
  /** Exchange a code, or renew with a refresh token. OAuth 2.1: authorization_code with code, redirect_uri and code_verifier, or refresh_token. A confidential client sends its secret by HTTP Basic or in the body, a public one its client_id alone; anything else is AUTH_INVALID. The access token is good for 15 minutes. A refresh token is good once: its second use is REFRESH_TOKEN_REUSED, that of a code AUTH_CODE_CONSUMED, and each ends the grant with all its tokens. What is unknown, or was issued to another client, is TOKEN_INVALID. The answer has the fields of data at its top as well, where OAuth clients look for them. A request with a form body is refused with the error of RFC 6749 (OAuthError), a JSON request with the envelope. */
  token(body: Body<'exchangeToken'>, options?: CallOptions): Promise<Answer<'exchangeToken'>>;
  /** Give a token back. RFC 7009: a refresh token ends the whole grant, an access token itself alone. A token that is unknown, over or of another client is answered in the same way, and nothing happens. */
  revoke(body: Body<'revokeToken'>, options?: CallOptions): Promise<Answer<'revokeToken'>>;
}

export interface ConnectCalls {
  /** What you have allowed others. The newest first, those of both environments: apps and partners with their scopes, caps and last use. */
  listGrants(query?: Query<'listGrants'>, options?: CallOptions): Listing<Item<'listGrants'>>;
  /** Allow an app or a partner to act for you. kind oauth is what the consent page does: client_id, redirect_uri, scopes and code_challenge (S256) as the app asked, and the answer has the code for the redirect, good once, for 60 seconds. An app that is not approved works in the sandbox for its owner alone (APP_NOT_APPROVED). Without the scope offline the grant lasts 12 hours, with it 90 days, and it needs a session that is stepped up. kind delegation is for a partner: partner_id, scopes and expires_at_ms, at most 365 days ahead; it needs a session that is stepped up. It is for the account in the environment of the address that is called, or for subaccount_id. More than 100 that hold at a time are CONFLICT; a scope that the app may not ask for, and demo accounts, SCOPE_NOT_ALLOWED. */
  grant(body: Body<'createGrant'>, options?: CallOptions): Promise<Answer<'createGrant'>>;
  /** Take back what you allowed. Ends all its access and refresh tokens at once, and closes its sockets. One that is over already is answered as it is. */
  revokeGrant(grantId: string, options?: CallOptions): Promise<Answer<'revokeGrant'>>;
}

export interface LiquidityCalls {
  /** Fees and rebates. The fee curve, the rebate formula and the split, as the engine charges them. */
  config(options?: CallOptions): Promise<Answer<'getLqfConfig'>>;
}

export interface PortfolioCalls {
  /** Your balance. Free, reserved and by what, and pending, for each asset. */
  balance(query?: Query<'getBalance'>, options?: CallOptions): Promise<Answer<'getBalance'>>;
  /** What your portfolio comes to. Equity and where it comes from, fees and rebates, exposure by category, how settled positions did, and equity over time. Equity is net deposits plus realised and unrealised profit, exactly. */
  summary(query?: Query<'getPortfolioSummary'>, options?: CallOptions): Promise<Answer<'getPortfolioSummary'>>;
  /** Your statement. Every credit and debit with its reason and reference, newest first. */
  ledger(query?: Query<'listLedger'>, options?: CallOptions): Listing<Item<'listLedger'>>;
  /** Mint or merge complete sets. A full set is always worth 1. The fee is published in GET /v1/lqf/config: minting and selling the other outcomes is not cheaper than buying. The discount of a maker covers as many sets as the account filled as a maker in the market on this and the previous UTC day. */
  convert(body: Body<'convertPosition'>, options?: CallOptions): Promise<Answer<'convertPosition'>>;
}

export interface AttributionCalls {
  /** What your apps brought and your keys traded. Volume that your apps are credited with, by trade, day, app or market. The first row of the first page is the total. A trade belongs to the app that its taker’s order named. By key it is what each of your own keys traded, as taker and as maker. */
  rows(query?: Query<'getAttribution'>, options?: CallOptions): Listing<Item<'getAttribution'>>;
}

export interface RevenueCalls {
  /** What you earned by fees. Shares of fees as creator of markets, builder of apps and referrer, by trade, day, app or actor. The first row of the first page is the total. They vest when a market resolves, are given back when it is cancelled, and go to your free balance once a day after midnight UTC. */
  rows(query?: Query<'getRevenue'>, options?: CallOptions): Listing<Item<'getRevenue'>>;
}

export interface SubaccountsCalls {
  /** Open a subaccount. Up to 32 are open at a time, and 1,000 ever. Each has money, orders and positions of its own; faucet, caps, limits and self-trade prevention count for you and all of them together. Name it in subaccount_id wherever that is taken. */
  create(body: Body<'createSubaccount'>, options?: CallOptions): Promise<Answer<'createSubaccount'>>;
  /** Your subaccounts. The oldest first, with balances and how many orders and positions each has. A key that is bound to one sees that one. */
  list(query?: Query<'listSubaccounts'>, options?: CallOptions): Listing<Item<'listSubaccounts'>>;
  /** Rename, freeze, let go or close a subaccount. frozen cancels its open orders and stops it until it is active again; closed is for ever and needs one without orders, positions and money. What an operator has frozen cannot be changed. */
  change(subaccountId: string, body: Body<'changeSubaccount'>, options?: CallOptions): Promise<Answer<'changeSubaccount'>>;
  /** Move money between your accounts. From and to are two of yours, your account_id among them; exact, at once and without a fee. Free money only. */
  transfer(body: Body<'transferFunds'>, options?: CallOptions): Promise<Answer<'transferFunds'>>;
}

export interface WithdrawalsCalls {
  /** Withdraw money. To one of your destinations, once it is usable (STATE_CONFLICT with usable_from_at_ms before). Less than min_withdrawal of your destinations is VALIDATION_FAILED, unless it is all that is free in your account and its subaccounts. The amount is reserved at once and paid, or given back if it cannot be. It is held for 24 hours after a change of the password or of a factor. A session must be stepped up; a key needs the permission withdraw. */
  create(body: Body<'createWithdrawal'>, options?: CallOptions): Promise<Answer<'createWithdrawal'>>;
  /** Your withdrawals. The newest first, those of your subaccounts too. */
  list(query?: Query<'listWithdrawals'>, options?: CallOptions): Promise<Answer<'listWithdrawals'>>;
  /** One withdrawal. As it is now. */
  get(withdrawalId: string, options?: CallOptions): Promise<Answer<'getWithdrawal'>>;
  /** Cancel a withdrawal. As long as it is requested or held: its money is free again at once. Once more changes nothing; after it was sent it is STATE_CONFLICT. */
  cancel(withdrawalId: string, options?: CallOptions): Promise<Answer<'cancelWithdrawal'>>;
}

export interface DestinationsCalls {
  /** Where your withdrawals may go. The oldest first, each with the time from which on it is usable; min_withdrawal is the least that can be withdrawn at once, unless it is all that is free. */
  list(options?: CallOptions): Promise<Answer<'listDestinations'>>;
  /** Add a destination. Usable after a delay, so that whoever got into your account cannot take your money at once: usable_from_at says when. At most 20. The session must be stepped up. */
  add(body: Body<'addDestination'>, options?: CallOptions): Promise<Answer<'addDestination'>>;
  /** Remove a destination. What is under way to it goes on; cancel it if it should not. Added again, it waits again. */
  remove(destinationId: string, options?: CallOptions): Promise<Answer<'removeDestination'>>;
}

export interface DepositsCalls {
  /** Your deposits. The newest first, those of your subaccounts too: what is on its way, what was credited, and what did not arrive. */
  list(query?: Query<'listDeposits'>, options?: CallOptions): Promise<Answer<'listDeposits'>>;
}

export interface SessionsCalls {
  /** Register. Opens a user with an account in each lane and logs in. With demo_token, a demo account becomes the sandbox account of the user. An email that is registered gets the answer of a login: a session with the right password, PASSWORD_INCORRECT with any other. One whose account was closed during an exclusion of its owner is COMPLIANCE_GATE_BLOCKED (rule_id self_exclusion) until that is over. */
  register(body: Body<'register'>, options?: CallOptions): Promise<Answer<'register'>>;
  /** Log in. An unknown email gets the same answer as a wrong password. A user with a second factor gives otp or recovery_code as well; without it the answer is STEP_UP_MFA_REQUIRED, whose details.factors say what would do. */
  logIn(body: Body<'logIn'>, options?: CallOptions): Promise<Answer<'logIn'>>;
  /** Open a demo account. For a visitor who wants to try it out: a fresh account of the sandbox with 1000 test USDT, and a session for it. It trades below /sandbox only, has no keys and no webhooks, and is closed when nothing has happened in it for 7 days. An address may open 5 an hour and 20 a day, an IPv6 network (/48) 25 and 100; all visitors together as many an hour as the operator allows. */
  demo(body: Body<'openDemo'>, options?: CallOptions): Promise<Answer<'openDemo'>>;
  /** Resume the session of the cookie. What a page of this server calls when it is loaded: gives the session whose cookie the browser holds, or null if there is none that is still in force. The cookie opens nothing else. Calls from other pages, and cookies sent by programs, are refused (SCOPE_NOT_ALLOWED). */
  resume(options?: CallOptions): Promise<Answer<'resumeSession'>>;
  /** Log out. Ends this session at once, and clears the session cookie of the page. A demo session ends at either address. */
  logOut(options?: CallOptions): Promise<Answer<'logOut'>>;
  /** Change the password. Ends every other session of the user and revokes every key, but for those that this session minted. Webhooks that neither this session nor such a key registered are paused (`password_changed`). Withdrawals wait for a day. With a second factor enrolled, the session must be stepped up. */
  changePassword(body: Body<'changePassword'>, options?: CallOptions): Promise<Answer<'changePassword'>>;
  /** Step up a session. Proves once more who is at the page, for what a session alone is not enough: for 5 minutes after it, as after a login. Give one of the fields. The password counts only where no second factor is enrolled. A code that does not fit, or was used before, is STEP_UP_MFA_REQUIRED with details.reason. */
  stepUp(body: Body<'stepUp'>, options?: CallOptions): Promise<Answer<'stepUp'>>;
  /** Where you are logged in. Every session that is open, the newest first. */
  list(options?: CallOptions): Promise<Answer<'listSessions'>>;
  /** End a session. At once, on every connection. One that is over, or of somebody else, is NOT_FOUND. */
  end(sessionId: string, options?: CallOptions): Promise<Answer<'endSession'>>;
  /** End every other session. All but the one that asks. */
  endOthers(options?: CallOptions): Promise<Answer<'endOtherSessions'>>;
  /** Ask for a link to set a new password. The answer is the same whether anybody has registered with the address. The link is good for 60 minutes and once; a newer one ends it. SERVICE_UNAVAILABLE where the exchange sends no mail: its operator can hand out a link. At most 3 an hour for an address of mail, 10 from an address of the network. */
  requestPasswordReset(body: Body<'requestPasswordReset'>, options?: CallOptions): Promise<Answer<'requestPasswordReset'>>;
  /** Set a new password by a link. Ends every session of the user, revokes every key and pauses every webhook (`password_changed`); withdrawals wait for a day, and destinations added within the last seven days start their delay again. The link does not take the place of a second factor: where one is enrolled, give otp, recovery_code or the answer of a passkey as well, else the answer is STEP_UP_MFA_REQUIRED and the link stays good. One that is not known, was used or is over is NOT_FOUND. */
  resetPassword(body: Body<'resetPassword'>, options?: CallOptions): Promise<Answer<'resetPassword'>>;
}

export interface FactorsCalls {
  /** Your second factors. What is enrolled, how long this session is stepped up, and what waits because of a change. */
  list(options?: CallOptions): Promise<Answer<'listFactors'>>;
  /** Begin an authenticator. Gives the seed for an authenticator, as text and as an otpauth URI to be shown as a QR code; shown once. Nothing changes until confirmTotp is given a code of it; beginning again replaces it. The first second factor of a user takes a step-up by the password after the login. STATE_CONFLICT if there is one already. */
  enrolTotp(options?: CallOptions): Promise<Answer<'enrolTotp'>>;
  /** Confirm the authenticator. From now on a login needs a second factor, the other sessions are over, and withdrawals wait 24 hours. The recovery codes are shown once; none if there are some already. A code that does not fit is VALIDATION_FAILED. */
  confirmTotp(body: Body<'confirmTotp'>, options?: CallOptions): Promise<Answer<'confirmTotp'>>;
  /** Remove the authenticator. With it go the recovery codes, if no other factor is left. Withdrawals are held as after every change. */
  removeTotp(options?: CallOptions): Promise<Answer<'removeTotp'>>;
  /** New recovery codes. They take the place of all earlier ones. STATE_CONFLICT if no factor is enrolled. */
  renewRecoveryCodes(options?: CallOptions): Promise<Answer<'renewRecoveryCodes'>>;
}

export interface PasskeysCalls {
  /** Begin a passkey. What a browser needs to make a passkey for this user, good for 5 minutes. The first second factor of a user takes a step-up by the password after the login. */
  begin(options?: CallOptions): Promise<Answer<'beginPasskey'>>;
  /** Add a passkey. Takes what the browser made. A user has at most 20. The other sessions are over. The recovery codes are shown once; none if there are some already. What cannot be verified is VALIDATION_FAILED. */
  add(body: Body<'addPasskey'>, options?: CallOptions): Promise<Answer<'addPasskey'>>;
  /** Rename a passkey. The name is for its owner to tell it from others. */
  rename(passkeyId: string, body: Body<'renamePasskey'>, options?: CallOptions): Promise<Answer<'renamePasskey'>>;
  /** Remove a passkey. With the last factor go the recovery codes. Withdrawals are held as after every change. */
  remove(passkeyId: string, options?: CallOptions): Promise<Answer<'removePasskey'>>;
  /** Ask for a passkey. A challenge for any passkey of this exchange, to log in or to step up with; good once and for 5 minutes. */
  ask(options?: CallOptions): Promise<Answer<'askPasskey'>>;
  /** Log in with a passkey. A passkey says who somebody is and is unlocked by them, so neither a password nor a code is asked for. One that is unknown or does not fit is PASSWORD_INCORRECT, as every login that fails. */
  logIn(body: Body<'logInWithPasskey'>, options?: CallOptions): Promise<Answer<'logInWithPasskey'>>;
}

export interface ProfileCalls {
  /** Your profile. What you have said of yourself; nobody else is shown it. */
  get(options?: CallOptions): Promise<Answer<'getProfile'>>;
  /** Change your profile. Fields that are left out stay; null clears one. A country that an operator has set, and what a list of sanctions or countries matched by, only an operator changes. */
  update(body: Body<'updateProfile'>, options?: CallOptions): Promise<Answer<'updateProfile'>>;
  /** Everything that is kept of you. What you have said of yourself, where you are logged in, your keys, factors, webhooks, apps, what you told as a builder, destinations, own limits, deposits and withdrawals, in one piece; and where the records are read that are kept by the ids of your accounts. */
  export(options?: CallOptions): Promise<Answer<'exportData'>>;
  /** Close your account for good. Ends every session, revokes every key, removes webhooks and erases what is kept of you as a person; the ledger keeps the ids of your accounts, and keyed hashes of addresses are kept for a while against abuse. It cannot be undone, and the address of mail may register anew, unless you have excluded yourself in the live lane: a keyed hash of it is kept until that is over, and registering it is refused so long. STATE_CONFLICT as long as something is in the way, which details.reason names: open_orders, positions, balance, stakes or claims (a market in which you lost money could still be cancelled and give it back) in the live lane, or limits (of your own: lifting them takes a day; none if you are excluded for ever) there; frozen, restricted (by a list, or by the country that an operator has set) or flagged. What is in the sandbox goes. With a second factor enrolled, the session must be stepped up. */
  close(body: Body<'closeAccount'>, options?: CallOptions): Promise<Answer<'closeAccount'>>;
}

export interface EmailCalls {
  /** Send the link that verifies your address. Once more: registering has sent one. It is good for 24 hours. STATE_CONFLICT if the address is verified already; SERVICE_UNAVAILABLE where the exchange sends no mail; at most 3 an hour. */
  sendVerification(options?: CallOptions): Promise<Answer<'sendVerification'>>;
  /** Verify an address. Takes what stands in the link, whoever is at the page. A link that is not known, was used or is over is NOT_FOUND. */
  confirm(body: Body<'confirmEmail'>, options?: CallOptions): Promise<Answer<'confirmEmail'>>;
}

export interface LimitsCalls {
  /** Your own limits. What you allow yourself to pay in and to lose. Counting begins with your first limit. A loss is all that left your balance by trading and has not come back, open orders and positions included. */
  get(options?: CallOptions): Promise<Answer<'getOwnLimits'>>;
  /** Set your own limits. All six of them. A lower limit holds at once, a higher one a day later. Orders and deposits above one are RISK_LIMIT_BREACH; selling and cancelling always work. Counting begins with your first limit: what was paid in or lost before it does not count, on the same day neither. */
  set(body: Body<'setOwnLimits'>, options?: CallOptions): Promise<Answer<'setOwnLimits'>>;
  /** Exclude yourself. At once and until the time, or for ever if that is null: buys are withdrawn and buying, minting and paying in are COMPLIANCE_GATE_BLOCKED. It can be made longer, never shorter (STATE_CONFLICT). Selling, cancelling and withdrawing always work. Nobody can take it back, so it needs a session that is stepped up (STEP_UP_MFA_REQUIRED). */
  exclude(body: Body<'excludeSelf'>, options?: CallOptions): Promise<Answer<'excludeSelf'>>;
}

export interface RequestsCalls {
  /** Your requests. What you sent with your keys and sessions, newest first: the last 10,000, of seven days. Reads of this log are not in it. */
  list(query?: Query<'listRequests'>, options?: CallOptions): Listing<Item<'listRequests'>>;
  /** Your requests in numbers. Today and the last 24 hours: counts, errors by code, latency, hour by hour. */
  summary(query?: Query<'getRequestSummary'>, options?: CallOptions): Promise<Answer<'getRequestSummary'>>;
  /** One of your requests. With its headers and both bodies, of each the first 4 KiB. Credentials, cookies, keys, passwords and secrets are cut. */
  get(requestId: string, options?: CallOptions): Promise<Answer<'getRequest'>>;
}

export interface WebhooksCalls {
  /** Register a webhook. The signing secret is shown once. The same address twice is ALREADY_EXISTS; demo accounts have none (SCOPE_NOT_ALLOWED). */
  create(body: Body<'createWebhook'>, options?: CallOptions): Promise<Answer<'createWebhook'>>;
  /** Your webhooks. With status, failure streak and last delivery; no secret can be read again. */
  list(query?: Query<'listWebhooks'>, options?: CallOptions): Listing<Item<'listWebhooks'>>;
  /** Change a webhook. Address, events, filter or status. Making it active again continues with new events; replay brings the missed ones. By a key only if whoever registered the webhook can do no more than that key (SCOPE_MISSING names what it lacks); by a session always. */
  update(webhookId: string, body: Body<'updateWebhook'>, options?: CallOptions): Promise<Answer<'updateWebhook'>>;
  /** Remove a webhook. At once; what still waits for delivery is dropped. By a key only if whoever registered the webhook can do no more than that key (SCOPE_MISSING names what it lacks); by a session always. */
  remove(webhookId: string, options?: CallOptions): Promise<Answer<'deleteWebhook'>>;
  /** New signing secret. Shown once. For 24 hours deliveries carry a signature of each; a second rotation within them is STATE_CONFLICT. Needs a session that is stepped up, or a key that such a session minted. By a key only if whoever registered the webhook can do no more than that key (SCOPE_MISSING names what it lacks); by a session always. */
  rotateSecret(webhookId: string, options?: CallOptions): Promise<Answer<'rotateWebhookSecret'>>;
  /** Deliveries of a webhook. Every attempt of the last 30 days, newest delivery first. */
  deliveries(webhookId: string, query?: Query<'listWebhookDeliveries'>, options?: CallOptions): Listing<Item<'listWebhookDeliveries'>>;
  /** Send again, or test. Repeats one delivery, or all since a time, or sends a test event. Repeats keep the id of the event; a delivery that waits for its next attempt is tried at once, under its own id. STATE_CONFLICT unless the webhook is active, and for one that has not been tried yet. By a key only if whoever registered the webhook can do no more than that key (SCOPE_MISSING names what it lacks); by a session always. */
  replay(webhookId: string, body: Body<'replayWebhook'>, options?: CallOptions): Promise<Answer<'replayWebhook'>>;
}

/** Every group of calls, as the client carries them. */
export interface Calls {
  readonly system: SystemCalls;
  readonly markets: MarketsCalls;
  readonly templates: TemplatesCalls;
  readonly account: AccountCalls;
  readonly orders: OrdersCalls;
  readonly keys: KeysCalls;
  readonly sandbox: SandboxCalls;
  readonly builders: BuildersCalls;
  readonly apps: AppsCalls;
  readonly oauth: OauthCalls;
  readonly connect: ConnectCalls;
  readonly liquidity: LiquidityCalls;
  readonly portfolio: PortfolioCalls;
  readonly attribution: AttributionCalls;
  readonly revenue: RevenueCalls;
  readonly subaccounts: SubaccountsCalls;
  readonly withdrawals: WithdrawalsCalls;
  readonly destinations: DestinationsCalls;
  readonly deposits: DepositsCalls;
  readonly sessions: SessionsCalls;
  readonly factors: FactorsCalls;
  readonly passkeys: PasskeysCalls;
  readonly profile: ProfileCalls;
  readonly email: EmailCalls;
  readonly limits: LimitsCalls;
  readonly requests: RequestsCalls;
  readonly webhooks: WebhooksCalls;
}
