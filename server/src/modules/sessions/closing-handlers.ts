// Leaving: everything personal in one piece, and the end of an account.
import { type Factors, type OperationOutput, recordsElsewhere } from '@sibyl/contract';
import {
  type AnswerTo,
  type ApiError,
  fail,
  type Handlers,
  isoTime,
  type RequestContext,
  rejected,
} from '../../handling/handler.ts';
import type { OneTimeLinks } from '../../handling/one-time-links.ts';
import type { PersonalRecords, ShownRecords } from '../../handling/personal-records.ts';
import type { DeclarationOffice } from '../../handling/restriction.ts';
import { secondFactorsOf, stepUpRefusal } from '../../handling/step-up.ts';
import type { Turns } from '../../handling/turns.ts';
import type { Passwords } from '../../ports/passwords.ts';
import type { UserRecord } from '../../ports/platform.ts';
import type { Secrets } from '../../ports/secrets.ts';
import { checkPassword, hashOf } from '../../proof/password-check.ts';
import type { LoginThrottle } from '../../proof/throttle.ts';
import { demoRefusal } from '../../wire/demo-refusal.ts';
import type { SessionCookie } from '../../wire/session-cookie.ts';
import { inTheWay, stopAccounts } from './closing.ts';
import type { FactorParts } from './factor-handlers.ts';
import { exclusionToKeep, isVerified } from './kept-exclusion.ts';
import { profileView, sessionView } from './profile-handlers.ts';
import { ownSession } from './session.ts';

export interface ClosingParts extends FactorParts {
  readonly office?: DeclarationOffice;
  readonly passwords: Passwords;
  readonly secrets: Secrets;
  readonly links: Pick<OneTimeLinks, 'areMailed'>;
  /** What others keep of a user; absent if nobody does. */
  readonly records?: PersonalRecords;
  readonly flushUses: () => Promise<void>;
  readonly closingTurns: Turns;
}

export type ClosingHandlers = Pick<Handlers, 'exportData' | 'closeAccount'>;

/** How the factors of a session are shown elsewhere. */
type ShowFactors = (request: RequestContext) => Promise<Factors>;

export function closingHandlers(
  parts: ClosingParts,
  throttle: LoginThrottle,
  cookie: SessionCookie,
  showFactors: ShowFactors,
): ClosingHandlers {
  return {
    exportData: (request) => exportData(parts, request, showFactors),
    closeAccount: (request, { body }) =>
      closeAccount(parts, throttle, cookie, request, body.password),
  };
}

const NOTHING: ShownRecords = {
  keys: [],
  webhooks: [],
  builder: null,
  apps: [],
  destinations: [],
  withdrawals: [],
  deposits: [],
  own_limits: [],
};

async function exportData(
  parts: ClosingParts,
  request: RequestContext,
  showFactors: ShowFactors,
): AnswerTo<'exportData'> {
  const refused = demoRefusal(request, 'profiles');
  if (refused !== null) return refused;
  await parts.flushUses();
  const { platform, clock } = parts;
  const { userId, sessionId } = ownSession(request);
  const user = await platform.userById(userId);
  const profile = await platform.profiles.of(userId);
  if (user === null || profile === null) return rejected('unknown');
  const nowMs = clock.wallMs();
  const sessions = await platform.sessions.of(userId, nowMs);
  const beside = (await parts.records?.show(user, request.lanes)) ?? NOTHING;
  return {
    data: {
      exported_at: isoTime(nowMs),
      exported_at_ms: nowMs,
      registered_at: isoTime(user.createdAtMs),
      registered_at_ms: user.createdAtMs,
      profile: profileView(user.email, profile, parts.links),
      referral_code: user.referralCode,
      factors: await showFactors(request),
      sessions: sessions.map((session) => sessionView(session, sessionId)),
      ...beside,
      ...placesOf(user),
    },
  };
}

function placesOf({
  accounts,
}: UserRecord): Pick<OperationOutput<'exportData'>, 'accounts' | 'elsewhere'> {
  return {
    accounts: (['live', 'sandbox'] as const).map((environment) => ({
      environment,
      account_id: accounts[environment],
    })),
    elsewhere: recordsElsewhere.flatMap(([what, path]) => [
      { what, environment: 'live' as const, path },
      { what, environment: 'sandbox' as const, path: `/sandbox${path}` },
    ]),
  };
}

/**
 * The person goes last: whatever ends this before can be done again by the same user. What was done twice has done no
 * more than once.
 */
async function closeAccount(
  parts: ClosingParts,
  throttle: LoginThrottle,
  cookie: SessionCookie,
  request: RequestContext,
  password: string,
): AnswerTo<'closeAccount'> {
  const demo = demoRefusal(request, 'profiles');
  if (demo !== null) return demo;
  const { platform, clock } = parts;
  const { userId } = ownSession(request);
  const user = await platform.userById(userId);
  if (user === null) return rejected('unknown');
  const second = await secondFactorsOf(platform.factors, userId);
  const unproved = second.length === 0 ? null : await stepUpRefusal(parts, request);
  if (unproved !== null) return unproved;
  const attempt = { email: user.email, password, hash: hashOf(user) };
  const refused = await checkPassword(parts, throttle, request, attempt);
  if (refused !== null) return refused;
  const checked = await checkObstacle(parts, user);
  if (checked !== null) return checked;
  const closing = { lanes: request.lanes, closingTurns: parts.closingTurns };
  const { requestId, receivedAtMs } = request;
  const keepsExclusion = await isVerified(platform, userId);
  const asked = { requestId, receivedAtMs, keepsExclusion };
  const blocked = await stopAccounts(closing, user, asked);
  if (blocked !== null) return blocked;
  await parts.records?.erase(user);
  const nowMs = clock.wallMs();
  const exclusion = await exclusionToKeep(parts, request.lanes, user, nowMs);
  if (!(await platform.closing.erase(userId, nowMs, exclusion))) return fail('STATE_CONFLICT');
  // Until then sessions and keys were good for another webhook; whoever comes later finds that the user is gone.
  await parts.records?.erase(user);
  const reply = { data: { closed_at: isoTime(nowMs), closed_at_ms: nowMs } };
  return cookie.isOwnPage(request) ? { ...reply, headers: cookie.clear() } : reply;
}

/** Whoever registered anew would be rid of it. */
async function checkObstacle(
  { platform, office }: ClosingParts,
  user: UserRecord,
): Promise<ApiError | null> {
  if ((await platform.compliance.blocksOf(user.userId)).length > 0) {
    return inTheWay({ reason: 'flagged' });
  }
  const profile = await platform.profiles.of(user.userId);
  const isRestricted = profile !== null && office?.isOperatorsMatter(user, profile) === true;
  return isRestricted ? inTheWay({ reason: 'restricted' }) : null;
}
