import { outcomeName } from '@sibyl/contract/names';
import { expect, it } from 'vitest';

const match = {
  outcome_schema: 'multi',
  market_type: 'normal',
  template_id: 'match-result',
} as const;
const own = { ...match, market_type: 'creator', template_id: 'own-choice-3' } as const;

it.each([
  ['an answer of the house is translated', match, 'draw', 'Draw', 'Unentschieden'],
  ['the name of a team stays', match, 'home', 'Draw', 'Draw'],
  ['an answer that an operator wrote stays', match, 'draw', 'Tie', 'Tie'],
  ['an answer that a maker wrote stays', own, 'draw', 'Draw', 'Draw'],
])('[WC8] %s', (_, market, id, label, expected) => {
  expect(outcomeName('de', market, { id, label })).toBe(expected);
});
