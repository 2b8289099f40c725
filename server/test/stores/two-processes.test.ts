// Two processes at one PostgreSQL, each with connections of its own: what both do at once, one after the other would have done.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PostgresServer } from '../../src/adapters/sql/postgres-server.ts';
import type { PlatformStore } from '../../src/ports/platform.ts';
import type { WebhookStore } from '../../src/ports/webhooks.ts';
import { key, user } from '../ports/platform-suite.ts';
import { delivery, endpoint } from '../ports/webhooks-suite.ts';
import { openPostgresPlatform, openPostgresWebhooks, usePostgres } from './databases.ts';

const postgres = usePostgres();

let servers: PostgresServer[];
let platforms: PlatformStore[];
let webhooks: WebhookStore[];

beforeEach(async () => {
  const url = await postgres.create();
  servers = [await PostgresServer.connect(url), await PostgresServer.connect(url)];
  // Both find no tables yet, and both make them.
  platforms = await Promise.all(servers.map(openPostgresPlatform));
  webhooks = await Promise.all(servers.map(openPostgresWebhooks));
});
afterEach(async () => {
  for (const server of servers) await server.close();
});

/** Both at once, several times. */
async function race<T>(
  times: number,
  act: (side: number, time: number) => Promise<T>,
): Promise<readonly T[]> {
  const all: Promise<T>[] = [];
  for (let time = 0; time < times; time += 1) for (const side of [0, 1]) all.push(act(side, time));
  return Promise.all(all);
}

describe('[SD4] two processes at one PostgreSQL', () => {
  it('register an email once', async () => {
    const added = await race(10, async (side, time) => {
      const other = { ...user(`${side}-${time}`), email: `same-${time}@example.com` };
      return platforms[side]!.addUser(other);
    });
    expect(added.filter((isAdded) => isAdded)).toHaveLength(10);
  });

  it('give an address one key a day', async () => {
    const added = await race(10, async (side, time) =>
      platforms[side]!.addAnonymousKey(key(`${side}${time}`), { day: time, addressHash: 'h' }),
    );
    expect(added.filter((isAdded) => isAdded)).toHaveLength(10);
  });

  it('add no key above the most', async () => {
    const added = await race(8, async (side, time) =>
      platforms[side]!.addKey({ ...key(`${side}${time}`), holderId: 'usr_ada' }, undefined, 5),
    );
    expect(added.filter((addition) => addition === 'added')).toHaveLength(5);
    expect(await platforms[0]!.keysOf('usr_ada', { limit: 20, after: null })).toHaveLength(5);
  });

  it('leave no key in force below one that was revoked', async () => {
    for (let time = 0; time < 8; time += 1) await platforms[0]!.addKey(key(`parent${time}`));
    await race(8, async (side, time) => {
      const mintedBy = key(`parent${time}`).publicId;
      if (side === 0) return platforms[0]!.revokeKey(mintedBy, 9);
      return platforms[1]!.addKey({ ...key(`child${time}`), mintedBy });
    });
    for (let time = 0; time < 8; time += 1) {
      const child = await platforms[0]!.keyById(key(`child${time}`).publicId);
      expect(child === null || child.revokedAtMs !== null).toBe(true);
    }
  });

  it('change a password once for each that was verified', async () => {
    await platforms[0]!.addUser(user('ada'));
    const session = {
      tokenHash: 'h',
      userId: 'usr_ada',
      createdAtMs: 1,
      expiresAtMs: 9,
      endedAtMs: null,
      steppedUpAtMs: null,
      lastSeenAtMs: 1,
      network: '',
      device: '',
    };
    for (const side of [0, 1])
      await platforms[side]!.addSession({ ...session, sessionId: `ses_${side}` });
    const changed = await race(1, async (side) =>
      platforms[side]!.changePassword({
        userId: 'usr_ada',
        verifiedHash: 'hash',
        passwordHash: `new ${side}`,
        keptSessionId: `ses_${side}`,
        atMs: 5,
      }),
    );
    expect(changed.filter((one) => one !== null)).toHaveLength(1);
  });

  it('register a URL once, and change another to it never', async () => {
    const url = 'https://same.example/';
    const added = await race(1, async (side) =>
      webhooks[side]!.addEndpoint({ ...endpoint(`wh_${side}`), url }),
    );
    expect(added.filter((one) => one === 'added')).toHaveLength(1);
    for (const name of ['wh_x', 'wh_y']) await webhooks[0]!.addEndpoint(endpoint(name));
    const other = 'https://other.example/';
    const changed = await race(1, async (side) =>
      webhooks[side]!.changeEndpoint(side === 0 ? 'wh_x' : 'wh_y', { url: other, updatedAtMs: 2 }),
    );
    expect(changed.filter((one) => one === 'taken')).toHaveLength(1);
  });

  it('number deliveries without a gap, one head to a chain, and never move the cursor back', async () => {
    await webhooks[0]!.addEndpoint(endpoint('wh_a'));
    await race(10, async (side, time) => {
      const deliveries = ['a', 'b'].map((name) => delivery(`${name}${side}${time}`, 'wh_a', 'x'));
      const seq = 2 * time + side;
      await webhooks[side]!.take({ environment: 'live', seq, deliveries, atMs: 100 }, 1000);
    });
    const all = { limit: 100, beforePosition: null, status: null, eventType: null };
    const found = await webhooks[1]!.deliveriesOf('wh_a', all);
    const numbers = found.map(({ sequence }) => sequence).sort((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
    expect(found.filter(({ isHead }) => isHead)).toHaveLength(1);
    expect(await webhooks[0]!.endpoint('wh_a')).toMatchObject({
      lastSequence: 40,
      pendingCount: 40,
    });
    expect(await webhooks[0]!.cursor('live')).toBe(19);
  });
});

it('[SD1] text with a character that PostgreSQL does not keep finds nothing, and breaks nothing', async () => {
  const [store] = platforms as [PlatformStore];
  expect(await store.keyById('sk_live_\0')).toBeNull();
  await store.putSetting('x', 'a\0b');
  expect(await store.setting('x')).toBe('a\ufffdb');
});

it('[SD10] what PostgreSQL refuses is told without its statement and its values', async () => {
  const [store] = platforms as [PlatformStore];
  await store.addKey(key('a'));
  const error = await store.addKey({ ...key('a'), label: 'a-private-label' }).catch(String);
  expect(error).toBe('StatementRefused: PostgreSQL refused a statement (23505 by keys_pkey)');
});
