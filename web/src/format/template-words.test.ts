import { expect, it } from 'vitest';
import { templateWords } from './template-words.ts';

it.each([
  ['a template of an operator', 'our-question', 'Your own question'],
  ['a name that an operator gave', 'own-question', 'Ask us anything'],
  ['a rule that a maker wrote', 'own-question', 'Resolves to yes if it rains.'],
])('[WC8] %s stays as it is', (_, id, text) => {
  expect(templateWords('de', id, text)).toBe(text);
});
