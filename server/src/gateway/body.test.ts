import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseBody } from './body.ts';
import { ApiError } from './handler.ts';

function parse(text: string | Buffer): unknown {
  try {
    return parseBody(Buffer.isBuffer(text) ? text : Buffer.from(text));
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError);
    return (error as ApiError).code;
  }
}

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const keyed = (keys: number): string =>
  `{${Array.from({ length: keys }, (_unused, index) => `"k${index}":1`).join(',')}}`;

describe('bodies', () => {
  it.each([
    ['{"__proto__":{"x":1}}'],
    ['{"a":{"constructor":1}}'],
    ['{"a":[{"prototype":1}]}'],
    ['{"\\u005f_proto__":1}'],
    ['{"__pro\\u0074o__" :1}'],
    ['{"\\u0063onstructor"\n:1}'],
  ])('[RE3.2] refuses the poisoned %s', (text) => {
    expect(parse(text)).toBe('BAD_REQUEST');
  });

  it.each([
    ['{"a":"__proto__"}', { a: '__proto__' }],
    ['{"a":"x\\"__proto__\\":"}', { a: 'x"__proto__":' }],
    ['{"a\\\\":"constructor"}', { 'a\\': 'constructor' }],
    ['["prototype"]', ['prototype']],
    ['{"proto":1}', { proto: 1 }],
  ])('[RE3.2] takes the harmless %s', (text, value) => {
    expect(parse(text)).toEqual(value);
  });

  it('[RE3.2] bounds nesting and keys exactly, without parsing what exceeds them', () => {
    expect(parse(nested(32))).toBeInstanceOf(Array);
    expect(parse(nested(33))).toBe('BAD_REQUEST');
    expect(parse(`${'{"a":'.repeat(33)}1${'}'.repeat(33)}`)).toBe('BAD_REQUEST');
    expect(parse(keyed(1000))).toBeTypeOf('object');
    expect(parse(keyed(1001))).toBe('BAD_REQUEST');
    expect(parse('[{"a":"}}}]]]"},"{{{{[[[["]')).toEqual([{ a: '}}}]]]' }, '{{{{[[[[']);
  });

  it('[T10] refuses what is not UTF-8, half a surrogate pair, and what is not JSON', () => {
    expect(parse(Buffer.from([0x22, 0xff, 0x22]))).toBe('BAD_REQUEST');
    expect(parse('"\\ud800"')).toBe('BAD_REQUEST');
    expect(parse('{"\\udc00":1}')).toBe('BAD_REQUEST');
    expect(parse('"\\ud83d\\ude00"')).toBe('😀');
    for (const text of ['{', '"', '{"a"', 'NaN', "{'a':1}", '01', '{"a":1,}', '\u0000']) {
      expect(parse(text)).toBe('BAD_REQUEST');
    }
    expect(parse('')).toBeUndefined();
  });

  it('[T10] agrees with JSON.parse on every ordinary value', () => {
    const harmless = fc
      .jsonValue({ maxDepth: 6 })
      .filter((value) => !/"(__proto__|constructor|prototype)"/.test(JSON.stringify(value)));
    fc.assert(
      fc.property(harmless, (value) => {
        const text = JSON.stringify(value);
        expect(parse(text)).toEqual(JSON.parse(text));
      }),
      { numRuns: 500 },
    );
  });

  it('[P12] reads the worst body of the largest size within 50 ms', () => {
    const worst = [
      `"${'\\'.repeat(262_142)}"`,
      `{"${'a":"'.repeat(65_000)}`,
      '"\\"'.repeat(87_000),
      '\\"'.repeat(131_072),
    ];
    for (const text of worst) {
      const beganMs = performance.now();
      parse(text);
      expect(performance.now() - beganMs).toBeLessThan(50);
    }
  });
});
