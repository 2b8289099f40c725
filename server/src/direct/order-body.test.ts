import { OrderInput, operations } from '@sibyl/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseText } from '../gateway/body.ts';
import { compileCheck } from '../gateway/validation.ts';
import { bodyReaderOf } from './order-body.ts';

const HEAD = 'POST /v1/orders HTTP/1.1\r\n\r\n';

/** What the reader makes of a body; null if it leaves it to others. */
function read(operationId: string, body: string): object | null {
  const text = HEAD + body;
  return bodyReaderOf(operationId)!(Buffer.from(text, 'latin1'), HEAD.length);
}

const checks = {
  placeOrder: compileCheck(operations.placeOrder.input.body, 'body'),
  batchOrders: compileCheck(operations.batchOrders.input.body, 'body'),
};

/** What the parser and the schema make of it; null if they refuse it. */
function judged(operationId: keyof typeof checks, body: string): object | null {
  let value: unknown;
  try {
    value = parseText(body);
  } catch {
    return null;
  }
  return checks[operationId](value) === true ? Object(value) : null;
}

const ORDER = {
  market_id: 'm_0123456789abcdef',
  outcome_id: 'yes',
  side: 'buy',
  order_type: 'limit',
  price: '0.42',
  size: '10',
};

/** Defaults that the schema does not set in items of a batch; the handler knows them as well. */
const DEFAULTS = {
  post_only: false,
  reduce_only: false,
  stp_mode: 'cancel_resting',
  accept_price: false,
};

const DIGITS = '9'.repeat(70);
const times = [0, 1, 1_900_000_000_000, 253_402_300_799_999, 253_402_300_800_000, -1, 1.5, 1e21];

/** For each field values that are right, wrong, and hard to tell. */
const values: Readonly<Record<keyof OrderInput, readonly unknown[]>> = {
  market_id: [
    'm_0123456789abcdef',
    'm_0123456789ab',
    'm_0123456789a',
    'm_0123456789ABCDEF',
    'm-0123456789abcdef',
    'm_0123456789abcdef0',
    1,
  ],
  outcome_id: ['yes', 'no', 'a-b_9', '', 'Yes', 'y\ns', 'y"s', 'a'.repeat(64), 'a'.repeat(65)],
  side: ['buy', 'sell', 'hold', 'bu', 'buyer', null],
  order_type: ['limit', 'market', 'stop', ''],
  price: [
    '0.42',
    '1',
    '-0.5',
    '.5',
    '0.',
    '1e3',
    `0.${DIGITS.slice(0, 18)}`,
    `0.${DIGITS.slice(0, 19)}`,
    DIGITS,
    0.42,
  ],
  size: ['10', '0.01', '010', '+1', ' 1', '1 ', '', DIGITS, 10],
  client_order_id: ['my-1', 'a longer name of mine', '', 'a\\b', '\t', '\u007f', DIGITS, null],
  subaccount_id: ['sub_a1', 'sub_', 'sub_a-b', 'acc_a1', `sub_${'a'.repeat(41)}`, null],
  time_in_force: ['gtc', 'ioc', 'fok', 'gtd', 'day', true],
  expires_at_ms: [...times, '1'],
  post_only: [true, false, 'true', 0, null],
  reduce_only: [true, false, 1],
  accept_price: [true, false, 1],
  stp_mode: ['cancel_resting', 'cancel_incoming', 'cancel_both'],
  max_cost: ['5', '0.000001', 'x', DIGITS],
  valid_until_ms: [...times, null],
  builder: [undefined, { app_id: 'app_1', fee_bps: 3 }, { app_id: 'app_1' }, {}, 'app_1'],
  mint: [undefined, true, false, 1],
  on_behalf_of: [undefined, 'acc_1', 'sub_1', 'usr_1', null],
};

/** Mostly right; with fields missing, fields more, and fields out of order. */
const order = fc
  .tuple(
    fc.record(
      Object.fromEntries(
        Object.entries(values).map(([name, of]) => [
          name,
          fc.oneof({ weight: 9, arbitrary: fc.constant(of[0]) }, fc.constantFrom(...of)),
        ]),
      ),
      { requiredKeys: [] },
    ),
    fc.oneof({ weight: 9, arbitrary: fc.constant({}) }, fc.constant({ unknown: 1 })),
    fc.boolean(),
  )
  .map(([fields, more, isFirst]) =>
    isFirst ? { ...ORDER, ...fields, ...more } : { ...fields, ...more, ...ORDER, ...fields },
  );

