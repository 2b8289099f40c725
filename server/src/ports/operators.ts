// Those who operate the exchange: accounts, sessions, and the scopes that they grant to users.
import type { ApprovalStore, TrailStore } from './approvals.ts';
import type { AuthenticatorStore } from './authenticators.ts';

export interface OperatorRecord {
  readonly operatorId: string;
  /** What it signs in with; unique without regard to case. */
  readonly name: string;
  readonly passwordHash: string;
  /** The exchange made the password and showed it once; false as soon as its operator has set another. */
  readonly passwordIssued: boolean;
  readonly roles: readonly string[];
  readonly createdAtMs: number;
  readonly disabledAtMs: number | null;
  /** Roles that it had before it last lost one, and when that was; null if it never lost one. */
  readonly former: FormerRoles | null;
  /** When somebody else removed its second factor; null if nobody has since the last one was enrolled. */
  readonly factorResetAtMs: number | null;
  /** The user that this person is on the exchange; null if none is linked. */
  readonly userId: string | null;
}

/** For so long an operator who was disabled, or lost a role, still counts as one who could approve. */
export const COUNTED_MS = 7 * 86_400_000;

export interface FormerRoles {
  readonly roles: readonly string[];
  readonly lostAtMs: number;
}

export interface OperatorSessionRecord {
  readonly sessionId: string;
  readonly tokenHash: string;
  readonly operatorId: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** When it last asked for something. */
  readonly usedAtMs: number;
  /** When whoever has it last proved to be its operator; null if only by signing in. */
  readonly steppedUpAtMs: number | null;
  readonly endedAtMs: number | null;
}

/** What came of a change to an operator; somebody has to be left who can change them again. `refused` by whoever asked. */
export type OperatorChange = OperatorRecord | 'unknown' | 'last_admin' | 'refused';

export interface ScopeGrant {
  readonly userId: string;
  readonly scopes: readonly string[];
  readonly grantedBy: string;
  readonly reason: string;
  readonly atMs: number;
}

export interface OperatorPasswordChange {
  readonly operatorId: string;
  /** Of the current password, as it was verified; null where the exchange issues another one. */
  readonly verifiedHash: string | null;
  readonly passwordHash: string;
  /** The session that goes on; null ends all. */
  readonly keptSessionId: string | null;
  readonly atMs: number;
}

/** Every write is durable when its promise resolves, and happens whole or not at all. */
export interface OperatorStore {
  readonly approvals: ApprovalStore;
  readonly trail: TrailStore;
  /** Second factors, by the ids of operators. */
  readonly factors: AuthenticatorStore;
  /** False if the name is taken. */
  addOperator(operator: OperatorRecord): Promise<boolean>;
  /** In the order in which they came. */
  operators(): Promise<readonly OperatorRecord[]>;
  operatorById(operatorId: string): Promise<OperatorRecord | null>;
  operatorByName(name: string): Promise<OperatorRecord | null>;
  /** `isAllowed` is asked with the operator as it is at that moment. Roles that are lost are remembered. */
  setRoles(
    operatorId: string,
    roles: readonly string[],
    atMs: number,
    isAllowed?: (known: OperatorRecord) => boolean,
  ): Promise<OperatorChange>;
  /** With its sessions; the first time stands. */
  disableOperator(operatorId: string, atMs: number): Promise<OperatorChange>;
  /** Null unlinks. `isAllowed` is asked with the operator as it is at that moment. */
  setUser(
    operatorId: string,
    userId: string | null,
    isAllowed?: (known: OperatorRecord) => boolean,
  ): Promise<OperatorChange>;
  /** Ends the other sessions. False, and nothing is changed, if the password is no longer the one that was verified. */
  changePassword(change: OperatorPasswordChange): Promise<boolean>;

  /** Removes a second factor with its recovery codes, for whoever has lost it, and ends all sessions. False if there is none. */
  resetFactor(operatorId: string, atMs: number): Promise<boolean>;

  /** False if the password is no longer the one that was verified, or the operator is disabled. */
  addSession(session: OperatorSessionRecord, verifiedHash: string): Promise<boolean>;
  sessionById(sessionId: string): Promise<OperatorSessionRecord | null>;
  /** Those that have neither ended nor expired, newest first. */
  sessionsOf(operatorId: string, nowMs: number): Promise<readonly OperatorSessionRecord[]>;
  touchSession(sessionId: string, atMs: number): Promise<void>;
  /** Its operator has just proved to be there. */
  stepUpSession(sessionId: string, atMs: number): Promise<void>;
  endSession(sessionId: string, atMs: number): Promise<void>;

  /** In place of those of before. False, and nothing is changed, if they are not allowed to whoever has these. */
  grantScopes(
    grant: ScopeGrant,
    isAllowed?: (held: readonly string[]) => boolean,
  ): Promise<boolean>;
  scopesOf(userId: string): Promise<ScopeGrant | null>;

  /** Drops sessions that were over before the given time. */
  prune(beforeMs: number): Promise<void>;
  copyTo(file: string): Promise<void>;
  close(): Promise<void>;
}

/** What is remembered when the roles change: those of an earlier loss too, while they still count. */
export function formerAfter(
  { roles, former }: Pick<OperatorRecord, 'roles' | 'former'>,
  wanted: readonly string[],
  atMs: number,
): FormerRoles | null {
  if (roles.every((role) => wanted.includes(role))) return former;
  const earlier = former !== null && atMs - former.lostAtMs < COUNTED_MS ? former.roles : [];
  return { roles: [...new Set([...roles, ...earlier])], lostAtMs: atMs };
}
