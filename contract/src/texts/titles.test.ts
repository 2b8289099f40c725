import { describe, expect, it } from 'vitest';
import { outcomeName } from './outcome-names.ts';
import { titleOf } from './titles.ts';

const id = 'm_0123456789abcdef';
const multi = {
  outcome_schema: 'multi',
  market_type: 'creator',
  template_id: 'own-choice-3',
} as const;

describe('a title', () => {
  it.each([
    ['nothing', ''],
    ['spaces', ' \t\u00a0\u3000'],
    ['zero width', '\u200b\u200c\u200d\ufeff\u2060'],
    ['controls', '\u0000\u0007\u001b'],
    ['marks of direction', '\u202e\u2066\u200f'],
    ['letters without ink', '\u3164\u115f\u2800'],
  ])('[WM26] of %s gives way to the id', (_, title) => {
    expect(titleOf({ title, market_id: id })).toBe(id);
    expect(outcomeName('en', multi, { id: 'a', label: title })).toBe('a');
  });

  it.each(['.', '0', '⚽', '\u202eabc', ' a '])('[WM26] of %j stays as it is', (title) => {
    expect(titleOf({ title, market_id: id })).toBe(title);
    expect(outcomeName('en', multi, { id: 'a', label: title })).toBe(title);
  });
});
