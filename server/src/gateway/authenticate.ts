// Who is asking: the token of a request, verified once and remembered until it changes.
import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '@sibyl/lane';
import { isStopped } from '../handling/app-standing.ts';
import { isTheSame } from '../handling/app-tokens.ts';
import { nameOf } from '../handling/credentials.ts';
import { type ApiError, type Credential, fail, rejected } from '../handling/handler.ts';
import type { Restrictions } from '../handling/restriction.ts';
import type { KeyRecord, PlatformChange, PlatformStore, UserRecord } from '../ports/platform.ts';
import type { Secrets } from '../ports/secrets.ts';
import { isSigned } from '../signing/signed-head.ts';
import { keyRatesOf } from './builder-terms.ts';
import {
  concerns,
  freerAtMs,
  keepRestrictions,
  keyCredential,
  sessionCredential,
  tokenCredential,
} from './credential.ts';
import type { DeploymentQuotas } from './deployment-quotas.ts';
import { TierCeilings } from './tier-ceilings.ts';

/** Finds out what somebody is restricted in, and says when it may be something else. */
export interface Screening {
  restrictionsOf(user: UserRecord | null, tier: string): Promise<Restrictions>;
  onChange(listener: () => void): () => void;
}

/** Tokens remembered at once; the oldest is verified anew when there are more. */
const REMEMBERED_MAX = 50_000;

/** Uses are written down once a minute, not with each request. */
const TOUCH_INTERVAL_MS = 60_000;

/** A token that nobody sends any more leaves the memory. */
const REMEMBERED_MS = 15 * 60_000;

const KEY_FORM = /^(sk_(?:live|test)_[0-9A-Za-z]{16})_[0-9A-Za-z_-]{43}$/;
const TOKEN_FORM = /^(oat_[0-9A-Za-z]{16})_[0-9A-Za-z_-]{43}$/;
const SESSION_FORM = /^(ses_[0-9A-Za-z]{16})_[0-9A-Za-z_-]{43}$/;

const HMAC_HINT =
  'Signed requests are not enabled for this key: send it as Authorization: Bearer <key>.';

/** Made once: what is signed is asked for its bearer first, and an error costs what half an order does. */
export const NOT_BY_SIGNATURE = rejected('not_enabled', HMAC_HINT);

const WIDGET_HINT = 'A widget key is good for public reads alone.';

