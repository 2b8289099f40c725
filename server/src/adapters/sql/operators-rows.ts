// Rows of the store of operators and the records they stand for.
import type {
  FormerRoles,
  OperatorRecord,
  OperatorSessionRecord,
  ScopeGrant,
} from '../../ports/operators.ts';

export interface OperatorRow {
  readonly operator_id: string;
  readonly name: string;
  readonly name_folded: string;
  readonly password_hash: string;
  readonly password_issued: number;
  /** Separated by spaces. */
  readonly roles: string;
  readonly created_at_ms: number;
  readonly disabled_at_ms: number | null;
  /** Separated by spaces. */
  readonly former_roles: string | null;
  readonly roles_lost_at_ms: number | null;
  readonly factor_reset_at_ms: number | null;
  readonly user_id: string | null;
}

export function operatorRow(operator: OperatorRecord): OperatorRow {
  return {
    operator_id: operator.operatorId,
    name: operator.name,
    name_folded: operator.name.toLowerCase(),
    password_hash: operator.passwordHash,
    password_issued: Number(operator.passwordIssued),
    roles: operator.roles.join(' '),
    created_at_ms: operator.createdAtMs,
    disabled_at_ms: operator.disabledAtMs,
    ...formerRow(operator.former),
    factor_reset_at_ms: operator.factorResetAtMs,
    user_id: operator.userId,
  };
}

export function formerRow(
  former: FormerRoles | null,
): Pick<OperatorRow, 'former_roles' | 'roles_lost_at_ms'> {
  return {
    former_roles: former?.roles.join(' ') ?? null,
    roles_lost_at_ms: former?.lostAtMs ?? null,
  };
}

function formerOf({ former_roles: roles, roles_lost_at_ms: lostAtMs }: OperatorRow) {
  return roles === null || lostAtMs === null ? null : { roles: roles.split(' '), lostAtMs };
}

export function operatorOf(row: OperatorRow): OperatorRecord {
  return {
    operatorId: row.operator_id,
    name: row.name,
    passwordHash: row.password_hash,
    passwordIssued: row.password_issued === 1,
    roles: row.roles.split(' '),
    createdAtMs: row.created_at_ms,
    disabledAtMs: row.disabled_at_ms,
    former: formerOf(row),
    factorResetAtMs: row.factor_reset_at_ms,
    userId: row.user_id,
  };
}

export interface OperatorSessionRow {
  readonly session_id: string;
  readonly token_hash: string;
  readonly operator_id: string;
  readonly created_at_ms: number;
  readonly expires_at_ms: number;
  readonly used_at_ms: number;
  readonly stepped_up_at_ms: number | null;
  readonly ended_at_ms: number | null;
}

export function operatorSessionRow(session: OperatorSessionRecord): OperatorSessionRow {
  return {
    session_id: session.sessionId,
    token_hash: session.tokenHash,
    operator_id: session.operatorId,
    created_at_ms: session.createdAtMs,
    expires_at_ms: session.expiresAtMs,
    used_at_ms: session.usedAtMs,
    stepped_up_at_ms: session.steppedUpAtMs,
    ended_at_ms: session.endedAtMs,
  };
}

export function operatorSessionOf(row: OperatorSessionRow): OperatorSessionRecord {
  return {
    sessionId: row.session_id,
    tokenHash: row.token_hash,
    operatorId: row.operator_id,
    createdAtMs: row.created_at_ms,
    expiresAtMs: row.expires_at_ms,
    usedAtMs: row.used_at_ms,
    steppedUpAtMs: row.stepped_up_at_ms,
    endedAtMs: row.ended_at_ms,
  };
}

export interface GrantRow {
  readonly user_id: string;
  /** Separated by spaces. */
  readonly scopes: string;
  readonly granted_by: string;
  readonly reason: string;
  readonly at_ms: number;
}

export function grantRow({ userId, scopes, grantedBy, reason, atMs }: ScopeGrant): GrantRow {
  return {
    user_id: userId,
    scopes: scopes.join(' '),
    granted_by: grantedBy,
    reason,
    at_ms: atMs,
  };
}

export function grantOf(row: GrantRow): ScopeGrant {
  return {
    userId: row.user_id,
    scopes: row.scopes === '' ? [] : row.scopes.split(' '),
    grantedBy: row.granted_by,
    reason: row.reason,
    atMs: row.at_ms,
  };
}
