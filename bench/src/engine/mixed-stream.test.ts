import { expect, test } from 'vitest';
import { recordMixedStream } from './mixed-stream.ts';

test('[BN3] the mixed stream holds what it promises, most of it accepted', () => {
  const { journal, state } = recordMixedStream(2_000);
  const kinds = new Set<string>(journal.map((command) => command.type));
  expect([...kinds].sort()).toEqual([
    'amend_order',
    'batch',
    'cancel_order',
    'create_market',
    'deposit',
    'heartbeat',
    'merge_sets',
    'mint_sets',
    'open_account',
    'place_order',
    'publish_template',
    'tick',
  ]);
  expect(state.seq).toBe(journal.length);
  expect(state.orders.size).toBeGreaterThan(200);
});
