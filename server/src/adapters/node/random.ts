// Randomness of the operating system.
import { randomBytes } from 'node:crypto';
import type { Random } from '../../ports/random.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The largest multiple of the alphabet's size within a byte: above it a byte would favour some. */
const FAIR_BELOW = 256 - (256 % ALPHABET.length);

export const systemRandom: Random = {
  bytes: (length) => randomBytes(length),
  token(length) {
    let text = '';
    while (text.length < length) {
      for (const byte of randomBytes(length - text.length)) {
        if (byte < FAIR_BELOW) text += ALPHABET[byte % ALPHABET.length];
      }
    }
    return text;
  },
};
