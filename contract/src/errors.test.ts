// Checks the error catalogue against an independent transcription of the interface's table.

import { describe, expect, it } from 'vitest';
import type { AnyOperation } from './define.ts';
import { errorCodes, errors } from './errors.ts';
import { operations } from './operations/all.ts';
import { webhookOperations } from './operations/webhooks.ts';
import { operatorOperations } from './operator.ts';

const table: Readonly<Record<number, string>> = {
  400: `BAD_REQUEST VALIDATION_FAILED IDEMPOTENCY_KEY_MISSING IDEMPOTENCY_KEY_MALFORMED URN_MALFORMED
    URN_INVALID_DOMAIN URN_INVALID_SLUG URN_SLUG_TOO_LONG ID_MALFORMED ID_INVALID_KIND PKCE_INVALID
    AUTH_CODE_EXPIRED AUTH_CODE_CONSUMED REDIRECT_URI_MISMATCH WEBHOOK_URL_INVALID WEBHOOK_SECRET_INVALID
    TEMPLATE_SCHEMA_INVALID TEMPLATE_DISPLAY_KEY_MISSING QUOTE_EXPIRED_IN_PAST QUOTE_SIZE_INVALID`,
  401: `AUTH_REQUIRED AUTH_INVALID WRONG_ENV_KEY TIMESTAMP_SKEW NONCE_REUSED SIGNATURE_INVALID
    TOKEN_EXPIRED TOKEN_REVOKED TOKEN_INVALID REFRESH_TOKEN_REUSED PASSWORD_INCORRECT
    WEBHOOK_TIMESTAMP_SKEW WEBHOOK_SIGNATURE_INVALID`,
  403: `SCOPE_MISSING SCOPE_NOT_ALLOWED STEP_UP_MFA_REQUIRED BUILDER_NOT_APPROVED APP_NOT_APPROVED
    APP_DISABLED DELEGATION_MISSING DELEGATION_EXPIRED JURISDICTION_BLOCKED SANCTIONS_HIT
    TIER_UPGRADE_REQUIRED SUBACCOUNT_FROZEN DELEGATION_SCOPE_MISMATCH COMPLIANCE_GATE_BLOCKED
    MCP_SCOPE_MISSING WIDGET_ORIGIN_BLOCKED DATA_TIER_EXCEEDED ORACLE_BOND_INSUFFICIENT
    LISTING_NOT_APPROVED`,
  404: 'SANDBOX_ONLY PROD_ONLY NOT_FOUND MARKET_NOT_FOUND MCP_TOOL_UNKNOWN',
  409: `IDEMPOTENCY_BODY_MISMATCH IDEMPOTENCY_IN_FLIGHT ALREADY_EXISTS CONFLICT STATE_CONFLICT
    SUBACCOUNT_LABEL_TAKEN SUBACCOUNT_HAS_BALANCE SUBACCOUNT_HAS_POSITIONS SUBACCOUNT_HAS_OPEN_ORDERS
    PROPOSAL_STATE_INVALID RFQ_NOT_OPEN RESOLUTION_CHALLENGE_OPEN BOUNTY_ALREADY_CLAIMED`,
  422: `RISK_LIMIT_BREACH BUILDER_FEE_ABOVE_CAP MARKET_HALTED MARKET_CLOSED MARKET_NOT_APPROVED
    MARKET_TEMPLATE_UNKNOWN MARKET_TEMPLATE_PARAM_INVALID ORACLE_ADAPTER_UNKNOWN ORACLE_DISAGREEMENT
    RESOLUTION_LOCKED DISPUTE_ALREADY_OPEN ANTI_ABUSE_BLOCKED OPERATOR_AGREEMENT_MISSING
    PASSWORD_TOO_WEAK DELEGATION_DAILY_CAP_EXCEEDED BALANCE_INSUFFICIENT COMBO_COMPONENT_HALTED
    RFQ_QUOTE_OUT_OF_BOUNDS INCENTIVE_BUDGET_EXCEEDED DATA_RANGE_TOO_LARGE_FOR_TIER
    RESOLUTION_EVIDENCE_MISSING WEBHOOK_EVENT_UNKNOWN`,
  429: 'RATE_LIMITED TIER_LIMIT_EXCEEDED SANDBOX_KEY_DAILY_LIMIT',
  500: 'INTERNAL_ERROR',
  501: 'MCP_NOT_IMPLEMENTED',
  502: 'UPSTREAM_ERROR ORACLE_ADAPTER_ERROR',
  503: 'SERVICE_UNAVAILABLE MAINTENANCE READ_ONLY_MODE',
  504: 'UPSTREAM_TIMEOUT',
};

