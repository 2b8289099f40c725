import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isRejection } from '../state/authority.ts';
import { checkParams } from './params.ts';
import { readSchema } from './schema.ts';
import type { ParamsSchema } from './template.ts';

function accepted(value: unknown): ParamsSchema {
  const schema = readSchema(value);
  if (isRejection(schema)) throw new Error(`refused: ${JSON.stringify(schema.details)}`);
  return schema;
}

function refusedAt(value: unknown): unknown {
  const schema = readSchema(value);
  if (!isRejection(schema)) return 'accepted';
  expect(schema.code).toBe('TEMPLATE_SCHEMA_INVALID');
  return schema.details.path;
}

const property = (schema: unknown) => ({ type: 'object', properties: { p: schema } });

describe('[TP2] what is a schema', () => {
  test('the whole vocabulary, and nothing that was not read', () => {
    const schema = {
      required: ['asset'],
      additionalProperties: false,
      properties: {
        asset: { type: 'string', enum: ['BTC', 'ETH'], title: 'Asset', description: 'Which' },
        note: { type: 'string', minLength: 1, maxLength: 256 },
        strike: { type: 'integer', minimum: 1, maximum: 1_000_000 },
        ratio: { type: 'number', minimum: 0.5, maximum: 1.5 },
        loud: { type: 'boolean', enum: [true] },
      },
    };
    expect(accepted(schema)).toEqual({
      type: 'object',
      required: schema.required,
      properties: schema.properties,
    });
  });

  test.each([
    ['no object', [], ''],
    ['another type', { type: 'array', properties: {} }, 'type'],
    ['no properties', { type: 'object' }, 'properties'],
    ['a reference', { properties: {}, $ref: '#' }, '$ref'],
    ['a combinator', { properties: {}, anyOf: [] }, 'anyOf'],
    ['open to more', { properties: {}, additionalProperties: true }, 'additionalProperties'],
    ['an unknown type', property({ type: 'object' }), 'properties.p.type'],
    ['a list of types', property({ type: ['string'] }), 'properties.p.type'],
    [
      'a pattern',
      property({ type: 'string', maxLength: 9, pattern: '^(a|a)*$' }),
      'properties.p.pattern',
    ],
    ['a format', property({ type: 'string', maxLength: 9, format: 'uri' }), 'properties.p.format'],
    ['an unbounded string', property({ type: 'string' }), 'properties.p'],
    ['a string too long', property({ type: 'string', maxLength: 257 }), 'properties.p.maxLength'],
    ['a length of a number', property({ type: 'integer', maxLength: 3 }), 'properties.p.maxLength'],
    [
      'a bound of a string',
      property({ type: 'string', maxLength: 3, minimum: 1 }),
      'properties.p.minimum',
    ],
    [
      'a fraction for an integer',
      property({ type: 'integer', minimum: 0.5 }),
      'properties.p.minimum',
    ],
    [
      'bounds crossed',
      property({ type: 'integer', minimum: 2, maximum: 1 }),
      'properties.p.minimum',
    ],
    ['an empty enum', property({ type: 'string', enum: [] }), 'properties.p.enum'],
    ['an enum of another type', property({ type: 'integer', enum: ['1'] }), 'properties.p.enum'],
    ['a long enum', property({ type: 'integer', enum: Array(257).fill(1) }), 'properties.p.enum'],
    ['an unknown required name', { properties: {}, required: ['p'] }, 'required'],
    ['an inherited required name', { properties: {}, required: ['toString'] }, 'required'],
    ['NaN', property({ type: 'number', minimum: Number.NaN }), 'properties.p.minimum'],
  ])('not %s', (_, schema, path) => {
    expect(refusedAt(schema)).toBe(path);
  });

  test.each([
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'a b',
    '',
    '1st',
    'a'.repeat(65),
  ])('not a property named %j', (name) => {
    const text = `{"properties":{${JSON.stringify(name)}:{"type":"boolean"}}}`;
    expect(refusedAt(JSON.parse(text))).toBe(`properties.${name}`);
  });

  test('at most 32 properties and 8 KiB', () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, { type: 'boolean' }]));
    expect(accepted({ properties: many(32) }).properties).toHaveProperty('p31');
    expect(refusedAt({ properties: many(33) })).toBe('properties');
    const sized = (last: number) => ({
      properties: Object.fromEntries(
        Array.from({ length: 9 }, (_, i) => [
          `p${i}`,
          { description: 'd'.repeat(i === 8 ? last : 950), type: 'boolean' },
        ]),
      ),
      required: [],
      type: 'object',
    });
    const rest = 8192 - JSON.stringify(sized(0)).length;
    expect(rest).toBeGreaterThan(0);
    expect(accepted(sized(rest)).properties).toHaveProperty('p8');
    expect(refusedAt(sized(rest + 1))).toBe('');
  });

  test('nothing given as a schema throws or reaches a prototype', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, maxDepth: 4 }), (value) => {
        const schema = readSchema(value);
        if (!isRejection(schema)) expect(Object.keys(schema.properties).length).toBeLessThan(33);
      }),
      { numRuns: 300 },
    );
    expect(Object.hasOwn(Object.prototype, 'p')).toBe(false);
  });
});

