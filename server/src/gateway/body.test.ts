import { operations, operatorOperations } from '@sibyl/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../handling/handler.ts';
import { parseBody } from './body.ts';

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

/** The number of values that a schema allows, without those of free parameters. */
function countOf(schema: unknown): number {
  const node: Readonly<Record<string, unknown>> = { ...(schema as object) };
  if (Array.isArray(node.anyOf)) return Math.max(...node.anyOf.map(countOf));
  if (node.type === 'array') return 1 + Number(node.maxItems) * countOf(node.items);
  return Object.values(node.properties ?? {}).reduce<number>((sum, part) => sum + countOf(part), 1);
}

describe('bodies', () => {
  it.each([
    ['{"__proto__":{"x":1}}'],
    ['{"a":{"constructor":1}}'],
    ['{"a":[{"prototype":1}]}'],
    ['{"\\u005f_proto__":1}'],
    ['{"__pro\\u0074o__" :1}'],
    ['{"\\u0063onstructor"\n:1}'],
  ])('[IB1] refuses the poisoned %s', (text) => {
    expect(parse(text)).toBe('BAD_REQUEST');
  });

  it.each([
    ['{"a":"__proto__"}', { a: '__proto__' }],
    ['{"a":"x\\"__proto__\\":"}', { a: 'x"__proto__":' }],
    ['{"a\\\\":"constructor"}', { 'a\\': 'constructor' }],
    ['["prototype"]', ['prototype']],
    ['{"proto":1}', { proto: 1 }],
  ])('[IB1] takes the harmless %s', (text, value) => {
    expect(parse(text)).toEqual(value);
  });

  it('[IB2] bounds nesting and keys exactly, without parsing what exceeds them', () => {
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

  const numbers = (count: number): string => `[${'1,'.repeat(count - 1)}1]`;

  it('[RQ5] bounds the number of values exactly, whatever they are', () => {
    // The list is a value as well.
    expect(parse(numbers(3999))).toHaveLength(3999);
    expect(parse(numbers(4000))).toBe('BAD_REQUEST');
    const lists = (count: number): string => `[${'[0],'.repeat(count - 1)}[0]]`;
    expect(parse(lists(1999))).toHaveLength(1999);
    expect(parse(lists(2000))).toBe('BAD_REQUEST');
    expect(parse(`["${','.repeat(5000)}"]`)).toEqual([','.repeat(5000)]);
  });

  it('[RQ5] leaves room for the largest body of every operation', () => {
    for (const { id, input } of Object.values({ ...operations, ...operatorOperations })) {
      const values = input.body === null ? 1 : countOf(input.body);
      expect([id, parse(numbers(values))]).not.toContain('BAD_REQUEST');
    }
  });

  it('[RQ6] finds half a character wherever it is escaped, and lets all others through', () => {
    const unit = fc.oneof(
      fc.constantFrom('\\ud83d', '\\uDE00', '\\ud83d\\ude00', '\\u0041', '\\\\', '\\n', '\\"'),
      fc.constantFrom('a', 'u', 'd', '8', '😀', ' ', ','),
    );
    const text = fc.array(unit, { maxLength: 12 }).map((units) => `"${units.join('')}"`);
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (texts) => {
        const body = `{${texts.map((one, index) => `${one.slice(0, -1)}${index}":${one}`).join(',')}}`;
        const value: Record<string, string> = JSON.parse(body);
        const isWhole = texts.every((one) => String(JSON.parse(one)).isWellFormed());
        if (isWhole) expect(parse(body)).toEqual(value);
        else expect(parse(body)).toBe('BAD_REQUEST');
      }),
      { numRuns: 2000 },
    );
  });

  it('[IB3] reads the worst body of the largest size within 50 ms', () => {
    const worst = [
      `"${'\\'.repeat(262_142)}"`,
      `{"${'a":"'.repeat(65_000)}`,
      '"\\"'.repeat(87_000),
      '\\"'.repeat(131_072),
      `["${'\\u0041","'.repeat(26_000)}"]`,
      `"${'\\ud83d\\ude00'.repeat(21_000)}"`,
      `[${'1,'.repeat(131_000)}1]`,
    ];
    for (const text of worst) {
      // The best of some: the machine may be busy.
      const runsMs = Array.from({ length: 20 }, () => {
        const beganMs = performance.now();
        parse(text);
        return performance.now() - beganMs;
      });
      expect(Math.min(...runsMs)).toBeLessThan(50);
    }
  });
});
