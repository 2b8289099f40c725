// Checks every operation against an independent transcription of the interface's tables.

import { describe, expect, it } from 'vitest';
import type { AnyOperation } from './define.ts';
import { operations } from './operations/all.ts';
import { webhookOperations } from './operations/webhooks.ts';
import { operatorOperations } from './operator.ts';

const bundles: Readonly<Record<string, string>> = {
  O: 'AUTH_INVALID WRONG_ENV_KEY TOKEN_EXPIRED TOKEN_REVOKED TOKEN_INVALID',
  B: 'BAD_REQUEST VALIDATION_FAILED MISSING_FIELD RATE_LIMITED INTERNAL_ERROR SERVICE_UNAVAILABLE MAINTENANCE UPSTREAM_TIMEOUT',
  // B of what answers during maintenance too.
  'B-': 'BAD_REQUEST VALIDATION_FAILED MISSING_FIELD RATE_LIMITED INTERNAL_ERROR SERVICE_UNAVAILABLE UPSTREAM_TIMEOUT',
  A: 'AUTH_REQUIRED AUTH_INVALID WRONG_ENV_KEY TOKEN_EXPIRED TOKEN_REVOKED TOKEN_INVALID SCOPE_MISSING APP_DISABLED',
  W: 'IDEMPOTENCY_KEY_MALFORMED IDEMPOTENCY_BODY_MISMATCH IDEMPOTENCY_IN_FLIGHT READ_ONLY_MODE',
  'W!': 'IDEMPOTENCY_KEY_MALFORMED IDEMPOTENCY_BODY_MISMATCH IDEMPOTENCY_IN_FLIGHT READ_ONLY_MODE IDEMPOTENCY_KEY_MISSING',
  // The three header codes alone: cancels and revocations stay outside of read-only mode.
  H: 'IDEMPOTENCY_KEY_MALFORMED IDEMPOTENCY_BODY_MISMATCH IDEMPOTENCY_IN_FLIGHT',
  K: 'IDEMPOTENCY_KEY_MALFORMED',
  I: 'ID_MALFORMED ID_INVALID_KIND NOT_FOUND',
  // I of a market: an unknown one is MARKET_NOT_FOUND and nothing else.
  M: 'ID_MALFORMED ID_INVALID_KIND MARKET_NOT_FOUND',
  C: 'JURISDICTION_BLOCKED SANCTIONS_HIT COMPLIANCE_GATE_BLOCKED ANTI_ABUSE_BLOCKED',
  D: 'DELEGATION_MISSING DELEGATION_EXPIRED DELEGATION_SCOPE_MISMATCH DELEGATION_DAILY_CAP_EXCEEDED',
  P: 'WIDGET_ORIGIN_BLOCKED',
};

