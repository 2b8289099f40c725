// What somebody may not do, and why: found out when a credential is read, so that an unrestricted request reads one field.
import type { AnyOperation, ComplianceGroup, ErrorCode, LiftedBy } from '@sibyl/contract';
import type { UserRecord } from '../ports/platform.ts';
import type { ProfileChange, ProfileRecord } from '../ports/profiles.ts';
import { type ApiError, type ErrorDetails, fail, type LaneName } from './handler.ts';

export interface Restriction {
  readonly code: ErrorCode;
  readonly ruleId: string;
  readonly operations: readonly ComplianceGroup[];
  /** In words, for people. */
  readonly reason: string;
  readonly liftedBy: LiftedBy;
  /** When it ends by itself. */
  readonly untilMs?: number;
  /** Further details of the refusal. */
  readonly details: ErrorDetails;
}

/** By lane; the gravest first. */
export type Restrictions = Readonly<Record<LaneName, readonly Restriction[]>>;

export const UNRESTRICTED: Restrictions = Object.freeze({ live: [], sandbox: [] });

/** What is asked about somebody who has no account yet. */
export interface SignUpOffice {
  checkStranger(
    operation: AnyOperation,
    country: string | undefined,
    lane: LaneName,
  ): ApiError | null;
  admitSignUp(ipBucket: string, subject: string): Promise<ApiError | null>;
}

/** What is asked when users change what they say of themselves, or take it back by leaving. */
export interface DeclarationOffice {
  declarationRefusal(
    user: UserRecord,
    before: ProfileRecord,
    change: ProfileChange,
  ): ApiError | null;
  isOperatorsMatter(user: UserRecord, profile: ProfileRecord): boolean;
}

/** Operations of the interface that rules can stop. What is not here is never stopped: cancels and reads. */
const GROUPS: Readonly<Partial<Record<string, ComplianceGroup>>> = {
  placeOrder: 'trade',
  amendOrder: 'trade',
  batchOrders: 'trade',
  convertPosition: 'trade',
  createSubaccount: 'trade',
  applyForTrack: 'trade',
  createGrant: 'trade',
  createMarket: 'create_market',
  createWithdrawal: 'withdraw',
  register: 'register',
  mintSandboxKey: 'sandbox_keys',
};

/** Whether it is one of those that whoever may only cancel and read may not. */
export function isTrading({ id }: Pick<AnyOperation, 'id'>): boolean {
  return GROUPS[id] === 'trade';
}

/** Null if nothing stands against the operation that it has a code for. */
export function restrictionOf(
  { id, errors }: Pick<AnyOperation, 'id' | 'errors'>,
  restrictions: readonly Restriction[],
): ApiError | null {
  const group = GROUPS[id];
  if (group === undefined) return null;
  const found = restrictions.find(
    ({ operations, code }) => operations.includes(group) && errors.includes(code),
  );
  return found === undefined ? null : refused(found);
}

export function refused({ code, ruleId, liftedBy, reason, details }: Restriction): ApiError {
  return fail(code, { rule_id: ruleId, lifted_by: liftedBy, ...details }, reason);
}
