// The interface's tables of operations, messages and webhooks, written down a second time: what the contract is held against.

// id | method path | auth permission | rate | idempotency | codes. Faucet, reset (W), cancel and
// revoke (H) carry the header codes because the specification lets every write carry the header;
// writes that do not read it (K) refuse one that is malformed all the same.
// Left out of the tables' rows, because no request can bring them about: ORACLE_ADAPTER_UNKNOWN of
// createMarket (no template with an unknown source is ever published), MARKET_CLOSED of amendOrder
// (closing ends its orders in the same command), DELEGATION_DAILY_CAP_EXCEEDED of reads and cancels (D-: they spend
// nothing), CONFLICT of mintKey (nothing about a key must be
// unique) and STATE_CONFLICT of convertPosition (every state has a code of its own). Added to them:
// RISK_LIMIT_BREACH and SUBACCOUNT_FROZEN of createMarket (how many markets one may have open, and a
// frozen account has none made), SUBACCOUNT_FROZEN of heartbeat and of the helpers of the sandbox, TIER_LIMIT_EXCEEDED and
// RISK_LIMIT_BREACH of convertPosition (minting obeys the caps of buying), TIER_UPGRADE_REQUIRED of
// convertPosition and amendOrder (a gate may ask for a tier), ANTI_ABUSE_BLOCKED of useFaucet, MARKET_NOT_FOUND of
// heartbeat, STATE_CONFLICT of resetSandbox (a market is being closed, or there is too much for one
// command), NOT_FOUND of what is one's own (the account is not open in the lane yet) and of
// whatever takes a subaccount_id, SUBACCOUNT_FROZEN of createSubaccount (a frozen owner opens none), and NOT_FOUND and
// STATE_CONFLICT of createWithdrawal (a destination that is not there, or not usable yet), SCOPE_NOT_ALLOWED of
// applyForTrack (who is nobody cannot apply), BUILDER_NOT_APPROVED of updateApp (it submits as well) and STATE_CONFLICT of
// rotateAppSecret (a second rotation would end the overlap of the first), TOKEN_EXPIRED and SCOPE_NOT_ALLOWED of
// exchangeToken (a refresh token that is over, and a refresh that asks for more), NOT_FOUND, SANCTIONS_HIT and CONFLICT of
// createGrant (a subaccount, app or partner that is not there, the third of what compliance says, and too many); left out
// of it WIDGET_ORIGIN_BLOCKED (a widget key is no session); APP_NOT_APPROVED of batchOrders (its items may name an app).
const operationTable = `
getHealth | GET /v1/health | public - | read | none | B-
getStatus | GET /v1/status | public - | read | none | B-
listMarkets | GET /v1/markets | public - | read | none | B O P
getMarket | GET /v1/markets/{market_id} | public - | read | none | B O P M
getCancellationPrice | GET /v1/markets/{market_id}/cancellation | public - | read | none | B O P M STATE_CONFLICT
listCandles | GET /v1/candles/{market_id} | public - | read | none | B O P M
getOrderBook | GET /v1/orderbook/{market_id} | public - | read | none | B O P M
listTrades | GET /v1/trades/{market_id} | public - | read | none | B O P M
listTemplates | GET /v1/markets/templates | public - | read | none | B O P
createMarket | POST /v1/markets | credential trade | create | optional | B A W C MARKET_TEMPLATE_UNKNOWN MARKET_TEMPLATE_PARAM_INVALID MARKET_NOT_APPROVED RISK_LIMIT_BREACH BALANCE_INSUFFICIENT COMBO_COMPONENT_HALTED TIER_UPGRADE_REQUIRED SUBACCOUNT_FROZEN NOT_FOUND
getAccount | GET /v1/account | credential read | account_read | none | B A D- NOT_FOUND
listPositions | GET /v1/account/positions | credential read | account_read | none | B A D- NOT_FOUND
listOrders | GET /v1/account/orders | credential read | account_read | none | B A D- NOT_FOUND
listFills | GET /v1/account/trades | credential read | account_read | none | B A D- NOT_FOUND
placeOrder | POST /v1/orders | credential trade | trade | optional | B A W C D NOT_FOUND MARKET_NOT_FOUND MARKET_CLOSED MARKET_HALTED MARKET_NOT_APPROVED BALANCE_INSUFFICIENT TIER_LIMIT_EXCEEDED TIER_UPGRADE_REQUIRED RISK_LIMIT_BREACH BUILDER_FEE_ABOVE_CAP APP_NOT_APPROVED ALREADY_EXISTS COMBO_COMPONENT_HALTED RFQ_NOT_OPEN SUBACCOUNT_FROZEN
getOrder | GET /v1/orders/{order_id} | credential read | account_read | none | B A D- I
amendOrder | PATCH /v1/orders/{order_id} | credential trade | trade | optional | B A W C D I STATE_CONFLICT MARKET_HALTED BALANCE_INSUFFICIENT TIER_LIMIT_EXCEEDED TIER_UPGRADE_REQUIRED RISK_LIMIT_BREACH SUBACCOUNT_FROZEN
cancelOrder | DELETE /v1/orders/{order_id} | credential trade | trade | optional | B A H D- I STATE_CONFLICT
batchOrders | POST /v1/orders/batch | credential trade | trade | required | B A W! C D NOT_FOUND TIER_LIMIT_EXCEEDED TIER_UPGRADE_REQUIRED MARKET_NOT_FOUND MARKET_CLOSED MARKET_HALTED BALANCE_INSUFFICIENT RISK_LIMIT_BREACH BUILDER_FEE_ABOVE_CAP APP_NOT_APPROVED ALREADY_EXISTS STATE_CONFLICT SUBACCOUNT_FROZEN
cancelAllOrders | DELETE /v1/orders | credential trade | trade | none | B K A D- NOT_FOUND MARKET_NOT_FOUND
heartbeat | POST /v1/orders/heartbeat | credential trade | trade | none | B K A NOT_FOUND SUBACCOUNT_FROZEN MARKET_NOT_FOUND
mintKey | POST /v1/keys | credential trade | account_write | optional | B A W STEP_UP_MFA_REQUIRED SCOPE_NOT_ALLOWED NOT_FOUND CONFLICT BUILDER_NOT_APPROVED
listKeys | GET /v1/keys | credential read | account_read | none | B A
revokeKey | DELETE /v1/keys/{key_id} | credential trade | account_write | optional | B A H I
drawSigningSecret | POST /v1/keys/{key_id}/signing-secret | credential trade | account_write | optional | B A W I STATE_CONFLICT STEP_UP_MFA_REQUIRED
mintSandboxKey | POST /v1/sandbox-keys | public - | account_write | none | B K SANDBOX_KEY_DAILY_LIMIT ANTI_ABUSE_BLOCKED JURISDICTION_BLOCKED SCOPE_NOT_ALLOWED
useFaucet | POST /v1/sandbox/faucet | credential trade | account_write | optional | B A W SANDBOX_ONLY SUBACCOUNT_FROZEN NOT_FOUND ANTI_ABUSE_BLOCKED
resetSandbox | POST /v1/sandbox/reset | credential trade | account_write | optional | B A W SANDBOX_ONLY SUBACCOUNT_FROZEN NOT_FOUND STATE_CONFLICT
settleWithMockOracle | POST /v1/sandbox/mock-oracle | credential trade | account_write | optional | B A W SANDBOX_ONLY SUBACCOUNT_FROZEN NOT_FOUND MARKET_NOT_FOUND STATE_CONFLICT
getBuilder | GET /v1/builders/me | credential read | account_read | none | B A NOT_FOUND
applyForTrack | POST /v1/apply | credential read | account_write | optional | B A W ALREADY_EXISTS OPERATOR_AGREEMENT_MISSING COMPLIANCE_GATE_BLOCKED SANCTIONS_HIT JURISDICTION_BLOCKED SCOPE_NOT_ALLOWED
createApp | POST /v1/apps | credential trade | create | optional | B A W BUILDER_NOT_APPROVED BUILDER_FEE_ABOVE_CAP SCOPE_NOT_ALLOWED CONFLICT OPERATOR_AGREEMENT_MISSING
listApps | GET /v1/apps | credential read | account_read | none | B A
updateApp | PATCH /v1/apps/{app_id} | credential trade | create | optional | B A W I BUILDER_NOT_APPROVED BUILDER_FEE_ABOVE_CAP SCOPE_NOT_ALLOWED STATE_CONFLICT CONFLICT
rotateAppSecret | POST /v1/apps/{app_id}/rotate-secret | credential trade | create | optional | B A W I APP_NOT_APPROVED STATE_CONFLICT STEP_UP_MFA_REQUIRED
exchangeToken | POST /oauth/token | public - | account_read | none | B K AUTH_INVALID PKCE_INVALID AUTH_CODE_EXPIRED AUTH_CODE_CONSUMED REDIRECT_URI_MISMATCH REFRESH_TOKEN_REUSED TOKEN_INVALID TOKEN_EXPIRED TOKEN_REVOKED SCOPE_NOT_ALLOWED APP_DISABLED APP_NOT_APPROVED
revokeToken | POST /oauth/revoke | public - | account_read | none | B K AUTH_INVALID
listGrants | GET /v1/connect/grants | session - | account_read | none | B A
createGrant | POST /v1/connect/grants | session - | account_write | optional | B A W NOT_FOUND APP_NOT_APPROVED SCOPE_NOT_ALLOWED REDIRECT_URI_MISMATCH STEP_UP_MFA_REQUIRED JURISDICTION_BLOCKED SANCTIONS_HIT COMPLIANCE_GATE_BLOCKED CONFLICT
revokeGrant | DELETE /v1/connect/grants/{grant_id} | session - | account_write | optional | B A H I
getLqfConfig | GET /v1/lqf/config | public - | read | none | B O P
getBalance | GET /v1/balance | credential read | account_read | none | B A D- NOT_FOUND
getPortfolioSummary | GET /v1/portfolio/summary | credential read | account_read | none | B A D- NOT_FOUND DATA_RANGE_TOO_LARGE_FOR_TIER
listLedger | GET /v1/portfolio/ledger | credential read | account_read | none | B A D- NOT_FOUND DATA_RANGE_TOO_LARGE_FOR_TIER
getAttribution | GET /v1/attribution | credential read | account_read | none | B A NOT_FOUND
getRevenue | GET /v1/revenue | credential read | account_read | none | B A NOT_FOUND
convertPosition | POST /v1/portfolio/conversions | credential trade | account_write | required | B A W! C D NOT_FOUND MARKET_NOT_FOUND MARKET_CLOSED MARKET_HALTED TIER_LIMIT_EXCEEDED TIER_UPGRADE_REQUIRED RISK_LIMIT_BREACH BALANCE_INSUFFICIENT SUBACCOUNT_FROZEN
createSubaccount | POST /v1/subaccounts | credential trade | account_write | optional | B A W C NOT_FOUND SUBACCOUNT_LABEL_TAKEN SUBACCOUNT_FROZEN RISK_LIMIT_BREACH TIER_UPGRADE_REQUIRED
listSubaccounts | GET /v1/subaccounts | credential read | account_read | none | B A NOT_FOUND
changeSubaccount | PATCH /v1/subaccounts/{subaccount_id} | credential trade | account_write | optional | B A W I SUBACCOUNT_LABEL_TAKEN SUBACCOUNT_FROZEN SUBACCOUNT_HAS_BALANCE SUBACCOUNT_HAS_POSITIONS SUBACCOUNT_HAS_OPEN_ORDERS STATE_CONFLICT
transferFunds | POST /v1/subaccounts/transfers | credential trade | account_write | required | B A W! NOT_FOUND BALANCE_INSUFFICIENT SUBACCOUNT_FROZEN
createWithdrawal | POST /v1/account/withdrawals | credential withdraw | account_write | required | B A W! C NOT_FOUND STATE_CONFLICT STEP_UP_MFA_REQUIRED BALANCE_INSUFFICIENT PROD_ONLY TIER_UPGRADE_REQUIRED SUBACCOUNT_FROZEN UPSTREAM_ERROR
listDestinations | GET /api/auth/destinations | session - | account_read | none | B AUTH_REQUIRED AUTH_INVALID WRONG_ENV_KEY SCOPE_MISSING
addDestination | POST /api/auth/destinations | session - | account_write | none | B K AUTH_REQUIRED AUTH_INVALID WRONG_ENV_KEY SCOPE_MISSING STEP_UP_MFA_REQUIRED ALREADY_EXISTS STATE_CONFLICT SCOPE_NOT_ALLOWED
removeDestination | DELETE /api/auth/destinations/{destination_id} | session - | account_write | none | B K AUTH_REQUIRED AUTH_INVALID WRONG_ENV_KEY SCOPE_MISSING I
listWithdrawals | GET /api/auth/withdrawals | session - | account_read | none | B AUTH_REQUIRED AUTH_INVALID WRONG_ENV_KEY SCOPE_MISSING NOT_FOUND
getWithdrawal | GET /api/auth/withdrawals/{withdrawal_id} | session - | account_read | none | B AUTH_REQUIRED AUTH_INVALID WRONG_ENV_KEY SCOPE_MISSING I
listDeposits | GET /api/auth/deposits | session - | account_read | none | B AUTH_REQUIRED AUTH_INVALID WRONG_ENV_KEY SCOPE_MISSING NOT_FOUND
cancelWithdrawal | DELETE /api/auth/withdrawals/{withdrawal_id} | session - | account_write | none | B K AUTH_REQUIRED AUTH_INVALID WRONG_ENV_KEY SCOPE_MISSING I STATE_CONFLICT
createWebhook | POST /v1/webhooks | credential trade | create | optional | B A W WEBHOOK_URL_INVALID WEBHOOK_EVENT_UNKNOWN ALREADY_EXISTS SCOPE_NOT_ALLOWED
listWebhooks | GET /v1/webhooks | credential read | account_read | none | B A
updateWebhook | PATCH /v1/webhooks/{webhook_id} | credential trade | create | optional | B A W I WEBHOOK_URL_INVALID WEBHOOK_EVENT_UNKNOWN
deleteWebhook | DELETE /v1/webhooks/{webhook_id} | credential trade | create | optional | B A H I
rotateWebhookSecret | POST /v1/webhooks/{webhook_id}/rotate-secret | credential trade | create | optional | B A W I STATE_CONFLICT STEP_UP_MFA_REQUIRED
listWebhookDeliveries | GET /v1/webhooks/{webhook_id}/deliveries | credential read | account_read | none | B A I
replayWebhook | POST /v1/webhooks/{webhook_id}/replay | credential trade | create | optional | B A W I WEBHOOK_EVENT_UNKNOWN STATE_CONFLICT
register | POST /api/auth/register | public - | account_write | none | B K PASSWORD_INCORRECT PASSWORD_TOO_WEAK STEP_UP_MFA_REQUIRED SCOPE_NOT_ALLOWED ANTI_ABUSE_BLOCKED JURISDICTION_BLOCKED COMPLIANCE_GATE_BLOCKED
logIn | POST /api/auth/login | public - | account_write | none | B K PASSWORD_INCORRECT STEP_UP_MFA_REQUIRED SCOPE_NOT_ALLOWED
openDemo | POST /api/auth/demo | public - | account_write | none | B K SCOPE_NOT_ALLOWED
resumeSession | POST /api/auth/session | public - | read | none | B K SCOPE_NOT_ALLOWED
logOut | POST /api/auth/logout | session - | account_write | none | B K AUTH_REQUIRED AUTH_INVALID WRONG_ENV_KEY SCOPE_MISSING
getOwnLimits | GET /api/auth/limits | session - | account_read | none | B AUTH_REQUIRED AUTH_INVALID WRONG_ENV_KEY SCOPE_MISSING NOT_FOUND
setOwnLimits | POST /api/auth/limits | session - | account_write | none | B K AUTH_REQUIRED AUTH_INVALID WRONG_ENV_KEY SCOPE_MISSING NOT_FOUND
excludeSelf | POST /api/auth/exclusion | session - | account_write | none | B K AUTH_REQUIRED AUTH_INVALID WRONG_ENV_KEY SCOPE_MISSING NOT_FOUND STATE_CONFLICT STEP_UP_MFA_REQUIRED
listRequests | GET /v1/requests | credential read | account_read | none | B A
getRequestSummary | GET /v1/requests/summary | credential read | account_read | none | B A
getRequest | GET /v1/requests/{request_id} | credential read | account_read | none | B A I
changePassword | POST /api/auth/password | session - | account_write | none | B K AUTH_REQUIRED AUTH_INVALID WRONG_ENV_KEY SCOPE_MISSING PASSWORD_INCORRECT PASSWORD_TOO_WEAK STEP_UP_MFA_REQUIRED
stepUp | POST /api/auth/step-up | session - | account_write | none | B K AUTH_REQUIRED AUTH_INVALID WRONG_ENV_KEY SCOPE_MISSING STEP_UP_MFA_REQUIRED PASSWORD_INCORRECT
listFactors | GET /api/auth/factors | session - | account_read | none | B AUTH_REQUIRED AUTH_INVALID WRONG_ENV_KEY SCOPE_MISSING
enrolTotp | POST /api/auth/totp | session - | account_write | none | B K AUTH_REQUIRED AUTH_INVALID WRONG_ENV_KEY SCOPE_MISSING STEP_UP_MFA_REQUIRED STATE_CONFLICT SCOPE_NOT_ALLOWED
confirmTotp | POST /api/auth/totp/confirm | session - | account_write | none | B K AUTH_REQUIRED AUTH_INVALID WRONG_ENV_KEY SCOPE_MISSING STEP_UP_MFA_REQUIRED STATE_CONFLICT
removeTotp | DELETE /api/auth/totp | session - | account_write | none | B K AUTH_REQUIRED AUTH_INVALID WRONG_ENV_KEY SCOPE_MISSING STEP_UP_MFA_REQUIRED STATE_CONFLICT
renewRecoveryCodes | POST /api/auth/recovery-codes | session - | account_write | none | B K AUTH_REQUIRED AUTH_INVALID WRONG_ENV_KEY SCOPE_MISSING STEP_UP_MFA_REQUIRED STATE_CONFLICT
beginPasskey | POST /api/auth/passkeys/options | session - | account_write | none | B K AUTH_REQUIRED AUTH_INVALID WRONG_ENV_KEY SCOPE_MISSING STEP_UP_MFA_REQUIRED SCOPE_NOT_ALLOWED
addPasskey | POST /api/auth/passkeys | session - | account_write | none | B K AUTH_REQUIRED AUTH_INVALID WRONG_ENV_KEY SCOPE_MISSING STEP_UP_MFA_REQUIRED ALREADY_EXISTS STATE_CONFLICT
renamePasskey | PATCH /api/auth/passkeys/{passkey_id} | session - | account_write | none | B K AUTH_REQUIRED AUTH_INVALID WRONG_ENV_KEY SCOPE_MISSING I
removePasskey | DELETE /api/auth/passkeys/{passkey_id} | session - | account_write | none | B K AUTH_REQUIRED AUTH_INVALID WRONG_ENV_KEY SCOPE_MISSING STEP_UP_MFA_REQUIRED I
askPasskey | POST /api/auth/passkey/options | public - | account_write | none | B K
logInWithPasskey | POST /api/auth/passkey | public - | account_write | none | B K PASSWORD_INCORRECT SCOPE_NOT_ALLOWED
getProfile | GET /api/auth/profile | session - | account_read | none | B AUTH_REQUIRED AUTH_INVALID WRONG_ENV_KEY SCOPE_MISSING
updateProfile | PATCH /api/auth/profile | session - | account_write | none | B K AUTH_REQUIRED AUTH_INVALID WRONG_ENV_KEY SCOPE_MISSING SCOPE_NOT_ALLOWED JURISDICTION_BLOCKED SANCTIONS_HIT COMPLIANCE_GATE_BLOCKED
listSessions | GET /api/auth/sessions | session - | account_read | none | B AUTH_REQUIRED AUTH_INVALID WRONG_ENV_KEY SCOPE_MISSING
endSession | DELETE /api/auth/sessions/{session_id} | session - | account_write | none | B K AUTH_REQUIRED AUTH_INVALID WRONG_ENV_KEY SCOPE_MISSING I
endOtherSessions | POST /api/auth/sessions/end-others | session - | account_write | none | B K AUTH_REQUIRED AUTH_INVALID WRONG_ENV_KEY SCOPE_MISSING
sendVerification | POST /api/auth/email/verification | session - | account_write | none | B K AUTH_REQUIRED AUTH_INVALID WRONG_ENV_KEY SCOPE_MISSING STATE_CONFLICT SCOPE_NOT_ALLOWED
confirmEmail | POST /api/auth/email/confirm | public - | account_write | none | B K NOT_FOUND
requestPasswordReset | POST /api/auth/password/forgot | public - | account_write | none | B K
resetPassword | POST /api/auth/password/reset | public - | account_write | none | B K NOT_FOUND PASSWORD_TOO_WEAK STEP_UP_MFA_REQUIRED
exportData | GET /api/auth/export | session - | account_read | none | B AUTH_REQUIRED AUTH_INVALID WRONG_ENV_KEY SCOPE_MISSING SCOPE_NOT_ALLOWED
closeAccount | POST /api/auth/close | session - | account_write | none | B K AUTH_REQUIRED AUTH_INVALID WRONG_ENV_KEY SCOPE_MISSING PASSWORD_INCORRECT STEP_UP_MFA_REQUIRED STATE_CONFLICT SCOPE_NOT_ALLOWED
`;