// id | method path | auth permission | rate | idempotency | codes. Faucet, reset (W), cancel and
// revoke (H) carry the header codes because the specification lets every write carry the header;
// writes that do not read it (K) refuse one that is malformed all the same.
// Left out of the tables' rows, because no request can bring them about: ORACLE_ADAPTER_UNKNOWN of
// createMarket (no template with an unknown source is ever published), MARKET_CLOSED of amendOrder
// (closing ends its orders in the same command), CONFLICT of mintKey (nothing about a key must be
// unique) and STATE_CONFLICT of convertPosition (every state has a code of its own). Added to them:
// RISK_LIMIT_BREACH and SUBACCOUNT_FROZEN of createMarket (how many markets one may have open, and a
// frozen account has none made), SUBACCOUNT_FROZEN of heartbeat, TIER_LIMIT_EXCEEDED and
// RISK_LIMIT_BREACH of convertPosition (minting obeys the caps of buying), MARKET_NOT_FOUND of
// heartbeat, STATE_CONFLICT of resetSandbox (a market is being closed, or there is too much for one
// command), and NOT_FOUND of what is one's own (the account is not open in the lane yet).
const table = `
getHealth | GET /v1/health | public - | read | none | B-
getStatus | GET /v1/status | public - | read | none | B-
listMarkets | GET /v1/markets | public - | read | none | B O P
getMarket | GET /v1/markets/{market_id} | public - | read | none | B O P M
listCandles | GET /v1/candles/{market_id} | public - | read | none | B O P M
getOrderBook | GET /v1/orderbook/{market_id} | public - | read | none | B O P M
listTrades | GET /v1/trades/{market_id} | public - | read | none | B O P M
listTemplates | GET /v1/markets/templates | public - | read | none | B O P
createMarket | POST /v1/markets | credential trade | create | optional | B A W C MARKET_TEMPLATE_UNKNOWN MARKET_TEMPLATE_PARAM_INVALID MARKET_NOT_APPROVED RISK_LIMIT_BREACH BALANCE_INSUFFICIENT COMBO_COMPONENT_HALTED TIER_UPGRADE_REQUIRED SUBACCOUNT_FROZEN
getAccount | GET /v1/account | credential read | account_read | none | B A D NOT_FOUND
listPositions | GET /v1/account/positions | credential read | account_read | none | B A D NOT_FOUND
listOrders | GET /v1/account/orders | credential read | account_read | none | B A D NOT_FOUND
listFills | GET /v1/account/trades | credential read | account_read | none | B A D
placeOrder | POST /v1/orders | credential trade | trade | optional | B A W C D MARKET_NOT_FOUND MARKET_CLOSED MARKET_HALTED MARKET_NOT_APPROVED BALANCE_INSUFFICIENT TIER_LIMIT_EXCEEDED TIER_UPGRADE_REQUIRED RISK_LIMIT_BREACH BUILDER_FEE_ABOVE_CAP APP_NOT_APPROVED ALREADY_EXISTS COMBO_COMPONENT_HALTED RFQ_NOT_OPEN SUBACCOUNT_FROZEN
getOrder | GET /v1/orders/{order_id} | credential read | account_read | none | B A D I
amendOrder | PATCH /v1/orders/{order_id} | credential trade | trade | optional | B A W C D I STATE_CONFLICT MARKET_HALTED BALANCE_INSUFFICIENT TIER_LIMIT_EXCEEDED RISK_LIMIT_BREACH SUBACCOUNT_FROZEN
cancelOrder | DELETE /v1/orders/{order_id} | credential trade | trade | optional | B A H D I STATE_CONFLICT
batchOrders | POST /v1/orders/batch | credential trade | trade | required | B A W! C D TIER_LIMIT_EXCEEDED TIER_UPGRADE_REQUIRED MARKET_NOT_FOUND MARKET_CLOSED MARKET_HALTED BALANCE_INSUFFICIENT RISK_LIMIT_BREACH BUILDER_FEE_ABOVE_CAP ALREADY_EXISTS STATE_CONFLICT SUBACCOUNT_FROZEN
cancelAllOrders | DELETE /v1/orders | credential trade | trade | none | B K A D MARKET_NOT_FOUND
heartbeat | POST /v1/orders/heartbeat | credential trade | trade | none | B K A SUBACCOUNT_FROZEN MARKET_NOT_FOUND
mintKey | POST /v1/keys | credential trade | account_write | optional | B A W STEP_UP_MFA_REQUIRED SCOPE_NOT_ALLOWED CONFLICT BUILDER_NOT_APPROVED
listKeys | GET /v1/keys | credential read | account_read | none | B A
revokeKey | DELETE /v1/keys/{key_id} | credential trade | account_write | optional | B A H I
mintSandboxKey | POST /v1/sandbox-keys | public - | account_write | none | B K SANDBOX_KEY_DAILY_LIMIT ANTI_ABUSE_BLOCKED JURISDICTION_BLOCKED SCOPE_NOT_ALLOWED
useFaucet | POST /v1/sandbox/faucet | credential trade | account_write | optional | B A W SANDBOX_ONLY
resetSandbox | POST /v1/sandbox/reset | credential trade | account_write | optional | B A W SANDBOX_ONLY STATE_CONFLICT
settleWithMockOracle | POST /v1/sandbox/mock-oracle | credential trade | account_write | optional | B A W SANDBOX_ONLY MARKET_NOT_FOUND STATE_CONFLICT
getLqfConfig | GET /v1/lqf/config | public - | read | none | B O P
getBalance | GET /v1/balance | credential read | account_read | none | B A D NOT_FOUND
getPortfolioSummary | GET /v1/portfolio/summary | credential read | account_read | none | B A D NOT_FOUND DATA_RANGE_TOO_LARGE_FOR_TIER
listLedger | GET /v1/portfolio/ledger | credential read | account_read | none | B A D DATA_RANGE_TOO_LARGE_FOR_TIER
convertPosition | POST /v1/portfolio/conversions | credential trade | account_write | required | B A W! C D MARKET_NOT_FOUND MARKET_CLOSED MARKET_HALTED TIER_LIMIT_EXCEEDED RISK_LIMIT_BREACH BALANCE_INSUFFICIENT SUBACCOUNT_FROZEN
createWebhook | POST /v1/webhooks | credential trade | create | optional | B A W WEBHOOK_URL_INVALID WEBHOOK_EVENT_UNKNOWN ALREADY_EXISTS SCOPE_NOT_ALLOWED
listWebhooks | GET /v1/webhooks | credential read | account_read | none | B A
updateWebhook | PATCH /v1/webhooks/{webhook_id} | credential trade | create | optional | B A W I WEBHOOK_URL_INVALID WEBHOOK_EVENT_UNKNOWN
deleteWebhook | DELETE /v1/webhooks/{webhook_id} | credential trade | create | optional | B A H I
rotateWebhookSecret | POST /v1/webhooks/{webhook_id}/rotate-secret | credential trade | create | optional | B A W I STATE_CONFLICT
listWebhookDeliveries | GET /v1/webhooks/{webhook_id}/deliveries | credential read | account_read | none | B A I
replayWebhook | POST /v1/webhooks/{webhook_id}/replay | credential trade | create | optional | B A W I WEBHOOK_EVENT_UNKNOWN STATE_CONFLICT
register | POST /api/auth/register | public - | account_write | none | B K PASSWORD_INCORRECT PASSWORD_TOO_WEAK SCOPE_NOT_ALLOWED
logIn | POST /api/auth/login | public - | account_write | none | B K PASSWORD_INCORRECT STEP_UP_MFA_REQUIRED SCOPE_NOT_ALLOWED
openDemo | POST /api/auth/demo | public - | account_write | none | B K SCOPE_NOT_ALLOWED
resumeSession | POST /api/auth/session | public - | read | none | B K SCOPE_NOT_ALLOWED
logOut | POST /api/auth/logout | session - | account_write | none | B K AUTH_REQUIRED AUTH_INVALID WRONG_ENV_KEY SCOPE_MISSING
listRequests | GET /v1/requests | credential read | account_read | none | B A
getRequestSummary | GET /v1/requests/summary | credential read | account_read | none | B A
getRequest | GET /v1/requests/{request_id} | credential read | account_read | none | B A I
changePassword | POST /api/auth/password | session - | account_write | none | B K AUTH_REQUIRED AUTH_INVALID WRONG_ENV_KEY SCOPE_MISSING PASSWORD_INCORRECT PASSWORD_TOO_WEAK
`;

