import { type AnyOperation, operations } from '@sibyl/contract';
import fc from 'fast-check';
import type { Response } from 'light-my-request';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectError, expectHeaders } from './expect.ts';
import { bearer, type Harness, openHarness } from './harness.ts';

let harness: Harness;
let token: string;
beforeAll(async () => {
  harness = await openHarness({ rateMultiplier: 0 });
  token = await harness.session();
});
afterAll(() => harness.close());

interface Sent {
  readonly body?: string | Buffer;
  readonly query?: string;
  readonly part?: string;
  readonly headers?: Record<string, string>;
}

/** Calls an operation with its example, parts of it replaced. */
function send(
  operation: AnyOperation,
  { body, query, part, headers = {} }: Sent,
): Promise<Response> {
  const example = operation.example as Record<string, Record<string, string>>;
  const path = operation.path.replaceAll(
    /\{(\w+)\}/g,
    (_whole, name) => part ?? encodeURIComponent(example.params![name]!),
  );
  const payload = body ?? (example.body === undefined ? undefined : JSON.stringify(example.body));
  return harness.call({
    method: operation.method,
    url: `/sandbox${path}${query === undefined ? '' : `?${query}`}`,
    headers: {
      ...bearer(token),
      'idempotency-key': `fuzz-${Math.random().toString(36).slice(2, 14)}`,
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(payload === undefined ? {} : { payload }),
  });
}

/** Whatever was sent: the envelope, every header, a code with its status, and no fault of ours. */
function expectOrderly(response: Response): void {
  expectHeaders(response);
  expect(response.statusCode, response.payload).toBeLessThan(500);
  const body = response.json();
  if (body.ok === true) expect(response.statusCode).toBe(200);
  else expectError(response, body.error.code);
}

const hostile = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    1.5,
    1e308,
    '',
    ' ',
    '0',
    '-0',
    '1e5',
    '.5',
    '٣',
    'NaN',
    '\u0000',
    '\ud83d\ude00',
    '1'.repeat(41),
    '9'.repeat(1000),
    [],
    {},
    [[[]]],
    { a: 1 },
  ),
  fc.string({ maxLength: 20 }),
  fc.double(),
  fc.jsonValue({ maxDepth: 3 }),
);

/** The example with one leaf replaced, removed or added. */
function nearValid(example: unknown): fc.Arbitrary<unknown> {
  const paths = leafPaths(example);
  return fc
    .tuple(fc.constantFrom(...paths), hostile, fc.constantFrom('replace', 'remove', 'add'))
    .map(([path, value, act]) => {
      const copy = structuredClone(example);
      const at = path
        .slice(0, -1)
        .reduce<Record<string, unknown>>((node, name) => node[name] as Record<string, unknown>, {
          root: copy,
        } as Record<string, unknown>);
      const name = path.at(-1)!;
      if (act === 'replace') at[name] = value;
      else if (act === 'remove' && path.length > 1) delete at[name];
      else at[`${name}_x`] = value;
      return act === 'replace' && path.length === 1 ? value : copy;
    });
}

function leafPaths(value: unknown, path: readonly string[] = ['root']): string[][] {
  if (typeof value !== 'object' || value === null) return [[...path]];
  const inner = Object.entries(value).flatMap(([name, child]) => leafPaths(child, [...path, name]));
  return [[...path], ...inner];
}

const withBody = Object.values(operations).filter(
  ({ input, id }) => input.body !== null && id !== 'logIn',
);
const withParams = Object.values(operations).filter(({ input }) => input.params !== null);
const withQuery = Object.values(operations).filter(({ input }) => input.query !== null);

