// The examples of the documents against the real server: sent as they stand, answered as they say.
import {
  type AnyOperation,
  exampleFrame,
  limits,
  operations,
  streamMessages,
} from '@sibyl/contract';
import type { Server } from '@sibyl/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Mailbox } from '../mailbox.ts';
import { seedSandbox } from '../seeded-sandbox.ts';
import { temporaryFolder } from '../server-process.ts';
import { differencesOf } from './example-difference.ts';
import { ExampleStory, heard, portOf } from './example-story.ts';
import { isRecord } from './judge.ts';
import { environmentOf, mailedTo, serve } from './settings.ts';

const data = temporaryFolder();
let server: Server;
let story: ExampleStory;
let mailbox: Mailbox;

beforeAll(async () => {
  const receiver = await ExampleStory.receiver();
  mailbox = await Mailbox.open();
  const environment = {
    ...environmentOf(data.folder),
    ...mailedTo(mailbox),
    SEED_LIVE: 'templates',
    WEBHOOK_ALLOW: `127.0.0.1:${portOf(receiver)}`,
  };
  await seedSandbox(data.folder);
  server = await serve(environment, data.folder);
  story = await ExampleStory.play(server, receiver, mailbox);
});

afterAll(async () => {
  story?.close();
  await server?.close();
  await mailbox?.close();
  data.remove();
});

describe('examples', () => {
  it.each(Object.values<AnyOperation>(operations))(
    '[DC3] the example of $id is what the server sends',
    ({ id, example }) => {
      const told = story.told.find((one) => one.id === id);
      expect(told?.id).toBe(id);
      expect(differencesOf(example.data, told?.data)).toEqual([]);
    },
  );

  it.each(heard)('[DC3] the example of the message %s is a frame that the server sends', (type) => {
    const frames = story.listener.frames.filter((frame) => frame.type === type).map(shortened);
    expect(differencesOf([exampleFrame(streamMessages[type])], frames)).toEqual([]);
  });

  it.each<readonly [string, unknown, unknown]>([
    ['another value', { status: 'filled' }, { status: 'pending' }],
    ['fewer decimals', { size: '10' }, { size: '10.000000' }],
    ['an id of another kind', { ref_id: 'ord_1' }, { ref_id: 'trd_1' }],
    ['null for a time', { expires_at: null }, { expires_at: '2026-11-14T12:00:00.000Z' }],
    ['a field too few', { a: 1 }, { a: 1, b: 2 }],
    ['an entry that is not in the list', [{ id: 'a' }], [{ id: 'b' }]],
  ])('[DC3] sees %s', (_fault, example, sent) => {
    expect(differencesOf(example, sent)).not.toEqual([]);
    expect(differencesOf(sent, sent)).toEqual([]);
  });
});

/** The example of a book has its best levels only, those that the checksum takes in. */
function shortened(frame: Readonly<Record<string, unknown>>): unknown {
  const { data } = frame;
  if (frame.type !== 'orderbook' || !isRecord(data)) return frame;
  const best = (side: unknown) =>
    Array.isArray(side) && side.slice(0, limits.socket.checksumLevels);
  return { ...frame, data: { ...data, bids: best(data.bids), asks: best(data.asks) } };
}
