// What a consent asks for, checked: which app or partner, for which account, with which scopes, until when.
import {
  type InputOf,
  scopes as knownScopes,
  limits,
  type Operations,
  type Scope,
} from '@sibyl/contract';
import { isRegistered } from '../../handling/app-addresses.ts';
import { connectRefusal } from '../../handling/app-standing.ts';
import { lastingMs } from '../../handling/app-tokens.ts';
import { ApiError, fail, type LaneName } from '../../handling/handler.ts';
import { delegableScopes } from '../../handling/on-behalf.ts';
import type { AppRecord } from '../../ports/apps.ts';
import type { CodeRecord, GrantRecord } from '../../ports/grants.ts';
import type { PlatformStore, UserRecord } from '../../ports/platform.ts';
import { readMoney } from '../../wire/amounts.ts';
import { isPartner } from './partners.ts';

export type GrantInput = InputOf<Operations['createGrant']>['body'];

export interface WantedGrant {
  readonly grant: Pick<
    GrantRecord,
    'kind' | 'appId' | 'partnerId' | 'scopes' | 'dailyCap' | 'feeCapBps' | 'expiresAtMs'
  >;
  /** When it will be over at the latest, as the signed text says. */
  readonly untilMs: number;
  /** Null for a delegation. */
  readonly app: AppRecord | null;
  /** What the code is bound to; null for a delegation. */
  readonly code: Pick<CodeRecord, 'redirectUri' | 'challenge'> | null;
}

export interface Asking {
  readonly user: UserRecord;
  readonly lane: LaneName;
  readonly nowMs: number;
}

type Platform = Pick<PlatformStore, 'apps' | 'keysOf' | 'userById'>;

export async function wantedGrant(
  platform: Platform,
  input: GrantInput,
  asking: Asking,
): Promise<WantedGrant | ApiError> {
  const misplaced = misplacedField(input);
  if (misplaced !== null) return misplaced;
  const { daily_cap: cap } = input;
  const dailyCap = cap === undefined ? null : readMoney(cap, 'daily_cap');
  if (dailyCap instanceof ApiError) return dailyCap;
  const kept = { dailyCap };
  return input.kind === 'oauth'
    ? wantedByApp(platform, input, kept, asking)
    : wantedByPartner(platform, input, kept, asking);
}

const OF_APPS = ['client_id', 'redirect_uri', 'code_challenge'] as const;
const OF_PARTNERS = ['partner_id', 'expires_at_ms'] as const;

/** Each kind has fields of its own: all of them, and none of the other's. */
function misplacedField(input: GrantInput): ApiError | null {
  const [own, foreign] = input.kind === 'oauth' ? [OF_APPS, OF_PARTNERS] : [OF_PARTNERS, OF_APPS];
  const extra = foreign.find((field) => input[field] !== undefined);
  if (extra !== undefined) {
    return fail('VALIDATION_FAILED', { field: extra, expected: `nothing with kind ${input.kind}` });
  }
  const missing = own.find((field) => input[field] === undefined);
  return missing === undefined ? null : fail('MISSING_FIELD', { field: missing });
}

type Kept = Pick<GrantRecord, 'dailyCap'>;

async function wantedByApp(
  { apps }: Platform,
  input: GrantInput,
  kept: Kept,
  { user, lane, nowMs }: Asking,
): Promise<WantedGrant | ApiError> {
  const {
    client_id: appId = '',
    redirect_uri: redirectUri = '',
    code_challenge: challenge = '',
  } = input;
  const app = await apps.appById(appId);
  if (app === null) return fail('NOT_FOUND', { client_id: appId });
  const refused = connectRefusal(app, user.userId, lane);
  if (refused !== null) return refused;
  if (!isRegistered(app.redirectUris, redirectUri)) {
    return fail('REDIRECT_URI_MISMATCH', undefined, UNREGISTERED);
  }
  const scopes = inOrder(input.scopes);
  const beyond = input.scopes.filter((scope) => !app.allowedScopes.includes(scope));
  if (beyond.length > 0 || scopes.length < input.scopes.length) {
    return fail('SCOPE_NOT_ALLOWED', { scopes: beyond });
  }
  const expiresAtMs = nowMs + limits.oauth.codeMs;
  const feeCapBps = scopes.includes(TRADE) ? app.feeCapBps : 0;
  return {
    grant: { kind: 'oauth', appId, partnerId: null, scopes, feeCapBps, expiresAtMs, ...kept },
    untilMs: nowMs + lastingMs(scopes),
    app,
    code: { redirectUri, challenge },
  };
}

/** Whoever does not allow to trade is told of no fee, and agrees to none. */
const TRADE: Scope = 'orders:trade';
const UNREGISTERED = 'The app has not registered this redirect_uri.';

async function wantedByPartner(
  platform: Platform,
  input: GrantInput,
  kept: Kept,
  { user, nowMs }: Asking,
): Promise<WantedGrant | ApiError> {
  const { partner_id: partnerId = '', expires_at_ms: expiresAtMs = 0 } = input;
  const partner = partnerId === user.userId ? null : await platform.userById(partnerId);
  if (partner === null || partner.isDemo) return fail('NOT_FOUND', { partner_id: partnerId });
  if (!(await isPartner(platform, partner))) {
    return fail('VALIDATION_FAILED', { field: 'partner_id', expected: PARTNER }, NO_PARTNER);
  }
  const beyond = input.scopes.filter((scope) => !delegableScopes.includes(scope));
  if (beyond.length > 0) {
    const message = `A delegation is for ${delegableScopes.join(', ')}: nothing else is done on behalf of others.`;
    return fail('SCOPE_NOT_ALLOWED', { scopes: beyond, allowed: delegableScopes }, message);
  }
  const scopes = inOrder(input.scopes);
  const lastMs = nowMs + limits.oauth.delegationMaxMs;
  if (expiresAtMs <= nowMs || expiresAtMs > lastMs) {
    const days = limits.oauth.delegationMaxMs / DAY_MS;
    const expected = `a time from now on, at most ${days} days ahead`;
    return fail('VALIDATION_FAILED', { field: 'expires_at_ms', expected });
  }
  return {
    grant: {
      kind: 'delegation',
      appId: null,
      partnerId,
      scopes,
      feeCapBps: 0,
      expiresAtMs,
      ...kept,
    },
    untilMs: expiresAtMs,
    app: null,
    code: null,
  };
}

const DAY_MS = 86_400_000;
const PARTNER = 'a partner: somebody whom operators approved as partner or institution';
const NO_PARTNER = 'This is nobody whom operators approved as partner or institution.';

/** As the contract lists them, each once; what it does not know is left out. */
function inOrder(asked: readonly string[]): readonly string[] {
  return Object.keys(knownScopes).filter((scope) => asked.includes(scope));
}
