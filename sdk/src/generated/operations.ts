// Generated from the contract by sdk/emit/main.ts; edit the contract instead.

import type { Answer, Body, Item, Query } from '../types.ts';
import type { CallOptions } from '../options.ts';
import type { Listing } from '../listing.ts';

/** What the client must know of each operation to call it. */
export const operations = {
  getHealth: { group: 'system', name: 'health', method: 'GET', path: '/v1/health', body: false, query: false, list: false, keyed: false, repeatable: true },
  getStatus: { group: 'system', name: 'status', method: 'GET', path: '/v1/status', body: false, query: false, list: false, keyed: false, repeatable: true },
  listMarkets: { group: 'markets', name: 'list', method: 'GET', path: '/v1/markets', body: false, query: true, list: true, keyed: false, repeatable: true },
  getMarket: { group: 'markets', name: 'get', method: 'GET', path: '/v1/markets/{market_id}', body: false, query: false, list: false, keyed: false, repeatable: true },
  listCandles: { group: 'markets', name: 'candles', method: 'GET', path: '/v1/candles/{market_id}', body: false, query: true, list: true, keyed: false, repeatable: true },
  getOrderBook: { group: 'markets', name: 'orderBook', method: 'GET', path: '/v1/orderbook/{market_id}', body: false, query: true, list: false, keyed: false, repeatable: true },
  listTrades: { group: 'markets', name: 'trades', method: 'GET', path: '/v1/trades/{market_id}', body: false, query: true, list: true, keyed: false, repeatable: true },
  listTemplates: { group: 'templates', name: 'list', method: 'GET', path: '/v1/markets/templates', body: false, query: true, list: true, keyed: false, repeatable: true },
  createMarket: { group: 'markets', name: 'create', method: 'POST', path: '/v1/markets', body: true, query: true, list: false, keyed: true, repeatable: true },
  getAccount: { group: 'account', name: 'get', method: 'GET', path: '/v1/account', body: false, query: false, list: false, keyed: false, repeatable: true },
  listPositions: { group: 'account', name: 'positions', method: 'GET', path: '/v1/account/positions', body: false, query: true, list: true, keyed: false, repeatable: true },
  listOrders: { group: 'account', name: 'orders', method: 'GET', path: '/v1/account/orders', body: false, query: true, list: true, keyed: false, repeatable: true },
  listFills: { group: 'account', name: 'fills', method: 'GET', path: '/v1/account/trades', body: false, query: true, list: true, keyed: false, repeatable: true },
  placeOrder: { group: 'orders', name: 'place', method: 'POST', path: '/v1/orders', body: true, query: true, list: false, keyed: true, repeatable: true },
  getOrder: { group: 'orders', name: 'get', method: 'GET', path: '/v1/orders/{order_id}', body: false, query: false, list: false, keyed: false, repeatable: true },
  amendOrder: { group: 'orders', name: 'amend', method: 'PATCH', path: '/v1/orders/{order_id}', body: true, query: false, list: false, keyed: true, repeatable: true },
  cancelOrder: { group: 'orders', name: 'cancel', method: 'DELETE', path: '/v1/orders/{order_id}', body: false, query: false, list: false, keyed: true, repeatable: true },
  batchOrders: { group: 'orders', name: 'batch', method: 'POST', path: '/v1/orders/batch', body: true, query: false, list: false, keyed: true, repeatable: true },
  cancelAllOrders: { group: 'orders', name: 'cancelAll', method: 'DELETE', path: '/v1/orders', body: false, query: true, list: false, keyed: false, repeatable: true },
  heartbeat: { group: 'orders', name: 'heartbeat', method: 'POST', path: '/v1/orders/heartbeat', body: true, query: false, list: false, keyed: false, repeatable: true },
  mintKey: { group: 'keys', name: 'mint', method: 'POST', path: '/v1/keys', body: true, query: false, list: false, keyed: true, repeatable: true },
  listKeys: { group: 'keys', name: 'list', method: 'GET', path: '/v1/keys', body: false, query: true, list: true, keyed: false, repeatable: true },
  revokeKey: { group: 'keys', name: 'revoke', method: 'DELETE', path: '/v1/keys/{key_id}', body: false, query: false, list: false, keyed: true, repeatable: true },
  mintSandboxKey: { group: 'keys', name: 'mintSandbox', method: 'POST', path: '/v1/sandbox-keys', body: false, query: false, list: false, keyed: false, repeatable: false },
  useFaucet: { group: 'sandbox', name: 'faucet', method: 'POST', path: '/v1/sandbox/faucet', body: false, query: false, list: false, keyed: true, repeatable: true },
  resetSandbox: { group: 'sandbox', name: 'reset', method: 'POST', path: '/v1/sandbox/reset', body: false, query: false, list: false, keyed: true, repeatable: true },
  settleWithMockOracle: { group: 'sandbox', name: 'settle', method: 'POST', path: '/v1/sandbox/mock-oracle', body: true, query: false, list: false, keyed: true, repeatable: true },
  getLqfConfig: { group: 'liquidity', name: 'config', method: 'GET', path: '/v1/lqf/config', body: false, query: false, list: false, keyed: false, repeatable: true },
  getBalance: { group: 'portfolio', name: 'balance', method: 'GET', path: '/v1/balance', body: false, query: false, list: false, keyed: false, repeatable: true },
  getPortfolioSummary: { group: 'portfolio', name: 'summary', method: 'GET', path: '/v1/portfolio/summary', body: false, query: true, list: false, keyed: false, repeatable: true },
  listLedger: { group: 'portfolio', name: 'ledger', method: 'GET', path: '/v1/portfolio/ledger', body: false, query: true, list: true, keyed: false, repeatable: true },
  convertPosition: { group: 'portfolio', name: 'convert', method: 'POST', path: '/v1/portfolio/conversions', body: true, query: false, list: false, keyed: true, repeatable: true },
  register: { group: 'sessions', name: 'register', method: 'POST', path: '/api/auth/register', body: true, query: false, list: false, keyed: false, repeatable: false },
  logIn: { group: 'sessions', name: 'logIn', method: 'POST', path: '/api/auth/login', body: true, query: false, list: false, keyed: false, repeatable: false },
  openDemo: { group: 'sessions', name: 'demo', method: 'POST', path: '/api/auth/demo', body: true, query: false, list: false, keyed: false, repeatable: false },
  resumeSession: { group: 'sessions', name: 'resume', method: 'POST', path: '/api/auth/session', body: false, query: false, list: false, keyed: false, repeatable: true },
  logOut: { group: 'sessions', name: 'logOut', method: 'POST', path: '/api/auth/logout', body: false, query: false, list: false, keyed: false, repeatable: false },
  changePassword: { group: 'sessions', name: 'changePassword', method: 'POST', path: '/api/auth/password', body: true, query: false, list: false, keyed: false, repeatable: false },
  listRequests: { group: 'requests', name: 'list', method: 'GET', path: '/v1/requests', body: false, query: true, list: true, keyed: false, repeatable: true },
  getRequestSummary: { group: 'requests', name: 'summary', method: 'GET', path: '/v1/requests/summary', body: false, query: true, list: false, keyed: false, repeatable: true },
  getRequest: { group: 'requests', name: 'get', method: 'GET', path: '/v1/requests/{request_id}', body: false, query: false, list: false, keyed: false, repeatable: true },
  createWebhook: { group: 'webhooks', name: 'create', method: 'POST', path: '/v1/webhooks', body: true, query: false, list: false, keyed: true, repeatable: true },
  listWebhooks: { group: 'webhooks', name: 'list', method: 'GET', path: '/v1/webhooks', body: false, query: true, list: true, keyed: false, repeatable: true },
  updateWebhook: { group: 'webhooks', name: 'update', method: 'PATCH', path: '/v1/webhooks/{webhook_id}', body: true, query: false, list: false, keyed: true, repeatable: true },
  deleteWebhook: { group: 'webhooks', name: 'remove', method: 'DELETE', path: '/v1/webhooks/{webhook_id}', body: false, query: false, list: false, keyed: true, repeatable: true },
  rotateWebhookSecret: { group: 'webhooks', name: 'rotateSecret', method: 'POST', path: '/v1/webhooks/{webhook_id}/rotate-secret', body: false, query: false, list: false, keyed: true, repeatable: true },
  listWebhookDeliveries: { group: 'webhooks', name: 'deliveries', method: 'GET', path: '/v1/webhooks/{webhook_id}/deliveries', body: false, query: true, list: true, keyed: false, repeatable: true },
  replayWebhook: { group: 'webhooks', name: 'replay', method: 'POST', path: '/v1/webhooks/{webhook_id}/replay', body: true, query: false, list: false, keyed: true, repeatable: true },
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
  /** Your account. Balance, tier, permissions, caps used today and what would stop an order. */
  get(options?: CallOptions): Promise<Answer<'getAccount'>>;
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
  get(orderId: string, options?: CallOptions): Promise<Answer<'getOrder'>>;
  /** Amend an order. Atomic. A smaller size keeps the place in the queue; anything else queues anew. */
  amend(orderId: string, body: Body<'amendOrder'>, options?: CallOptions): Promise<Answer<'amendOrder'>>;
  /** Cancel an order. Answers the final order. Works while the market is halted and in read-only mode. A finished order is STATE_CONFLICT with the order in details. When the trade quota is used up, cancels go on from a reserve as large as it. */
  cancel(orderId: string, options?: CallOptions): Promise<Answer<'cancelOrder'>>;
  /** Place, amend and cancel in one call. Up to 20 items, executed in order; each has its own result and costs one trade request, a cancel too. The first is charged before the body is read, also of a batch that does not fit into what is left. */
  batch(body: Body<'batchOrders'>, options?: CallOptions): Promise<Answer<'batchOrders'>>;
  /** Cancel all orders. All open orders, or those the filters name. Works while halted and in read-only mode, and costs one request, from the reserve of cancels when the trade quota is used up. */
  cancelAll(query?: Query<'cancelAllOrders'>, options?: CallOptions): Promise<Answer<'cancelAllOrders'>>;
  /** Dead-man switch. Renew it in time, or all open orders in its scope are cancelled (`dead_man`). It draws on the reserve of cancels when the trade quota is used up. cancel_on_disconnect of the socket is a switch apart from it (`disconnect`): neither renews or disarms the other. */
  heartbeat(body: Body<'heartbeat'>, options?: CallOptions): Promise<Answer<'heartbeat'>>;
}

