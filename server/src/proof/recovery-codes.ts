// Recovery codes: shown once, kept as keyed hashes.
import { limits } from '@sibyl/contract';
import type { Random } from '../ports/random.ts';
import type { Secrets } from '../ports/secrets.ts';

/** No letters that look like digits or like each other. */
const LETTERS = '23456789abcdefghjkmnpqrstuvwxyz';
const HALF_LENGTH = 5;

export interface RecoveryCodes {
  readonly shown: string[];
  readonly hashes: readonly string[];
}

export function newRecoveryCodes(secrets: Secrets, random: Random, ownerId: string): RecoveryCodes {
  const shown = Array.from({ length: limits.factors.recoveryCodes }, () => newCode(random));
  return { shown, hashes: shown.map((code) => recoveryHash(secrets, ownerId, code)) };
}

/** However it was typed: large or small letters. */
export function recoveryHash(secrets: Secrets, ownerId: string, code: string): string {
  return secrets.digest('token', `recovery ${ownerId} ${code.toLowerCase()}`);
}

function newCode(random: Random): string {
  const letters: string[] = [];
  // Bytes beyond the last multiple are thrown away, or some letters would come more often.
  const end = 256 - (256 % LETTERS.length);
  while (letters.length < 2 * HALF_LENGTH) {
    for (const byte of random.bytes(2 * HALF_LENGTH)) {
      if (byte < end) letters.push(LETTERS[byte % LETTERS.length]!);
    }
  }
  const code = letters.join('');
  return `${code.slice(0, HALF_LENGTH)}-${code.slice(HALF_LENGTH, 2 * HALF_LENGTH)}`;
}
