import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SigningKey } from './signing-key.ts';

/** Of any bytes, and of digits, as they are drawn. */
const secrets = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.stringMatching(/^[0-9a-f]{1,80}$/).map((text) => Buffer.from(text)),
);
/** About as long as there is room for, and longer. */
const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.string({ unit: 'grapheme-ascii', minLength: 300, maxLength: 2_000 }),
  fc.uint8Array({ maxLength: 2_000 }),
);

describe('a signing key', () => {
  it('[HM2] gives what the HMAC of node:crypto gives, for secrets and texts of any length', () => {
    const model = fc.property(secrets, fc.array(texts, { minLength: 1 }), (secret, signed) => {
      const key = new SigningKey(secret);
      for (const text of signed) {
        for (const encoding of ['hex', 'base64'] as const) {
          const expected = createHmac('sha256', secret).update(text).digest(encoding);
          expect(key.digest(text, encoding)).toBe(expected);
        }
      }
    });
    fc.assert(model);
  });

  it('[HM2] keeps the texts of two signers apart', () => {
    const [one, other] = [new SigningKey(Buffer.from('one')), new SigningKey(Buffer.alloc(64, 7))];
    const first = one.digest('text', 'hex');
    expect(other.digest('text', 'hex')).not.toBe(first);
    expect(one.digest('text', 'hex')).toBe(first);
  });
});
