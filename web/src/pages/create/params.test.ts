import { describe, expect, it } from 'vitest';
import { localMinute, type Param, paramsOf, readParam } from './params.ts';

const schema = {
  type: 'object',
  required: ['question', 'asset', 'closes_at_ms', 'strike'],
  properties: {
    asset: { type: 'string', enum: ['BTC', 'ETH'], title: 'Asset' },
    closes_at_ms: { type: 'integer', minimum: 0, description: 'Epoch milliseconds.' },
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
    expect(readParam(named(name), typed, NOW_MS)).toMatchObject({ fault: { key } });
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
    expect(readParam(named(name), typed, NOW_MS)).toEqual({ value });
  });

  it('[WC1] survives what is no schema', () => {
    expect(paramsOf({ properties: 'x', required: 7 })).toEqual([]);
    expect(paramsOf({ properties: { a: null }, required: ['toString'] })).toEqual([]);
  });
});
