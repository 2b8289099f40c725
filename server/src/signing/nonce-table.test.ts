import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NonceTable } from './nonce-table.ts';

/** Hashes that differ in the bits by which tables are chosen, and in few others: chains are long. */
const hashes = fc.integer({ min: 0, max: 3 }).map((few) => few * 257);
const nonces = fc.stringMatching(/^[!-~]{1,64}$/);
const additions = fc.array(fc.tuple(hashes, fc.integer({ min: 1, max: 300 }), nonces));

describe('a table of nonces', () => {
  it('[HM3] has what was added to it and nothing else, however many share a hash', () => {
    const model = fc.property(additions, additions, (added, others) => {
      const table = new NonceTable();
      const known = new Set<string>();
      const nameOf = (addition: readonly unknown[]): string => addition.join(' ');
      for (const addition of added) {
        expect(table.add(...addition)).toBe(!known.has(nameOf(addition)));
        known.add(nameOf(addition));
      }
      for (const addition of [...added, ...others]) {
        expect(table.has(...addition)).toBe(known.has(nameOf(addition)));
      }
    });
    fc.assert(model);
  });

  it('[HM3] tells keys apart whose numbers differ in one byte', () => {
    const table = new NonceTable();
    const keys = [1, 0x101, 0x1_0001, 0x100_0001, 0xffff_ffff];
    for (const key of keys) expect(table.add(7, key, 'nonce')).toBe(true);
    for (const key of keys) expect(table.add(7, key, 'nonce')).toBe(false);
    expect(table.has(7, 2, 'nonce')).toBe(false);
  });

  it('[HM3] grows', () => {
    const table = new NonceTable();
    const count = 20_000;
    const hashOf = (at: number): number => Math.imul(at, 0x9e3779b1) >>> 0;
    for (let at = 0; at < count; at += 1) {
      expect(table.add(hashOf(at), at % 7, `nonce-${at}`)).toBe(true);
    }
    for (let at = 0; at < count; at += 1) {
      expect(table.has(hashOf(at), at % 7, `nonce-${at}`)).toBe(true);
      expect(table.has(hashOf(at), (at + 1) % 7, `nonce-${at}`)).toBe(false);
    }
  });
});