describe('[TP5] what satisfies a schema', () => {
  const schema = accepted({
    required: ['asset', 'strike'],
    properties: {
      asset: { type: 'string', enum: ['BTC', 'ETH'] },
      strike: { type: 'integer', minimum: 10, maximum: 20 },
      ratio: { type: 'number', maximum: 1.5 },
      note: { type: 'string', minLength: 2, maxLength: 3 },
      loud: { type: 'boolean' },
    },
  });
  const good = { asset: 'BTC', strike: 10 };

  test('required and optional params', () => {
    expect(checkParams(schema, good)).toBeNull();
    expect(
      checkParams(schema, { ...good, strike: 20, ratio: 1.5, note: '😀😀', loud: false }),
    ).toBeNull();
  });

  test.each([
    ['missing', { asset: 'BTC' }, 'strike'],
    ['not listed', { ...good, asset: 'btc' }, 'asset'],
    ['of another type', { ...good, strike: '10' }, 'strike'],
    ['no integer', { ...good, strike: 10.5 }, 'strike'],
    ['no number', { ...good, ratio: Number.NaN }, 'ratio'],
    ['too small', { ...good, strike: 9 }, 'strike'],
    ['too large', { ...good, ratio: 1.6 }, 'ratio'],
    ['too short', { ...good, note: '😀' }, 'note'],
    ['too long', { ...good, note: 'abcd' }, 'note'],
    ['half a character', { ...good, note: 'a\ud800' }, 'note'],
    ['null', { ...good, loud: null }, 'loud'],
    ['an object', { ...good, loud: { valueOf: true } }, 'loud'],
    ['unknown', { ...good, other: 1 }, 'other'],
    ['unknown by a name all objects have', { ...good, toString: 1 }, 'toString'],
  ])('not when %s', (_, params, param) => {
    const fault = checkParams(schema, params as Record<string, unknown>);
    expect(fault?.code).toBe('MARKET_TEMPLATE_PARAM_INVALID');
    expect(fault?.details.param).toBe(param);
    expect(fault?.details.expected).toBeTypeOf('string');
  });

  test('a param missing is not found on the prototype', () => {
    const inherited = Object.create({ asset: 'BTC', strike: 10 }) as Record<string, unknown>;
    expect(checkParams(schema, inherited)?.details.param).toBe('asset');
  });

  test('several faults: known names ascending, then unknown ones', () => {
    expect(checkParams(schema, { zzz: 1, strike: 0, asset: 'X' })?.details.param).toBe('asset');
    expect(checkParams(schema, { aaa: 1, strike: 0, asset: 'BTC' })?.details.param).toBe('strike');
  });
});
