// Near-valid and hostile forms of a valid request: every leaf of it replaced, removed or joined by more.
import type { AnyOperation } from '@sibyl/contract';
import { isRecord } from './judge.ts';
import { type Call, mayBeDirect } from './world.ts';

interface Mutation {
  readonly name: string;
  readonly call: Call;
  /** The path may lead to no operation at all. */
  readonly isElsewhere?: boolean;
}

/**
 * Bodies are read and judged in the same way for all operations, but for orders on the short way: those and one each of what
 * strangers, users and operators ask get all forms of a body, the others a part that differs from one to the next.
 */
const models: ReadonlySet<string> = new Set(['register', 'createWebhook', 'freezeAccount']);

export function* mutationsOf(operation: AnyOperation, call: Call): Generator<Mutation> {
  const isModel = mayBeDirect(operation) || models.has(operation.id);
  if (operation.input.body !== null) yield* bodies(call, isModel ? null : operation.id.length);
  yield* rawBodies(operation, call, isModel);
  yield* queries(operation, call);
  yield* parameters(call);
  yield* headers(call);
}

const HUGE = 'A'.repeat(60_000);

/** What is hardly anywhere of the kind that is asked for. */
const misshapen: readonly unknown[] = [
  null,
  true,
  -1,
  1.5,
  1e308,
  [],
  [[[[null]]]],
  { a: { b: 1 } },
  nested(20),
];

const strange: readonly unknown[] = [
  '',
  '-1',
  '1e9',
  '٣',
  'a\u0000b',
  // Half a surrogate pair, escaped in the JSON.
  '\ud800',
  '9'.repeat(41),
  HUGE,
];

/** Three of all that is misshapen for each leaf, beginning anywhere; or all of it. */
function hostileFor(turn: number | null): readonly unknown[] {
  if (turn === null) return [...misshapen, ...strange];
  const three = [0, 1, 2].map((step) => misshapen[(turn * 3 + step) % misshapen.length]);
  return [...three, ...strange];
}

function* bodies(call: Call, turn: number | null): Generator<Mutation> {
  const { body } = call;
  for (const [index, path] of pathsOf(body).entries()) {
    const at = path.join('.');
    if (path.length > 0)
      yield { name: `without ${at}`, call: { ...call, body: removed(body, path) } };
    for (const value of hostileFor(turn === null ? null : turn + index)) {
      const name = `${at} = ${JSON.stringify(value).slice(0, 24)}`;
      yield { name, call: { ...call, body: replaced(body, path, value) } };
    }
    yield {
      name: `more in ${at}`,
      call: { ...call, body: replaced(body, [...path, 'unknown_x'], 1) },
    };
  }
}

const contentTypes = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  '',
  'nonsense',
];

function* rawBodies(operation: AnyOperation, call: Call, isModel: boolean): Generator<Mutation> {
  const whole = JSON.stringify(call.body ?? {});
  const brief: readonly (string | Buffer)[] = [
    '',
    'null',
    '[]',
    `{"__proto__":${whole}}`,
    `{"pad":"${'x'.repeat(operation.bodyBytesMax)}"}`,
  ];
  const more: readonly (string | Buffer)[] = [
    '{',
    '"x"',
    '{}{}',
    '{"__proto__":{"admin":true}}',
    '{"constructor":{"prototype":{"a":1}}}',
    '{"\\u005f_proto__":1}',
    '['.repeat(30_000),
    '{"a":'.repeat(10_000),
    whole.slice(0, -1),
    `\ufeff${whole}`,
    Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d]),
    Buffer.from([0xff, 0xfe, 0x00]),
    JSON.stringify(Object.fromEntries(Array.from({ length: 1_500 }, (_, n) => [`k${n}`, n]))),
  ];
  const isBodiless = operation.method === 'GET';
  if (isBodiless) return;
  for (const raw of isModel ? [...brief, ...more] : brief)
    yield { name: `body ${String(raw).slice(0, 24)}`, call: { ...call, raw } };
  for (const type of isModel ? contentTypes : contentTypes.slice(0, 1)) {
    const changed = { ...call, raw: whole, headers: { 'content-type': type } };
    yield { name: `content-type ${type}`, call: changed };
  }
}