/** Of the machine interface, and companions. */
export const operationCounts = [55, 46];

// type | stream | visibility | fields that data must have
const messageTable = `
welcome | session | any | connection_id server_ts_ms heartbeat_interval_ms limits environment resume_window_ms epoch
authenticated | session | any | user_id account_id tier permissions expires_at_ms cancel_on_disconnect
auth_expiring | session | private | expires_at_ms reauth_by_ms
auth_revoked | session | private | reason
subscribed | session | any | id streams rejected
unsubscribed | session | any | id streams
resumed | session | any | id streams
resync_required | session | any | stream reason last_seq
locale_set | session | any | id locale
pong | session | any | id client_ts_ms server_ts_ms
heartbeat | session | any | server_ts_ms seqs
error | session | any | id op code message
throttled | session | any | retry_after_ms frames_dropped
going_away | session | any | reason reconnect_after_ms resume_supported
circuit_breaker | broadcast | public | lane market_id state reason since_ms retry_after_ms
maintenance | broadcast | public | phase starts_at_ms ends_at_ms effect
platform_mode | broadcast | public | mode reason
ticker | ticker | public | market_id outcome_id price best_bid best_ask bid_size ask_size last_price volume_24h change_24h seq
trade_print | ticker | public | trade_id market_id outcome_id side price size ts_ms
candle_update | ticker | public | market_id outcome_id interval ts_ms open high low close volume closed
open_interest | ticker | public | market_id open_interest total_volume
orderbook | orderbook | public | market_id outcome_id bids asks ts_ms seq tick_size epoch
orderbook_delta | orderbook | public | market_id outcome_id seq prev_seq bids asks
orderbook_checksum | orderbook | public | market_id outcome_id seq checksum
tick_size_changed | orderbook | public | market_id old_tick_size new_tick_size effective_at_ms orders_affected
fast_tick | fast_tick | public | market_id round_id reference_price ts_ms ms_to_lock up_price down_price
fast_round_opened | fast_tick | public | market_id round_id opens_at_ms locks_at_ms settles_at_ms strike
fast_round_locking | fast_tick | public | market_id round_id ms_to_lock
fast_round_locked | fast_tick | public | market_id round_id locked_at_ms final_prices
fast_round_settled | fast_tick | public | market_id round_id settle_price winning_outcome_id next_round_id
markets_snapshot | markets_snapshot | public | markets seq epoch
market_created | markets_snapshot | public | market
market_updated | markets_snapshot | public | market_id changed clarification
market_status_changed | markets_snapshot | public | market_id from to ts_ms reason
market_halted | markets_snapshot | public | market_id reason since_ms cancel_allowed
market_resumed | markets_snapshot | public | market_id resumed_at_ms
resolution_proposed | markets_snapshot | public | market_id resolution_id payout_vector evidence_hash challenge_ends_at_ms
resolution_disputed | markets_snapshot | public | market_id resolution_id dispute_id round
market_resolved | markets_snapshot | public | market_id winning_outcome_id payout_vector resolution_id settled_at_ms
signals | signals | authenticated | signal_id kind market_id outcome_id strength window_ms ts_ms
account | account | private | account balances orders positions seq epoch
order_accepted | account | private | order client_order_id
order_updated | account | private | order last_fill
order_cancelled | account | private | order reason
order_rejected | account | private | client_order_id code reason
balance_updated | account | private | asset balance_free balance_reserved delta reason ref_id
position_updated | account | private | position reason
position_settled | account | private | market_id outcome_id size payout realized_pnl resolution_id
tier_changed | account | private | from to reason limits
dead_man_triggered | account | private | scope cancelled_count armed_at_ms expired_at_ms
trade_executed | trade_executed | private | trade_id order_id client_order_id market_id outcome_id side price size fee rebate liquidity builder_app_id ts_ms
deposit | deposit | private | deposit_id asset amount state confirmations tx_ref
withdrawal_updated | deposit | private | withdrawal_id asset amount state reason
rfq_opened | rfq | private | rfq_id market_id legs side size expires_at_ms
rfq_quote | rfq | private | rfq_id quote_id price size expires_at_ms state
rfq_filled | rfq | private | rfq_id quote_id trade_id price size
rfq_closed | rfq | private | rfq_id reason
`;

