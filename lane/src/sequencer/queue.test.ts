import { asAccountId } from '@sibyl/engine';
import { expect, it } from 'vitest';
import type { Submission } from '../record/submission.ts';
import { CommandQueue } from './queue.ts';

function submission(number: number): Submission {
  const body = {
    type: 'heartbeat',
    accountId: asAccountId('acc_a'),
    timeoutMs: 0,
    marketId: null,
  } as const;
  return { body, actor: { kind: 'system' }, requestId: `${number}` };
}

it('[P12] a queue that never runs empty gives everything once, in order, for as long as it likes', () => {
  const queue = new CommandQueue(4096, 0);
  const ignore = (): void => undefined;
  let added = 0;
  let taken = 0;
  const add = (): void => {
    queue.add({ submission: submission(added), resolve: ignore, reject: ignore });
    added += 1;
  };
  for (let count = 0; count < 3000; count += 1) add();
  for (let turn = 0; turn < 100; turn += 1) {
    for (let count = 0; count < 257; count += 1) {
      expect(queue.take()?.submission.requestId).toBe(`${taken}`);
      taken += 1;
    }
    for (let count = 0; count < 257; count += 1) add();
    expect(queue.size).toBe(3000);
  }
  while (taken < added) {
    expect(queue.take()?.submission.requestId).toBe(`${taken}`);
    taken += 1;
  }
  expect(queue.take()).toBe(null);
  expect(queue.isEmpty).toBe(true);
  add();
  expect(queue.take()?.submission.requestId).toBe(`${taken}`);
});
