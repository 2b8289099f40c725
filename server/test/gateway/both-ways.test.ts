// Orders on the short way and through Node's HTTP: two exchanges that differ in this setting alone must answer the same.
import { createHash, createHmac } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type AnyOperation, operations } from '@sibyl/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Random } from '../../src/ports/random.ts';
import { mayBeDirect } from '../conformance/world.ts';
import { type Exchange, openExchange } from '../modules/exchange.ts';

/** The same bytes at every start: what two exchanges draw in the same order is the same. */
function sameRandom(): Random {
  let count = 0;
  const bytes = (length: number): Uint8Array => {
    const drawn: Buffer[] = [];
    for (let size = 0; size < length; size += 32) {
      count += 1;
      drawn.push(createHash('sha256').update(String(count)).digest());
    }
    return Buffer.concat(drawn).subarray(0, length);
  };
  return { bytes, token: (length) => Buffer.from(bytes(length)).toString('hex').slice(0, length) };
}

interface Side {
  readonly publicId: string;
  readonly secret: string;
  readonly exchange: Exchange;
  readonly port: number;
  readonly token: string;
  readonly poor: string;
  readonly marketId: string;
  readonly subaccountId: string;
}

async function openSide(hasDirectOrders: boolean): Promise<Side> {
  const master = Buffer.alloc(32, 7);
  const same = { random: sameRandom(), master, rateMultiplier: 1000 };
  const exchange = await openExchange(undefined, { ...same, hasDirectOrders });
  const register = async (name: string): Promise<string> => {
    const payload = { email: `${name}@example.com`, password: 'long enough 12' };
    const url = '/api/auth/register';
    const response = await exchange.call({ method: 'POST', url, payload });
    return response.json().data.session_token;
  };
  const token = await register('rich');
  const poor = await register('poor');
  await exchange.ask('useFaucet', { token });
  const marketId = await exchange.market('pool');
  const opened = await exchange.ask('createSubaccount', { token, body: { label: 'grid' } });
  const subaccountId = opened.data.subaccount_id;
  const { data } = await exchange.ask('getAccount', { token });
  const body = { from: data.account_id, to: subaccountId, amount: '100' };
  await exchange.ask('transferFunds', { token, body, key: 'to-subaccount' });
  const minted = await exchange.ask('mintKey', { token, body: { permissions: ['trade'] } });
  const publicId: string = minted.data.public_id;
  await exchange.platform.signing.enable(publicId, true, 0);
  const params = { key_id: publicId };
  const drawn = await exchange.ask('drawSigningSecret', { token: minted.data.key_id, params });
  const { secret } = drawn.data;
  const port = await exchange.gateway.listen({ host: '127.0.0.1', port: 0 });
  return { publicId, secret, exchange, port, token, poor, marketId, subaccountId };
}

const sides: Side[] = [];
beforeAll(async () => {
  for (const isOn of [true, false]) sides.push(await openSide(isOn));
});
afterAll(async () => {
  for (const { exchange } of sides) await exchange.close();
});

/** What is written at once. The next is written when something has come back, or a moment later if none can. */
type Written = string | { readonly piece: string };
type Script = (side: Side) => readonly Written[];

const LAST = 'GET /sandbox/v1/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
const MOMENT_MS = 8;

/** Every byte that comes back, but for the second it is in: Node has its own clock for that. */
async function said(side: Side, script: Script): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port: side.port, allowHalfOpen: true });
  socket.setEncoding('latin1');
  let received = '';
  socket.on('data', (text: string) => {
    received += text;
  });
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => undefined);
  for (const next of [...script(side), LAST]) {
    const before = received.length;
    socket.write(typeof next === 'string' ? next : next.piece, 'latin1');
    do await pause(MOMENT_MS);
    while (typeof next === 'string' && received.length === before && socket.readable);
  }
  socket.end();
  await closed;
  return received.replaceAll(/\r\nDate: [^\r]*/g, '\r\nDate: now');
}

async function expectSame(script: Script): Promise<string> {
  const [direct, node] = await Promise.all(sides.map((side) => said(side, script)));
  expect(direct).toBe(node);
  return direct!;
}

interface Asked {
  readonly path?: string;
  readonly body?: unknown;
  readonly raw?: string;
  readonly head?: string;
  readonly credential?: string;
}

/** As plain clients write it, unless told otherwise. */
function request(token: string, { path = '/orders', body, raw, head = '', credential }: Asked) {
  const text = raw ?? JSON.stringify(body);
  const bearer = credential ?? `Authorization: Bearer ${token}\r\n`;
  return `POST /sandbox/v1${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${bearer}${head}Content-Length: ${Buffer.byteLength(text, 'latin1')}\r\n\r\n${text}`;
}

