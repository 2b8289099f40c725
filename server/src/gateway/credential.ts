// Records of keys, sessions and tokens as credentials, with what they may do in each lane.
import {
  limits,
  type Permission,
  permissions,
  type RateCategory,
  rateCategories,
  type Tier,
} from '@sibyl/contract';
import { asAccountId, type TierCaps } from '@sibyl/engine';
import { assert, parseMoney, type Usdt } from '@sibyl/money';
import { scopesInForce } from '../handling/app-standing.ts';
import { termsOf } from '../handling/grant-terms.ts';
import type {
  Credential,
  KeyCredential,
  LaneName,
  SessionCredential,
  TokenCredential,
} from '../handling/handler.ts';
import type { AnnouncedLimits, Quotas } from '../handling/quotas.ts';
import type { Restriction, Restrictions } from '../handling/restriction.ts';
import type { AppRecord } from '../ports/apps.ts';
import type { GrantRecord, TokenRecord } from '../ports/grants.ts';
import type { KeyRecord, PlatformChange, SessionRecord, UserRecord } from '../ports/platform.ts';
import { tierOf } from '../wire/known-tier.ts';
import { ownBuilder } from '../wire/own-builder.ts';
import type { KeyRates } from './builder-terms.ts';
import { type NoticeHeaders, noticeHeaders, noticesInOrder } from './limit-notices.ts';
import type { Counted } from './rate-limit.ts';

/** `terms` are those of its tier and its builder, `quotas` those of all keys. */
export function keyCredential(key: KeyRecord, terms: KeyRates, quotas: Quotas): KeyCredential {
  const { limits: tierLimits, pending, ratesUntilMs, isUncapped, isBuilders } = terms;
  return Object.freeze({
    kind: 'key',
    publicId: key.publicId,
    holderId: key.holderId,
    userId: key.userId,
    accounts: accountsOf(key.accounts),
    permissions: permissions.filter((permission) => key.permissions.includes(permission)),
    expiresAtMs: key.expiresAtMs,
    tier: tierOf(key.tier),
    rateMultiplier: key.rateMultiplier,
    mintedAt: key.mintedAt,
    bornSelfServe: key.bornSelfServe,
    isSteppedUp: key.isSteppedUp,
    allowedNetworks: key.allowedNetworks,
    partnerScopes: key.partnerScopes,
    tierLimits,
    notice: pending,
    ratesUntilMs,
    isUncapped,
    builder: isBuilders && key.userId !== null ? ownBuilder(key.userId) : null,
    quotas,
  });
}

export function sessionCredential(
  session: SessionRecord,
  user: UserRecord,
  quotas: Quotas,
): SessionCredential {
  return Object.freeze({
    kind: 'session',
    sessionId: session.sessionId,
    holderId: user.userId,
    userId: user.userId,
    accounts: accountsOf(user.accounts),
    permissions: user.isDemo ? DEMO_PERMISSIONS : permissions,
    createdAtMs: session.createdAtMs,
    expiresAtMs: session.expiresAtMs,
    rateMultiplier: user.rateMultiplier,
    userTier: tierOf(user.tier),
    isDemo: user.isDemo,
    steppedUpAtMs: session.steppedUpAtMs,
    quotas,
  });
}

/** A grant to an app, and one of its tokens; `quotas` are those of keys. */
export function tokenCredential(
  token: TokenRecord,
  grant: GrantRecord,
  app: Pick<AppRecord, 'appId' | 'builderFeeBps' | 'feeCapBps' | 'allowedScopes' | 'ownerId'>,
  user: UserRecord,
  quotas: Quotas,
): TokenCredential {
  const { grantId, accountId, lane } = grant;
  const scopes = scopesInForce(grant, app);
  const { appId } = app;
  // Both may ask for less, and neither for more than the user agreed to.
  const capBps = Math.min(app.feeCapBps, grant.feeCapBps);
  const feeBps = Math.min(app.builderFeeBps, capBps);
  const isBound = accountId.startsWith('sub_');
  return Object.freeze({
    kind: 'token',
    publicId: token.publicId,
    grantId,
    appId,
    holderId: user.userId,
    userId: user.userId,
    // One that was given for a subaccount has no other account, in no lane.
    accounts: accountsOf(isBound ? { live: accountId, sandbox: accountId } : user.accounts),
    permissions: permissions.filter((permission) => hasPermission(scopes, permission)),
    expiresAtMs: Math.min(token.expiresAtMs, grant.expiresAtMs),
    lane,
    scopes,
    terms: termsOf(grant),
    builder: Object.freeze({ appId, feeBps, capBps, isOwn: app.ownerId === user.userId }),
    quotas,
  });
}

