import { createHmac, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { asAccountId, DEFAULT_PARAMETERS } from '@sibyl/engine';
import { Lane } from '@sibyl/lane';
import { ManualClock, MemoryJournal, MemoryStore } from '@sibyl/lane/testing';
import { usdt } from '@sibyl/money';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MemoryPlatformStore } from '../../src/adapters/memory/platform.ts';
import { MemoryWebhookStore } from '../../src/adapters/memory/webhooks.ts';
import { NodeOutbound } from '../../src/adapters/node/outbound.ts';
import { systemRandom } from '../../src/adapters/node/random.ts';
import { KeyedSecrets } from '../../src/adapters/node/secrets.ts';
import { createDelivery, type Delivery } from '../../src/delivery/delivery.ts';
import { createGuard, parseAllowance } from '../../src/delivery/guard.ts';
import { keyViewOf } from '../../src/key-view.ts';
import { endpoint } from '../ports/webhooks-suite.ts';

const NOON_MS = 1_794_744_000_000;

type Mood = (request: IncomingMessage, response: ServerResponse) => void;

let clock: ManualClock;
let lane: Lane;
let delivery: Delivery;
let receiver: Server;
let trap: Server;
let trapped: number;
let accepted: { readonly sequence: number; readonly isSigned: boolean }[];
let mood: Mood | null;
let secret: string;

const journal = { store: new MemoryStore() };
const keyed = new KeyedSecrets(randomBytes(32));
let store: MemoryWebhookStore;

beforeEach(async () => {
  clock = new ManualClock(NOON_MS);
  journal.store = new MemoryStore();
  store = new MemoryWebhookStore();
  trapped = 0;
  accepted = [];
  mood = null;
  trap = createServer((_request, response) => {
    trapped += 1;
    response.end();
  });
  receiver = createServer(receive);
  for (const server of [trap, receiver]) {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  }
  await start();
});

afterEach(async () => {
  await stop();
  for (const server of [trap, receiver]) {
    server.closeAllConnections();
    server.close();
  }
});

async function start(): Promise<void> {
  lane = await Lane.open({
    name: 'sandbox',
    parameters: DEFAULT_PARAMETERS,
    journal: new MemoryJournal(journal.store),
    snapshots: null,
    clock,
  });
  const platform = new MemoryPlatformStore();
  delivery = createDelivery({
    store,
    outbound: new NodeOutbound({
      guard: createGuard(parseAllowance([`127.0.0.1:${portOf(receiver)}`])),
      limits: { connectMs: 1_500, totalMs: 2_000 },
    }),
    lanes: { sandbox: lane },
    platform,
    keyView: keyViewOf(platform),
    secrets: keyed,
    random: systemRandom,
    clock,
    failed: (message, error) => {
      throw new Error(message, { cause: error });
    },
  });
  await delivery.start();
}

async function stop(): Promise<void> {
  await delivery.stop();
  await lane.close();
}

function receive(request: IncomingMessage, response: ServerResponse): void {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    if (mood !== null) {
      mood(request, response);
      return;
    }
    const body = Buffer.concat(parts).toString();
    const [, t, hex] =
      /^t=(\d+),v1=([0-9a-f]+)$/.exec(String(request.headers['x-svc-signature'])) ?? [];
    const own = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');
    accepted.push({ sequence: JSON.parse(body).sequence, isSigned: own === hex });
    response.end();
  });
}

async function register(): Promise<void> {
  await submit({ type: 'open_account', mode: 'sandbox', parentId: null, referrerId: null });
  const owner = { webhookId: 'wh_a', accountId: 'acc_a' };
  const { text, sealed } = delivery.newSecret(owner);
  secret = text;
  await delivery.register({
    ...endpoint('wh_a'),
    ...owner,
    environment: 'sandbox',
    url: `http://127.0.0.1:${portOf(receiver)}/hooks`,
    eventTypes: ['deposit.confirmed'],
    secret: sealed,
    fromSeq: lane.status().durableSeq,
  });
}

async function submit(
  body:
    | { type: 'open_account'; mode: 'sandbox'; parentId: null; referrerId: null }
    | { type: 'deposit'; amount: ReturnType<typeof usdt>; reference: string },
): Promise<void> {
  await lane.submit({
    body: { ...body, accountId: asAccountId('acc_a') },
    actor: { kind: 'operator', name: 'test', reason: 'test' },
    requestId: 'req_1',
  });
}

/** Each deposit has a reference of its own. */
let wires = 0;

function deposit(): Promise<void> {
  wires += 1;
  return submit({ type: 'deposit', amount: usdt(5n), reference: `wire-${wires}` });
}

/** Virtual time for the schedule, real time for the sockets. */
async function pass(elapsedMs: number): Promise<void> {
  clock.advance(elapsedMs);
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setTimeout(resolve, 2));
  while (delivery.inFlight > 0) await new Promise((resolve) => setTimeout(resolve, 5));
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

describe('[P10] over real sockets and a real lane', () => {
  it('gets through to a receiver that first tries everything', async () => {
    await register();
    const location = `http://127.0.0.1:${portOf(trap)}/inside`;
    const moods: readonly Mood[] = [
      (_request, response) => response.writeHead(500).end('no'),
      () => {},
      (_request, response) => response.writeHead(302, { location }).end(),
      (_request, response) => response.writeHead(307, { location }).end(),
      (_request, response) => response.writeHead(500).end(Buffer.alloc(20_000_000, 120)),
      (request) => request.socket.resetAndDestroy(),
      (request) => request.socket.end('SSH-2.0-OpenSSH\r\n'),
    ];
    for (let count = 0; count < 3; count += 1) await deposit();
    const waits = [25, 6_100, 361_000, 2_170_000, 8_700_000, 21_700_000, 43_300_000];
    for (const [index, act] of moods.entries()) {
      mood = act;
      await pass(waits[index]!);
    }
    expect(accepted).toEqual([]);
    mood = null;
    await pass(43_300_000);
    await pass(25);
    expect(accepted).toEqual([1, 2, 3].map((sequence) => ({ sequence, isSigned: true })));
    expect(trapped).toBe(0);
    const [finished] = await store.finishedSince('wh_a', 0, 1);
    const [attempts] = await store.attemptsOf([finished!.deliveryId]);
    expect(attempts!.map(({ httpStatus, failure }) => httpStatus ?? failure)).toEqual([
      500,
      'timeout',
      302,
      307,
      500,
      'broken',
      'broken',
      200,
    ]);
  });

  it('reads what it missed from the journal after a restart', async () => {
    await register();
    await deposit();
    await pass(25);
    await delivery.stop();
    // The lane goes on, and is itself restarted, while nobody delivers.
    await deposit();
    await deposit();
    await lane.close();
    await start();
    await deposit();
    await pass(25);
    await pass(25);
    expect(accepted.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
    expect(accepted.every(({ isSigned }) => isSigned)).toBe(true);
  });
});