/** How many ride on each channel. */
export const messageCounts = [
  ['session', 14],
  ['broadcast', 3],
  ['ticker', 4],
  ['orderbook', 4],
  ['fast_tick', 5],
  ['markets_snapshot', 9],
  ['signals', 1],
  ['account', 10],
  ['trade_executed', 1],
  ['deposit', 2],
  ['rfq', 4],
];

export const webhookCatalogue: readonly string[] =
  `order.accepted, order.partially_filled, order.filled, order.cancelled, order.rejected,
  trade.executed, position.updated, position.settled, balance.low, deposit.confirmed, deposit.failed,
  withdrawal.completed, withdrawal.failed, market.created, market.activated, market.locked,
  market.halted, market.resumed, market.resolved, market.cancelled, resolution.proposed,
  resolution.disputed, resolution.finalized, rfq.opened, rfq.quoted, rfq.filled, rfq.closed,
  proposal.status_changed, listing.approved, listing.claimed, bounty.claimed, app.approved,
  app.disabled, builder.tier_changed, key.created, key.revoked, grant.created, grant.revoked,
  subaccount.frozen, incentive.exhausted, revenue.credited, circuit_breaker.changed, webhook.ping,
  webhook.secret_rotated, webhook.disabled`.split(/,\s+/);

/** Those whose source is not built. */
export const webhooksToCome: readonly string[] = `rfq.opened rfq.quoted rfq.filled
  rfq.closed proposal.status_changed listing.approved listing.claimed bounty.claimed
  incentive.exhausted`.split(/\s+/);

export const operationRows = rowsOf(operationTable);
export const messageRows = rowsOf(messageTable);

function rowsOf(table: string): readonly (readonly string[])[] {
  const lines = table.trim().split('\n');
  return lines.map((line) => line.split('|').map((cell) => cell.trim()));
}
