import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HmacSha256 } from './hmac.ts';

const hmacSha256 = (key: Uint8Array, message: Uint8Array) => new HmacSha256(key).digest(message);

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));
const text = (value: string) => Buffer.from(value).toString('hex');
const repeated = (byte: string, times: number) => byte.repeat(times);

/** RFC 4231, test cases 1 to 4, 6 and 7; the fifth is cut short there and checks nothing that these do not. */
const published: readonly (readonly [string, string, string])[] = [
  [
    repeated('0b', 20),
    text('Hi There'),
    'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
  ],
  [
    text('Jefe'),
    text('what do ya want for nothing?'),
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  ],
  [
    repeated('aa', 20),
    repeated('dd', 50),
    '773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe',
  ],
  [
    '0102030405060708090a0b0c0d0e0f10111213141516171819',
    repeated('cd', 50),
    '82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b',
  ],
  [
    repeated('aa', 131),
    text('Test Using Larger Than Block-Size Key - Hash Key First'),
    '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
  ],
  [
    repeated('aa', 131),
    text(
      'This is a test using a larger than block-size key and a larger than block-size data. ' +
        'The key needs to be hashed before being used by the HMAC algorithm.',
    ),
    '9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2',
  ],
];

describe('HMAC-SHA-256', () => {
  it.each(published)('[QS4] vector of RFC 4231 with the key %s', (key, message, digest) => {
    expect(Buffer.from(hmacSha256(bytes(key), bytes(message))).toString('hex')).toBe(digest);
  });

  it('[QS4] agrees with the platform on any key and message, around the block size too', () => {
    const key = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.uint8Array({ minLength: 63, maxLength: 65 }),
    );
    fc.assert(
      fc.property(key, fc.uint8Array({ maxLength: 300 }), (secret, message) => {
        const expected = createHmac('sha256', secret).update(message).digest('hex');
        expect(Buffer.from(hmacSha256(secret, message)).toString('hex')).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });
});
