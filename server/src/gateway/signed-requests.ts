// Signed requests: who is named is found by the head, what is signed is checked once the body is there, and a nonce is spent last.
import { type AnyOperation, limits } from '@sibyl/contract';
import type { Clock } from '@sibyl/lane';
import { ApiError, type Credential, fail, rejected } from '../handling/handler.ts';
import { type SpentNonce, spelledNonce } from '../handling/journaled-request.ts';
import type { PlatformStore } from '../ports/platform.ts';
import { type Canonical, canonicalHash, canonicalOf, isSignedBy } from '../signing/canonical.ts';
import { NONCE_KEPT_MS } from '../signing/nonce-book.ts';
import {
  isKeyId,
  isWholeKey,
  keyNamedIn,
  type SignedHead,
  signatureFault,
  signedHeadOf,
} from '../signing/signed-head.ts';
import type { SigningSecrets } from '../signing/signing-secrets.ts';
import { type Authenticator, NOT_BY_SIGNATURE } from './authenticate.ts';
import { type LanesRun, resolveEnvironment } from './environment.ts';
import type { Incoming } from './exchange.ts';
import type { Route } from './gate.ts';
import { errorFields, type Log } from './log.ts';
import { type Found, type Signer, Signers } from './signers.ts';

const { windowSec } = limits.signing;

const NO_SECRET_HINT =
  'This key may sign, and has no secret yet: draw one by POST /v1/keys/{key_id}/signing-secret, and sign with that.';

const WHOLE_KEY_HINT =
  'This header takes the id of your key, sk_live_ or sk_test_ and 16 characters, not the whole key. Revoke the key if others could read this request.';

/** What is known of a signed request before its body is read. */
export interface Claim {
  readonly head: SignedHead;
  readonly signer: Signer;
  /** Once it was spent by a write; null before, and for reads. */
  spent: SpentNonce | null;
}

export class SignedRequests {
  readonly #signers: Signers;
  readonly #signing: SigningSecrets;
  readonly #clock: Clock;
  readonly #lanesRun: LanesRun;

  constructor(parts: {
    readonly signers: Signers;
    readonly signing: SigningSecrets;
    readonly clock: Clock;
    readonly lanesRun: LanesRun;
  }) {
    this.#signers = parts.signers;
    this.#signing = parts.signing;
    this.#clock = parts.clock;
    this.#lanesRun = parts.lanesRun;
  }

  /** Of a request that is signed. */
  claimOf(
    headers: Incoming['headers'],
    nowMs: number,
  ): Claim | ApiError | Promise<Claim | ApiError> {
    const named = keyNamedIn(headers);
    if (named === null) return NOT_BY_SIGNATURE;
    // Most requests name one that was named before, by its id.
    const known = this.#signers.remembered(named, nowMs);
    if (known !== null) return this.#claim(headers, named, known, nowMs);
    if (isWholeKey(named)) return rejected('malformed', WHOLE_KEY_HINT);
    if (!isKeyId(named)) return NOT_BY_SIGNATURE;
    return this.#signers.find(named).then((found) => this.#claim(headers, named, found, nowMs));
  }

