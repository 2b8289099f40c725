// The SDK's socket in a real browser: snapshot, deltas, a lost connection, RESUME, and a book that sums up.
import { createClient, type SibylClient } from '@sibyl/sdk';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSeeded } from '../seeded-sandbox.ts';
import { type Started, temporaryFolder } from '../server-process.ts';
import { launchChromium } from './chromium.ts';
import { CuttableLine } from './cuttable-line.ts';
import { PageServer } from './page-server.ts';

const SCRIPT = `
  import { createSocket } from '/sdk/src/index.ts';
  globalThis.begin = async (url, marketId, outcomeId) => {
    const seen = { kinds: {}, notices: [], resyncs: [], states: [], checksums: 0, mismatches: 0 };
    const socket = createSocket({ url, reconnectMsMin: 100, reconnectMsMax: 200, locale: 'de' });
    socket.on('state', (state) => seen.states.push(state));
    socket.on('notice', (frame) => seen.notices.push({ type: frame.type, data: frame.data }));
    socket.on('resync', (notice) => seen.resyncs.push(notice));
    await socket.connect();
    const book = socket.orderBook(marketId, outcomeId, {
      onChange: (_, { kind }) => { seen.kinds[kind] = (seen.kinds[kind] ?? 0) + 1; },
    });
    socket.subscribe('orderbook:' + marketId + ':' + outcomeId, {
      onFrame: (frame) => { if (frame.type === 'orderbook_checksum') seen.checksums += 1; },
    });
    await book.ready;
    globalThis.report = () => ({
      ...seen,
      mismatches: book.mismatches,
      isSynced: book.isSynced,
      isStale: socket.isStale,
      state: socket.state,
      seq: book.seq,
      bids: book.bids,
      asks: book.asks,
    });
  };
  globalThis.isLoaded = true;
`;

interface Report {
  readonly kinds: Readonly<Record<string, number>>;
  readonly notices: readonly { readonly type: string; readonly data: never }[];
  readonly resyncs: readonly unknown[];
  readonly states: readonly string[];
  readonly checksums: number;
  readonly mismatches: number;
  readonly isSynced: boolean;
  readonly isStale: boolean;
  readonly state: string;
  readonly seq: number;
  readonly bids: readonly unknown[];
  readonly asks: readonly unknown[];
}

const data = temporaryFolder();
const pages = new PageServer(SCRIPT);
let server: Started;
let line: CuttableLine;
let browser: Browser;
let page: Page;
let client: SibylClient;
let marketId = '';
const faults: string[] = [];

beforeAll(async () => {
  [server, browser] = await Promise.all([
    startSeeded({ dataDir: data.folder, environment: { LANES: 'sandbox', RATE_MULTIPLIER: '0' } }),
    launchChromium(),
  ]);
  line = new CuttableLine(Number(new URL(server.baseUrl).port));
  const visitor = createClient({ baseUrl: `${server.baseUrl}/sandbox` });
  const { session_token: token } = await visitor.sessions.register({
    email: 'browser@example.com',
    password: 'correct horse battery staple',
  });
  client = visitor.withToken(token);
  await client.sandbox.faucet();
  const { items } = await client.markets.list({ status: 'active', market_type: 'normal' });
  marketId = items.find(({ outcomes }) => outcomes.some(({ id }) => id === 'yes'))?.market_id ?? '';
  page = await browser.newPage({ locale: 'en-US' });
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('requestfailed', (request) => faults.push(request.url()));
  await page.goto(await pages.listen());
  await page.waitForFunction('globalThis.isLoaded === true');
});

afterAll(async () => {
  await browser?.close();
  line?.close();
  pages.close();
  await server?.stop();
  data.remove();
});

function report(): Promise<Report> {
  return page.evaluate('report()');
}

async function until(test: (now: Report) => boolean): Promise<Report> {
  const deadlineMs = Date.now() + 120_000;
  for (;;) {
    const now = await report();
    if (test(now)) return now;
    if (Date.now() > deadlineMs) throw new Error(`it did not happen: ${now.state} ${now.seq}`);
    await page.waitForTimeout(50);
  }
}

const READS_MAX = 10;

/** Orders at prices that the book shows: it has its hundred best levels only. */
async function trade(count: number): Promise<void> {
  const { bids } = await client.markets.orderBook(marketId, { outcome_id: 'yes', depth: 10 });
  for (let index = 0; index < count; index += 1) {
    await client.orders.place({
      market_id: marketId,
      outcome_id: 'yes',
      side: 'buy',
      order_type: 'limit',
      price: bids[3 + (index % 5)]?.[0] ?? '0.4',
      size: String(20 + index),
      time_in_force: 'gtc',
    });
  }
  // Levels must go, too: this takes the best offers away.
  const taker = { side: 'buy', order_type: 'market', size: '40' } as const;
  await client.orders.place({ market_id: marketId, outcome_id: 'yes', ...taker });
}

/** The book of the page, as soon as it has the number of the one over REST, is that one. */
async function expectSameBook(): Promise<Report> {
  const read = () => client.markets.orderBook(marketId, { outcome_id: 'yes', depth: 100 });
  let book = await read();
  let shown = await until(({ seq }) => seq >= book.seq);
  // What was traded last may still be told after the book was read: then it is read again.
  for (let again = 0; shown.seq > book.seq && again < READS_MAX; again += 1) {
    book = await read();
    shown = await until(({ seq }) => seq >= book.seq);
  }
  expect(shown.seq).toBe(book.seq);
  expect(shown.bids).toEqual(book.bids);
  expect(shown.asks).toEqual(book.asks);
  expect(shown).toMatchObject({ isSynced: true, isStale: false, state: 'open', mismatches: 0 });
  return shown;
}

describe('[SK11] the socket in Chromium', () => {
  it('gets a snapshot and every change after it', async () => {
    const url = `ws://127.0.0.1:${await line.listen()}/sandbox/ws`;
    await page.evaluate(`begin(${JSON.stringify(url)}, ${JSON.stringify(marketId)}, 'yes')`);
    await trade(12);
    const { kinds, notices } = await expectSameBook();
    expect(kinds).toMatchObject({ snapshot: 1 });
    expect(kinds.delta).toBeGreaterThan(1);
    expect(notices.find(({ type }) => type === 'locale_set')?.data).toMatchObject({ locale: 'de' });
  });

  it('resumes after a loss without a new snapshot, and has what it missed', async () => {
    line.cut();
    const lost = await until(({ state }) => state !== 'open');
    expect(lost.isStale).toBe(true);
    await trade(9);
    await client.orders.cancelAll({ market_id: marketId });
    await trade(3);
    line.mend();
    await until(({ state }) => state === 'open');
    const { kinds, notices, resyncs } = await expectSameBook();
    const resumed = notices.find(({ type }) => type === 'resumed');
    expect(resumed?.data).toMatchObject({ streams: [{ stream: `orderbook:${marketId}:yes` }] });
    const { streams } = resumed!.data as { readonly streams: readonly { replayed: number }[] };
    expect(streams[0]!.replayed).toBeGreaterThan(1);
    expect(kinds.snapshot).toBe(1);
    expect(resyncs).toEqual([]);
  });

  it('sums up to what the server says', async () => {
    const { checksums } = await report();
    await trade(2);
    const later = await until((now) => now.checksums > checksums);
    expect(later.mismatches).toBe(0);
    await expectSameBook();
    expect(faults).toEqual([]);
  });
});
