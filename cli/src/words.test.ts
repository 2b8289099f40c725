// Answers in words: nothing of them is left out.
import { expect, it } from 'vitest';
import { wordsOf } from './words.ts';

it('[OA6] what has no room in a row of a table stands below it', () => {
  const queues = [
    { kind: 'withdrawal', count: 1, items: [{ id: 'wd_1', due_at: null, due_at_ms: null }] },
    { kind: 'flag', count: 0, items: [] },
  ];
  expect(wordsOf({ lane: 'live', queues })).toEqual([
    'lane  live',
    'queues',
    '  KIND        COUNT',
    '  withdrawal  1',
    '    items',
    '      ID    DUE AT',
    '      wd_1  -',
    '  flag        0',
  ]);
  expect(wordsOf([{ id: 'apr_1', input: { amount: '-250' }, outcome: null }])).toEqual([
    'ID     OUTCOME',
    'apr_1  -',
    '  input',
    '    amount  -250',
  ]);
});

it('[OA6] a list of plain records is one table', () => {
  expect(wordsOf([{ id: 'a', roles: ['viewer', 'admin'] }])).toEqual([
    'ID  ROLES',
    'a   viewer, admin',
  ]);
  expect(wordsOf({ flags: [] })).toEqual(['flags  none']);
});

it('[OA6] what was never used says so', () => {
  const factors = [{ kind: 'totp', last_used_at: null, last_used_at_ms: null }];
  expect(wordsOf({ factors })).toEqual(['factors', '  KIND  LAST USED AT', '  totp  never']);
});
