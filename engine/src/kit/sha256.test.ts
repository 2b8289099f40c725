import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeUtf8 } from './canonical.ts';
import { Sha256, sha256Hex } from './sha256.ts';

describe('SHA-256', () => {
  const published: readonly (readonly [string, string])[] = [
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    [
      'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
      '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
    ],
    [
      'abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu',
      'cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1',
    ],
  ];
  it.each(published)('[HS1] NIST vector %j', (text, digest) => {
    expect(sha256Hex(encodeUtf8(text))).toBe(digest);
  });

  it('[HS1] NIST vector: a million times a', () => {
    const digest = 'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0';
    expect(sha256Hex(new Uint8Array(1_000_000).fill(97))).toBe(digest);
  });

  it('[HS1] agrees with the platform for every length around the block boundaries', () => {
    for (let length = 0; length < 200; length++) {
      const bytes = Uint8Array.from({ length }, (_, i) => (i * 131 + length) & 255);
      expect(sha256Hex(bytes)).toBe(createHash('sha256').update(bytes).digest('hex'));
    }
  });

  it('[HS1] the digest does not depend on how the bytes were cut', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 150 }), { maxLength: 8 }), (parts) => {
        const hash = new Sha256();
        for (const part of parts) hash.update(part);
        expect(hash.digestHex()).toBe(
          sha256Hex(Uint8Array.from(parts.flatMap((part) => [...part]))),
        );
      }),
    );
  });

  it('[HS1] a hash is finished once', () => {
    const hash = new Sha256();
    expect(hash.digest()).toHaveLength(32);
    expect(() => hash.digest()).toThrow();
    expect(() => hash.update(new Uint8Array(1))).toThrow();
  });
});
