// The reference as a newcomer meets it: in the sandbox, with a key made on the spot, and nothing from elsewhere.
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSeeded } from '../seeded-sandbox.ts';
import { type Started, temporaryFolder } from '../server-process.ts';
import { launchChromium } from './chromium.ts';

const data = temporaryFolder();
let server: Started;
let browser: Browser;
let context: BrowserContext;
let page: Page;
const faults: string[] = [];

beforeAll(async () => {
  [server, browser] = await Promise.all([
    startSeeded({ dataDir: data.folder, environment: { LANES: 'both' } }),
    launchChromium(),
  ]);
  context = await browser.newContext({ viewport: { width: 1440, height: 1000 } });
  page = await context.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('request', (request) => {
    const isOwn = request.url().startsWith(server.baseUrl) || /^(data|blob):/.test(request.url());
    if (!isOwn) faults.push(`asked for ${request.url()}`);
  });
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
  data.remove();
});

const PATIENCE = { timeout: 120_000 };

describe('[DC2] the reference in Chromium', () => {
  it('opens in the sandbox, with the guide first', async () => {
    const answer = await page.goto(`${server.baseUrl}/docs/`);
    const policy = answer?.headers()['content-security-policy'] ?? '';
    expect(policy).toContain("script-src 'self';");
    await page.getByRole('heading', { name: 'Authentication' }).first().waitFor(PATIENCE);
    await page.getByText(`${server.baseUrl}/sandbox`).first().waitFor(PATIENCE);
    const usual = page.viewportSize();
    await page.setViewportSize({ width: 390, height: 844 });
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(overflow)).toBe(0);
    if (usual !== null) await page.setViewportSize(usual);
  });

  it('makes a key with test money that the console uses, and keeps it for the next visit', async () => {
    await page.getByRole('button', { name: 'Get a sandbox key' }).click(PATIENCE);
    const key = (await page.locator('#key-state code').textContent(PATIENCE)) ?? '';
    expect(key).toMatch(/^sk_live_[0-9A-Za-z]{16}_/);
    const held = await fetch(`${server.baseUrl}/sandbox/v1/account`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(await held.json()).toMatchObject({ data: { balance_free: '10000.000000' } });
    await page.goto(`${server.baseUrl}/docs/#tag/orders/POST/v1/orders`);
    await page.reload();
    expect(await page.locator('#key-state code').textContent(PATIENCE)).toBe(key);
    const order = page.locator('section', { hasText: 'Place an order' }).last();
    await order
      .getByRole('button', { name: /Test Request/ })
      .first()
      .click(PATIENCE);
    const sent = page.waitForResponse((answer) => answer.url().includes('/v1/orders'), PATIENCE);
    await page.getByRole('button', { name: /^Send/ }).first().click(PATIENCE);
    const response = await sent;
    expect(new URL(response.url()).pathname).toBe('/sandbox/v1/orders');
    expect(await response.json()).toMatchObject({ ok: true, data: { size: '10.000000' } });
    expect(faults).toEqual([]);
  });

  it('says so if the address has had its key of the day', async () => {
    await page.evaluate('localStorage.clear()');
    await page.goto(`${server.baseUrl}/docs/`);
    await page.getByRole('button', { name: 'Get a sandbox key' }).click(PATIENCE);
    await page
      .locator('#key-state', {
        hasText: 'One sandbox key per address and day: use the one you have',
      })
      .waitFor(PATIENCE);
    // The browser itself notes the 429.
    expect(faults.every((fault) => fault.includes('429'))).toBe(true);
    faults.length = 0;
  });

  it('shows the streams without a script', async () => {
    await page.goto(`${server.baseUrl}/docs/streams`);
    await page.getByRole('heading', { name: 'Close codes' }).waitFor(PATIENCE);
    expect(await page.locator('script').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('[DC8] shows the streams on a telephone, and nothing of a table is cut off', async () => {
    const telephone = await browser.newContext({ viewport: { width: 390, height: 844 } });
    const narrow = await telephone.newPage();
    await narrow.goto(`${server.baseUrl}/docs/streams`);
    const cut = await narrow.evaluate(`
      for (const details of document.querySelectorAll('details')) details.open = true;
      [...document.querySelectorAll('.table')]
        .filter((box) => box.scrollWidth > box.clientWidth)
        .map((box) => box.closest('article')?.id ?? box.previousElementSibling?.textContent);
    `);
    expect(cut).toEqual([]);
    expect(await narrow.locator('.table').count()).toBeGreaterThan(50);
    const width = await narrow.evaluate('document.documentElement.scrollWidth');
    expect(width).toBe(390);
    await telephone.close();
  });
});