export interface KeysCalls {
  /** Mint a key. The raw key, secret and passphrase are shown once. The first key needs a session; later ones may be minted by a key with trade, which gives no more than it has itself: the same environment, and at most its tier, permissions and expiry. A user has at most 20 active keys; one more is CONFLICT. */
  mint(body: Body<'mintKey'>, options?: CallOptions): Promise<Answer<'mintKey'>>;
  /** Your keys. Metadata only; no secret can be read again. A session sees every key, a key those of its own environment. */
  list(query?: Query<'listKeys'>, options?: CallOptions): Listing<Item<'listKeys'>>;
  /** Revoke a key. At once, on every connection, with all keys that were minted by it. Takes the public id or the raw key. A key revokes keys of its own environment only. */
  revoke(keyId: string, options?: CallOptions): Promise<Answer<'revokeKey'>>;
  /** A sandbox key for anybody. No credential needed; one per address and day. It trades fake money at mid prices. Pages of other sites are refused (SCOPE_NOT_ALLOWED) unless the operator allows their origin. */
  mintSandbox(options?: CallOptions): Promise<Answer<'mintSandboxKey'>>;
}

export interface SandboxCalls {
  /** Test money. Credits 10,000 test USDT; once per hour and account, else RATE_LIMITED. */
  faucet(options?: CallOptions): Promise<Answer<'useFaucet'>>;
  /** Start over. Cancels open orders, clears positions and sets the balance to 0; idempotent. */
  reset(options?: CallOptions): Promise<Answer<'resetSandbox'>>;
  /** Settle a market. Resolves a market whose template has the oracle source sandbox_mock, in one step. Other markets are MARKET_NOT_FOUND, finished ones STATE_CONFLICT. */
  settle(body: Body<'settleWithMockOracle'>, options?: CallOptions): Promise<Answer<'settleWithMockOracle'>>;
}

