import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Canonical, canonicalJson, encodeUtf8 } from './canonical.ts';

describe('canonical text', () => {
  it('[HS2] members sorted, no spaces, bigints as strings, undefined left out', () => {
    const value = { b: [1, true, null], a: 12345678901234567890n, c: undefined, é: 'x"\n' };
    expect(canonicalJson(value)).toBe(
      '{"a":"12345678901234567890","b":[1,true,null],"é":"x\\"\\n"}',
    );
    expect(canonicalJson({ 10: 1, 9: 2 })).toBe('{"10":1,"9":2}');
    expect(canonicalJson(-0)).toBe('0');
  });

  it('[HS2] does not depend on the order in which members were written', () => {
    const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.bigInt());
    fc.assert(
      fc.property(fc.dictionary(fc.string(), leaf), (record) => {
        const reversed = Object.fromEntries(Object.entries(record).reverse());
        expect(canonicalJson(reversed)).toBe(canonicalJson(record));
      }),
    );
  });

  it('[HS2] is JSON that reads back to the value', () => {
    const { tree } = fc.letrec<{ tree: Canonical }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 3 },
        fc.string(),
        fc.maxSafeInteger(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.dictionary(fc.string(), tie('tree'), { maxKeys: 4, noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(tree, (value) => {
        const normal: unknown = JSON.parse(JSON.stringify(value));
        expect(JSON.parse(canonicalJson(value))).toEqual(normal);
      }),
    );
  });

  it('[HS2] finite numbers are written as JSON does, others are defects', () => {
    expect(canonicalJson([0.5, 1e21, -7])).toBe('[0.5,1e+21,-7]');
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      expect(() => canonicalJson(value)).toThrow();
    }
  });
});

describe('UTF-8', () => {
  it('[HS3] agrees with the platform, lone surrogates included', () => {
    const units = fc.array(fc.nat(0xffff), { maxLength: 20 });
    const surrogates = fc.array(fc.integer({ min: 0xd7f0, max: 0xe00f }), { maxLength: 8 });
    fc.assert(
      fc.property(fc.oneof(units, surrogates), fc.string({ unit: 'binary' }), (codes, tail) => {
        const text = String.fromCharCode(...codes) + tail;
        expect([...encodeUtf8(text)]).toEqual([...new TextEncoder().encode(text)]);
      }),
    );
  });
});
