// One authenticator: its seed, how an app is told of it, and which time step a code is of.
import { limits } from '@sibyl/contract';
import { Secret, TOTP } from 'otpauth';
import type { KnownTotp } from '../ports/authenticators.ts';
import type { Random } from '../ports/random.ts';

const SEED_BYTES = 20;
const ISSUER = 'Sibyl';
/** Clocks of telephones are some seconds off: the code of the step before and of the one after count as well. */
const STEPS_OFF = 1;

export function newSeed(random: Random): Uint8Array {
  return random.bytes(SEED_BYTES);
}

/** The seed as text, and as the URI that apps read from a QR code. */
export function shownSeed(seed: Uint8Array, name: string): { secret: string; uri: string } {
  const totp = totpOf(seed, name);
  return { secret: totp.secret.base32, uri: totp.toString() };
}

/** Null if the code is of no step near the given time. */
export function stepOf(seed: Uint8Array, code: string, nowMs: number): number | null {
  const totp = totpOf(seed, '');
  const off = totp.validate({ token: code, timestamp: nowMs, window: STEPS_OFF });
  return off === null ? null : totp.counter({ timestamp: nowMs }) + off;
}

/** When a code was last used, to the step; null if none was since the one that confirmed it. */
export function codeUsedMs({ lastStep, confirmedAtMs }: KnownTotp): number | null {
  const periodMs = limits.factors.otpPeriodSec * 1_000;
  // The code that confirmed it may have been of the step after.
  const confirmedBy = Math.floor((confirmedAtMs ?? 0) / periodMs) + STEPS_OFF;
  return lastStep > confirmedBy ? lastStep * periodMs : null;
}

function totpOf(seed: Uint8Array, label: string): TOTP {
  return new TOTP({
    issuer: ISSUER,
    label,
    algorithm: 'SHA1',
    digits: limits.factors.otpDigits,
    period: limits.factors.otpPeriodSec,
    // A copy: bytes may be a part of a larger buffer.
    secret: new Secret({ buffer: new Uint8Array(seed).buffer }),
  });
}

/** What a seed is bound to when it is sealed. */
export function seedOwner(ownerId: string): string {
  return `totp ${ownerId}`;
}