const spaced = (body: unknown): string => JSON.stringify(body, null, 1).replaceAll('\n', '');
const spelling = fc.constantFrom(JSON.stringify, spaced, (body: unknown) =>
  JSON.stringify(body).replaceAll(',', ', ').replaceAll(':', ': '),
);

/** Something small changed anywhere. */
const damage = fc.tuple(
  fc.nat(),
  fc.constantFrom('', '"', '\\', ',', '{', '}', ']', ' ', '0', 'e'),
);
const damaged = (text: string, [at, by]: readonly [number, string]): string => {
  const index = at % text.length;
  return text.slice(0, index) + by + text.slice(index + 1);
};

describe('bodies of orders', () => {
  it('[FP1] are read as the parser and the schema read them, or left to them', () => {
    let readings = 0;
    fc.assert(
      fc.property(order, spelling, fc.option(damage, { freq: 1 }), (value, spell, harm) => {
        const text = harm === null ? spell(value) : damaged(spell(value), harm);
        const plain = read('placeOrder', text);
        if (plain === null) return;
        readings += 1;
        expect(plain).toEqual(judged('placeOrder', text));
      }),
      { numRuns: 5000 },
    );
    expect(readings).toBeGreaterThan(500);
  });

  it('[FP1] are right or wrong by one field as they say', () => {
    const bodies = [
      ...Object.entries(values).flatMap(([name, of]) =>
        of.map((value) => JSON.stringify({ ...ORDER, [name]: value })),
      ),
      ...Object.keys(ORDER).map((name) => JSON.stringify({ ...ORDER, [name]: undefined })),
      JSON.stringify(ORDER).replace('limit', 'market').replace('"price":"0.42",', ''),
      ...['007', '-0', '1.0', '1e3', '01', 'true', 'nul', ''].map((raw) =>
        JSON.stringify({ ...ORDER, valid_until_ms: 0 }).replace(':0}', `:${raw}}`),
      ),
    ];
    const plain = bodies.filter((body) => read('placeOrder', body) !== null);
    for (const body of plain)
      expect([body, read('placeOrder', body)]).toEqual([body, judged('placeOrder', body)]);
    const right = bodies
      .filter((body) => judged('placeOrder', body) !== null)
      // Who names an app or an account has to wait until it is looked up, and is read by the parser.
      .filter((body) => !/"(?:builder|on_behalf_of|mint)":/.test(body));
    // Escapes and numbers in other spellings are right as well, and left to the parser.
    expect(right.filter((body) => !plain.includes(body)).length).toBeLessThan(6);
  });

  it('[FP1] in batches too', () => {
    let readings = 0;
    const orders = fc.array(fc.oneof({ weight: 9, arbitrary: fc.constant(ORDER) }, order), {
      maxLength: 23,
    });
    fc.assert(
      fc.property(orders, spelling, fc.option(damage, { freq: 1 }), (list, spell, harm) => {
        const body = { items: list.map((one) => ({ action: 'place', order: one })) };
        const text = harm === null ? spell(body) : damaged(spell(body), harm);
        const plain = read('batchOrders', text);
        if (plain === null) return;
        readings += 1;
        const { items, ...rest } = judged('batchOrders', text) as typeof body;
        const whole = items.map(({ action, order }) => ({
          action,
          order: { ...DEFAULTS, ...order },
        }));
        expect(plain).toEqual({ ...rest, items: whole });
      }),
      { numRuns: 2000 },
    );
    expect(readings).toBeGreaterThan(300);
  });

  it('[FP1] are not left to others without need', () => {
    const all = Object.fromEntries(Object.entries(values).map(([name, [first]]) => [name, first]));
    expect(Object.keys(all).toSorted()).toEqual(Object.keys(OrderInput.properties).toSorted());
    expect(read('placeOrder', JSON.stringify(all))).toEqual(all);
    expect(read('placeOrder', spaced(all))).toEqual(all);
    expect(read('placeOrder', JSON.stringify(ORDER))).toEqual({ ...ORDER, ...DEFAULTS });
  });

  it('[FP1] do not name a field twice, nor end early or late', () => {
    const text = JSON.stringify(ORDER);
    expect(read('placeOrder', text.replace('}', ',"side":"buy"}'))).toBeNull();
    expect(read('placeOrder', text.replace('}', ',"post_only":true,"post_only":true}'))).toBeNull();
    expect(read('placeOrder', `${text}x`)).toBeNull();
    for (let length = 0; length < text.length; length += 1) {
      expect(read('placeOrder', text.slice(0, length))).toBeNull();
    }
  });
});