const TERMS = { outcome_id: 'yes', side: 'buy', order_type: 'limit', price: '0.1', size: '2' };

function order({ marketId, token }: Side, more: object = {}, asked: Asked = {}): string {
  return request(token, { body: { market_id: marketId, ...TERMS, ...more }, ...asked });
}

function batch({ marketId, token }: Side, items: readonly object[], asked: Asked = {}): string {
  const placed = items.map((item) => ({
    action: 'place',
    order: { market_id: marketId, ...TERMS, ...item },
  }));
  return request(token, { path: '/orders/batch', body: { items: placed }, ...asked });
}

/** Signed as variant A asks; the exchanges of a test stand at one moment. */
function signed(side: Side, nonce: string, raw: string, secret = side.secret): Asked {
  const timestamp = String(Math.floor(side.exchange.clock.wallMs() / 1000));
  const hashed = createHash('sha256').update(raw, 'latin1').digest('hex');
  const text = ['POST', '/sandbox/v1/orders', timestamp, nonce, hashed].join('\n');
  const signature = createHmac('sha256', secret).update(text).digest('hex');
  const credential = `SVC-ADDRESS: ${side.publicId}\r\nSVC-TIMESTAMP: ${timestamp}\r\nSVC-NONCE: ${nonce}\r\nSVC-SIGNATURE: ${signature}\r\n`;
  return { raw, credential };
}

const plainOrder = ({ marketId }: Side): string =>
  JSON.stringify({ market_id: marketId, ...TERMS });

const key = (name: string) => ({ head: `Idempotency-Key: order-path-${name}\r\n` });

