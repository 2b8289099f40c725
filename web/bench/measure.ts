// Measures the pages in a real Chromium: how much script they load, and what a busy book costs. Prints one line of JSON.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { createClient, type SibylClient } from '@sibyl/sdk';
import type { Browser, CDPSession } from 'playwright-core';
import { buildSite } from '../../scripts/build-site.mjs';
import { launchChromium } from '../../server/test/browser/chromium.ts';
import { root, startServer, temporaryFolder } from '../../server/test/server-process.ts';

const UPDATES_PER_SEC = 50;
const SECONDS = 10;
const MS = 1_000;
const BYTES_PER_KB = 1_000;

buildSite(process.execPath);
const data = temporaryFolder();
const server = await startServer({
  dataDir: data.folder,
  environment: { LANES: 'both', RATE_MULTIPLIER: '0' },
});
const browser = await launchChromium();
try {
  const { baseUrl } = server;
  const client = createClient({ baseUrl: `${baseUrl}/sandbox` });
  const trader = await richTrader(client);
  const market = await busyMarket(client);
  const listKb = await scriptKb(browser, `${baseUrl}/sandbox/`, 'main a[href*="/m/"]');
  const marketKb = await scriptKb(browser, `${baseUrl}/sandbox/m/${market}`, 'canvas');
  const listPaintMs = await firstPaintMs(browser, `${baseUrl}/sandbox/`);
  const marketPaintMs = await firstPaintMs(browser, `${baseUrl}/sandbox/m/${market}`);
  const busy = await measureBusyBook(browser, `${baseUrl}/sandbox/m/${market}`, trader, market);
  process.stdout.write(
    `${JSON.stringify({ listKb, marketKb, listPaintMs, marketPaintMs, ...busy })}\n`,
  );
} finally {
  await browser.close();
  await server.stop();
  data.remove();
}

async function richTrader(visitor: SibylClient): Promise<SibylClient> {
  const { session_token: token } = await visitor.sessions.register({
    email: 'bench@example.com',
    password: 'correct horse battery staple',
  });
  const trader = visitor.withToken(token);
  await trader.sandbox.faucet();
  return trader;
}

async function busyMarket(client: SibylClient): Promise<string> {
  const { items } = await client.markets.list({ status: 'active', limit: 50 });
  const market = items.find(({ outcome_schema: kind }) => kind === 'binary');
  if (market === undefined) throw new Error('the seed has no active binary market');
  return market.market_id;
}

/** Scripts that a first visit loads until the page shows what it is about, compressed as gzip does. */
async function scriptKb(browser: Browser, url: string, shown: string): Promise<number> {
  const page = await browser.newPage({ locale: 'en-US' });
  const loaded = new Set<string>();
  page.on('response', (answer) => {
    const { pathname } = new URL(answer.url());
    if (pathname.endsWith('.js')) loaded.add(pathname);
  });
  await page.goto(url);
  await page.locator(shown).first().waitFor();
  await page.close();
  const site = path.join(root, 'web', 'build', 'site');
  const bytes = [...loaded]
    .filter((file) => file !== '/sw.js')
    .reduce((sum, file) => sum + gzipSync(readFileSync(path.join(site, file))).length, 0);
  return bytes / BYTES_PER_KB;
}

/** A phone on a slow network: a quarter of this machine's speed, 150 ms away, 1.6 Mbit/s. */
const PHONE = { width: 390, height: 844 } as const;
const SLOWDOWN = 4;
const NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: 200_000,
  uploadThroughput: 94_000,
} as const;

/** How long a first visit sees nothing. */
async function firstPaintMs(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext({ locale: 'en-US', viewport: PHONE });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', NETWORK);
  await page.goto(url);
  const painted = await page.waitForFunction(
    "performance.getEntriesByName('first-contentful-paint')[0]?.startTime",
  );
  const atMs = Number(await painted.jsonValue());
  await context.close();
  return atMs;
}

interface BusyBook {
  readonly updatesPerSec: number;
  readonly longestTaskMs: number;
  readonly cpuPercent: number;
}

async function measureBusyBook(
  browser: Browser,
  url: string,
  trader: SibylClient,
  marketId: string,
): Promise<BusyBook> {
  const page = await browser.newPage({ locale: 'en-US', viewport: { width: 1440, height: 900 } });
  await page.goto(url);
  await page.locator('canvas').first().waitFor();
  await page.evaluate(`
    globalThis.longest = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) globalThis.longest = Math.max(globalThis.longest, duration);
    }).observe({ type: 'longtask' });
  `);
  // One session for both looks: the count begins anew with each.
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  const before = await busySeconds(devtools);
  const startMs = performance.now();
  const updates = await moveBook(trader, marketId);
  const wallSec = (performance.now() - startMs) / MS;
  const after = await busySeconds(devtools);
  const longestTaskMs = Number(await page.evaluate('globalThis.longest'));
  await page.close();
  return {
    updatesPerSec: updates / wallSec,
    longestTaskMs,
    cpuPercent: ((after - before) / wallSec) * 100,
  };
}

/** How long the page's thread has worked so far. */
async function busySeconds(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
}

/** Orders that rest far from the price, placed and cancelled in turn: each changes the book. */
async function moveBook(trader: SibylClient, marketId: string): Promise<number> {
  const open: string[] = [];
  const startMs = performance.now();
  let updates = 0;
  while (performance.now() < startMs + SECONDS * MS) {
    const oldest = open.length > 10 ? open.shift() : undefined;
    if (oldest !== undefined) {
      await trader.orders.cancel(oldest);
    } else {
      const price = `0.${String(100 + (updates % 50))}`;
      const { order_id: id } = await trader.orders.place({
        market_id: marketId,
        outcome_id: 'yes',
        side: 'buy',
        order_type: 'limit',
        price,
        size: '1',
      });
      open.push(id);
    }
    updates += 1;
    const dueMs = startMs + (updates * MS) / UPDATES_PER_SEC;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueMs - performance.now())));
  }
  return updates;
}
