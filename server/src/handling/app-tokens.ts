// Codes and tokens of apps: how they are made and known again, how long they are good, and what is signed of a consent.
import { createHash } from 'node:crypto';
import { limits, type Scope } from '@sibyl/contract';
import { formatDecimal } from '@sibyl/money';
import type {
  CodeRecord,
  GrantRecord,
  TokenHash,
  TokenPair,
  TokenRecord,
} from '../ports/grants.ts';
import type { Random } from '../ports/random.ts';
import type { Secrets } from '../ports/secrets.ts';
import { isoTime } from './handler.ts';

type Prefix = 'oac' | 'oat' | 'ort';

export interface TokenMakers {
  readonly random: Random;
  readonly secrets: Secrets;
}

export interface FreshCode {
  readonly kept: CodeRecord;
  /** It leaves in one answer and is kept nowhere. */
  readonly raw: string;
}

export interface FreshTokens {
  readonly kept: TokenPair;
  /** They leave in one answer and are kept nowhere. */
  readonly access: string;
  readonly refresh: string;
}

const ID_LENGTH = 16;
const SALT_LENGTH = 16;
const RAW_BYTES = 32;
const FORM = /^((?:oac|oat|ort)_[0-9A-Za-z]{16})_[0-9A-Za-z_-]{43}$/;

/** The public part of a code or token, by which its record is found; null for what is none. */
export function publicPart(raw: string, prefix: Prefix): string | null {
  const id = FORM.exec(raw)?.[1] ?? null;
  return id?.startsWith(`${prefix}_`) === true ? id : null;
}

/** An unknown one costs what a wrong one costs. */
export function isTheSame(secrets: Secrets, kept: TokenHash | null, raw: string): boolean {
  const digest = secrets.digest('token', `${kept?.salt ?? 'none'}${raw}`);
  return secrets.isEqual(digest, kept?.hash ?? 'none') && kept !== null;
}

export function freshCode(
  makers: TokenMakers,
  asked: Pick<CodeRecord, 'grantId' | 'redirectUri' | 'challenge'>,
  atMs: number,
): FreshCode {
  const { raw, hash } = fresh(makers, 'oac');
  const times = { createdAtMs: atMs, expiresAtMs: atMs + limits.oauth.codeMs, consumedAtMs: null };
  return { kept: { ...hash, ...asked, ...times }, raw };
}

/** None of them outlives the grant. */
export function freshTokens(
  makers: TokenMakers,
  grantId: string,
  grantEndsMs: number,
  atMs: number,
): FreshTokens {
  const make = (prefix: Prefix, kind: TokenRecord['kind'], lastsMs: number) => {
    const { raw, hash } = fresh(makers, prefix);
    const expiresAtMs = Math.min(atMs + lastsMs, grantEndsMs);
    const times = { createdAtMs: atMs, expiresAtMs, usedAtMs: null, revokedAtMs: null };
    const kept: TokenRecord = { ...hash, kind, grantId, ...times };
    return { raw, kept };
  };
  const access = make('oat', 'access', limits.oauth.accessMs);
  const refresh = make('ort', 'refresh', limits.oauth.refreshMs);
  const kept = { access: access.kept, refresh: refresh.kept };
  return { kept, access: access.raw, refresh: refresh.raw };
}

/** How long a grant to an app lasts from its consent on, however often its tokens are renewed. */
export function lastingMs(scopes: readonly string[]): number {
  const offline: Scope = 'offline';
  return scopes.includes(offline) ? limits.oauth.offlineMs : limits.oauth.presentMs;
}

/** RFC 7636, S256 alone. */
export function answersChallenge(secrets: Secrets, verifier: string, challenge: string): boolean {
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return false;
  const digest = createHash('sha256').update(verifier).digest('base64url');
  return secrets.isEqual(digest, challenge);
}

type Consented = Omit<GrantRecord, 'text' | 'signature'>;

/** What was agreed to, line by line; it never changes its form without another number in its first line. */
export function signedGrant(secrets: Secrets, grant: Consented, untilMs: number): GrantRecord {
  const { kind, appId, partnerId, userId, accountId, lane, scopes, createdAtMs } = grant;
  const { dailyCap, feeCapBps } = grant;
  const lines = [
    'sibyl grant 2',
    `kind: ${kind}`,
    `to: ${appId ?? partnerId}`,
    `by: ${userId}`,
    `account: ${accountId}`,
    `environment: ${lane}`,
    `scopes: ${scopes.join(' ')}`,
    `daily_cap: ${dailyCap === null ? 'none' : formatDecimal(dailyCap, USDT_PLACES)}`,
    `fee_cap_bps: ${feeCapBps}`,
    `from: ${isoTime(createdAtMs)}`,
    `until: ${isoTime(untilMs)}`,
  ];
  const text = `${lines.join('\n')}\n`;
  return { ...grant, text, signature: secrets.digest('grant', text) };
}

const USDT_PLACES = 6;

function fresh({ random, secrets }: TokenMakers, prefix: Prefix): { raw: string; hash: TokenHash } {
  const publicId = `${prefix}_${random.token(ID_LENGTH)}`;
  const raw = `${publicId}_${Buffer.from(random.bytes(RAW_BYTES)).toString('base64url')}`;
  const salt = random.token(SALT_LENGTH);
  return { raw, hash: { publicId, salt, hash: secrets.digest('token', `${salt}${raw}`) } };
}