/** Codes no operation of this release declares, because their group is built later. */
const homeInLaterGroup = words(`URN_MALFORMED URN_INVALID_DOMAIN URN_INVALID_SLUG URN_SLUG_TOO_LONG
  QUOTE_EXPIRED_IN_PAST QUOTE_SIZE_INVALID DATA_TIER_EXCEEDED
  ORACLE_BOND_INSUFFICIENT LISTING_NOT_APPROVED BOUNTY_ALREADY_CLAIMED ORACLE_DISAGREEMENT
  DISPUTE_ALREADY_OPEN RFQ_QUOTE_OUT_OF_BOUNDS INCENTIVE_BUDGET_EXCEEDED
  ORACLE_ADAPTER_ERROR`);

const signing = words('TIMESTAMP_SKEW NONCE_REUSED SIGNATURE_INVALID');
const switchedOff = words('MCP_SCOPE_MISSING MCP_TOOL_UNKNOWN MCP_NOT_IMPLEMENTED');
const gated = [...signing, ...switchedOff];
const receiver = words('WEBHOOK_SECRET_INVALID WEBHOOK_TIMESTAMP_SKEW WEBHOOK_SIGNATURE_INVALID');

describe('error catalogue', () => {
  const transcribed = Object.entries(table).flatMap(([status, codes]) =>
    words(codes).map((code) => [code, Number(status)] as const),
  );

  it('[CT1] has the 103 codes of the table and MISSING_FIELD, and no other', () => {
    expect(transcribed).toHaveLength(103);
    const expected = [...transcribed.map(([code]) => code), 'MISSING_FIELD'];
    expect([...errorCodes].sort()).toEqual(expected.sort());
  });

  it.each([...transcribed, ['MISSING_FIELD', 400] as const])(
    '[CT1] %s has status %i',
    (code, status) => {
      expect(Object.entries(errors).find(([name]) => name === code)?.[1].status).toBe(status);
    },
  );

  it('[CT2] marks only 429 and 5xx as retryable', () => {
    for (const { status, retryable } of Object.values(errors)) {
      if (retryable) expect(status === 429 || status >= 500).toBe(true);
    }
    expect(errors.RATE_LIMITED.retryable).toBe(true);
    expect(errors.TIER_LIMIT_EXCEEDED.retryable).toBe(false);
  });

  it('[CT3] names gated and receiver-side codes', () => {
    expect(withOrigin('gated')).toEqual([...gated].sort());
    expect(withOrigin('receiver')).toEqual([...receiver].sort());
  });

  it('[CT4] gives every code exactly one kind of home', () => {
    const declared = new Set(
      [operations, webhookOperations, operatorOperations]
        .flatMap((list) => Object.values<AnyOperation>(list))
        .flatMap((operation) => [...operation.errors]),
    );
    for (const code of errorCodes) {
      const homes = [
        declared.has(code),
        gated.includes(code),
        receiver.includes(code),
        homeInLaterGroup.includes(code),
      ];
      expect([code, homes.filter(Boolean).length]).toEqual([code, 1]);
    }
  });

  it('[CT4] marks as in force only what an operation declares', () => {
    for (const code of [...switchedOff, ...receiver, ...homeInLaterGroup]) {
      expect([code, Object.entries(errors).find(([name]) => name === code)?.[1].since]).toEqual([
        code,
        'later',
      ]);
    }
  });

  it('[CT4] marks the codes of signed requests as in force', () => {
    const since = new Map(Object.entries(errors).map(([code, one]) => [code, one.since]));
    expect(signing.map((code) => since.get(code))).toEqual(['0.3', '0.3', '0.3']);
  });
});

function withOrigin(origin: string): string[] {
  return errorCodes.filter((code) => errors[code].origin === origin).sort();
}

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}
