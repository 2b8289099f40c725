// A flood of what once took the service away from everybody else, and what a bystander and a trader notice of it.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import path from 'node:path';
import { startSeeded } from '../seeded-sandbox.ts';
import { type Started, temporaryFolder } from '../server-process.ts';

export interface FloodReport {
  readonly health: Latencies;
  readonly orders: Latencies;
  /** Answers that were not as they should be, in words. */
  readonly wrong: readonly string[];
  readonly rssMb: { readonly before: number; readonly peak: number; readonly after: number };
}

interface Latencies {
  readonly count: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly ms: number;
}

const HEALTH_EVERY_MS = 100;
/** Within the quota of a key: thirty a minute. */
const ORDER_EVERY_MS = 2_500;
/** So many that none of them asks too often. */
const BYSTANDERS = 20;
const TRADER = '127.0.0.88';
const SETTLE_MS = 5_000;
const BYTES_PER_KB = 1_024;
const ANSWERS_MIN = 3;

export async function runFlood(seconds: number): Promise<FloodReport> {
  const data = temporaryFolder();
  const server = await startSeeded({ dataDir: data.folder, environment: { BOTS: 'on' } });
  try {
    return await flood(server, seconds);
  } finally {
    await server.stop();
    data.remove();
  }
}

async function flood(server: Started, seconds: number): Promise<FloodReport> {
  const port = Number(new URL(server.baseUrl).port);
  const wrong: string[] = [];
  const trader = await openTrader(port);
  await pause(SETTLE_MS);
  const before = rssMb(server);
  let peak = before;
  const health: number[] = [];
  const orders: number[] = [];
  let isOver = false;
  const watching = every(HEALTH_EVERY_MS, async () => {
    if (isOver) return false;
    peak = Math.max(peak, rssMb(server));
    const answer = await ask(port, bystander(health.length), 'GET', '/v1/health');
    health.push(answer.ms);
    if (answer.status !== 200) wrong.push(`health: ${answer.status} ${answer.text}`);
    return true;
  });
  const trading = every(ORDER_EVERY_MS, async () => {
    if (isOver) return false;
    const answer = await trader();
    orders.push(answer.ms);
    if (!answer.text.includes('"status":"filled"')) wrong.push(`order: ${answer.text}`);
    return true;
  });
  // A machine that others use too answers few: the flood goes on until some of both kinds came through it.
  do await attack(port, seconds);
  while (Math.min(health.length, orders.length) < ANSWERS_MIN);
  isOver = true;
  await Promise.all([watching, trading]);
  await pause(SETTLE_MS);
  return {
    health: latencies(health),
    orders: latencies(orders),
    wrong,
    rssMb: { before, peak, after: rssMb(server) },
  };
}

async function attack(port: number, seconds: number): Promise<void> {
  const program = path.join(import.meta.dirname, 'flood-attackers.ts');
  await once(fork(program, [String(port), String(seconds)]), 'exit');
}

/** A key with test money; each call buys one share. */
async function openTrader(port: number): Promise<() => Promise<Answer>> {
  const made = await ask(port, TRADER, 'POST', '/sandbox/v1/sandbox-keys');
  const key: string = JSON.parse(made.text).data.key_id;
  await ask(port, TRADER, 'POST', '/sandbox/v1/sandbox/faucet', key);
  const markets = await ask(
    port,
    TRADER,
    'GET',
    '/sandbox/v1/markets?status=active&category=technology',
    key,
  );
  const [market] = JSON.parse(markets.text).data;
  const order = {
    market_id: market.market_id,
    outcome_id: 'yes',
    side: 'buy',
    order_type: 'market',
    size: '1',
  };
  return () => ask(port, TRADER, 'POST', '/sandbox/v1/orders', key, JSON.stringify(order));
}

/** Each on a connection of its own, as somebody who has just arrived. */
function ask(
  port: number,
  localAddress: string,
  method: string,
  target: string,
  key?: string,
  body?: string,
): Promise<Answer> {
  const began = performance.now();
  const headers = {
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  return new Promise((resolve) => {
    const failed = (error: Error): void =>
      resolve({ status: 0, text: error.message, ms: performance.now() - began });
    const asked = request(
      { host: '127.0.0.1', port, localAddress, method, path: target, headers, agent: false },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('error', failed);
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, text, ms: performance.now() - began }),
        );
      },
    );
    asked.on('error', failed);
    asked.end(body);
  });
}

function bystander(turn: number): string {
  return `127.0.9.${1 + (turn % BYSTANDERS)}`;
}

async function every(intervalMs: number, work: () => Promise<boolean>): Promise<void> {
  for (;;) {
    const began = performance.now();
    if (!(await work())) return;
    await pause(Math.max(0, intervalMs - (performance.now() - began)));
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function rssMb(server: Started): number {
  const status = readFileSync(`/proc/${server.child.pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? '0') / BYTES_PER_KB);
}

function latencies(samples: readonly number[]): Latencies {
  const sorted = samples.toSorted((a, b) => a - b);
  const at = (part: number): number =>
    Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0) * 10) /
    10;
  return { count: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99) };
}
