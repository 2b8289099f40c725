// cancel_on_disconnect: whose it is, what takes it back, and that nothing but that does.
import { asAccountId } from '@sibyl/engine';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type Client, openStage, pause, type Stage } from './stage.ts';

const GRACE_MS = 2_000;
const armed = { cancel_on_disconnect: true, grace_ms: GRACE_MS };
let stage: Stage;
let marketId: string;
let session: string;
let key: string;

beforeAll(async () => {
  stage = await openStage();
  marketId = await stage.exchange.market('book', 1);
  session = await stage.exchange.trader();
  key = await stage.exchange.key({ session, at: '/sandbox' });
});
afterEach(async () => {
  await stage.exchange.ask('cancelAllOrders', { token: session, body: {} });
  // Whatever ends later would count as lost in the next test.
  await expect.poll(() => stage.streams.size).toBe(0);
});
afterAll(() => stage.close());

const limit = { outcome_id: 'yes', side: 'buy', order_type: 'limit', price: '0.1', size: '10' };

async function placeOrder(): Promise<string> {
  const body = { ...limit, market_id: marketId };
  const { data } = await stage.exchange.ask('placeOrder', { token: session, body });
  return data.order_id;
}

async function findOrder(order_id: string) {
  const { data } = await stage.exchange.ask('getOrder', { token: session, params: { order_id } });
  return data;
}

const opened: Client[] = [];

async function connect(): Promise<Client> {
  const client = await stage.connect();
  opened.push(client);
  return client;
}

async function open(token: string, options: object = {}): Promise<Client> {
  const client = await connect();
  await client.ask({ op: 'AUTH', token, ...options }, 'authenticated');
  return client;
}

/** The connection breaks, and the service has noticed; no other has ended meanwhile, and if one did, by which code. */
async function lose(client: Client): Promise<void> {
  const { size } = stage.streams;
  const others = opened.filter((one) => one !== client && one.closed === null);
  client.socket.terminate();
  const seen = () => ({
    size: stage.streams.size,
    ended: others.flatMap(({ closed }) => closed?.code ?? []),
  });
  await expect.poll(seen).toEqual({ size: size - 1, ended: [] });
}

/** The grace of whatever was lost is over, and what it causes has happened. */
async function passGrace(): Promise<void> {
  stage.exchange.clock.advance(GRACE_MS);
  await pause(20);
}

it('[WS6] is refused to a key that may not trade, which then speaks for nobody', async () => {
  const reader = await stage.exchange.key({ session, at: '/sandbox', permissions: ['read'] });
  const client = await connect();
  const refused = await client.ask({ op: 'AUTH', token: reader, ...armed }, 'error');
  expect(refused.data).toMatchObject({ code: 'SCOPE_MISSING', details: { required: 'trade' } });
  const reply = await client.ask({ op: 'SUBSCRIBE', params: ['account'] }, 'subscribed');
  expect(reply.data.rejected).toMatchObject([{ code: 'AUTH_REQUIRED' }]);
  await client.ask({ op: 'AUTH', token: reader }, 'authenticated');
  await lose(client);
});

it('[WS7] cancels with the reason disconnect, whoever else is connected or comes without asking for it', async () => {
  const orderId = await placeOrder();
  const holder = await open(key, armed);
  const beside = [await open(session), await open(key)];
  await lose(holder);
  beside.push(await open(session, armed), await open(key));
  stage.exchange.clock.advance(GRACE_MS - 1);
  expect((await findOrder(orderId)).status).toBe('pending');
  await passGrace();
  await expect.poll(async () => (await findOrder(orderId)).status).toBe('cancelled');
  expect((await findOrder(orderId)).cancel_reason).toBe('disconnect');
  for (const client of beside) await lose(client);
  await passGrace();
});

it('[WS7] is taken back by whoever comes with the same credential and asks for it again', async () => {
  const orderId = await placeOrder();
  await lose(await open(key, armed));
  const back = await open(key, armed);
  await passGrace();
  expect((await findOrder(orderId)).status).toBe('pending');
  await lose(back);
  await passGrace();
  await expect.poll(async () => (await findOrder(orderId)).status).toBe('cancelled');
});

it('[WS7] is lost with the last socket of the credential that asked for it', async () => {
  const orderId = await placeOrder();
  const both = [await open(key, armed), await open(key, armed)] as const;
  await lose(both[0]);
  await passGrace();
  expect((await findOrder(orderId)).status).toBe('pending');
  await lose(both[1]);
  await passGrace();
  await expect.poll(async () => (await findOrder(orderId)).status).toBe('cancelled');
});

it('[WS7] is given up by the socket that asked for it, and by no other', async () => {
  const orderId = await placeOrder();
  const holder = await open(key, armed);
  await holder.ask({ op: 'AUTH', token: key }, 'authenticated');
  await lose(holder);
  await passGrace();
  expect((await findOrder(orderId)).status).toBe('pending');
  expect(await stage.exchange.platform.disconnectCancels()).toEqual([]);
});

it.each(['connected', 'lost'])(
  '[WS7] a key that is revoked while it is %s cancels at once and nothing later',
  async (state) => {
    const doomed = await stage.exchange.key({ session, at: '/sandbox' });
    const orderId = await placeOrder();
    const holder = await open(doomed, armed);
    if (state === 'lost') await lose(holder);
    await stage.exchange.platform.revokeKey(doomed.slice(0, 24), stage.exchange.clock.wallMs());
    await expect.poll(async () => (await findOrder(orderId)).status).toBe('cancelled');
    const later = await placeOrder();
    await passGrace();
    expect((await findOrder(later)).status).toBe('pending');
    expect(await stage.exchange.platform.disconnectCancels()).toEqual([]);
  },
);

it('[WS8] is stored when it is acknowledged, and until the orders are cancelled', async () => {
  const orderId = await placeOrder();
  const client = await connect();
  const { data } = await client.ask({ op: 'AUTH', token: key, ...armed }, 'authenticated');
  const stored = {
    lane: 'sandbox',
    credential: `key ${key.slice(0, 24)}`,
    accountId: asAccountId(data.account_id),
    graceMs: GRACE_MS,
  };
  expect(await stage.exchange.platform.disconnectCancels()).toEqual([stored]);
  await lose(client);
  expect(await stage.exchange.platform.disconnectCancels()).toEqual([stored]);
  await passGrace();
  await expect.poll(() => stage.exchange.platform.disconnectCancels()).toEqual([]);
  expect((await findOrder(orderId)).status).toBe('cancelled');
});

it('[WS8] asking again and again costs frames, because each change is written to disk', async () => {
  const client = await open(key, armed);
  for (let count = 0; count < 3; count += 1) {
    client.send({ op: 'AUTH', token: key, ...armed, grace_ms: count });
  }
  const throttled = await client.next('throttled');
  expect(throttled.data.frames_dropped).toBeGreaterThan(0);
  await lose(client);
  await passGrace();
});
