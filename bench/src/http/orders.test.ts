// The order-entry workload must be what it says, or the figures are of something else.
import { operations } from '@sibyl/contract';
import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { BATCH_ITEMS, OrderRequests, type Shape, type Shown } from './orders.ts';

const ROSTER = {
  tokens: ['one', 'two', 'three'],
  appTokens: ['an', 'app', 'each'],
  signers: [1, 2, 3].map((number) => ({ keyId: `key ${number}`, secret: `secret ${number}` })),
  markets: ['m_0123456789abcdef', 'm_1123456789abcdef'],
};

function bodiesOf(shape: Shape, count: number): readonly { readonly head: string; body: string }[] {
  const requests = new OrderRequests(ROSTER, shape, 7);
  return Array.from({ length: count }, () => {
    const [head = '', body = ''] = requests.next().split('\r\n\r\n');
    expect(head).toContain(`Content-Length: ${Buffer.byteLength(body)}`);
    return { head, body };
  });
}

test('[BN3] orders lie where the workload says, on both sides, under names of their own', () => {
  const orders = bodiesOf('single', 5000).map(({ body }) => JSON.parse(body));
  const pips = orders.map(({ price }) => Math.round(Number(price) * 10_000));
  expect([Math.min(...pips), Math.max(...pips)]).toEqual([4900, 5040]);
  const sizes = orders.map(({ size }) => Number(size));
  expect([Math.min(...sizes), Math.max(...sizes)]).toEqual([1, 100]);
  const onYes = orders.filter(({ outcome_id: outcome }) => outcome === 'yes').length;
  expect(onYes / orders.length).toBeCloseTo(0.5, 1);
  expect(new Set(orders.map(({ client_order_id: name }) => name)).size).toBe(orders.length);
});

test('[BN3] the contract takes a single order and a batch as they are sent', async () => {
  const app = fastify({
    ajv: { customOptions: { strict: false, coerceTypes: false, formats: { int64: true } } },
  });
  const { placeOrder, batchOrders } = operations;
  for (const { path, input } of [placeOrder, batchOrders]) {
    app.post(path, { schema: { body: input.body } }, (_, reply) => reply.send('taken'));
  }
  for (const shape of ['single', 'batch'] as const) {
    const [{ head, body } = { head: '', body: '' }] = bodiesOf(shape, 1);
    const url = head.split(' ')[1] ?? '';
    const headers = { 'content-type': 'application/json' };
    const answer = await app.inject({ method: 'POST', url, headers, payload: body });
    expect(answer.payload).toBe('taken');
  }
  expect(JSON.parse(bodiesOf('batch', 1)[0]?.body ?? '').items).toHaveLength(BATCH_ITEMS);
});

test('[BN3] the same orders are sent by key, by the token of an app and signed', () => {
  const sentBy = (shown: Shown) => {
    const requests = new OrderRequests(ROSTER, 'single', 7, shown);
    return Array.from({ length: 50 }, () => requests.next().split('\r\n\r\n'));
  };
  const [byKey, byToken, signed] = [sentBy('key'), sentBy('token'), sentBy('signature')];
  const bodiesIn = (sent: readonly string[][]) => sent.map(([, body]) => body);
  expect(bodiesIn(byToken)).toEqual(bodiesIn(byKey));
  expect(bodiesIn(signed)).toEqual(bodiesIn(byKey));
  expect(byToken.every(([head]) => /Bearer (an|app|each)\r\n/.test(head ?? ''))).toBe(true);
  const nonces = signed.map(([head]) => /SVC-NONCE: (\S+)/.exec(head ?? '')?.[1]);
  expect(new Set(nonces).size).toBe(50);
});
