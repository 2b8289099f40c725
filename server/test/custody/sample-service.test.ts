// The service that the documents offer to begin from, as a process of its own, asked as the exchange asks it.
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { HttpCustody } from '../../src/adapters/node/http-custody.ts';
import { root, temporaryFolder } from '../server-process.ts';

const SECRET = 'a secret that only the two know';
const PAYOUT = { payoutId: 'wd_0000000001', amount: 4_500_000n, destination: 'DE89 3704' };

const data = temporaryFolder();
const books = path.join(data.folder, 'books.jsonl');
let child: ChildProcess;
let custody: HttpCustody;

async function start(): Promise<void> {
  child = spawn(process.execPath, [path.join(root, 'docs/examples/custody-service.ts')], {
    env: { ...process.env, PORT: '0', CUSTODY_SECRET: SECRET, BOOKS: books, OPENING: '10' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`it ended with ${code}`)));
    child.stdout?.on('data', (chunk) => resolve(/http:\S+/.exec(String(chunk))?.[0] ?? ''));
  });
  custody = clientOf(url, SECRET);
}

function clientOf(url: string, secret: string): HttpCustody {
  return new HttpCustody({ url, secret, name: 'bank', wallMs: () => Date.now() });
}

async function stop(): Promise<void> {
  await custody.close();
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}

beforeEach(start);
afterEach(async () => {
  await stop();
  data.remove();
});

it('[CU8] the service of the documents pays each payout once, also after it was killed, and shows its books', async () => {
  expect(await custody.check('DE89 3704', 1n)).toBeNull();
  expect(await custody.check('nowhere', 1n)).toMatch(/German/);
  const told = await custody.pay(PAYOUT);
  expect(told).toEqual({ state: 'paid', reference: 'bank wd_0000000001' });
  await stop();
  await start();
  expect(await custody.pay(PAYOUT)).toEqual(told);
  expect(readFileSync(books, 'utf8').trim().split('\n')).toHaveLength(1);
  const asked = [PAYOUT.payoutId, 'wd_0000000002'];
  expect(await custody.books(asked)).toEqual({ balance: 5_500_000n, paid: [PAYOUT.payoutId] });
});

it('[CU8] it answers nobody who has not signed', async () => {
  const stranger = clientOf(custody.url, 'another secret of that length');
  await expect(stranger.pay(PAYOUT)).rejects.toThrow('status 403');
  await stranger.close();
});