  /** To whom nothing is switched on for, nothing is said of how it would be done. */
  #claim(
    headers: Incoming['headers'],
    publicId: string,
    signer: Found,
    nowMs: number,
  ): Claim | ApiError {
    if (signer === null) return NOT_BY_SIGNATURE;
    if (signer === 'without_secret') return rejected('not_enabled', NO_SECRET_HINT);
    const head = signedHeadOf(headers, publicId);
    if (head instanceof ApiError) return head;
    const nowSec = Math.floor(nowMs / 1000);
    if (Math.abs(nowSec - head.atSec) > windowSec) {
      const details = { timestamp: head.atSec, server_time: nowSec };
      return fail('TIMESTAMP_SKEW', { ...details, window_sec: windowSec });
    }
    return { head, signer, spent: null };
  }

  /** Who has signed, or why the request is refused: the signature before the nonce, so that nobody else can spend one. */
  verify(request: Incoming, { operation, address }: Route, claim: Claim): Credential | ApiError {
    const { head, signer } = claim;
    const { method, rawBody: body } = request;
    if (operation.input.body === null && body !== null && body.length > 0) return bodyUnasked();
    const path = request.originalUrl ?? request.url;
    const canonical = canonicalOf(head, { method, path, body: body ?? '' });
    const isRight =
      isSignedBy(signer.key, head, canonical) &&
      (head.variant === 'A' || this.#signing.isPassphrase(signer.record, head.passphrase));
    if (!isRight) {
      return signatureFault(request.headers, head) ?? this.#unsigned(address, signer, canonical);
    }
    const { credential } = signer;
    if (credential instanceof ApiError) return credential;
    const isWrite = operation.method !== 'GET';
    // Nothing tells a second one apart from the first but the signature itself.
    const nonce = head.variant === 'A' ? head.nonce : head.signature;
    if (head.variant === 'B' && !isWrite) return credential;
    if (head.variant === 'B' && request.headers['idempotency-key'] === undefined) {
      return keyNeeded();
    }
    const spending = this.#signing.nonces.spend(signer.spender, nonce, this.#clock.monotonicMs());
    if (spending === 'reused') return sentBefore(head);
    if (spending === 'too_many') return tooManyNonces(operation);
    if (isWrite) claim.spent = { publicId: signer.record.publicId, nonce };
    return credential;
  }

  /** Makes the nonce of a write durable before the write begins; false if it was spent before. */
  spend(spent: SpentNonce): Promise<boolean> {
    const nowMs = this.#clock.wallMs();
    return this.#signing.store.spendNonce(spelledNonce(spent), nowMs + NONCE_KEPT_MS, nowMs);
  }

  /** Where the money is fake, the hash tells a developer whether both have signed the same text. */
  #unsigned(address: Route['address'], signer: Signer, canonical: Canonical): ApiError {
    const { credential } = signer;
    const known = credential instanceof ApiError ? null : credential;
    const environment = resolveEnvironment(this.#lanesRun, address, known);
    const isSandbox = environment.ok && environment.lane === 'sandbox';
    return isSandbox
      ? fail('SIGNATURE_INVALID', { canonical_hash: canonicalHash(canonical) })
      : fail('SIGNATURE_INVALID');
  }
}

/** Null where nothing was said of signing. */
export function signedRequestsOf(
  parts: {
    readonly platform: PlatformStore;
    readonly clock: Clock;
    readonly log: Log;
    readonly signing?: SigningSecrets;
  },
  authenticator: Authenticator,
  lanesRun: LanesRun,
): SignedRequests | null {
  const { platform, clock, log, signing } = parts;
  if (signing === undefined) return null;
  const failed = (error: unknown): void =>
    log.write('error', 'a signing secret could not be opened', { error: errorFields(error) });
  const signers = new Signers({ platform, signing, authenticator, clock, failed });
  return new SignedRequests({ signers, signing, clock, lanesRun });
}

/** Whose nonce the journal keeps with the one command that the request becomes. */
export const CARRIED: ReadonlySet<string> = new Set([
  'placeOrder',
  'amendOrder',
  'cancelOrder',
  'batchOrders',
]);

/** What variant B signs of a path and a body it signs of a longer path too: moved into a body, its end would name another order. */
export function bodyUnasked(): ApiError {
  const message = 'This operation takes no body. Its parameters belong in the path and the query.';
  return fail('VALIDATION_FAILED', { field: 'body', expected: 'nothing' }, message);
}

function keyNeeded(): ApiError {
  const message =
    'A write that is signed by variant B needs an Idempotency-Key, for it has no nonce: send one, or sign by variant A.';
  return fail('IDEMPOTENCY_KEY_MISSING', undefined, message);
}

function tooManyNonces({ rate }: AnyOperation): ApiError {
  const waitSec = NONCE_KEPT_MS / 1000;
  return new ApiError('RATE_LIMITED', {
    message: 'Too many signed requests with this key.',
    details: { category: rate, scope: 'key', retry_after_sec: waitSec },
    headers: { 'retry-after': String(waitSec) },
  });
}

/** Variant B has no nonce of which it could be said. */
export function sentBefore({ variant }: SignedHead): ApiError {
  const message = variant === 'A' ? undefined : 'This signed request was sent before.';
  return fail('NONCE_REUSED', undefined, message);
}
