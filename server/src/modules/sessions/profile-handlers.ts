// Who a user is, and where they are logged in.
import type { OpenSession, OperationInput, Profile } from '@sibyl/contract';
import { locales } from '@sibyl/contract/locales';
import type { Clock } from '@sibyl/lane';
import {
  ApiError,
  fail,
  type Handlers,
  isoTime,
  type RequestContext,
  rejected,
} from '../../handling/handler.ts';
import type { OneTimeLinks } from '../../handling/one-time-links.ts';
import type { DeclarationOffice } from '../../handling/restriction.ts';
import type { PlatformStore, SessionRecord } from '../../ports/platform.ts';
import type { ProfileChange, ProfileRecord } from '../../ports/profiles.ts';
import { demoRefusal } from '../../wire/demo-refusal.ts';
import { ownSession } from './session.ts';

interface ProfileParts {
  readonly office?: DeclarationOffice;
  readonly platform: PlatformStore;
  readonly clock: Clock;
  readonly links: Pick<OneTimeLinks, 'areMailed'>;
  /** Writes down uses of sessions that are still only remembered, so that a list shows them. */
  readonly flushUses: () => Promise<void>;
}

export type ProfileHandlers = Pick<
  Handlers,
  'getProfile' | 'updateProfile' | 'listSessions' | 'endSession' | 'endOtherSessions'
>;

export function profileHandlers(parts: ProfileParts): ProfileHandlers {
  const { platform, clock, flushUses } = parts;
  const view = async (request: RequestContext, profile: ProfileRecord | null) => {
    const user = await platform.userById(ownSession(request).userId);
    if (user === null || profile === null) return rejected('unknown');
    return { data: profileView(user.email, profile, parts.links) };
  };
  return {
    getProfile: async (request) =>
      view(request, await platform.profiles.of(ownSession(request).userId)),
    async updateProfile(request, { body }) {
      const refused = demoRefusal(request, 'profiles');
      if (refused !== null) return refused;
      const { userId } = ownSession(request);
      const changed = await declare(parts, userId, changeOf(body));
      return changed instanceof ApiError ? changed : view(request, changed);
    },
    async listSessions(request) {
      await flushUses();
      const { userId, sessionId } = ownSession(request);
      const open = await platform.sessions.of(userId, clock.wallMs());
      return { data: { sessions: open.map((session) => sessionView(session, sessionId)) } };
    },
    async endSession(request, { params }) {
      const { userId } = ownSession(request);
      const open = await platform.sessions.of(userId, clock.wallMs());
      const found = open.find(({ sessionId }) => sessionId === params.session_id);
      if (found === undefined) return fail('NOT_FOUND');
      await platform.endSession(found.sessionId, clock.wallMs());
      return { data: { sessions_ended: 1 } };
    },
    async endOtherSessions(request) {
      const { userId, sessionId } = ownSession(request);
      const ended = await platform.sessions.endOthers(userId, sessionId, clock.wallMs());
      return { data: { sessions_ended: ended } };
    },
  };
}

/** Judged where it is written, so that nobody outruns an operator who changes the same. */
async function declare(
  { platform, office }: ProfileParts,
  userId: string,
  change: ProfileChange,
): Promise<ProfileRecord | ApiError | null> {
  const user = await platform.userById(userId);
  if (user === null) return null;
  let refused: ApiError | null = null;
  const changed = await platform.profiles.change(userId, change, (before) => {
    refused = office?.declarationRefusal(user, before, change) ?? null;
    return refused === null;
  });
  return changed ?? refused;
}

function changeOf(body: OperationInput<'updateProfile'>['body']): ProfileChange {
  const { display_name, wallet_address, country, phone, language } = body;
  return {
    ...(display_name === undefined ? {} : { displayName: display_name }),
    ...(wallet_address === undefined ? {} : { walletAddress: wallet_address }),
    ...(country === undefined ? {} : { country }),
    ...(phone === undefined ? {} : { phone }),
    ...(language === undefined ? {} : { language }),
  };
}

export function profileView(
  email: string,
  profile: ProfileRecord,
  { areMailed }: Pick<OneTimeLinks, 'areMailed'>,
): Profile {
  const { emailVerifiedAtMs } = profile;
  return {
    user_id: profile.userId,
    email,
    email_verified_at: emailVerifiedAtMs === null ? null : isoTime(emailVerifiedAtMs),
    email_verified_at_ms: emailVerifiedAtMs,
    links_mailed: areMailed,
    display_name: profile.displayName,
    wallet_address: profile.walletAddress,
    country: profile.country,
    phone: profile.phone,
    language: locales.find((one) => one === profile.language) ?? null,
    last_login_ip: profile.lastLoginIp,
  };
}

export function sessionView(session: SessionRecord, currentId: string): OpenSession {
  const { sessionId, network, device, createdAtMs, lastSeenAtMs, expiresAtMs } = session;
  return {
    session_id: sessionId,
    is_current: sessionId === currentId,
    network,
    device,
    created_at: isoTime(createdAtMs),
    created_at_ms: createdAtMs,
    last_seen_at: isoTime(lastSeenAtMs),
    last_seen_at_ms: lastSeenAtMs,
    expires_at: isoTime(expiresAtMs),
    expires_at_ms: expiresAtMs,
  };
}
