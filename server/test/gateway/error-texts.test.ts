// What is said of wrong input: words that a stranger can act upon, never those of the library that found it.
import { type AnyOperation, operations, operatorOperations, socketCommands } from '@sibyl/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jsonFaultAt } from '../../src/gateway/json-fault.ts';
import { compileCheck } from '../../src/gateway/validation.ts';
import { readCommand } from '../../src/gateway/ws/command-frame.ts';
import { ApiError, wireError } from '../../src/handling/handler.ts';
import { readSize } from '../../src/wire/amounts.ts';
import { isRaw } from '../conformance/judge.ts';
import { mutationsOf } from '../conformance/mutations.ts';
import { type Exchange, openExchange } from '../modules/exchange.ts';
import { bearer, openHarness } from './harness.ts';

const all: readonly AnyOperation[] = [
  ...Object.values(operations),
  ...Object.values(operatorOperations),
];

interface Sent {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
}

/** Every refusal of the schemas of an operation as a client reads it. */
function* refusalsOf(operation: AnyOperation, sent: Sent): Generator<string> {
  const given = { params: sent.params, querystring: sent.query, body: sent.body };
  const { params, query, body } = operation.input;
  const schemas = { params, querystring: query, body };
  for (const part of ['params', 'querystring', 'body'] as const) {
    const schema = schemas[part];
    if (schema === null || given[part] === undefined) continue;
    const verdict = checkOf(operation, part, schema)(structuredClone(given[part]));
    if (verdict === true) continue;
    const { message, details = {} } = wireError(verdict.error, 'req');
    yield message;
    yield String(details.expected ?? '');
  }
}

const checks = new Map<string, ReturnType<typeof compileCheck>>();
function checkOf(operation: AnyOperation, part: 'params' | 'querystring' | 'body', schema: object) {
  const name = `${operation.id} ${part}`;
  const check = checks.get(name) ?? compileCheck(schema, part);
  checks.set(name, check);
  return check;
}

function exampleOf({ example }: AnyOperation): Sent {
  const parts = new Map<string, unknown>(Object.entries(example));
  return { params: parts.get('params'), query: parts.get('query'), body: parts.get('body') };
}

describe('wrong input', () => {
  it.each(all.map((operation) => [operation.id, operation] as const))(
    '[KY13] of %s is answered in words',
    (_id, operation) => {
      const texts = new Set<string>();
      const { params, query, body } = exampleOf(operation);
      const call = { params: params as Record<string, string>, query: query as string, body };
      for (const { call: sent } of mutationsOf(operation, call)) {
        for (const text of refusalsOf(operation, sent)) texts.add(text);
      }
      expect([...texts].filter(isRaw)).toEqual([]);
    },
  );

  it('[KY13] of a socket is answered in words', () => {
    const texts: string[] = [];
    for (const { example } of Object.values(socketCommands)) {
      const frames = Object.keys(example).flatMap((name) =>
        [null, -1, 1.5, '', 'x'.repeat(1000), [], [1], {}, { a: -1 }].map((value) => ({
          ...example,
          [name]: value,
        })),
      );
      for (const frame of [...frames, { ...example, more: 1 }]) {
        const read = readCommand(Buffer.from(JSON.stringify(frame)));
        if (!read.ok) texts.push(String(read.details.expected ?? ''));
      }
    }
    expect(texts.filter((text) => text !== '').length).toBeGreaterThan(20);
    expect(texts.filter(isRaw)).toEqual([]);
  });

  it.each([
    ['placeOrder', { size: 5 }, 'size', 'a decimal number as a string, such as "0.55"'],
    ['placeOrder', { size: '1,5' }, 'size', 'a decimal number as a string, such as "0.55"'],
    ['placeOrder', { side: 'up' }, 'side', 'one of buy, sell'],
    ['placeOrder', { market_id: 'x' }, 'market_id', 'm_ and 12 to 16 digits of 0-9 and a-f'],
    ['placeOrder', { client_order_id: '' }, 'client_order_id', 'at least 1 character'],
    ['placeOrder', { surprise: 1 }, 'surprise', 'no such field'],
    ['heartbeat', { timeout_ms: 1 }, 'timeout_ms', '0, or 5000 to 300000'],
    ['heartbeat', { timeout_ms: 1e9 }, 'timeout_ms', '0, or 5000 to 300000'],
    ['batchOrders', { items: [] }, 'items', 'at least 1 entry'],
    [
      'batchOrders',
      { items: [{}] },
      'items[0]',
      'an object whose action is place, amend or cancel',
    ],
    ['logIn', { email: 'nobody' }, 'email', 'an email address'],
    [
      'register',
      { email: 'no\u200bbody@example.com' },
      'email',
      'an email address without invisible characters',
    ],
  ] as const)('[KY13] %s with %j says what was expected', (id, change, field, expected) => {
    const operation = operations[id];
    const body = { ...(exampleOf(operation).body as object), ...change };
    const verdict = checkOf(operation, 'body', operation.input.body)(body);
    if (verdict === true) throw new Error('it was taken');
    const error = wireError(verdict.error, 'req');
    expect(error.details).toEqual({ field, expected });
    expect(error.message).toBe(
      `A field has a value that is not allowed. ${field}: expected ${expected}.`,
    );
  });

  it('[KY13] that is absent is named in the message', () => {
    const operation = operations.placeOrder;
    const verdict = checkOf(operation, 'body', operation.input.body)({});
    if (verdict === true) throw new Error('it was taken');
    expect(wireError(verdict.error, 'req').message).toBe('The field market_id is absent.');
  });
});

