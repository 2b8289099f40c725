// The client's order tracker and dead-man switch against a real server that is killed under them.
import {
  createSandboxClient,
  createSocket,
  DeadManSwitch,
  OrderTracker,
  type SibylClient,
  type SibylSocket,
  type TrackedOrder,
} from '@sibyl/sdk';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startSeeded } from '../seeded-sandbox.ts';
import { type Started, startServer, temporaryFolder } from '../server-process.ts';

describe('[SK19] an order tracker', () => {
  const data = temporaryFolder();
  let server: Started;
  let client: SibylClient & { readonly token: string };
  let marketId = '';
  const sockets: SibylSocket[] = [];

  beforeAll(async () => {
    server = await startSeeded({ dataDir: data.folder });
    client = await createSandboxClient({ baseUrl: `${server.baseUrl}/sandbox`, timeoutMs: 2_000 });
    const { items } = await client.markets.list({ status: 'active', category: 'technology' });
    marketId = items[0]?.market_id ?? '';
  });
  afterAll(async () => {
    for (const socket of sockets) socket.close();
    await server.stop();
    data.remove();
  });

  async function connect(): Promise<SibylSocket> {
    const { token } = client;
    const socket = createSocket({ baseUrl: `${server.baseUrl}/sandbox`, token });
    sockets.push(socket);
    await socket.connect();
    return socket;
  }

  const resting = (name: string) =>
    ({
      market_id: marketId,
      outcome_id: 'yes',
      side: 'buy',
      order_type: 'limit',
      price: '0.01',
      size: '100',
      client_order_id: name,
    }) as const;

  async function restart(): Promise<void> {
    const { port } = new URL(server.baseUrl);
    await server.stop('SIGKILL');
    server = await startServer({ dataDir: data.folder, environment: { PORT: port } });
  }

  async function openNames(): Promise<readonly (string | null)[]> {
    const names: (string | null)[] = [];
    for await (const order of client.account.orders({ status: 'pending' })) {
      names.push(order.client_order_id);
    }
    return names.sort();
  }

  it('forgets nothing and tells nothing twice when the server is killed with an order on its way', async () => {
    const states: string[] = [];
    const intents: string[] = [];
    const tracker = new OrderTracker(client, await connect(), {
      onIntent: (name) => {
        intents.push(name);
      },
      onChange: (order) => states.push(stateOf(order)),
    });
    await tracker.ready;
    await tracker.place(resting('a'));
    await tracker.place(resting('b'));
    const flying = tracker.place(resting('c')).catch(() => null);
    await restart();
    await flying;
    // Whether it arrived is for the server to say; the placement waits for that, and the tracker must agree.
    expect(tracker.unsure).toEqual([]);
    await client.orders.cancel('coid:b');
    await vi.waitUntil(() => tracker.get('b')?.status === 'cancelled', { timeout: 120_000 });
    expect(tracker.open.map((order) => order.client_order_id).sort()).toEqual(await openNames());
    expect(tracker.get('a')?.status).toBe('pending');
    expect(new Set(states).size).toBe(states.length);

    const later = new OrderTracker(client, await connect());
    await later.ready;
    const found = await later.recover(intents);
    expect(found.map(stateOf).sort()).toEqual(intents.flatMap((name) => stateIn(tracker, name)));
    expect(later.open.map(stateOf).sort()).toEqual(tracker.open.map(stateOf).sort());
    expect(await later.recover(['never-sent'])).toEqual([]);
    tracker.close();
    later.close();
    await client.orders.cancelAll();
  });

  it('asks how an order ended that was gone when the connection came back', async () => {
    const socket = await connect();
    const tracker = new OrderTracker(client, socket);
    await tracker.ready;
    await tracker.place(resting('d'));
    tracker.close();
    await client.orders.cancel('coid:d');
    expect(tracker.get('d')?.status).toBe('pending');
    const second = new OrderTracker(client, socket);
    expect((await second.recover(['d'])).map((order) => order.status)).toEqual(['cancelled']);
    second.close();
  });

  it('throws what the service refused, and forgets its name', async () => {
    const tracker = new OrderTracker(client, await connect());
    await tracker.ready;
    await expect(tracker.place({ ...resting('e'), price: '0.012345678' })).rejects.toThrow();
    expect(tracker.unsure).toEqual([]);
    tracker.close();
  });

  it('[SK17] a switch keeps orders while its program lives, and the service ends them afterwards', async () => {
    const guard = new DeadManSwitch(client, { timeoutMs: 5_000 });
    await guard.start();
    await client.orders.place(resting('f'));
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    expect((await client.orders.get('coid:f')).status).toBe('pending');
    await guard.abandon();
    const gone = async (): Promise<boolean> => {
      const order = await client.orders.get('coid:f');
      return order.status === 'cancelled' && order.cancel_reason === 'dead_man';
    };
    await vi.waitUntil(gone, { timeout: 120_000, interval: 1_000 });
  });
});

function stateOf(order: TrackedOrder): string {
  const { client_order_id: name, status, filled_size: filled, size, price } = order;
  return `${name} ${status} ${filled}/${size} ${price}`;
}

function stateIn(tracker: OrderTracker, name: string): readonly string[] {
  const order = tracker.get(name);
  return order === undefined ? [] : [stateOf(order)];
}
