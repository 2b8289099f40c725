// Sessions of operators: sign in, see who one is, see and end one's sessions, another password.

import { type InputOf, limits, type OperatorOperations, type OutputOf } from '@sibyl/contract';
import {
  ApiError,
  actingOperator,
  fail,
  isoTime,
  type OperatorIdentity,
  type Reply,
  type RequestContext,
} from '../handling/handler.ts';
import { secondFactorsOf, stepUpRequired } from '../handling/step-up.ts';
import type { OperatorRecord, OperatorSessionRecord } from '../ports/operators.ts';
import { checkPassword, checkSignIn, hashNew, weakness } from '../proof/password-check.ts';
import type { SecondFactor } from '../proof/second-factor.ts';
import { LoginThrottle } from '../proof/throttle.ts';
import {
  clearOperatorCookie,
  keepOperatorCookie,
  readOperatorCookie,
} from '../wire/operator-cookie.ts';
import { isoTimeOrNull } from '../wire/times.ts';
import { isConfirmed, proofsOf, unconfirmed, withoutSession } from './confirmation.ts';
import { viewOf } from './operators.ts';
import type { OperatorHandlers, OperatorParts } from './parts.ts';

type SessionActs = Pick<
  OperatorHandlers,
  | 'openOperatorSession'
  | 'getOperatorIdentity'
  | 'closeOperatorSession'
  | 'listOperatorSessions'
  | 'endOperatorSession'
  | 'changeOperatorPassword'
  | 'stepUpOperatorSession'
>;

type SignIn = OutputOf<OperatorOperations['openOperatorSession']>;
type OwnSessions = OutputOf<OperatorOperations['listOperatorSessions']>;
type SessionView = SignIn['session'];

const ID_LENGTH = 16;
const SESSION_ID_LENGTH = 'ops_'.length + ID_LENGTH;
const TOKEN_BYTES = 32;

/** Apart, so that no guess at one counts for another; all operators come from this machine, so no address has a total. */
interface Guards {
  /** Sign-ins by the name of an operator. */
  readonly known: LoginThrottle;
  /** Sign-ins by any other name, which wait alike: an answer does not tell which names there are. */
  readonly madeUp: LoginThrottle;
  /** Passwords given within a session, counted by the session: nobody without it can use them up. */
  readonly within: LoginThrottle;
  readonly codes: SecondFactor;
}

export function sessionActs(parts: OperatorParts, codes: SecondFactor): SessionActs {
  const { operators, clock } = parts;
  const newThrottle = (isSlowing: boolean) =>
    new LoginThrottle(clock, { hasTotal: false, isSlowing });
  const guards = {
    known: newThrottle(true),
    madeUp: newThrottle(true),
    within: newThrottle(false),
    codes,
  };
  return {
    openOperatorSession: (request, { body }) => signIn(parts, guards, request, body),
    async getOperatorIdentity(request) {
      const { operatorId, name, roles, session, ...more } = actingOperator(request);
      return {
        data: {
          operator_id: operatorId,
          name,
          roles: [...roles],
          session: session === null ? null : sessionView(session, session.sessionId),
          must_enrol: more.mustEnrol,
          password_issued: more.passwordIssued,
          second_factor: (await secondFactorsOf(operators.factors, operatorId)).length > 0,
          factor_reset_at: isoTimeOrNull(more.factorResetAtMs),
          factor_reset_at_ms: more.factorResetAtMs,
        },
      };
    },
    async closeOperatorSession(request) {
      const { session } = actingOperator(request);
      if (session === null) return withoutSession();
      await operators.endSession(session.sessionId, clock.wallMs());
      const isKept = readOperatorCookie(request.headers) !== null;
      return { data: { signed_out: true }, ...(isKept && { headers: clearOperatorCookie() }) };
    },
    listOperatorSessions: (request) => ownSessions(parts, actingOperator(request)),
    async endOperatorSession(request, { params }) {
      const operator = actingOperator(request);
      const session = await operators.sessionById(params.session_id);
      if (session === null || session.operatorId !== operator.operatorId) return fail('NOT_FOUND');
      await operators.endSession(session.sessionId, clock.wallMs());
      return ownSessions(parts, operator);
    },
    stepUpOperatorSession: (request, { body }) => stepUp(parts, guards, request, body),
    changeOperatorPassword: (request, { body }) =>
      changePassword(parts, guards.within, request, body),
  };
}

type SignInInput = InputOf<OperatorOperations['openOperatorSession']>['body'];

async function signIn(
  parts: OperatorParts,
  { known, madeUp, codes }: Guards,
  request: RequestContext,
  { name, password, cookie = false, ...given }: SignInInput,
): Promise<Reply<SignIn> | ApiError> {
  const { operators, secrets, random, clock } = parts;
  const operator = await operators.operatorByName(name);
  const throttle = operator === null ? madeUp : known;
  const isInForce = operator !== null && operator.disabledAtMs === null;
  const hash = isInForce ? operator.passwordHash : null;
  const ownerId = isInForce ? operator.operatorId : null;
  const attempt = { email: name, password, hash, ownerId, ...given };
  const signInParts = { passwords: parts.signInPasswords };
  const from = await originOf(parts, request, operator);
  const refused = await checkSignIn(signInParts, { throttle, codes }, from, attempt);
  if (refused !== null) return ofOperators(refused);
  if (!isInForce) return wrongPassword();
  const sessionId = `ops_${random.token(ID_LENGTH)}`;
  const token = `${sessionId}_${Buffer.from(random.bytes(TOKEN_BYTES)).toString('base64url')}`;
  const nowMs = clock.wallMs();
  const session: OperatorSessionRecord = {
    sessionId,
    tokenHash: secrets.digest('operator', token),
    operatorId: operator.operatorId,
    createdAtMs: nowMs,
    expiresAtMs: nowMs + limits.operator.sessionMs,
    usedAtMs: nowMs,
    steppedUpAtMs: null,
    endedAtMs: null,
  };
  // The password may have been changed since it was found to be right.
  if (!(await operators.addSession(session, operator.passwordHash))) return wrongPassword();
  return {
    data: {
      session_token: cookie ? null : token,
      operator: await viewOf(operators, operator),
      session: sessionView(session, sessionId),
    },
    ...(cookie && { headers: keepOperatorCookie(token) }),
  };
}

