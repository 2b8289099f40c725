import { describe, expect, it } from 'vitest';
import { localMinute } from '../../format/local-time.ts';
import { endsFault, type Param, paramsOf, readParam } from './params.ts';

const schema = {
  type: 'object',
  required: ['question', 'asset', 'closes_at_ms', 'strike'],
  properties: {
    asset: { type: 'string', enum: ['BTC', 'ETH'], title: 'Asset' },
    closes_at_ms: { type: 'integer', minimum: 0, description: 'Epoch milliseconds.' },
    lower: { type: 'string', minLength: 1, maxLength: 8, title: 'Lower end' },
    loud: { type: 'boolean' },
    question: { type: 'string', minLength: 2, maxLength: 5, title: 'Question' },
    ratio: { type: 'number', minimum: 0.5, maximum: 1.5, description: 'Of the two.' },
    strike: { type: 'integer', minimum: 10, maximum: 20 },
  },
};
const NOW_MS = 1_800_000_000_000;

function named(name: string): Param {
  const param = paramsOf(schema).find((each) => each.name === name);
  if (param === undefined) throw new Error(`no ${name}`);
  return param;
}

describe('the form of a template', () => {
  it('[WC1] asks in the order of the template, for the times last', () => {
    expect(paramsOf(schema).map(({ name, kind, isRequired }) => [name, kind, isRequired])).toEqual([
      ['question', 'text', true],
      ['asset', 'choice', true],
      ['strike', 'integer', true],
      ['lower', 'decimal', false],
      ['loud', 'switch', false],
      ['ratio', 'number', false],
      ['closes_at_ms', 'instant', true],
    ]);
  });

  it('[WC1] takes labels and hints from the template, and plain words where it has none', () => {
    expect([named('question').label, named('strike').label]).toEqual(['Question', 'Strike']);
    expect([named('ratio').hint, named('closes_at_ms').hint]).toEqual(['Of the two.', null]);
  });

  it.each([
    ['question', '', 'missing'],
    ['question', '   ', 'missing'],
    ['question', '😀', 'tooShort'],
    ['question', '123456', 'tooLong'],
    ['asset', '', 'missing'],
    ['asset', 'DOGE', 'missing'],
    ['strike', 'ten', 'notNumber'],
    ['strike', '1e1', 'notNumber'],
    ['strike', '10.5', 'notInteger'],
    ['strike', '9', 'atLeast'],
    ['strike', '21', 'atMost'],
    ['closes_at_ms', 'soon', 'notTime'],
    ['closes_at_ms', localMinute(NOW_MS - 60_000), 'past'],
  ])('[WC1] %s cannot be %j: %s', (name, typed, key) => {
    expect(readParam('en', named(name), typed, NOW_MS)).toMatchObject({ fault: { key } });
  });

  it.each([
    ['question', '😀😀', '😀😀'],
    ['asset', 'ETH', 'ETH'],
    ['strike', ' 20 ', 20],
    ['ratio', '1.25', 1.25],
    ['ratio', '', null],
    ['loud', '', false],
    ['loud', 'true', true],
    ['closes_at_ms', localMinute(NOW_MS + 60_000), NOW_MS + 60_000],
  ])('[WC1] %s takes %j as %j', (name, typed, value) => {
    expect(readParam('en', named(name), typed, NOW_MS)).toEqual({ value });
  });

  it.each([
    ['en', 'lower', '1,000', '1000'],
    ['en', 'lower', '-12.50', '-12.50'],
    ['de', 'lower', '1,5', '1.5'],
    ['de', 'lower', '-25.000,5', '-25000.5'],
    ['de', 'lower', '1000', '1000'],
    ['es', 'ratio', '1,25', 1.25],
    ['de', 'strike', '20', 20],
  ] as const)('[WC9] in %s, %s typed as %s goes out as %j', (locale, name, typed, value) => {
    expect(readParam(locale, named(name), typed, NOW_MS)).toEqual({ value });
  });

  it.each([
    // A thousand to whoever reads the page, one to whoever copies from a program.
    ['de', 'lower', '1.000', 'notNumber'],
    ['es', 'lower', '-25.000', 'notNumber'],
    ['en', 'lower', '1,5', 'notNumber'],
    ['en', 'lower', 'ten', 'notNumber'],
    ['de', 'lower', '1.000.000.000', 'tooLong'],
    ['de', 'ratio', '1.250', 'notNumber'],
  ] as const)('[WC9] in %s, %s cannot be %s: %s', (locale, name, typed, key) => {
    expect(readParam(locale, named(name), typed, NOW_MS)).toMatchObject({ fault: { key } });
  });

  it.each([
    ['1', '1.000000000000000001', true],
    ['-2', '-1', true],
    ['-0.5', '0.5', true],
    ['9', '10', true],
    ['-1', '-2', false],
    ['30', '10', false],
    ['1.50', '1.5', false],
    ['-0', '0', false],
  ])('[WC9] the ends %s and %s are in order: %s', (lower, upper, isRight) => {
    expect(endsFault({ lower, upper })).toEqual(isRight ? null : { key: 'notAbove' });
  });

  it('[WC1] survives what is no schema', () => {
    expect(paramsOf({ properties: 'x', required: 7 })).toEqual([]);
    expect(paramsOf({ properties: { a: null }, required: ['toString'] })).toEqual([]);
  });
});