describe('hostile and near-valid requests', () => {
  it.each(withBody.map((operation) => [operation.id, operation] as const))(
    '[T10] %s with bodies that are almost right',
    async (_id, operation) => {
      const example = (operation.example as { body?: unknown }).body;
      await fc.assert(
        fc.asyncProperty(nearValid(example), async (body) => {
          const text = JSON.stringify(body);
          expectOrderly(await send(operation, text === undefined ? {} : { body: text }));
        }),
        { numRuns: 60 },
      );
    },
  );

  it('[T10] bodies that are no JSON, cut, or of other bytes', async () => {
    const operation = operations.placeOrder;
    const whole = JSON.stringify(operation.example.body);
    const bytes = fc.oneof(
      fc.integer({ min: 0, max: whole.length }).map((end) => Buffer.from(whole.slice(0, end))),
      fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array)),
      fc
        .tuple(fc.integer({ min: 0, max: whole.length - 1 }), fc.integer({ min: 0, max: 255 }))
        .map(([at, byte]) => {
          const copy = Buffer.from(whole);
          copy[at] = byte;
          return copy;
        }),
      fc
        .constantFrom(
          '['.repeat(60_000),
          '{"a":'.repeat(10_000),
          `{"__proto__":${whole}}`,
          `"${'\\u0000'.repeat(9000)}"`,
        )
        .map((text) => Buffer.from(text)),
    );
    await fc.assert(
      fc.asyncProperty(bytes, async (body) => expectOrderly(await send(operation, { body }))),
      { numRuns: 300 },
    );
  });

  it.each(withParams.map((operation) => [operation.id, operation] as const))(
    '[T10] %s with any path',
    async (_id, operation) => {
      const part = fc.oneof(
        fc.string({ minLength: 1, maxLength: 40 }).map(encodeURIComponent),
        fc.constantFrom(
          '%00',
          '%2e%2e%2f',
          '..',
          '%',
          '%zz',
          'coid:',
          'coid:%F0%9F%98%80',
          'm_',
          `m_${'0'.repeat(17)}`,
          'ord_1%0a',
          'sk_live_',
          'x'.repeat(1500),
          '__proto__',
          'constructor',
        ),
      );
      await fc.assert(
        fc.asyncProperty(part, async (text) =>
          expectOrderly(await send(operation, { part: text })),
        ),
        { numRuns: 60 },
      );
    },
  );

  it.each(withQuery.map((operation) => [operation.id, operation] as const))(
    '[T10] %s with any query',
    async (_id, operation) => {
      const names = Object.keys(operation.input.query!.properties);
      const query = fc.oneof(
        fc
          .array(
            fc.tuple(
              fc.constantFrom(...names, 'x', '__proto__', 'constructor'),
              fc.oneof(
                fc.string({ maxLength: 12 }),
                fc.constantFrom('1', '-1', '1e3', '0x10', 'true', '', '500', '501', '1.5'),
              ),
            ),
            { maxLength: 4 },
          )
          .map((pairs) => new URLSearchParams(pairs).toString()),
        fc.constantFrom(
          '%',
          '&&&',
          '=',
          'limit=1&limit=2',
          'limit[]=1',
          'limit=%00',
          `cursor=${'A'.repeat(600)}`,
          'cursor=AAAA',
        ),
      );
      await fc.assert(
        fc.asyncProperty(query, async (text) =>
          expectOrderly(await send(operation, { query: text })),
        ),
        { numRuns: 60 },
      );
    },
  );

  it('[T10] headers of any kind', async () => {
    const value = fc.string({ maxLength: 30 }).map((text) => text.replaceAll(/[^\x20-\x7e]/g, '.'));
    const headers = fc.dictionary(
      fc.constantFrom(
        'authorization',
        'x-api-key',
        'idempotency-key',
        'x-forwarded-for',
        'origin',
        'content-type',
        'accept',
        'x-request-id',
        'svc-nonce',
        'if-none-match',
        'content-encoding',
      ),
      value,
      { maxKeys: 4 },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(operations.placeOrder, operations.listMarkets, operations.cancelOrder),
        headers,
        async (operation, extra) => expectOrderly(await send(operation, { headers: extra })),
      ),
      { numRuns: 300 },
    );
  });

  it('[T10] assigns its own request id, whatever the client sends', async () => {
    const response = await send(operations.listMarkets, { headers: { 'x-request-id': 'mine' } });
    expect(response.headers['x-request-id']).not.toBe('mine');
  });
});
