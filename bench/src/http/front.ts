// The HTTP front of the peers: our route with our schemas for body and answer, our headers, and nothing else of ours.
import { apiVersion, envelopeOf, type Order, type OrderInput, operations } from '@sibyl/contract';
import { type FastifyInstance, fastify } from 'fastify';

/** The lines that stand on every answer of ours. Limits are not kept here, so what is left of them is made up. */
const HEADERS = {
  'x-api-version': apiVersion,
  'x-money-format': 'decimal_string',
  'x-pii-redacted': 'false',
  'x-ratelimit-limit': '30000',
  'x-ratelimit-remaining': '29999',
  'x-ratelimit-reset': '1794784752',
  'x-ratelimit-category': 'trade',
  'x-ratelimit-scope': 'key',
  'cache-control': 'no-store',
} as const;

/** Takes an order and gives its number. */
export type Taker = (order: OrderInput, token: string) => number | Promise<number>;

/** Resolves with the port it listens on. */
export async function openFront(take: Taker): Promise<number> {
  const { placeOrder } = operations;
  const app: FastifyInstance = fastify({
    logger: false,
    ajv: { customOptions: { strict: false, coerceTypes: false, formats: { int64: true } } },
  });
  app.post<{ Body: OrderInput }>(
    placeOrder.path,
    { schema: { body: placeOrder.input.body, response: { 200: envelopeOf(placeOrder) } } },
    (request, reply) => {
      const { body } = request;
      const taken = take(body, request.headers.authorization ?? '');
      reply.header('x-request-id', request.id).headers(HEADERS);
      if (typeof taken === 'number') {
        reply.send(envelope(request.id, body, taken));
        return;
      }
      taken.then(
        (number) => reply.send(envelope(request.id, body, number)),
        (error: Error) => reply.send(error),
      );
    },
  );
  await app.listen({ host: '127.0.0.1', port: 0 });
  const address = app.server.address();
  if (address === null || typeof address === 'string') throw new Error('the front has no port');
  return address.port;
}

function envelope(requestId: string, order: OrderInput, number: number) {
  const nowMs = Date.now();
  return {
    ok: true,
    data: orderOf(order, number, nowMs),
    meta: { request_id: requestId, server_ts_ms: nowMs },
    error: null,
  };
}

/** Every field of the answer that an order of ours gets which rests in full. */
function orderOf(order: OrderInput, number: number, nowMs: number): Order {
  const now = new Date(nowMs).toISOString();
  return {
    order_id: `ord_${number}`,
    market_id: order.market_id,
    outcome_id: order.outcome_id,
    side: order.side,
    order_type: order.order_type,
    price: order.price ?? null,
    size: order.size,
    status: 'pending',
    filled_size: '0.000000',
    remaining_size: order.size,
    avg_fill_price: null,
    fee_paid: '0.000000',
    reserved: order.size,
    client_order_id: order.client_order_id ?? null,
    time_in_force: order.time_in_force ?? 'gtc',
    post_only: order.post_only ?? false,
    reduce_only: order.reduce_only ?? false,
    stp_mode: order.stp_mode ?? 'cancel_resting',
    max_cost: null,
    valid_until_ms: null,
    reject_reason: null,
    cancel_reason: null,
    expires_at: null,
    expires_at_ms: null,
    created_at: now,
    created_at_ms: nowMs,
    updated_at: now,
    updated_at_ms: nowMs,
    chain_data: null,
  };
}