/**
 * The request, counted for the browser if that holds the cookie of an earlier session of the operator: all others share one address,
 * and their attempts neither slow it down nor take its turn.
 */
async function originOf(
  { operators, secrets }: OperatorParts,
  request: RequestContext,
  operator: OperatorRecord | null,
): Promise<RequestContext> {
  const token = readOperatorCookie(request.headers);
  if (token === null) return request;
  const session = await operators.sessionById(token.slice(0, SESSION_ID_LENGTH));
  if (session === null || session.operatorId !== operator?.operatorId) return request;
  const isHeld = secrets.isEqual(secrets.digest('operator', token), session.tokenHash);
  return isHeld ? { ...request, ipBucket: session.sessionId } : request;
}

type StepUpInput = InputOf<OperatorOperations['stepUpOperatorSession']>['body'];

async function stepUp(
  parts: OperatorParts,
  { within, codes }: Guards,
  request: RequestContext,
  body: StepUpInput,
): Promise<Reply<SessionView> | ApiError> {
  const { operators, clock } = parts;
  const { session, operatorId } = actingOperator(request);
  if (session === null) return withoutSession();
  if (Object.keys(body).length !== 1) {
    const expected = 'one of otp, recovery_code and password';
    return fail('VALIDATION_FAILED', { field: 'otp', expected });
  }
  const { password } = body;
  const proofs = await proofsOf(operators, operatorId);
  if (proofs.includes('password') !== (password !== undefined)) {
    return stepUpRequired(proofs, 'not_accepted');
  }
  const hash = (await operators.operatorById(operatorId))?.passwordHash ?? null;
  const refused = await (password === undefined
    ? codes.refusal(request, operatorId, body, session)
    : checkPassword(parts, within, request, { email: session.sessionId, password, hash }));
  if (refused !== null) return ofOperators(refused);
  const atMs = clock.wallMs();
  await operators.stepUpSession(session.sessionId, atMs);
  return { data: sessionView({ ...session, steppedUpAtMs: atMs }, session.sessionId) };
}

interface PasswordInput {
  readonly current_password: string;
  readonly new_password: string;
}

async function changePassword(
  parts: OperatorParts,
  throttle: LoginThrottle,
  request: RequestContext,
  body: PasswordInput,
): Promise<Reply<OwnSessions> | ApiError> {
  const { operators, clock } = parts;
  const identity = actingOperator(request);
  const { session, operatorId, name } = identity;
  if (session === null) return withoutSession();
  const isByPassword = (await proofsOf(operators, operatorId)).includes('password');
  if (!isByPassword && !isConfirmed(session, clock.wallMs())) {
    return unconfirmed(operators, identity);
  }
  const verifiedHash = (await operators.operatorById(operatorId))?.passwordHash ?? null;
  const attempt = {
    email: session.sessionId,
    password: body.current_password,
    hash: verifiedHash,
  };
  const refused = await checkPassword(parts, throttle, request, attempt);
  if (refused !== null) return ofOperators(refused);
  const weak = await weakness(parts, request, body.new_password, [name]);
  if (weak !== null) return weak;
  const passwordHash = await hashNew(parts, request, body.new_password);
  if (passwordHash instanceof ApiError) return passwordHash;
  const isChanged = await operators.changePassword({
    operatorId,
    verifiedHash,
    passwordHash,
    keptSessionId: session.sessionId,
    atMs: clock.wallMs(),
  });
  // Somebody else changed it while this one was being looked at.
  return isChanged ? ownSessions(parts, identity) : wrongPassword();
}

async function ownSessions(
  { operators, clock }: OperatorParts,
  { operatorId, session }: OperatorIdentity,
): Promise<Reply<OwnSessions>> {
  const nowMs = clock.wallMs();
  const all = await operators.sessionsOf(operatorId, nowMs);
  const inForce = all.filter(({ usedAtMs }) => nowMs - usedAtMs < limits.operator.idleMs);
  return {
    data: { sessions: inForce.map((one) => sessionView(one, session?.sessionId ?? null)) },
  };
}

function sessionView(record: OperatorSessionRecord, currentId: string | null): SessionView {
  const { sessionId, createdAtMs, usedAtMs, expiresAtMs, steppedUpAtMs } = record;
  const provedUntilMs = steppedUpAtMs === null ? null : steppedUpAtMs + limits.operator.stepUpMs;
  return {
    session_id: sessionId,
    current: sessionId === currentId,
    created_at: isoTime(createdAtMs),
    created_at_ms: createdAtMs,
    used_at: isoTime(usedAtMs),
    used_at_ms: usedAtMs,
    expires_at: isoTime(expiresAtMs),
    expires_at_ms: expiresAtMs,
    step_up_ends_at: isoTimeOrNull(provedUntilMs),
    step_up_ends_at_ms: provedUntilMs,
  };
}

/** Operators have names, not addresses of mail. */
function ofOperators(refused: ApiError): ApiError {
  return refused.code === 'PASSWORD_INCORRECT' ? wrongPassword() : refused;
}

function wrongPassword(): ApiError {
  return fail('PASSWORD_INCORRECT', undefined, 'Name or password is wrong.');
}
