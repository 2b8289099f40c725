// Search: what is typed reaches it whole, however fast the hands and however slow the network.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { somebody } from './market-stage.ts';
import { ownMarket } from './person.ts';
import { Stage, soon } from './stage.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await Stage.open();
});

afterAll(() => stage?.close());

const SCRIPT_MS = 1_000;

const ticketOf = (page: Page) => page.getByRole('region', { name: 'Order', exact: true });

/** A market's page whose further scripts take their time. */
async function slowMarketPage(): Promise<Page> {
  const maker = await somebody(`maker-${crypto.randomUUID()}@example.com`);
  const { market_id } = await ownMarket(maker, 'Will the tunnel open this year?');
  const page = await stage.visitor();
  await page.goto(`/sandbox/m/${market_id}`);
  await ticketOf(page).getByLabel('Shares').waitFor();
  await page.locator('h1').click();
  await page.route('**/assets/*.js', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, SCRIPT_MS));
    await route.continue();
  });
  return page;
}

it('[WF20] keeps each key for the search, from the first one on', async () => {
  for (const opener of ['/', 'Control+k']) {
    const page = await slowMarketPage();
    const address = page.url();
    const before = await ticketOf(page).getByLabel('Shares').inputValue();
    await page.keyboard.press(opener);
    await page.keyboard.type('?g12 sb tunnel');
    const field = page.getByPlaceholder(/Type a market/);
    await soon(() => field.inputValue()).toBe('?g12 sb tunnel');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    // None of them went to the ticket or to another page.
    const ticket = ticketOf(page);
    expect(await ticket.getByLabel('Shares').inputValue()).toBe(before);
    expect(await ticket.getByRole('button', { name: 'Buy Yes (play money)' }).isVisible()).toBe(
      true,
    );
    expect(page.url()).toBe(address);
    stage.expectNoFaults();
  }
});

it('[WF20] leaves no key to the page while another dialog loads', async () => {
  const page = await slowMarketPage();
  const ticket = ticketOf(page);
  await ticket.getByRole('button', { name: 'Buy Yes (play money)' }).waitFor();
  await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click();
  await page.keyboard.type('sg');
  await page.getByRole('dialog', { name: 'Sign in' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await ticket.getByRole('button', { name: 'Buy Yes (play money)' }).isVisible()).toBe(true);
  stage.expectNoFaults();
});

it('[WF20] opens what the whole words found, though Enter came before their answer', async () => {
  const maker = await somebody(`maker-${crypto.randomUUID()}@example.com`);
  const near = await ownMarket(maker, 'Wombats counted in spring?');
  const wanted = await ownMarket(maker, 'Wombats counted in autumn?');
  const page = await stage.visitor();
  await page.goto('/sandbox');
  await page.getByRole('banner').waitFor();
  const field = page.getByPlaceholder(/Type a market/);
  await page.keyboard.press('/');
  await page.keyboard.type('wombats counted in spring');
  await page.getByRole('option', { name: /spring/ }).waitFor();
  // The next answer is late: what is shown meanwhile was found by other words.
  await page.route('**/v1/markets?*autumn*', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, SCRIPT_MS));
    await route.continue();
  });
  await field.fill('wombats counted in autumn');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/sandbox\/m\//);
  expect(page.url()).toContain(wanted.market_id);
  expect(page.url()).not.toContain(near.market_id);
  stage.expectNoFaults();
});

it('[WF20] chooses with arrows, and gives the focus back when it closes', async () => {
  const page = await stage.visitor({ width: 390 });
  await page.goto('/sandbox');
  const search = page.getByRole('banner').getByRole('button', { name: 'Search markets' });
  await search.click();
  await page.getByRole('option').nth(2).waitFor();
  const isChosen = (): Promise<string | null> =>
    page.getByRole('option').nth(2).getAttribute('aria-selected');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await soon(isChosen).toBe('true');
  await stage.expectAccessible(page);
  await stage.expectFits(page);
  await page.keyboard.press('Escape');
  await page.getByRole('option').first().waitFor({ state: 'detached' });
  expect(await search.evaluate((button) => button === document.activeElement)).toBe(true);
  stage.expectNoFaults();
});

it('[WF22] lists open markets first, and says which have ended and what a price is of', async () => {
  const page = await stage.visitor({ width: 390 });
  await page.goto('/sandbox');
  await page.getByRole('banner').getByRole('button', { name: 'Search markets' }).click();
  const field = page.getByPlaceholder(/Type a market/);
  const options = page.getByRole('option');
  await field.fill('btc');
  await options
    .filter({ hasText: /Resolved/ })
    .first()
    .waitFor();
  const texts = await options.allInnerTexts();
  const isOpen = texts.map((text) => /\d¢/.test(text));
  expect(isOpen.lastIndexOf(true)).toBeLessThan(texts.findIndex((text) => /Resolved/.test(text)));
  expect(texts[0]).toMatch(/^Will BTC close above 110,000 USDT/);
  await field.fill('btc 110,000');
  await soon(() => options.count()).toBe(1);
  await field.fill('northern league');
  await options.filter({ hasText: /Northern League\?.+\d+¢$/ }).waitFor();
  await stage.expectFits(page);
  await stage.expectAccessible(page);
  stage.expectNoFaults();
});