export class Authenticator {
  readonly #platform: PlatformStore;
  readonly #secrets: Secrets;
  readonly #clock: Clock;
  readonly #ceilings: TierCeilings;
  readonly #quotas: DeploymentQuotas;
  /** By the token itself, in memory alone; only what was verified gets here, so that guesses fill nothing. */
  readonly #remembered = new Map<string, Remembered>();
  /** Of keys, sessions and grants whose last use is not written down yet. */
  readonly #uses = {
    key: new Map<string, number>(),
    session: new Map<string, number>(),
    token: new Map<string, number>(),
  };
  readonly #screening: Screening | null;
  readonly #stopListening: (() => void)[];
  #stopAlarm: () => void;
  /** Rises with every change, so that what was read before one is never remembered after it. */
  #changes = 0;

  constructor(
    platform: PlatformStore,
    secrets: Secrets,
    clock: Clock,
    quotas: DeploymentQuotas,
    screening: Screening | null = null,
  ) {
    this.#platform = platform;
    this.#secrets = secrets;
    this.#clock = clock;
    this.#ceilings = TierCeilings.of(platform);
    this.#quotas = quotas;
    this.#screening = screening;
    this.#stopListening = [
      this.#ceilings.onChange(() => this.#forgetAll('key')),
      quotas.onChange(() => this.#forgetAll()),
      platform.onChange((change) => this.#forget(change)),
    ];
    if (screening !== null) this.#stopListening.push(screening.onChange(() => this.#forgetAll()));
    this.#stopAlarm = this.#scheduleTouch();
  }

  /** Null without a credential. A known token is answered at once, without a promise. */
  identify(
    headers: IncomingHttpHeaders,
    nowMs = this.#clock.wallMs(),
  ): Credential | ApiError | null | Promise<Credential | ApiError> {
    const token = tokenOf(headers);
    if (token === null || typeof token !== 'string') return token;
    const known = this.#remembered.get(token);
    return known === undefined || known.untilMs <= nowMs
      ? this.#verify(token)
      : admit(known, nowMs);
  }

  /** For a token that came in another way than as a bearer. */
  async identifyToken(token: string): Promise<Credential | ApiError> {
    const known = this.#remembered.get(token);
    const nowMs = this.#clock.wallMs();
    return known === undefined || known.untilMs <= nowMs
      ? this.#verify(token)
      : admit(known, nowMs);
  }

  /** Rises whenever something that was read of a credential may hold no longer. */
  get changes(): number {
    return this.#changes;
  }

  /** Until when what was read of a credential holds if nothing changes. */
  changesAtMs(credential: Credential): number {
    return Math.min(changesAtMs(credential), credential.expiresAtMs ?? Number.POSITIVE_INFINITY);
  }

  /** For a key that was used in another way than as a bearer. */
  noteUse(publicId: string, nowMs: number): void {
    this.#uses.key.set(publicId, nowMs);
  }

  /** Writes down when keys, sessions and grants were last used. */
  async flush(): Promise<void> {
    for (const remembered of this.#remembered.values()) this.#noteUse(remembered);
    const { key, session, token } = this.#uses;
    const [keys, sessions, grants] = [new Map(key), new Map(session), new Map(token)];
    for (const uses of [key, session, token]) uses.clear();
    await this.#platform.touchKeys(keys);
    await this.#platform.sessions.touch(sessions);
    await this.#platform.grants.touch(grants);
  }

  async close(): Promise<void> {
    this.#stopAlarm();
    for (const stop of this.#stopListening) stop();
    await this.flush();
  }

  async #verify(token: string): Promise<Credential | ApiError> {
    for (;;) {
      const changes = this.#changes;
      const credential = await this.#read(token);
      if (changes !== this.#changes) continue;
      if (credential instanceof Error) return credential;
      if (this.#remembered.size >= REMEMBERED_MAX) this.#dropOldest();
      const nowMs = this.#clock.wallMs();
      const untilMs = changesAtMs(credential);
      const remembered: Remembered = { credential, untilMs, usedAtMs: nowMs, isNoted: true };
      this.#remembered.set(ownCopy(token), remembered);
      return admit(remembered, nowMs);
    }
  }

  async #read(token: string): Promise<Credential | ApiError> {
    const keyId = KEY_FORM.exec(token)?.[1];
    if (keyId !== undefined) return this.#readKey(keyId, token);
    const sessionId = SESSION_FORM.exec(token)?.[1];
    if (sessionId !== undefined) return this.#readSession(sessionId, token);
    if (token.startsWith('pk_')) return rejected('not_enabled', WIDGET_HINT);
    if (!token.startsWith('oat_')) return rejected('unknown');
    return this.#readToken(TOKEN_FORM.exec(token)?.[1] ?? null, token);
  }

  /** An unknown id costs what a wrong secret costs, and gets the same answer. */
  async #readKey(publicId: string, token: string): Promise<Credential | ApiError> {
    const key = await this.#platform.keyById(publicId);
    const digest = this.#secrets.digest('token', `${key?.salt ?? publicId}${token}`);
    if (!this.#secrets.isEqual(digest, key?.keyHash ?? publicId) || key === null) {
      return rejected('unknown');
    }
    return this.credentialOf(key);
  }

  /** Of a key that was shown to be its holder's. */
  async credentialOf(key: KeyRecord): Promise<Credential | ApiError> {
    if (key.revokedAtMs !== null) return rejected('revoked');
    const nowMs = this.#clock.wallMs();
    if (key.expiresAtMs !== null && key.expiresAtMs <= nowMs) return rejected('expired');
    const rates = await keyRatesOf(this.#platform, key, nowMs);
    const credential = keyCredential(key, rates, this.#quotas.of('key', nowMs));
    if (this.#screening === null || key.userId === null) return credential;
    const user = await this.#platform.userById(key.userId);
    return keepRestrictions(credential, await this.#screening.restrictionsOf(user, key.tier));
  }

  /** The app first: who disabled it ended its grants as well, and that is what its users want to know. */
  async #readToken(publicId: string | null, raw: string): Promise<Credential | ApiError> {
    const { grants, apps } = this.#platform;
    const token = publicId === null ? null : await grants.tokenById(publicId);
    const isKnown = isTheSame(this.#secrets, token, raw) && token?.kind === 'access';
    const grant = isKnown ? await grants.grantById(token.grantId) : null;
    if (!isKnown || grant === null || grant.appId === null) return fail('TOKEN_INVALID');
    const { appId } = grant;
    const app = await apps.appById(appId);
    if (app === null || isStopped(app, grant.userId, grant.lane)) return fail('APP_DISABLED');
    if (grant.revokedAtMs !== null || token.revokedAtMs !== null) return fail('TOKEN_REVOKED');
    const user = await this.#platform.userById(grant.userId);
    if (user === null) return fail('TOKEN_REVOKED');
    const quotas = this.#quotas.of('key', this.#clock.wallMs());
    const credential = tokenCredential(token, grant, app, user, quotas);
    if (this.#screening === null) return credential;
    return keepRestrictions(credential, await this.#screening.restrictionsOf(user, user.tier));
  }

  async #readSession(sessionId: string, token: string): Promise<Credential | ApiError> {
    const session = await this.#platform.sessionById(sessionId);
    const digest = this.#secrets.digest('token', token);
    if (!this.#secrets.isEqual(digest, session?.tokenHash ?? sessionId) || session === null) {
      return rejected('unknown');
    }
    if (session.endedAtMs !== null) return rejected('revoked');
    const user = await this.#platform.userById(session.userId);
    if (user === null) return rejected('unknown');
    const quotas = this.#quotas.of('session', this.#clock.wallMs());
    const credential = sessionCredential(session, user, quotas);
    if (this.#screening === null) return credential;
    return keepRestrictions(credential, await this.#screening.restrictionsOf(user, user.tier));
  }

  /** Changes are rare and the memory is bounded, so all of it is searched. */
  #forget(change: PlatformChange): void {
    this.#changes += 1;
    for (const [token, remembered] of this.#remembered) {
      if (concerns(change, remembered.credential)) this.#drop(token, remembered);
    }
  }

  /** Other rules hold, or other limits of tiers: all are looked at again, or all keys. */
  #forgetAll(only?: Credential['kind']): void {
    this.#changes += 1;
    for (const [token, remembered] of this.#remembered) {
      if (only === undefined || remembered.credential.kind === only) this.#drop(token, remembered);
    }
  }

  #dropOldest(): void {
    for (const [token, remembered] of this.#remembered) {
      this.#drop(token, remembered);
      return;
    }
  }

  #dropUnused(): void {
    const latestMs = this.#clock.wallMs() - REMEMBERED_MS;
    for (const [token, remembered] of this.#remembered) {
      if (remembered.usedAtMs < latestMs) this.#drop(token, remembered);
    }
  }

  #drop(token: string, remembered: Remembered): void {
    this.#noteUse(remembered);
    this.#remembered.delete(token);
  }

  #noteUse(remembered: Remembered): void {
    const { credential, usedAtMs, isNoted } = remembered;
    if (isNoted) return;
    remembered.isNoted = true;
    const name = credential.kind === 'token' ? credential.grantId : nameOf(credential);
    const uses = this.#uses[credential.kind];
    uses.set(name, Math.max(uses.get(name) ?? 0, usedAtMs));
  }

  #scheduleTouch(): () => void {
    return this.#clock.setAlarm(TOUCH_INTERVAL_MS, () => {
      this.#stopAlarm = this.#scheduleTouch();
      this.#dropUnused();
      // A use that is not written down is no loss worth failing for: the next one is.
      this.flush().catch(() => undefined);
    });
  }
}

