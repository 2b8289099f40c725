import { limits } from '@sibyl/contract';
import { asAccountId } from '@sibyl/engine';
import { describe, expect, it } from 'vitest';
import type { Credential, KeyCredential, LaneName } from '../handling/handler.ts';
import { type LanesRun, resolveEnvironment } from './environment.ts';

const holder = {
  holderId: 'usr_1',
  userId: 'usr_1',
  accounts: { live: asAccountId('acc_1'), sandbox: asAccountId('acc_2') },
  permissions: ['read'],
  expiresAtMs: null,
  quotas: { perMinute: limits.rate.perMinute.key, announced: [], untilMs: Infinity },
} as const;

const session: Credential = {
  ...holder,
  kind: 'session',
  sessionId: 'ses_1',
  expiresAtMs: 1,
  rateMultiplier: 1,
  userTier: 'self_serve',
  isDemo: false,
  createdAtMs: 0,
  steppedUpAtMs: null,
};

function key(tier: KeyCredential['tier'], mintedAt: LaneName, bornSelfServe: boolean): Credential {
  const publicId = 'sk_live_0123456789abcdef';
  const more = { rateMultiplier: 1, isSteppedUp: false, allowedNetworks: [], partnerScopes: [] };
  const limited = {
    tierLimits: limits.tiers[tier],
    notice: null,
    ratesUntilMs: Infinity,
    isUncapped: false,
    builder: null,
  };
  return { ...holder, kind: 'key', publicId, tier, mintedAt, bornSelfServe, ...limited, ...more };
}

const credentials = {
  none: null,
  session,
  'demo session': { ...session, isDemo: true },
  'self_serve key': key('self_serve', 'live', true),
  'read_live key': key('read_live', 'live', false),
  'trade_full key': key('trade_full', 'live', false),
  'graduated key': key('read_live', 'live', true),
  'sandbox key': key('self_serve', 'sandbox', false),
  'sandbox key of a read_live user': key('read_live', 'sandbox', false),
} as const;

/** The table of interface.md section 1, written as `lane/fills` or `!credential/requested`. */
const TABLE: readonly [keyof typeof credentials, LanesRun, string, string][] = [
  ['none', 'both', 'live/hybrid', 'sandbox/hybrid'],
  ['session', 'both', 'live/hybrid', 'sandbox/hybrid'],
  ['demo session', 'both', '!sandbox/live', 'sandbox/hybrid'],
  ['self_serve key', 'both', 'sandbox/mid', 'sandbox/mid'],
  ['read_live key', 'both', 'live/hybrid', '!live/sandbox'],
  ['trade_full key', 'both', 'live/hybrid', '!live/sandbox'],
  ['graduated key', 'both', 'live/hybrid', 'sandbox/mid'],
  ['sandbox key', 'both', '!sandbox/live', 'sandbox/hybrid'],
  ['sandbox key of a read_live user', 'both', '!sandbox/live', 'sandbox/hybrid'],
  ['none', 'live', 'live/hybrid', 'live/hybrid'],
  ['session', 'live', 'live/hybrid', 'live/hybrid'],
  ['demo session', 'live', '!sandbox/live', '!sandbox/live'],
  ['self_serve key', 'live', '!sandbox/live', '!sandbox/live'],
  ['read_live key', 'live', 'live/hybrid', 'live/hybrid'],
  ['graduated key', 'live', 'live/hybrid', 'live/hybrid'],
  ['sandbox key', 'live', '!sandbox/live', '!sandbox/live'],
  ['none', 'sandbox', 'sandbox/hybrid', 'sandbox/hybrid'],
  ['session', 'sandbox', 'sandbox/hybrid', 'sandbox/hybrid'],
  ['demo session', 'sandbox', 'sandbox/hybrid', 'sandbox/hybrid'],
  ['self_serve key', 'sandbox', 'sandbox/mid', 'sandbox/mid'],
  ['read_live key', 'sandbox', '!live/sandbox', '!live/sandbox'],
  ['graduated key', 'sandbox', 'sandbox/mid', 'sandbox/mid'],
  ['sandbox key', 'sandbox', 'sandbox/hybrid', 'sandbox/hybrid'],
];

describe('which lane a request reaches', () => {
  it.each(TABLE)(
    '[IF1] %s with lanes %s: %s at the base, %s at the sandbox',
    (name, lanes, base, sandbox) => {
      expect(shown(lanes, 'live', credentials[name])).toBe(base);
      expect(shown(lanes, 'sandbox', credentials[name])).toBe(sandbox);
    },
  );
});

function shown(lanes: LanesRun, address: LaneName, credential: Credential | null): string {
  const environment = resolveEnvironment(lanes, address, credential);
  return environment.ok
    ? `${environment.lane}/${environment.execution}`
    : `!${environment.credential}/${environment.requested}`;
}
