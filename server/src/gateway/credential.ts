// Records of keys and sessions as credentials, with what they may do in each lane.
import {
  limits,
  type Permission,
  permissions,
  type RateCategory,
  rateCategories,
  type Tier,
  tiers,
} from '@sibyl/contract';
import { asAccountId, type TierCaps } from '@sibyl/engine';
import { assert, parseMoney, type Usdt } from '@sibyl/money';
import type {
  Credential,
  KeyCredential,
  LaneName,
  SessionCredential,
} from '../handling/handler.ts';
import type { KeyRecord, SessionRecord, UserRecord } from '../ports/platform.ts';
import type { Counted } from './rate-limit.ts';

export function keyCredential(key: KeyRecord): KeyCredential {
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
  });
}

export function sessionCredential(session: SessionRecord, user: UserRecord): SessionCredential {
  return Object.freeze({
    kind: 'session',
    sessionId: session.sessionId,
    holderId: user.userId,
    userId: user.userId,
    accounts: accountsOf(user.accounts),
    permissions: user.isDemo ? DEMO_PERMISSIONS : permissions,
    expiresAtMs: session.expiresAtMs,
    rateMultiplier: user.rateMultiplier,
    isDemo: user.isDemo,
  });
}

/** There is nothing to withdraw. */
const DEMO_PERMISSIONS: readonly Permission[] = ['read', 'trade'];

/** What a credential may do in one lane, worked out once and not with each request. */
export interface Grant {
  readonly credential: Credential;
  readonly permissions: readonly Permission[];
  readonly tier: Tier | null;
  readonly caps: TierCaps | null;
  /** Whom the rate limiter counts. */
  readonly counted: Counted;
  /** What limits are multiplied with: of the tier, times what the operator granted. */
  readonly multiplier: number;
  /** Requests per minute before the multiplier of the deployment. */
  readonly perMinute: Readonly<Record<RateCategory, number>>;
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

function workOut(credential: Credential, lane: LaneName): Grant {
  const { permissions: granted } = credential;
  if (credential.kind === 'session') {
    const caller = `user:${lane}:${credential.userId}`;
    const counted: Counted = { scope: 'session', caller, account: null };
    return {
      credential,
      permissions: granted,
      tier: null,
      caps: null,
      counted,
      multiplier: credential.rateMultiplier,
      perMinute: scaled(limits.rate.perMinute.session, credential.rateMultiplier),
    };
  }
  const { publicId, holderId, tier } = credential;
  const multiplier = limits.tiers[tier].rateMultiplier * credential.rateMultiplier;
  return {
    credential,
    permissions: granted,
    tier,
    caps: capsOf(credential, lane),
    counted: {
      scope: 'key',
      caller: `key:${lane}:${publicId}`,
      account: `account:${lane}:${holderId}`,
    },
    multiplier,
    perMinute: scaled(limits.rate.perMinute.key, multiplier),
  };
}

/** Fake money needs no caps, but a self_serve key keeps those it learned to trade with. */
function capsOf(key: KeyCredential, lane: LaneName): TierCaps | null {
  if (key.mintedAt === 'sandbox') return null;
  const tier = lane === 'sandbox' ? 'self_serve' : key.tier;
  const { orderNotionalMax, dailyNotionalMax } = limits.tiers[tier];
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

function tierOf(text: string): Tier {
  const tier = tiers.find((known) => known === text);
  assert(tier !== undefined, `a key of tier ${text}`);
  return tier;
}

function accountsOf(ids: Readonly<Record<LaneName, string>>): KeyCredential['accounts'] {
  return Object.freeze({ live: asAccountId(ids.live), sandbox: asAccountId(ids.sandbox) });
}
