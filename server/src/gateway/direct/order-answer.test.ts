import { envelopeOf, type Order, operations } from '@sibyl/contract';
import fc from 'fast-check';
import { fastify } from 'fastify';
import { describe, expect, it } from 'vitest';
import { serializedAs } from '../serialization.ts';
import { batchAnswerWriter, orderAnswerWriter } from './order-answer.ts';

const META = { request_id: 'req_1', server_ts_ms: 1_700_000_000_123 };
const { data: example } = operations.placeOrder.example;

/** Orders of every kind: names that need escapes, terms that were given and terms that were not. */
const order: fc.Arbitrary<Order> = fc
  .record({
    market_id: fc.constantFrom('m_0123456789abcdef', 'm_"quoted"\n'),
    outcome_id: fc.constantFrom('yes', 'é', 'a\\b'),
    side: fc.constantFrom('buy', 'sell'),
    order_type: fc.constantFrom('limit', 'market'),
    price: fc.constantFrom('0.420000', null),
    status: fc.constantFrom('pending', 'filled', 'rejected'),
    filled_size: fc.constantFrom('0.000000', '1.000000'),
    fee_paid: fc.constantFrom('0.000000', '0.010000'),
    created_at: fc.constantFrom('2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.001Z'),
    created_at_ms: fc.constantFrom(1_767_225_600_000, 1_767_225_600_001),
    updated_at: fc.constantFrom('2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.001Z'),
    updated_at_ms: fc.constantFrom(1_767_225_600_000, 1_767_225_600_001),
    avg_fill_price: fc.constantFrom('0.400000', null),
    client_order_id: fc.option(fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed())),
    time_in_force: fc.constantFrom('gtc', 'ioc'),
    post_only: fc.boolean(),
    reduce_only: fc.boolean(),
    stp_mode: fc.constantFrom('cancel_resting', 'cancel_both'),
    max_cost: fc.constantFrom('5.000000', null),
    valid_until_ms: fc.constantFrom(1_900_000_000_000, null),
    reject_reason: fc.constantFrom('would_cross', null),
    cancel_reason: fc.constantFrom('user', null),
    expires: fc.boolean(),
  })
  .map(({ expires, ...fields }) => ({
    ...example,
    ...fields,
    expires_at: expires ? '2030-01-01T00:00:00.000Z' : null,
    expires_at_ms: expires ? 1_893_456_000_000 : null,
    chain_data: null,
  })) as fc.Arbitrary<Order>;

/** Orders of which nothing was said but what they are. */
const usual = order.map(
  (made): Order => ({
    ...made,
    time_in_force: 'gtc',
    post_only: false,
    reduce_only: false,
    stp_mode: 'cancel_resting',
    max_cost: null,
    valid_until_ms: null,
    reject_reason: null,
    cancel_reason: null,
    expires_at: null,
    expires_at_ms: null,
  }),
);

/** Usual but for one thing. */
const nearlyUsual = fc
  .tuple(
    usual,
    order,
    fc.constantFrom(
      'time_in_force',
      'post_only',
      'reduce_only',
      'stp_mode',
      'max_cost',
      'valid_until_ms',
      'reject_reason',
      'cancel_reason',
      'expires_at_ms',
    ),
  )
  .map(([plain, other, term]): Order => ({ ...plain, [term]: other[term] }));

async function serializerFor(operation: 'placeOrder' | 'batchOrders') {
  const app = fastify();
  app.get('/', { schema: { response: { 200: {} } } }, () => ({}));
  await app.ready();
  const { serializerCompiler } = app;
  if (serializerCompiler === undefined) throw new Error('Fastify is not ready');
  const schema = serializedAs(envelopeOf(operations[operation]));
  return serializerCompiler({ schema, method: 'POST', url: '/', httpStatus: '200' });
}

describe('answers that are spelled out', () => {
  it('[IF41] are what the serializer writes: a placed order', async () => {
    const serialize = await serializerFor('placeOrder');
    const write = orderAnswerWriter(() => 'left to the serializer');
    fc.assert(
      fc.property(fc.oneof(order, usual, nearlyUsual), fc.boolean(), (data, isFilled) => {
        const meta = isFilled ? { ...META, fill_venue: 'clob' } : META;
        const envelope = { ok: true, data, meta, error: null };
        const { text, isAscii } = write(envelope);
        expect(text).toBe(serialize(envelope));
        if (isAscii) expect(Buffer.byteLength(text)).toBe(text.length);
      }),
      { numRuns: 500 },
    );
  });

  it('[IF41] are what the serializer writes: a batch', async () => {
    const serialize = await serializerFor('batchOrders');
    const write = batchAnswerWriter(() => 'left to the serializer');
    const item = fc.tuple(fc.constantFrom('place', 'amend'), fc.oneof(order, usual));
    fc.assert(
      fc.property(fc.array(item, { minLength: 1, maxLength: 5 }), (items) => {
        const results = items.map(([action, data]) => ({ ok: true, action, data, error: null }));
        const data = { results, succeeded: results.length, failed: 0 };
        const envelope = { ok: true, data, meta: META, error: null };
        const { text, isAscii } = write(envelope);
        expect(text).toBe(serialize(envelope));
        if (isAscii) expect(Buffer.byteLength(text)).toBe(text.length);
      }),
    );
  });

  it('[IF41] leave whatever is not usual to the serializer', () => {
    const left = 'left to the serializer';
    const { data } = operations.batchOrders.example;
    const batch = { ok: true, data, meta: META, error: null };
    expect(batchAnswerWriter(() => left)(batch)).toEqual({ text: left, isAscii: false });
    const chained = { ok: true, data: { ...example, chain_data: {} }, meta: META, error: null };
    expect(orderAnswerWriter(() => left)(chained)).toEqual({ text: left, isAscii: false });
  });
});
