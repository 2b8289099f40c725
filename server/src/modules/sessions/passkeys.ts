// Passkeys as WebAuthn has them: what a browser is told, and whether what it answers can be believed.
import type { Passkey } from '@sibyl/contract';
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { isoTime, type RequestContext } from '../../handling/handler.ts';
import type { PasskeyRecord } from '../../ports/factors.ts';
import type { PlatformStore, UserRecord } from '../../ports/platform.ts';
import { type ChallengeParts, Challenges } from './challenges.ts';

export interface PasskeyParts extends ChallengeParts {
  readonly platform: PlatformStore;
  readonly publicUrl: string | null;
}

type Json = Readonly<Record<string, unknown>>;

const ID_LENGTH = 16;
const PROOF = 'proof';
/** EdDSA, ES256 and RS256 by their numbers in COSE. */
const ALGORITHMS = [-8, -7, -257];

export class Passkeys {
  readonly #parts: PasskeyParts;
  readonly #challenges: Challenges;
  /** Passkeys are of a name, never of an address: on this machine it is localhost. */
  readonly #site: string;

  constructor(parts: PasskeyParts) {
    this.#parts = parts;
    this.#challenges = new Challenges(parts);
    this.#site = parts.publicUrl === null ? 'localhost' : new URL(parts.publicUrl).hostname;
  }

  /** What a browser needs to make one for the user; it must be found without a name, and ask who holds it. */
  async creation({ userId, email, displayName }: UserRecord): Promise<Record<string, unknown>> {
    const known = await this.#parts.platform.factors.passkeysOf(userId);
    const options = await generateRegistrationOptions({
      rpName: 'Sibyl',
      rpID: this.#site,
      userID: new TextEncoder().encode(userId),
      userName: email,
      userDisplayName: displayName ?? email,
      challenge: new TextEncoder().encode(this.#challenges.issue(creationOf(userId))),
      supportedAlgorithmIDs: ALGORITHMS,
      attestationType: 'none',
      excludeCredentials: known.map(({ credentialId, transports }) => ({
        id: credentialId,
        transports: [...transports],
      })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    return { ...options };
  }

  /** The new record; null if the answer cannot be believed. */
  async created(
    request: RequestContext,
    userId: string,
    response: Json,
    label: string,
  ): Promise<PasskeyRecord | null> {
    const subject = creationOf(userId);
    const verified = await quietly(() =>
      verifyRegistrationResponse({
        response: response as unknown as RegistrationResponseJSON,
        expectedChallenge: (challenge) => this.#challenges.isGood(textOf(challenge), subject),
        expectedOrigin: this.#originOf(request),
        expectedRPID: this.#site,
        supportedAlgorithmIDs: ALGORITHMS,
        requireUserVerification: true,
      }),
    );
    if (verified === null || !verified.verified) return null;
    if (!(await this.#answer(response, subject))) return null;
    const { credential, credentialBackedUp } = verified.registrationInfo;
    return {
      passkeyId: `pk_${this.#parts.random.token(ID_LENGTH)}`,
      credentialId: credential.id,
      userId,
      publicKey: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      transports: (credential.transports ?? []).filter((word) => /^[a-z-]+$/.test(word)),
      isSynced: credentialBackedUp,
      label,
      createdAtMs: this.#parts.clock.wallMs(),
      lastUsedAtMs: null,
    };
  }

  async proof(): Promise<Record<string, unknown>> {
    const options = await generateAuthenticationOptions({
      rpID: this.#site,
      challenge: new TextEncoder().encode(this.#challenges.issue(PROOF)),
      userVerification: 'required',
    });
    return { ...options };
  }

  /** The passkey that has answered a challenge of ours, which is used up by it; null if none has. */
  async proved(request: RequestContext, response: Json): Promise<PasskeyRecord | null> {
    const { factors } = this.#parts.platform;
    const passkey = await factors.passkeyByCredential(String(response.id));
    if (passkey === null) return null;
    const { credentialId, publicKey, counter } = passkey;
    const verified = await quietly(() =>
      verifyAuthenticationResponse({
        response: response as unknown as AuthenticationResponseJSON,
        expectedChallenge: (challenge) => this.#challenges.isGood(textOf(challenge), PROOF),
        expectedOrigin: this.#originOf(request),
        expectedRPID: this.#site,
        credential: {
          id: credentialId,
          publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')),
          counter,
        },
        requireUserVerification: true,
      }),
    );
    if (verified === null || !verified.verified) return null;
    if (!(await this.#answer(response, PROOF))) return null;
    const { newCounter } = verified.authenticationInfo;
    const nowMs = this.#parts.clock.wallMs();
    return (await factors.usePasskey(credentialId, newCounter, nowMs)) ? passkey : null;
  }

  /** Where the pages are; on this machine, whatever port they have. */
  #originOf({ headers }: RequestContext): string {
    const { publicUrl } = this.#parts;
    if (publicUrl !== null) return publicUrl;
    const { origin = '' } = headers;
    return /^https?:\/\/localhost(:[0-9]{1,5})?$/.test(origin) ? origin : 'http://localhost';
  }

  #answer({ response }: Json, subject: string): Promise<boolean> {
    const { clientDataJSON } = response as { readonly clientDataJSON: string };
    const { challenge } = JSON.parse(textOf(clientDataJSON)) as { readonly challenge: string };
    return this.#challenges.answer(textOf(challenge), subject);
  }
}

export function passkeyView(passkey: PasskeyRecord): Passkey {
  const { passkeyId, label, isSynced, createdAtMs, lastUsedAtMs } = passkey;
  return {
    passkey_id: passkeyId,
    label,
    is_synced: isSynced,
    created_at: isoTime(createdAtMs),
    created_at_ms: createdAtMs,
    last_used_at: lastUsedAtMs === null ? null : isoTime(lastUsedAtMs),
    last_used_at_ms: lastUsedAtMs,
  };
}

function creationOf(userId: string): string {
  return `creation ${userId}`;
}

function textOf(base64url: string): string {
  return Buffer.from(base64url, 'base64url').toString('utf8');
}

/** The library throws whatever is wrong with an answer that anybody may have written. */
async function quietly<T>(verify: () => Promise<T>): Promise<T | null> {
  try {
    return await verify();
  } catch {
    return null;
  }
}
