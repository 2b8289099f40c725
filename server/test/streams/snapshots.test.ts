// Snapshots are work: whoever asks for them over and over is sent them at a pace.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, openStage, pause, type Stage } from './stage.ts';

/** A piece costs 1,024 bytes and what it is long. */
const BURST = 5_000;
let stage: Stage;
let params: readonly string[];

beforeAll(async () => {
  stage = await openStage({ hasLimits: true, snapshotBytesBurst: BURST });
  params = [`orderbook:${await stage.exchange.market('book', 1)}:yes`];
});
afterAll(() => stage.close());

function snapshots({ frames }: Client): number {
  return frames.filter(({ type }) => type === 'orderbook').length;
}

/** Asks for the book once more, and waits for a moment in which it would come. */
async function ask(client: Client): Promise<void> {
  const before = snapshots(client);
  await client.ask({ op: 'SUBSCRIBE', params }, 'subscribed');
  for (let turn = 0; turn < 20 && snapshots(client) === before; turn += 1) await pause(5);
}

it('[WS9] come at once until the share of the address is used up, and then as fast as it grows', async () => {
  const greedy = await stage.connect();
  await ask(greedy);
  expect(snapshots(greedy)).toBe(1);
  for (let count = 0; count < 9; count += 1) await ask(greedy);
  const had = snapshots(greedy);
  expect(had).toBeLessThanOrEqual(5);
  const second = await stage.connect();
  await ask(second);
  expect(snapshots(second)).toBe(0);
  stage.exchange.clock.advance(1_000);
  await expect.poll(() => snapshots(greedy)).toBe(had + 1);
  await expect.poll(() => snapshots(second)).toBe(1);
  // Going and coming back makes no new share.
  for (let count = 0; count < 5; count += 1) await ask(second);
  greedy.socket.terminate();
  second.socket.terminate();
  await expect.poll(() => stage.streams.size).toBe(0);
  const third = await stage.connect();
  await ask(third);
  expect(snapshots(third)).toBe(0);
});
