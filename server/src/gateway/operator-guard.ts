// Who asks on the operator plane: a session of an operator, or the token for automation, and what each may do.
import type { IncomingHttpHeaders } from 'node:http';
import { type AnyOperation, limits, mayAct, type OperatorRole, rolesIn } from '@sibyl/contract';
import type { Clock } from '@sibyl/lane';
import { type ApiError, fail, type OperatorIdentity, rejected } from '../handling/handler.ts';
import { secondFactorsOf } from '../handling/step-up.ts';
import type { OperatorRecord, OperatorSessionRecord, OperatorStore } from '../ports/operators.ts';
import type { Secrets } from '../ports/secrets.ts';
import { StoreUnwritable } from '../ports/store-unavailable.ts';
import { readOperatorCookie } from '../wire/operator-cookie.ts';

/** How the token is named wherever it acts. */
const TOKEN = 'token';
const SESSION_FORM = /^(ops_[0-9A-Za-z]{16})_[0-9A-Za-z_-]{43}$/;

/** A use is written down when the one before is older than this. */
const TOUCH_AFTER_MS = 60_000;

export interface OperatorGuardParts {
  readonly operators: OperatorStore;
  readonly secrets: Secrets;
  readonly clock: Clock;
  /** Null where none was set: then there are sessions only. */
  readonly token: { readonly hash: string; readonly role: OperatorRole } | null;
  /** Whether every operator has to have a second factor. */
  readonly isFactorRequired: boolean;
  /** Writes down who was refused an act for want of a role. */
  readonly noteRefusal: (refused: RefusedAct) => Promise<void>;
}

export interface RefusedAct {
  readonly operator: OperatorIdentity;
  readonly operation: AnyOperation;
  readonly requestId: string;
  readonly params: unknown;
  readonly code: string;
}

export class OperatorGuard {
  readonly #parts: OperatorGuardParts;

  constructor(parts: OperatorGuardParts) {
    this.#parts = parts;
  }

  /** Read anew for every request: few ask here, and who was shut out must be out at once. */
  async identify(headers: IncomingHttpHeaders): Promise<OperatorIdentity | ApiError> {
    const { authorization } = headers;
    if (authorization === undefined) return this.#cookie(readOperatorCookie(headers));
    if (authorization.slice(0, 7).toLowerCase() !== 'bearer ') return rejected('malformed');
    const bearer = authorization.slice(7);
    const sessionId = SESSION_FORM.exec(bearer)?.[1];
    return sessionId === undefined ? this.#token(bearer) : this.#session(sessionId, bearer);
  }

  /** Null if the operator may go on. */
  refusal({ role, own }: AnyOperation, { roles, mustEnrol }: OperatorIdentity): ApiError | null {
    if (mustEnrol && !own) return enrolFirst();
    if (role === null || mayAct(roles, role)) return null;
    const message = `This needs the role ${role}.`;
    return fail('SCOPE_MISSING', { required: role, roles: [...roles] }, message);
  }

  /** Who tried what they may not do is known; looking is no act. */
  async note(refused: RefusedAct): Promise<void> {
    if (refused.operation.method !== 'GET') await this.#parts.noteRefusal(refused);
  }

  /** Sessions alone: the token for automation is no cookie. */
  #cookie(kept: string | null): Promise<OperatorIdentity | ApiError> | ApiError {
    if (kept === null) return fail('AUTH_REQUIRED');
    const sessionId = SESSION_FORM.exec(kept)?.[1];
    return sessionId === undefined ? rejected('malformed') : this.#session(sessionId, kept);
  }

  #token(bearer: string): OperatorIdentity | ApiError {
    const { secrets, token } = this.#parts;
    const digest = secrets.digest('operator', bearer);
    if (token === null || !secrets.isEqual(digest, token.hash)) return rejected('unknown');
    const nobody = {
      session: null,
      mustEnrol: false,
      passwordIssued: false,
      factorResetAtMs: null,
    };
    return { operatorId: TOKEN, name: TOKEN, roles: [token.role], ...nobody };
  }

  async #session(sessionId: string, bearer: string): Promise<OperatorIdentity | ApiError> {
    const { operators, secrets, clock } = this.#parts;
    const session = await operators.sessionById(sessionId);
    const digest = secrets.digest('operator', bearer);
    if (!secrets.isEqual(digest, session?.tokenHash ?? sessionId) || session === null) {
      return rejected('unknown');
    }
    const nowMs = clock.wallMs();
    const operator = await operators.operatorById(session.operatorId);
    const over = overBy(session, operator, nowMs);
    if (over !== null) return over;
    if (operator === null) return rejected('revoked');
    if (nowMs - session.usedAtMs >= TOUCH_AFTER_MS) await this.#touch(sessionId, nowMs);
    const { operatorId, name, roles, passwordIssued, factorResetAtMs } = operator;
    const mustEnrol = await this.#mustEnrol(operatorId);
    return {
      operatorId,
      name,
      roles: rolesIn(roles),
      session,
      mustEnrol,
      passwordIssued,
      factorResetAtMs,
    };
  }

  /** With a full disk operators still look, and see why nothing can be done. */
  async #touch(sessionId: string, nowMs: number): Promise<void> {
    try {
      await this.#parts.operators.touchSession(sessionId, nowMs);
    } catch (error) {
      if (!(error instanceof StoreUnwritable)) throw error;
    }
  }

  async #mustEnrol(operatorId: string): Promise<boolean> {
    const { operators, isFactorRequired } = this.#parts;
    if (!isFactorRequired) return false;
    return (await secondFactorsOf(operators.factors, operatorId)).length === 0;
  }
}

function enrolFirst(): ApiError {
  const message =
    'Operators of this exchange need a second factor: enrol an authenticator first, on your own page of the console or by sibyl admin factor enrol.';
  return fail('STEP_UP_MFA_REQUIRED', { factors: [], reason: 'not_enrolled' }, message);
}

const HOURS = limits.operator.sessionMs / 3_600_000;
const IDLE_MINUTES = limits.operator.idleMs / 60_000;

/** Why the session counts no more, in words for whoever had it; null if it does. */
function overBy(
  { endedAtMs, usedAtMs, expiresAtMs }: OperatorSessionRecord,
  operator: OperatorRecord | null,
  nowMs: number,
): ApiError | null {
  const isDisabled = operator !== null && operator.disabledAtMs !== null;
  if (isDisabled) return rejected('revoked', 'An admin has disabled this operator.');
  if (endedAtMs !== null) {
    // A reset ends the sessions at its own time.
    const isReset = endedAtMs === operator?.factorResetAtMs;
    return rejected('revoked', isReset ? FACTOR_RESET : ENDED);
  }
  if (expiresAtMs <= nowMs) return rejected('expired', `A session lasts ${HOURS} hours.`);
  const isIdle = nowMs - usedAtMs >= limits.operator.idleMs;
  const idle = `A session ends after ${IDLE_MINUTES} minutes without a request.`;
  return isIdle ? rejected('expired', idle) : null;
}

const FACTOR_RESET =
  'Your second factor was reset, which ended your sessions: your password counts alone until you enrol another.';
const ENDED =
  'It was ended: by signing out, from another session, or by a new password or second factor.';