describe('text that people type', () => {
  const taken = (id: 'placeOrder' | 'register' | 'mintKey', change: object): boolean => {
    const operation = operations[id];
    const body = { ...(exampleOf(operation).body as object), ...change };
    return checkOf(operation, 'body', operation.input.body)(body) === true;
  };
  const codes = (...ranges: readonly (readonly [number, number])[]): readonly string[] =>
    ranges.flatMap(([first, last]) =>
      Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)),
    );
  const controls = codes([0, 0x1f], [0x7f, 0x9f], [0x2028, 0x2029]);
  const directions = codes([0x202a, 0x202e], [0x2066, 0x2069], [0x200e, 0x200f], [0x61c, 0x61c]);

  it('[KY10] is one line in a client_order_id', () => {
    for (const bad of controls)
      expect(taken('placeOrder', { client_order_id: `a${bad}` })).toBe(false);
    for (const good of ['a b', 'ä', '☃', '🙂', 'a/b', "'"])
      expect(taken('placeOrder', { client_order_id: good })).toBe(true);
  });

  it('[KY11] has no control characters and no marks of direction in names and emails', () => {
    for (const bad of [...controls, ...directions]) {
      expect(taken('register', { display_name: `A${bad}da` })).toBe(false);
      expect(taken('register', { email: `a${bad}da@example.com` })).toBe(false);
      expect(taken('mintKey', { label: `b${bad}ot` })).toBe(false);
    }
    for (const good of ['Ada Lovelace', 'Žofie', '艾达', 'عائشة', "O'Neill"])
      expect(taken('register', { display_name: good })).toBe(true);
  });
});