/** Operations ask for scopes; this is for what asks neither by operation nor by scope. */
function hasPermission(scopes: readonly string[], permission: Permission): boolean {
  if (permission === 'read') return scopes.includes('account:read');
  return permission === 'trade' && scopes.includes('orders:trade');
}

/** There is nothing to withdraw. */
const DEMO_PERMISSIONS: readonly Permission[] = ['read', 'trade'];

/** What holders are restricted in; who is not here is free. */
const heldBack = new WeakMap<Credential, Restrictions>();

export function keepRestrictions(credential: Credential, restrictions: Restrictions): Credential {
  heldBack.set(credential, restrictions);
  return credential;
}

/** When the first of its restrictions ends by itself. */
export function freerAtMs(credential: Credential): number {
  const { live = [], sandbox = [] } = heldBack.get(credential) ?? {};
  return Math.min(...[...live, ...sandbox].map(({ untilMs = Infinity }) => untilMs));
}

/** What a credential may do in one lane, worked out once and not with each request. */
export interface Grant {
  readonly credential: Credential;
  readonly permissions: readonly Permission[];
  readonly tier: Tier | null;
  readonly caps: TierCaps | null;
  /** What compliance forbids the holder in the lane; null if nothing, so that most requests read one field. */
  readonly restrictions: readonly Restriction[] | null;
  /** Whom the rate limiter counts. */
  readonly counted: Counted;
  /** What limits are multiplied with: of the tier, times what the operator granted. */
  readonly multiplier: number;
  /** By contract: reads and account reads have no limit. */
  readonly isUncapped: boolean;
  /** Requests per minute. */
  readonly perMinute: Readonly<Record<RateCategory, number>>;
  /** Headers of answers while lower limits are announced. */
  readonly notices: NoticeHeaders;
  /** What those limits are, the next first. */
  readonly announced: readonly AnnouncedLimits[];
}

const grants = new WeakMap<Credential, Partial<Record<LaneName, Grant>>>();

export function grantOf(credential: Credential, lane: LaneName): Grant {
  let known = grants.get(credential);
  if (known === undefined) {
    known = {};
    grants.set(credential, known);
  }
  known[lane] ??= workOut(credential, lane);
  return known[lane];
}

function restrictionsOf(credential: Credential, lane: LaneName): readonly Restriction[] | null {
  const restrictions = heldBack.get(credential)?.[lane] ?? [];
  return restrictions.length === 0 ? null : restrictions;
}

function workOut(credential: Credential, lane: LaneName): Grant {
  const base = {
    credential,
    permissions: credential.permissions,
    restrictions: restrictionsOf(credential, lane),
  };
  switch (credential.kind) {
    case 'session':
      return { ...base, ...ofSession(credential, lane) };
    case 'key':
      return { ...base, ...ofKey(credential, lane) };
    case 'token':
      return { ...base, ...ofToken(credential, lane) };
  }
}

type Worked = Omit<Grant, 'credential' | 'permissions' | 'restrictions'>;

function ofSession({ userId, rateMultiplier, quotas }: SessionCredential, lane: LaneName): Worked {
  const counted = { scope: 'session', caller: `user:${lane}:${userId}`, account: null } as const;
  return withoutTier(counted, quotas, rateMultiplier);
}

/** Counted like a key, and with those of its holder. */
function ofToken({ grantId, holderId, quotas }: TokenCredential, lane: LaneName): Worked {
  const account = `account:${lane}:${holderId}`;
  const counted = { scope: 'key', caller: `token:${lane}:${grantId}`, account } as const;
  return withoutTier(counted, quotas, 1);
}

function withoutTier(counted: Counted, quotas: Quotas, multiplier: number): Worked {
  const { announced } = quotas;
  return {
    tier: null,
    caps: null,
    counted,
    multiplier,
    isUncapped: false,
    perMinute: scaled(quotas.perMinute, multiplier),
    notices: noticeHeaders(announced),
    announced: noticesInOrder(announced).map((notice) => ({
      announcedAtMs: notice.announcedAtMs,
      effectiveAtMs: notice.effectiveAtMs,
      caps: null,
      perMinute: scaled(quotasAt(quotas, notice.effectiveAtMs), multiplier),
    })),
  };
}

