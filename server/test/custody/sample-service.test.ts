// The service that the documents offer to begin from, as a process of its own, asked as the exchange asks it.
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import { SignedCalls } from '../../src/adapters/node/custody-calls.ts';
import { HttpCustody } from '../../src/adapters/node/http-custody.ts';
import { openOperator, trader } from '../operator/harness.ts';
import { root, temporaryFolder } from '../server-process.ts';
import { CUSTODY_SECRET } from './signed-report.ts';

const PAYOUT = { payoutId: 'wd_0000000001', amount: 4_500_000n, destination: 'DE89 3704' };

const data = temporaryFolder();
const books = path.join(data.folder, 'books.jsonl');
let child: ChildProcess;
let custody: HttpCustody;
/** All that it has said since it was started. */
let output: string;

async function start(exchangeUrl = 'http://127.0.0.1:1'): Promise<void> {
  const settings = { PORT: '0', CUSTODY_SECRET, BOOKS: books, OPENING: '10' };
  child = spawn(process.execPath, [path.join(root, 'docs/examples/custody-service.ts')], {
    env: { ...process.env, ...settings, EXCHANGE_URL: exchangeUrl },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  output = '';
  const listen = (chunk: Buffer): void => {
    output += String(chunk);
  };
  child.stdout?.on('data', listen);
  child.stderr?.on('data', listen);
  const url = /http:\S+/.exec(await said(/^custody at/))?.[0] ?? '';
  custody = clientOf(url, CUSTODY_SECRET);
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

beforeEach(() => start());
afterEach(async () => {
  await stop();
  rmSync(books, { force: true });
});
afterAll(() => data.remove());

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

/** The line that says it, however long ago it was said. */
async function said(word: RegExp): Promise<string> {
  for (;;) {
    const line = output.split('\n').find((each) => word.test(each));
    if (line !== undefined) return line;
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${output}`);
    await sleep(10);
  }
}

it('[CU8] it reports what came in until the exchange has taken it, also after it was killed, and is credited once', async () => {
  const name = 'bank';
  child.stdin?.write(`${trader} 250.5 wire-7\n`);
  expect(await said(/^not taken wire-7/)).toContain('no answer');
  await stop();
  const exchange = await openOperator('live', () => ({
    ...{ name, pay: unasked, check: unasked, books: unasked },
    // The service has a clock of its own.
    calls: new SignedCalls({ secret: CUSTODY_SECRET, wallMs: () => Date.now() }),
  }));
  try {
    const free = () =>
      exchange.lane.read(({ accounts, ledger }) => ledger.balance(accounts.get(trader)!.free));
    const before = await free();
    const port = await exchange.gateway.listen({ host: '127.0.0.1', port: 0 });
    await start(`http://127.0.0.1:${port}`);
    await said(/^taken wire-7/);
    expect((await free()) - before).toBe(250_500_000n);
    expect(await custody.books([])).toEqual({ balance: 260_500_000n, paid: [] });
    child.stdin?.write('acc_nobody 1 wire-8\n');
    expect(await said(/^not taken wire-8/)).toContain('NOT_FOUND');
  } finally {
    await exchange.close();
  }
});

function unasked(): never {
  throw new Error('nobody asks it');
}