const scripts: Readonly<Record<string, Script>> = {
  'an order that rests': (side) => [order(side)],
  'signed orders': (side) => [
    order(side, {}, signed(side, 'first', plainOrder(side))),
    order(side, {}, signed(side, 'first', plainOrder(side))),
    order(side, {}, signed(side, 'second', plainOrder(side), 'f'.repeat(64))),
    order(side, {}, { ...signed(side, 'third', '{"side":'), ...key('signed') }),
    order(side, {}, signed(side, 'fourth', '{"side":', 'f'.repeat(64))),
    order(side, {}, { ...signed(side, 'fifth', plainOrder(side)), ...key('signed-once') }),
    order(side, {}, { ...signed(side, 'sixth', plainOrder(side)), ...key('signed-once') }),
  ],
  'one that is filled': (side) => [order(side, { order_type: 'market', price: undefined })],
  'one that is filled in part': (side) => [order(side, { price: '0.6', size: '40' })],
  'one that would take and may not': (side) => [order(side, { price: '0.99', post_only: true })],
  'one that must be filled and is not': (side) => [order(side, { time_in_force: 'fok' })],
  'every term': (side) => [
    order(side, {
      client_order_id: 'every "term" \\ <é>',
      time_in_force: 'gtd',
      expires_at_ms: 1_900_000_000_000,
      stp_mode: 'cancel_incoming',
      valid_until_ms: 1_900_000_000_000,
      max_cost: '5',
    }),
  ],
  'a subaccount': (side) => [
    order(side, { subaccount_id: side.subaccountId }),
    order(side, { subaccount_id: 'sub_0000000000000000' }),
    order(side, { subaccount_id: 'acc_nonsense' }),
    order(side, { subaccount_id: null }),
  ],
  'a subaccount in an item of a batch': (side) => [
    batch(side, [{ subaccount_id: side.subaccountId }], key('sub')),
  ],
  'a batch of a subaccount': (side) => [
    request(side.token, {
      path: '/orders/batch',
      body: {
        items: [{ action: 'place', order: { market_id: side.marketId, ...TERMS } }],
        subaccount_id: side.subaccountId,
      },
      ...key('of-sub'),
    }),
  ],
  'a name that is taken': (side) => [
    order(side, { client_order_id: 'twice' }),
    order(side, { client_order_id: 'twice' }),
  ],
  'many on one connection': (side) => Array.from({ length: 9 }, () => order(side)),
  'the first answer once more': (side) => [order(side, {}, key('a')), order(side, {}, key('a'))],
  'a key with another body': (side) => [
    order(side, {}, key('b')),
    order(side, { size: '3' }, key('b')),
  ],
  'a malformed key': (side) => [order(side, {}, { head: 'Idempotency-Key: a b\r\n' })],
  'a dry run': (side) => [order(side, {}, { path: '/orders?dry_run=true' })],
  'a price off the grid': (side) => [order(side, { price: '0.123456789' })],
  'no price': (side) => [order(side, { price: undefined })],
  'a size of nothing': (side) => [order(side, { size: '0' })],
  'an unknown market': (side) => [order(side, { market_id: 'm_00000000000000ff' })],
  'an unknown outcome': (side) => [order(side, { outcome_id: 'maybe' })],
  'an unknown field': (side) => [order(side, { colour: 'red' })],
  'too little money': (side) => [order({ ...side, token: side.poor })],
  nobody: (side) => [order(side, {}, { credential: '' })],
  'somebody unknown': (side) => [order(side, {}, { credential: 'X-Api-Key: sk_test_none\r\n' })],
  'two credentials': (side) => [order(side, {}, { head: 'X-Api-Key: sk_test_none\r\n' })],
  'not JSON': ({ token }) => [request(token, { raw: '{"a":' })],
  'a poisoned key': ({ token }) => [request(token, { raw: '{"__proto__":1}' })],
  'too long': ({ token }) => [request(token, { raw: ' '.repeat(300_000) })],
  'a batch': (side) => [batch(side, [{}, { price: '0.7' }, { size: '1' }])],
  'a batch with a key': (side) => [
    batch(side, [{}, {}], key('c')),
    batch(side, [{}, {}], key('c')),
  ],
  'a batch with faults': (side) => [batch(side, [{}, { size: '0.001' }, { size: '90000000' }])],
  'a batch of nothing': (side) => [batch(side, [])],
  'a batch of too many': (side) => [batch(side, Array(60).fill({}))],
  'a batch of other acts': ({ token }) => [
    request(token, {
      path: '/orders/batch',
      body: { items: [{ action: 'cancel', order_id: 'coid:nobody' }] },
    }),
  ],
  'a heartbeat': ({ token }) => [
    request(token, { path: '/orders/heartbeat', body: { timeout_sec: 60 } }),
  ],
  'a page that calls': (side) => [order(side, {}, { head: 'Origin: https://a.example\r\n' })],
  'the last request': (side) => [order(side, {}, { head: 'Connection: close\r\n' }), order(side)],
  'an expectation': (side) => [order(side, {}, { head: 'Expect: 100-continue\r\n' })],
  'two in one piece': (side) => [order(side) + order(side)],
  'an order and a read in one piece': (side) => [order(side) + LAST],
  'a read, then orders': (side) => [LAST.replace('close', 'keep-alive'), order(side), order(side)],
  'an order in pieces': (side) => {
    const text = order(side);
    return [{ piece: text.slice(0, 30) }, { piece: text.slice(30, 220) }, text.slice(220)];
  },
  'orders, one of them in pieces': (side) => {
    const text = order(side);
    return [text, { piece: text.slice(0, 90) }, text.slice(90), text];
  },
  'names in capitals': (side) => [order(side).replace('Authorization', 'AUTHORIZATION')],
  'names in small letters': (side) => [
    order(side).replace(/^[A-Z][\w-]+(?=: )/gm, (name) => name.toLowerCase()),
  ],
  'HTTP/1.0': (side) => [order(side).replace('HTTP/1.1', 'HTTP/1.0')],
  'another type': (side) => [order(side).replace('application/json', 'text/plain')],
  'no HTTP at all': (side) => [order(side), 'hello\r\n\r\n'],
  'a wrong length': (side) => [order(side).replace('Content-Length: ', 'Content-Length: +')],
};

describe('[FP2] with and without the short way', () => {
  it.each(Object.entries(scripts))(
    '%s is answered byte for byte the same',
    async (_name, script) => {
      expect(await expectSame(script)).toMatch(/^HTTP\/1\.1 \d{3} /);
    },
  );

  it.each(Object.values<AnyOperation>(operations).filter((one) => !mayBeDirect(one)))(
    "$id is Node's",
    async ({ method, path, example }) => {
      const [direct] = sides;
      const before = direct!.exchange.gateway.orderPath.answered();
      const { params = {}, body } = example as { params?: Record<string, string>; body?: unknown };
      const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => params[name] ?? 'none');
      const text = JSON.stringify(body ?? {});
      const head = `Host: x\r\nContent-Type: application/json\r\nContent-Length: ${text.length}`;
      await expectSame(() => [`${method} /sandbox${filled} HTTP/1.1\r\n${head}\r\n\r\n${text}`]);
      expect(direct!.exchange.gateway.orderPath.answered()).toBe(before);
    },
  );

  it('took the short way where it is on, and never where it is off', () => {
    const [direct, node] = sides.map(({ exchange }) => exchange.gateway.orderPath);
    expect([direct!.chosen.way, node!.chosen.way]).toEqual(['direct', 'node']);
    expect(node!.answered()).toBe(0);
    expect(direct!.answered()).toBeGreaterThan(Object.keys(scripts).length / 2);
  });
});
