// Refusals of the reference: collect every one that applies, then give the one that stands first in the list.
import type { PlainAnswer, PlainRejection, PlainResult } from './plain.ts';

type Code = PlainRejection['code'];
type Details = PlainRejection['details'];

/** The precedence of the rules, written out again so that a reordering on one side shows. */
const PRECEDENCE: readonly Code[] = [
  'IDEMPOTENCY_BODY_MISMATCH',
  'READ_ONLY_MODE',
  'VALIDATION_FAILED',
  'SANDBOX_ONLY',
  'PROD_ONLY',
  'NOT_FOUND',
  'DELEGATION_EXPIRED',
  'SUBACCOUNT_FROZEN',
  'COMPLIANCE_GATE_BLOCKED',
  'MARKET_TEMPLATE_UNKNOWN',
  'TEMPLATE_SCHEMA_INVALID',
  'TEMPLATE_DISPLAY_KEY_MISSING',
  'ORACLE_ADAPTER_UNKNOWN',
  'MARKET_TEMPLATE_PARAM_INVALID',
  'MARKET_NOT_FOUND',
  'ALREADY_EXISTS',
  'CONFLICT',
  'SUBACCOUNT_LABEL_TAKEN',
  'SUBACCOUNT_HAS_OPEN_ORDERS',
  'SUBACCOUNT_HAS_POSITIONS',
  'SUBACCOUNT_HAS_BALANCE',
  'MARKET_NOT_APPROVED',
  'MARKET_CLOSED',
  'MARKET_HALTED',
  'RESOLUTION_LOCKED',
  'PROPOSAL_STATE_INVALID',
  'STATE_CONFLICT',
  'RESOLUTION_EVIDENCE_MISSING',
  'ORACLE_DISAGREEMENT',
  'RESOLUTION_CHALLENGE_OPEN',
  'DISPUTE_ALREADY_OPEN',
  'ORACLE_BOND_INSUFFICIENT',
  'RATE_LIMITED',
  'TIER_LIMIT_EXCEEDED',
  'DELEGATION_DAILY_CAP_EXCEEDED',
  'RISK_LIMIT_BREACH',
  'BUILDER_FEE_ABOVE_CAP',
  'BALANCE_INSUFFICIENT',
];

export class Refusals {
  readonly #found: PlainRejection[] = [];

  /** In read-only mode every command that is not exempt starts with that refusal. */
  constructor(world: { readonly refusing: boolean }) {
    if (world.refusing) this.add('READ_ONLY_MODE');
  }

  add(code: Code, details: Details = {}): void {
    this.#found.push({ code, details });
  }

  /** A value out of range. */
  field(name: string, expected: string): void {
    this.add('VALIDATION_FAILED', { field: name, expected });
  }

  /** Adds unless the condition holds. */
  need(holds: boolean, code: Code, details: Details = {}): void {
    if (!holds) this.add(code, details);
  }

  get any(): boolean {
    return this.#found.length > 0;
  }

  has(code: Code): boolean {
    return this.#found.some((each) => each.code === code);
  }

  first(): PlainRejection {
    const sorted = [...this.#found].sort(
      (x, y) => PRECEDENCE.indexOf(x.code) - PRECEDENCE.indexOf(y.code),
    );
    const first = sorted[0];
    if (first === undefined) throw new Error('nothing was refused');
    return first;
  }

  answer(): PlainAnswer {
    return { ok: false, rejection: this.first() };
  }
}

export const accepted = (result: PlainResult): PlainAnswer => ({ ok: true, result });
export const DONE: PlainAnswer = { ok: true, result: { kind: 'done' } };
export const refused = (code: Code, details: Details = {}): PlainAnswer => ({
  ok: false,
  rejection: { code, details },
});
