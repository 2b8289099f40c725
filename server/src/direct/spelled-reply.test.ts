import { envelopeOf, operations } from '@sibyl/contract';
import { type Answer, asAccountId, type BatchItem, type OrderView } from '@sibyl/engine';
import { TextSheet } from '@sibyl/lane';
import fc from 'fast-check';
import { fastify } from 'fastify';
import { describe, expect, it } from 'vitest';
import { redactorOf } from '../gateway/redact.ts';
import { serializedAs } from '../gateway/serialization.ts';
import { spellOrder, wireOrder } from '../wire/generated/order.ts';
import { BatchReply, PlacedReply } from '../wire/order-replies.ts';
import { spellReply } from './spelled-reply.ts';

const MAX_LOTS = 100_000_000_000;
const LAST_INSTANT_MS = 253_402_300_799_999;
/** More than a number holds. */
const HUGE = (1n << 63n) - 1n;

const instant = fc.oneof(
  fc.constantFrom(0, 1, 1_767_225_600_000, 1_767_225_600_001, LAST_INSTANT_MS),
  fc.integer({ min: 0, max: LAST_INSTANT_MS }),
);
const lots = fc.oneof(
  fc.constantFrom(1, 99, 100, 101, MAX_LOTS - 1, MAX_LOTS),
  fc.integer({ min: 1, max: 100_000 }),
  fc.integer({ min: 1, max: MAX_LOTS }),
);
const amount = fc.oneof(
  fc.constantFrom(0n, 1n, 999_999n, 1_000_000n, (1n << 53n) - 1n, 1n << 53n, HUGE),
  fc.bigInt(0n, 1_000_000_000n),
  fc.bigInt(0n, 1n << 60n),
);
const name = fc.oneof(
  fc.constantFrom('yes', 'é', 'a\\b', '"', '\n', '\u007f', '\u2028', '😀'),
  fc.string({ unit: 'binary', maxLength: 64 }).filter((text) => text.isWellFormed()),
  fc.stringMatching(/^[\w .:-]{1,64}$/),
);

/** Orders of every kind, those that no market would let be among them. */
const order = fc
  .record({
    orderId: fc.oneof(
      fc.constantFrom(0, 1, 999_999_999, 1_000_000_000, Number.MAX_SAFE_INTEGER),
      fc.maxSafeNat(),
    ),
    marketId: fc.oneof(fc.constant('m_0123456789abcdef'), name),
    outcomeId: name,
    side: fc.constantFrom('buy', 'sell'),
    orderType: fc.constantFrom('limit', 'market'),
    price: fc.oneof(fc.constantFrom(null, 0, 1, 9999, 10_000), fc.integer({ min: 1, max: 9999 })),
    lots,
    filled: fc.constantFrom('none', 'some', 'all'),
    filledCost: amount,
    feesPaid: amount,
    status: fc.constantFrom('pending', 'partially_filled', 'filled', 'cancelled', 'rejected'),
    timeInForce: fc.constantFrom('gtc', 'gtd', 'ioc', 'fok'),
    postOnly: fc.boolean(),
    reduceOnly: fc.boolean(),
    stpMode: fc.constantFrom('cancel_resting', 'cancel_incoming'),
    maxCost: fc.option(amount),
    validUntilMs: fc.option(instant),
    expiresAtMs: fc.option(instant),
    clientOrderId: fc.option(name),
    createdAtMs: instant,
    rejectReason: fc.constantFrom(
      null,
      'fok_unfilled',
      'post_only_would_take',
      'late',
      'nothing_to_reduce',
    ),
    cancelReason: fc.constantFrom(null, 'user', 'ioc_remainder', 'account_frozen', 'dead_man'),
  })
  .map(({ filled, ...fields }) => ({
    ...fields,
    filledLots: { none: 0, some: Math.ceil(fields.lots / 3), all: fields.lots }[filled],
    accountId: asAccountId('acc_1'),
    keyId: null,
    builderAppId: null,
  })) as unknown as fc.Arbitrary<OrderView>;

/** Orders of which nothing was said but what they are. */
const USUAL = {
  timeInForce: 'gtc',
  postOnly: false,
  reduceOnly: false,
  stpMode: 'cancel_resting',
  maxCost: null,
  validUntilMs: null,
  rejectReason: null,
  cancelReason: null,
  expiresAtMs: null,
} as const;
const usual = order.map((made): OrderView => ({ ...made, ...USUAL }));
const untouched = usual.map((made): OrderView => {
  const nothing = { filledLots: 0, filledCost: 0n, feesPaid: 0n } as OrderView;
  return { ...made, ...nothing, status: 'pending' };
});