export interface LiquidityCalls {
  /** Fees and rebates. The fee curve, the rebate formula and the split, as the engine charges them. */
  config(options?: CallOptions): Promise<Answer<'getLqfConfig'>>;
}

export interface PortfolioCalls {
  /** Your balance. Free, reserved and by what, and pending, for each asset. */
  balance(options?: CallOptions): Promise<Answer<'getBalance'>>;
  /** What your portfolio comes to. Equity and where it comes from, fees and rebates, exposure by category, how settled positions did, and equity over time. Equity is net deposits plus realised and unrealised profit, exactly. */
  summary(query?: Query<'getPortfolioSummary'>, options?: CallOptions): Promise<Answer<'getPortfolioSummary'>>;
  /** Your statement. Every credit and debit with its reason and reference, newest first. */
  ledger(query?: Query<'listLedger'>, options?: CallOptions): Listing<Item<'listLedger'>>;
  /** Mint or merge complete sets. A full set is always worth 1. The fee is published in GET /v1/lqf/config: minting and selling the other outcomes is not cheaper than buying. */
  convert(body: Body<'convertPosition'>, options?: CallOptions): Promise<Answer<'convertPosition'>>;
}

export interface SessionsCalls {
  /** Register. Opens a user with an account in each lane and logs in. An email that is registered gets the answer of a login: a session with the right password, PASSWORD_INCORRECT with any other. */
  register(body: Body<'register'>, options?: CallOptions): Promise<Answer<'register'>>;
  /** Log in. An unknown email gets the same answer as a wrong password. */
  logIn(body: Body<'logIn'>, options?: CallOptions): Promise<Answer<'logIn'>>;
  /** Open a demo account. For a visitor who wants to try it out: a fresh account of the sandbox with 1000 CROWN of play money, and a session for it. It trades below /sandbox only, has no keys and no webhooks, and is closed when nothing has happened in it for 7 days. An address may open 5 an hour and 20 a day, an IPv6 network (/48) 25 and 100; all visitors together as many an hour as the operator allows. */
  demo(body: Body<'openDemo'>, options?: CallOptions): Promise<Answer<'openDemo'>>;
  /** Resume the session of the cookie. What a page of this server calls when it is loaded: gives the session whose cookie the browser holds, or null if there is none that is still in force. The cookie opens nothing else. Calls from other pages, and cookies sent by programs, are refused (SCOPE_NOT_ALLOWED). */
  resume(options?: CallOptions): Promise<Answer<'resumeSession'>>;
  /** Log out. Ends this session at once, and clears the session cookie of the page. */
  logOut(options?: CallOptions): Promise<Answer<'logOut'>>;
  /** Change the password. Ends every other session of the user and revokes every key, but for those that this session minted. */
  changePassword(body: Body<'changePassword'>, options?: CallOptions): Promise<Answer<'changePassword'>>;
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
  /** Change a webhook. Address, events, filter or status. Making it active again continues with new events; replay brings the missed ones. */
  update(webhookId: string, body: Body<'updateWebhook'>, options?: CallOptions): Promise<Answer<'updateWebhook'>>;
  /** Remove a webhook. At once; what still waits for delivery is dropped. */
  remove(webhookId: string, options?: CallOptions): Promise<Answer<'deleteWebhook'>>;
  /** New signing secret. Shown once. For 24 hours deliveries carry a signature of each; a second rotation within them is STATE_CONFLICT. */
  rotateSecret(webhookId: string, options?: CallOptions): Promise<Answer<'rotateWebhookSecret'>>;
  /** Deliveries of a webhook. Every attempt of the last 30 days, newest delivery first. */
  deliveries(webhookId: string, query?: Query<'listWebhookDeliveries'>, options?: CallOptions): Listing<Item<'listWebhookDeliveries'>>;
  /** Send again, or test. Repeats one delivery, or all since a time, or sends a test event. Repeats keep the id of the event; a delivery that waits for its next attempt is tried at once, under its own id. STATE_CONFLICT unless the webhook is active, and for one that has not been tried yet. */
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
  readonly liquidity: LiquidityCalls;
  readonly portfolio: PortfolioCalls;
  readonly sessions: SessionsCalls;
  readonly requests: RequestsCalls;
  readonly webhooks: WebhooksCalls;
}
