// Checks every operation against an independent transcription of the interface's tables.

import { describe, expect, it } from 'vitest';
import { operationCounts, operationRows } from '../test/interface.ts';
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
  // D of what spends nothing.
  'D-': 'DELEGATION_MISSING DELEGATION_EXPIRED DELEGATION_SCOPE_MISMATCH',
  P: 'WIDGET_ORIGIN_BLOCKED',
};

const rows = operationRows;
const open: Readonly<Record<string, AnyOperation>> = { ...operations, ...webhookOperations };
const everything: Readonly<Record<string, AnyOperation>> = { ...open, ...operatorOperations };
const byId = Object.entries(everything);

describe('operations', () => {
  it('[CT5] are exactly those of the table', () => {
    expect(Object.keys(open).sort()).toEqual(rows.map(([id]) => id).sort());
  });

  it('[CT5] count as many of the machine interface and as many companions as there are', () => {
    const counted = Object.values(open).filter((operation) => operation.counted);
    expect([counted.length, Object.keys(open).length - counted.length]).toEqual(operationCounts);
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
    expect(has.has('PROD_ONLY')).toBe(operation.prodOnly);
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
      // Who applies asks for a review and changes nothing that a key could trade with.
      const applied = operation.id === 'applyForTrack' ? 'read' : 'trade';
      expect(operation.permission).toBe(operation.prodOnly ? 'withdraw' : applied);
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
      expect(operation.path).toMatch(/^\/(v1|api\/auth|oauth)\//);
    }
    for (const operation of Object.values(operatorOperations)) {
      expect(operation.path).toMatch(/^\/admin\/v1\//);
      expect(operation.auth).toBe(operation.id === 'openOperatorSession' ? 'public' : 'operator');
    }
  });

  it('[CT32] name the role of every operation of the operator plane, and of no other', () => {
    for (const operation of Object.values<AnyOperation>(operatorOperations)) {
      expect([operation.id, operation.role === null]).toEqual([
        operation.id,
        operation.auth === 'public',
      ]);
      // Who only looks changes nothing that anybody would have to agree to.
      if (operation.role === 'viewer') expect(operation.approval).toBe('never');
      if (operation.approval !== 'never') expect(operation.stepUp).toBe(true);
    }
    for (const operation of Object.values(open)) expect(operation.role).toBe(null);
  });

  it('[CT33] ask for a confirmed session where power is given to operators, users and keys, or taken', () => {
    const giving = [
      ...['addOperator', 'setOperatorRoles', 'resetOperatorFactor', 'setUserScopes', 'approveAct'],
      ...['createResetLink', 'createVerificationLink', 'removeUserFactors'],
      ...['setKeyTier', 'setAccountTier', 'setTierCeilings', 'setKeySigning'],
      ...['freezeAccount', 'unfreezeAccount'],
      ...[
        'setAccountCountry',
        'linkAccounts',
        'clearComplianceFlag',
        'setParameters',
        'setRateQuota',
      ],
      ...['approveBuilder', 'setLoadTest', 'approveApp', 'enableApp'],
    ];
    const all: readonly AnyOperation[] = Object.values(operatorOperations);
    const unproved = giving.filter((id) => all.find((one) => one.id === id)?.stepUp !== true);
    expect(unproved).toEqual([]);
  });

  it('[CT7] ask every operator act for a reason', () => {
    for (const operation of Object.values(operatorOperations)) {
      const body: AnyOperation['input']['body'] = operation.input.body;
      // What somebody does to their own session concerns nobody else.
      const isOwn = /^\/admin\/v1\/sessions?(\/|$)/.test(operation.path);
      expect(operation.own).toBe(isOwn && operation.auth === 'operator');
      if (operation.method !== 'GET' && !isOwn) expect(body?.required).toContain('reason');
    }
  });

  it('[CT6] are frozen', () => {
    for (const [, operation] of byId) expect(Object.isFrozen(operation)).toBe(true);
    expect(Object.isFrozen(operations)).toBe(true);
  });
});