function ofKey(key: KeyCredential, lane: LaneName): Worked {
  const { publicId, holderId, tier, tierLimits, quotas } = key;
  const multiplier = tierLimits.rateMultiplier * key.rateMultiplier;
  const notice = noticeIn(key, lane);
  const all = noticesInOrder([...quotas.announced, ...(notice === null ? [] : [notice])]);
  return {
    tier,
    caps: capsOf(key, lane, tierLimits),
    counted: {
      scope: 'key',
      caller: `key:${lane}:${publicId}`,
      account: `account:${lane}:${holderId}`,
    },
    multiplier,
    isUncapped: key.isUncapped,
    perMinute: scaled(quotas.perMinute, multiplier),
    notices: noticeHeaders(quotas.announced, notice),
    announced: all.map(({ announcedAtMs, effectiveAtMs }) => {
      const isHeld = notice !== null && notice.effectiveAtMs <= effectiveAtMs;
      const inForce = isHeld ? notice : tierLimits;
      const times = inForce.rateMultiplier * key.rateMultiplier;
      return {
        announcedAtMs,
        effectiveAtMs,
        caps: capsOf(key, lane, inForce),
        perMinute: scaled(quotasAt(quotas, effectiveAtMs), times),
      };
    }),
  };
}

/** In the sandbox no cap of a tier counts, only how often it may ask. */
function noticeIn({ notice, tierLimits }: KeyCredential, lane: LaneName): KeyCredential['notice'] {
  if (notice === null || lane === 'live') return notice;
  return notice.rateMultiplier < tierLimits.rateMultiplier ? notice : null;
}

function quotasAt({ perMinute, announced }: Quotas, atMs: number): Quotas['perMinute'] {
  const lower = announced.filter(({ effectiveAtMs }) => effectiveAtMs <= atMs);
  const changed = lower.map((quota) => [quota.category, quota.perMinute]);
  return { ...perMinute, ...Object.fromEntries(changed) };
}

type Caps = Pick<KeyCredential['tierLimits'], 'orderNotionalMax' | 'dailyNotionalMax'>;

/** Fake money needs no caps, but a self_serve key keeps those it learned to trade with. */
function capsOf(key: KeyCredential, lane: LaneName, tierLimits: Caps): TierCaps | null {
  if (key.mintedAt === 'sandbox') return null;
  const tier = lane === 'sandbox' ? 'self_serve' : key.tier;
  const ofTier = lane === 'sandbox' ? limits.tiers.self_serve : tierLimits;
  const { orderNotionalMax, dailyNotionalMax } = ofTier;
  if (orderNotionalMax === null && dailyNotionalMax === null) return null;
  return {
    tier,
    keyId: key.publicId,
    orderMax: usdtOf(orderNotionalMax),
    dayMax: usdtOf(dailyNotionalMax),
  };
}

function usdtOf(text: string | null): Usdt | null {
  if (text === null) return null;
  const parsed = parseMoney(text, 'USDT');
  assert(parsed.ok, `a cap that is no amount: ${text}`);
  return parsed.value;
}

function scaled(
  perMinute: Readonly<Record<RateCategory, number>>,
  multiplier: number,
): Readonly<Record<RateCategory, number>> {
  if (multiplier === 1) return perMinute;
  const entries = rateCategories.map((category) => [category, perMinute[category] * multiplier]);
  return Object.fromEntries(entries);
}

function accountsOf(ids: Readonly<Record<LaneName, string>>): KeyCredential['accounts'] {
  return Object.freeze({ live: asAccountId(ids.live), sandbox: asAccountId(ids.sandbox) });
}

/** Whether the change is one of the credential itself or of whose it is. */
export function concerns(change: PlatformChange, credential: Credential): boolean {
  switch (change.kind) {
    case 'key':
      return credential.kind === 'key' && credential.publicId === change.publicId;
    case 'session':
      return credential.kind === 'session' && credential.sessionId === change.sessionId;
    case 'user':
      return credential.userId === change.userId;
    case 'app':
      return credential.kind === 'token' && credential.appId === change.appId;
    case 'grant':
      return credential.kind === 'token' && credential.grantId === change.grantId;
  }
}