interface Remembered {
  readonly credential: Credential;
  /** Until then nothing that was announced has come to hold since it was read. */
  readonly untilMs: number;
  usedAtMs: number;
  /** Nothing is left to be written down. */
  isNoted: boolean;
}

/** The next time at which an announced change takes effect, or a load test or a restriction ends; infinite without one. */
function changesAtMs(credential: Credential): number {
  const untilMs = Math.min(credential.quotas.untilMs, freerAtMs(credential));
  if (credential.kind !== 'key') return untilMs;
  const { notice, ratesUntilMs } = credential;
  return Math.min(untilMs, ratesUntilMs, notice?.effectiveAtMs ?? Infinity);
}

function admit(remembered: Remembered, nowMs: number): Credential | ApiError {
  const { credential } = remembered;
  if (credential.expiresAtMs !== null && credential.expiresAtMs <= nowMs) {
    return credential.kind === 'token' ? fail('TOKEN_EXPIRED') : rejected('expired');
  }
  remembered.usedAtMs = nowMs;
  remembered.isNoted = false;
  return credential;
}

/** A token is cut out of its request, and would hold all of it. */
function ownCopy(token: string): string {
  return Buffer.from(token, 'latin1').toString('latin1');
}

/** The token a request carries, null if it carries none, or why it cannot be taken. */
function tokenOf(headers: IncomingHttpHeaders): string | ApiError | null {
  const bearer = bearerOf(headers.authorization);
  const apiKey = headers['x-api-key'];
  if (isSigned(headers)) return NOT_BY_SIGNATURE;
  if (apiKey === undefined) return bearer;
  if (typeof apiKey !== 'string' || !/^[sp]k_/.test(apiKey)) return rejected('malformed');
  if (bearer === null || bearer === apiKey) return apiKey;
  const hint = 'Authorization and X-Api-Key name different credentials: send one of them.';
  return rejected('malformed', hint);
}

function bearerOf(header: string | undefined): string | ApiError | null {
  if (header === undefined) return null;
  const token = header.slice(7);
  // As it is nearly always written; any other spelling is looked at more slowly.
  const isBearer = header.startsWith('Bearer ') || header.slice(0, 7).toLowerCase() === 'bearer ';
  return isBearer && token !== '' ? token : rejected('malformed');
}