describe('limits that an order meets', () => {
  let exchange: Exchange;
  beforeAll(async () => {
    exchange = await openExchange();
  });
  afterAll(() => exchange.close());

  it('[RQ11] the cap of an order and of a day are told, with what is used and when it begins anew', async () => {
    const token = await exchange.key({ session: await exchange.trader() });
    const market_id = await exchange.market('pool');
    const order = { market_id, outcome_id: 'yes', side: 'buy', order_type: 'market' };
    const place = async (size: string) =>
      (await exchange.ask('placeOrder', { token, body: { ...order, size } })).error;
    const large = await place('21');
    expect(large.details).toEqual({ tier: 'self_serve', cap: '10.000000', limit: 'order' });
    expect(large.message).toBe(
      'With tier self_serve an order may come to 10.000000 USDT at most. No wait changes that: send smaller orders.',
    );
    // Shares fill at 0.5 for such a key, which may spend 100 a day.
    for (let count = 0; count < 9; count += 1) expect(await place('20')).toBeNull();
    expect(await place('10')).toBeNull();
    const late = await place('20');
    const midnight = '2026-11-16T00:00:00.000Z';
    expect(late.details).toEqual({
      tier: 'self_serve',
      cap: '100.000000',
      limit: 'day',
      used: '95.000000',
      resets_at_ms: Date.parse(midnight),
    });
    for (const text of ['100.000000 USDT', '95.000000 are used', midnight])
      expect(late.message).toContain(text);
  });

  it('[RQ12] open orders are told by number, of how many', async () => {
    const token = await exchange.trader();
    const market_id = await exchange.market('book');
    const terms = { side: 'buy', order_type: 'limit', price: '0.1', size: '1' };
    const order = { market_id, outcome_id: 'yes', ...terms };
    const items = Array.from({ length: 20 }, () => ({ action: 'place', order }));
    for (let count = 0; count < 10; count += 1) {
      const key = `fill-it-up-${count}`;
      const { data } = await exchange.ask('batchOrders', { token, key, body: { items } });
      expect(data.succeeded).toBe(20);
    }
    const { error } = await exchange.ask('placeOrder', { token, body: order });
    expect(error.code).toBe('RISK_LIMIT_BREACH');
    expect(error.details).toEqual({ limit: 'open_orders_market', open: 200, max: 200 });
    expect(error.message).toBe(
      'You have 200 of 200 open orders in this market: cancel some first.',
    );
  });

  it('[RQ14] a size beyond all sizes is told the largest', () => {
    const refused = readSize('1000000000.01');
    if (!(refused instanceof ApiError)) throw new Error('it was taken');
    const { message, details } = wireError(refused, 'req');
    expect(message).toContain('up to 1000000000.000000, a multiple of lot_size');
    expect(details).toMatchObject({ nearest: '1000000000.000000' });
    expect(readSize('1000000000')).toBe(100_000_000_000);
  });

  it('[RQ10] a batch of too many is told how many may be in one, and goes on being told', async () => {
    const harness = await openHarness();
    const headers = { ...bearer(await harness.key()), 'idempotency-key': 'too-many-at-once' };
    const [item] = operations.batchOrders.example.body.items;
    const payload = { items: Array.from({ length: 21 }, () => item) };
    for (let count = 0; count < 4; count += 1) {
      const url = '/v1/orders/batch';
      const answer = await harness.call({ method: 'POST', url, headers, payload });
      const { error } = answer.json();
      expect(error.code).toBe('VALIDATION_FAILED');
      expect(error.details).toEqual({ field: 'items', expected: 'at most 20 entries' });
      expect(Number(answer.headers['x-ratelimit-remaining'])).toBe(29 - count);
    }
    await harness.close();
  });
});

describe('bodies that cannot be read', () => {
  it('[RQ13] are told where they stop being JSON, or how large they may be', async () => {
    const harness = await openHarness();
    const token = await harness.key();
    const send = async (payload: string) => {
      const headers = { ...bearer(token), 'content-type': 'application/json' };
      const answer = await harness.call({ method: 'POST', url: '/v1/orders', headers, payload });
      return answer.json().error;
    };
    const wrong = await send('{"size": "1", "price": }');
    expect(wrong.code).toBe('BAD_REQUEST');
    expect(wrong.details.position).toBe(23);
    expect(wrong.message).toContain('not JSON: at position 23.');
    expect((await send('{"size": "1"')).message).toContain('it ends too early, at 12.');
    expect((await send(`"${'x'.repeat(65_536)}"`)).message).toContain('at most 65536 bytes');
    await harness.close();
  });

  it.each([
    ['{', 1],
    ['{"a" 1}', 5],
    ["{'a':1}", 1],
    ['{"a":1,}', 7],
    ['[1, 2 3]', 6],
    ['[1, 2', 5],
    ['{"a": tru}', 6],
    ['01', 1],
    ['{} x', 3],
    ['{"a": "x', 6],
    ['NaN', 0],
  ])('[RQ13] %j stops being JSON at %i', (text, position) => {
    expect(() => JSON.parse(text)).toThrow();
    expect(jsonFaultAt(text)).toBe(position);
  });

  it('[RQ13] is where JSON.parse says it is, as far as that says so', () => {
    const damaged = fc
      .tuple(fc.json({ maxDepth: 4 }), fc.nat(), fc.constantFrom(',', ':', '}', ']', '"', 'x', ''))
      .map(([text, at, put]) => {
        const index = at % (text.length + 1);
        return text.slice(0, index) + put + text.slice(index + 1);
      });
    let compared = 0;
    fc.assert(
      fc.property(damaged, (text) => {
        const said = faultOf(text);
        // Of what is wrong inside a string or a number, ours names an earlier place in it.
        if (said === null || /string|escape|control|number|exponent/i.test(said)) return;
        const [, position] = /at position (\d+)/.exec(said) ?? [];
        if (position === undefined) return;
        compared += 1;
        expect(jsonFaultAt(text)).toBe(Number(position));
      }),
      { numRuns: 3000 },
    );
    expect(compared).toBeGreaterThan(100);
  });

  function faultOf(text: string): string | null {
    try {
      JSON.parse(text);
      return null;
    } catch (error) {
      return error instanceof Error ? error.message : '';
    }
  }
});