/** Usual but for one thing. */
const nearlyUsual = fc
  .tuple(usual, order, fc.constantFrom(...(Object.keys(USUAL) as (keyof typeof USUAL)[])))
  .map(([plain, other, term]): OrderView => ({ ...plain, [term]: other[term] }));

const anyOrder = fc.oneof(order, usual, untouched, nearlyUsual);
function enveloped(data: string): string {
  return `{"ok":true,"data":${data},"meta":{"request_id":"req_1","server_ts_ms":1},"error":null}`;
}

async function serializerFor(operation: 'placeOrder' | 'batchOrders') {
  const app = fastify();
  app.get('/', { schema: { response: { 200: {} } } }, () => ({}));
  await app.ready();
  const { serializerCompiler } = app;
  if (serializerCompiler === undefined) throw new Error('Fastify is not ready');
  const schema = serializedAs(envelopeOf(operations[operation]));
  const write = serializerCompiler({ schema, method: 'POST', url: '/', httpStatus: '200' });
  const meta = { request_id: 'req_1', server_ts_ms: 1 };
  /** What the schema makes of the data alone. */
  return (data: unknown): string => {
    const text = write({ ok: true, data, meta, error: null });
    return text.slice('{"ok":true,"data":'.length, text.lastIndexOf(',"meta":'));
  };
}

const sheet = new TextSheet();

function spelled(spell: (sheet: TextSheet) => void): string {
  sheet.begin();
  sheet.openLength();
  sheet.openBody();
  spell(sheet);
  const text = sheet.close().toString();
  return text.slice(text.indexOf('{'));
}

describe('orders that are spelled out', () => {
  it.each([
    ['pending', 'buy', '0.840000'],
    ['partially_filled', 'buy', '0.840000'],
    ['partially_filled', 'sell', '2.000000'],
    ['filled', 'buy', '0.000000'],
    ['cancelled', 'sell', '0.000000'],
    ['rejected', 'buy', '0.000000'],
  ] as const)('[DW1] say what is reserved for an order: %s, %s', (status, side, reserved) => {
    const [made] = fc.sample(order, 1);
    const facts = { status, side, price: 4200, lots: 300, filledLots: 100 } as Partial<OrderView>;
    const view = { ...made!, ...facts };
    const text = spelled((to) => spellOrder(to, view, 0));
    expect(JSON.parse(text).reserved).toBe(reserved);
    expect(wireOrder(view, 0).reserved).toBe(reserved);
  });

  it('[DW1] are what the serializer writes of their view', async () => {
    const serialize = await serializerFor('placeOrder');
    fc.assert(
      fc.property(anyOrder, instant, fc.boolean(), (view, atMs, isNew) => {
        const updatedAtMs = isNew ? view.createdAtMs : atMs;
        const text = spelled((to) => spellOrder(to, view, updatedAtMs));
        expect(text).toBe(serialize(wireOrder(view, updatedAtMs)));
      }),
      { numRuns: 3000 },
    );
  });

  it('[DW1] are what the serializer writes of the reply: a placed order', async () => {
    const serialize = await serializerFor('placeOrder');
    const redact = redactorOf(operations.placeOrder);
    fc.assert(
      fc.property(anyOrder, (view) => {
        const reply = new PlacedReply(view, null, false);
        const text = spelled((to) => spellReply(to, reply, 'req_1', 1));
        expect(text).toBe(enveloped(serialize(reply.data)));
        expect(redact?.(JSON.parse(text).data).isStripped ?? false).toBe(false);
      }),
    );
  });

  it('[DW1] are what the serializer writes of the reply: a batch', async () => {
    const serialize = await serializerFor('batchOrders');
    const redact = redactorOf(operations.batchOrders);
    const item = fc.tuple(fc.constantFrom('place_order', 'amend_order'), anyOrder);
    fc.assert(
      fc.property(fc.array(item, { minLength: 1, maxLength: 20 }), instant, (items, atMs) => {
        const commands = items.map(([type]) => ({ type }) as unknown as BatchItem);
        const answers = items.map(
          ([, view]): Answer => ({
            ok: true,
            result: { kind: 'order', order: view, fillVenue: null },
          }),
        );
        const reply = new BatchReply(commands, answers, atMs, false);
        const { data } = reply;
        expect(data.results.map(({ action }) => action)).toEqual(
          items.map(([type]) => (type === 'place_order' ? 'place' : 'amend')),
        );
        expect(data.results.map((result) => result.data?.updated_at_ms)).toEqual(
          items.map(([type, view]) => (type === 'place_order' ? view.createdAtMs : atMs)),
        );
        const text = spelled((to) => spellReply(to, reply, 'req_1', 1));
        expect(text).toBe(enveloped(serialize(data)));
        expect(redact?.(JSON.parse(text).data).isStripped ?? false).toBe(false);
      }),
    );
  });
});