const rows = table
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()));
const open: Readonly<Record<string, AnyOperation>> = { ...operations, ...webhookOperations };
const everything: Readonly<Record<string, AnyOperation>> = { ...open, ...operatorOperations };
const byId = Object.entries(everything);

describe('operations', () => {
  it('[CT5] are exactly those of the table', () => {
    expect(Object.keys(open).sort()).toEqual(rows.map(([id]) => id).sort());
  });

  it('[CT5] count 38 of the machine interface and 10 companions', () => {
    const counted = Object.values(open).filter((operation) => operation.counted);
    expect([counted.length, Object.keys(open).length - counted.length]).toEqual([38, 10]);
  });

  it.each(rows)('[CT5] %s is %s, %s', (id, route, access, rate, idempotency) => {
    const operation = everything[String(id)];
    expect([
      `${operation?.method} ${operation?.path}`,
      `${operation?.auth} ${operation?.permission ?? '-'}`,
      operation?.rate,
      operation?.idempotency,
    ]).toEqual([route, access, rate, idempotency]);
  });

  it.each(rows)('[CT6] %s declares its codes', (id, _route, _access, _rate, _key, codes) => {
    const expected = String(codes)
      .split(' ')
      .flatMap((word) => (bundles[word] ?? word).split(' '));
    expect([...(everything[String(id)]?.errors ?? [])].sort()).toEqual(
      [...new Set(expected)].sort(),
    );
  });

  it.each(byId)('[CT7] %s agrees with itself', (_id, operation) => {
    const has = new Set<string>(operation.errors);
    expect(has.has('READ_ONLY_MODE')).toBe(operation.readOnlyMode === 'blocked');
    expect(has.has('SANDBOX_ONLY')).toBe(operation.sandboxOnly);
    expect(has.has('AUTH_REQUIRED')).toBe(operation.auth !== 'public');
    const readsCredential =
      ['credential', 'session'].includes(operation.auth) || has.has('WIDGET_ORIGIN_BLOCKED');
    expect(has.has('WRONG_ENV_KEY')).toBe(readsCredential);
    expect(has.has('IDEMPOTENCY_KEY_MALFORMED')).toBe(operation.method !== 'GET');
    expect(has.has('IDEMPOTENCY_KEY_MISSING')).toBe(operation.idempotency === 'required');
    if (operation.method === 'GET') {
      expect([operation.idempotency, operation.input.body]).toEqual(['none', null]);
      if (operation.auth === 'credential') expect(operation.permission).toBe('read');
    } else if (operation.auth === 'credential') {
      expect(operation.permission).toBe('trade');
    }
  });

  it('[CT7] reserves the sandbox flag for /v1/sandbox/', () => {
    for (const [, operation] of byId) {
      expect(operation.sandboxOnly).toBe(operation.path.startsWith('/v1/sandbox/'));
    }
  });

  it('[CT8] have unique ids, keys and routes', () => {
    for (const [key, operation] of byId) expect(operation.id).toBe(key);
    const routes = byId.map(([, operation]) => `${operation.method} ${operation.path}`);
    expect(new Set(routes).size).toBe(routes.length);
    expect(byId).toHaveLength(Object.keys(open).length + Object.keys(operatorOperations).length);
    for (const [key] of byId) expect(key).toMatch(/^[a-z][a-zA-Z]+$/);
  });

  it.each(byId)('[CT8] %s declares every path parameter', (_id, operation) => {
    const inPath = [...operation.path.matchAll(/\{([a-z_]+)\}/g)].map((match) => match[1]);
    expect(Object.keys(operation.input.params?.properties ?? {})).toEqual(inPath);
    expect(operation.input.params?.required ?? []).toEqual(inPath);
  });

  it('[CT8] keep the operator plane apart', () => {
    for (const operation of Object.values(open)) {
      expect(operation.path).toMatch(/^\/(v1|api\/auth)\//);
    }
    for (const operation of Object.values(operatorOperations)) {
      expect(operation.path).toMatch(/^\/admin\/v1\//);
      expect(operation.auth).toBe('operator');
    }
  });

  it('[CT7] ask every operator act for a reason', () => {
    for (const operation of Object.values(operatorOperations)) {
      const body: AnyOperation['input']['body'] = operation.input.body;
      if (operation.method !== 'GET') expect(body?.required).toContain('reason');
    }
  });

  it('[CT6] are frozen', () => {
    for (const [, operation] of byId) expect(Object.isFrozen(operation)).toBe(true);
    expect(Object.isFrozen(operations)).toBe(true);
  });
});
