// A custody service that is away, answers errors, or fails one question alone, as operators come to see it.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ManualClock } from '@sibyl/lane/testing';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { HttpCustody } from '../../src/adapters/node/http-custody.ts';
import { CustodyWatch } from '../../src/custody/custody-watch.ts';
import { openOperator } from '../operator/harness.ts';

const SECRET = 'a secret that only the two of us know';
const MINUTE_MS = 60_000;
const PAYOUT = { amount: 4_000_000n, destination: 'DE89 3704' };

/** It answers everything with an error. */
let isBroken: boolean;
let asked: string[];
let service: Server;
let custody: HttpCustody;

beforeEach(async () => {
  isBroken = false;
  asked = [];
  service = createServer((incoming, answer) => {
    const path = incoming.url ?? '';
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      asked.push(path);
      const { payout_id } = JSON.parse(Buffer.concat(chunks).toString());
      const told = {
        '/books': { balance: '0.000000', paid: [] },
        '/checks': { accepted: true },
        '/payouts': { payout_id, state: 'pending' },
      }[path];
      answer.writeHead(isBroken ? 503 : 200, { 'content-type': 'application/json' });
      answer.end(JSON.stringify(told));
    });
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  custody = new HttpCustody({ url, secret: SECRET, name: 'bank', wallMs: () => Date.now() });
});
afterEach(async () => {
  await custody.close();
  service.closeAllConnections();
  await new Promise((resolve) => service.close(resolve));
});

function watch(askEveryMs: number | null) {
  const clock = new ManualClock(1_794_744_000_000);
  const news: string[] = [];
  const watching = new CustodyWatch({
    ...{ clock, askEveryMs },
    began: ({ reason }) => news.push(`began: ${reason}`),
    ended: ({ sinceMs }, nowMs) => news.push(`ended after ${nowMs - sinceMs}`),
  });
  return { clock, news, watching, watched: watching.over(custody) };
}

it('[CU25] an outage is told once when it begins and once when it is over, whatever is asked meanwhile', async () => {
  const { clock, news, watching, watched } = watch(null);
  isBroken = true;
  for (const payoutId of ['wd_1-a', 'wd_2-b', 'wd_1-a']) {
    await expect(watched.pay({ ...PAYOUT, payoutId })).rejects.toThrow('status 503');
  }
  await expect(watched.check('DE89 3704', 1n)).rejects.toThrow('status 503');
  expect(news).toEqual(['began: status 503']);
  expect([watching.unclearPayouts, watching.outage?.sinceMs]).toEqual([2, clock.wallMs()]);
  // It is asked by itself while it does not answer.
  clock.advance(MINUTE_MS);
  await vi.waitUntil(() => asked.includes('/books'));
  isBroken = false;
  // One payout without an answer is an outage still.
  await watched.pay({ ...PAYOUT, payoutId: 'wd_1-a' });
  await watched.books([]);
  expect([news.length, watching.unclearPayouts]).toEqual([1, 1]);
  await watched.pay({ ...PAYOUT, payoutId: 'wd_2-b' });
  expect(news).toEqual(['began: status 503', `ended after ${MINUTE_MS}`]);
  expect([watching.unclearPayouts, watching.outage]).toEqual([0, null]);
  await watching.close();
});

it('[CU25] a service is asked by itself, and one that is away is seen before anybody withdraws', async () => {
  const { clock, news, watching } = watch(MINUTE_MS);
  clock.advance(MINUTE_MS);
  await vi.waitUntil(() => asked.length === 1);
  expect(news).toEqual([]);
  service.closeAllConnections();
  await new Promise((resolve) => service.close(resolve));
  await vi.waitUntil(() => {
    clock.advance(MINUTE_MS);
    return news.length > 0;
  });
  expect(news).toEqual([expect.stringMatching(/^began: no whole answer: .+/)]);
  await watching.close();
});

it('[CU25] operators see it in the queues, the state of the service and the log', async () => {
  const harness = await openOperator('live', () => custody);
  const queued = async () => {
    const { queues } = (await harness.get('/queues?lane=live')).json().data;
    return queues.find(({ kind }: { kind: string }) => kind === 'custody').items;
  };
  const state = async () => (await harness.get('/platform')).json().data.custody;
  const told = () =>
    harness.lines
      .filter(({ msg }) => String(msg).includes('custody'))
      .map(({ level, msg }) => `${level} ${msg}`);
  const [began, ended] = ['50 the custody gives no clear answer', '40 the custody answers again'];
  try {
    const well = { name: 'bank', silent_since_at: null };
    expect(await state()).toMatchObject({ ...well, state: 'not_asked' });
    await harness.custody?.books([]);
    expect(await state()).toMatchObject({ ...well, state: 'answers' });
    isBroken = true;
    for (let count = 0; count < 3; count += 1) {
      await expect(harness.custody?.pay({ ...PAYOUT, payoutId: 'wd_1-a' })).rejects.toThrow();
    }
    const since = { silent_since_at_ms: harness.clock.wallMs(), payouts_unclear: 1 };
    expect(await state()).toMatchObject({ state: 'silent', reason: 'status 503', ...since });
    expect(await queued()).toMatchObject([
      { id: 'bank', title: 'no clear answer: status 503; 1 payouts unclear' },
    ]);
    expect(told()).toEqual([began]);
    isBroken = false;
    await harness.custody?.pay({ ...PAYOUT, payoutId: 'wd_1-a' });
    expect([await queued(), (await state()).state]).toEqual([[], 'answers']);
    expect(told()).toEqual([began, ended]);
  } finally {
    await harness.close();
  }
});
