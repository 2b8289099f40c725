// What is said of wrong input: words that a stranger can act upon, never those of the library that found it.
import { type AnyOperation, operations, operatorOperations, socketCommands } from '@sibyl/contract';
import { describe, expect, it } from 'vitest';
import { wireError } from '../../src/gateway/handler.ts';
import { compileCheck } from '../../src/gateway/validation.ts';
import { readCommand } from '../../src/gateway/ws/command-frame.ts';
import { isRaw } from '../conformance/judge.ts';
import { mutationsOf } from '../conformance/mutations.ts';

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
    ['register', { email: 'nobody' }, 'email', 'an email address'],
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
