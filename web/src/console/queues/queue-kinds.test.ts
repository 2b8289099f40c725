import { queueKinds } from '@sibyl/contract';
import { expect, it } from 'vitest';
import { isKnown, isOfMarkets, queueWords } from './queue-kinds.ts';

it('[WOC10] calls a queue that is newer than the page by its plain name, and takes it for no market', () => {
  for (const kind of ['oracle_silent', 'toString']) {
    expect([isKnown(kind), isOfMarkets(kind)]).toEqual([false, false]);
  }
  expect(queueWords('oracle_silent')).toEqual({ title: 'Oracle silent', item: 'Oracle silent' });
  expect(queueKinds.every(isKnown)).toBe(true);
  expect(queueKinds.filter(isOfMarkets)).toEqual([
    'market_approval',
    'proposal_missing',
    'proposal',
    'dispute',
    'cancellation',
  ]);
});