const queryValues = [
  '',
  '-1',
  '0',
  '1e999',
  '%00',
  '%ED%A0%80',
  '%',
  '%D9%A3',
  'x'.repeat(5_000),
  '[]',
];

function* queries(operation: AnyOperation, call: Call): Generator<Mutation> {
  const kept = typeof call.query === 'string' ? call.query : search(call.query ?? {});
  const names = Object.keys(operation.input.query?.properties ?? {});
  for (const name of [...names, 'unknown_x', '__proto__', 'constructor']) {
    const others = typeof call.query === 'object' ? search(without(call.query, name)) : kept;
    // A part that is not read at all is not read again and again.
    const values = operation.input.query === null ? queryValues.slice(0, 2) : queryValues;
    for (const value of values) {
      const query = `${others}${others === '' ? '' : '&'}${name}=${value}`;
      yield { name: `${name}=${value.slice(0, 16)}`, call: { ...call, query } };
    }
    yield { name: `${name} twice`, call: { ...call, query: `${kept}&${name}=1&${name}=2` } };
  }
}

const parameterValues = [
  '%00',
  '%',
  '%ED%A0%80',
  '..%2f..%2fetc',
  '-1',
  '__proto__',
  'constructor',
  'x'.repeat(300),
  'x'.repeat(4_000),
  '%F0%9F%98%80',
  'coid:',
  `coid:${'y'.repeat(65)}`,
];

function* parameters(call: Call): Generator<Mutation> {
  for (const name of Object.keys(call.params ?? {})) {
    for (const value of parameterValues) {
      const params = { ...call.params, [name]: value };
      const changed: Call = { ...call, params, isEscaped: true };
      yield { name: `${name} ${value.slice(0, 16)}`, call: changed, isElsewhere: true };
    }
  }
}

function* headers(call: Call): Generator<Mutation> {
  for (const key of ['x'.repeat(129), 'with space', '']) {
    yield { name: `idempotency-key ${key.slice(0, 12)}`, call: { ...call, key } };
  }
  const forwarded = { 'x-forwarded-for': '1'.repeat(2_000) };
  yield { name: 'a long forwarding header', call: { ...call, headers: forwarded } };
}

function search(query: Readonly<Record<string, string>>): string {
  return new URLSearchParams(query).toString();
}

function without(query: Readonly<Record<string, string>>, name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(query).filter(([one]) => one !== name));
}

/** Every node of the value, the root included. */
function pathsOf(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [
    path,
    ...Object.entries(value).flatMap(([name, child]) => pathsOf(child, [...path, name])),
  ];
}

function replaced(root: unknown, path: readonly string[], value: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (Array.isArray(root)) {
    const at = Number(name);
    if (Number.isNaN(at)) return [...root, value];
    return root.map((child: unknown, index) =>
      index === at ? replaced(child, rest, value) : child,
    );
  }
  const fields = isRecord(root) ? root : {};
  return { ...fields, [name]: replaced(fields[name], rest, value) };
}

function removed(root: unknown, path: readonly string[]): unknown {
  const [name = '', ...rest] = path;
  if (Array.isArray(root)) {
    const at = Number(name);
    if (rest.length === 0) return root.filter((_child, index) => index !== at);
    return root.map((child: unknown, index) => (index === at ? removed(child, rest) : child));
  }
  const fields = isRecord(root) ? root : {};
  if (rest.length > 0) return { ...fields, [name]: removed(fields[name], rest) };
  return Object.fromEntries(Object.entries(fields).filter(([one]) => one !== name));
}

function nested(depth: number): unknown {
  return depth === 0 ? 1 : { deeper: nested(depth - 1) };
}
