// From a visitor to a user: what was tried out stays, and whoever tried nothing has play money too.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { somebody } from './market-stage.ts';
import { ownMarket } from './person.ts';
import { Stage, soon, widths } from './stage.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await Stage.open();
});

afterAll(() => stage?.close());

const PASSWORD = 'correct horse battery staple';

const balanceOf = (page: Page): Promise<string> => page.getByTestId('balance').innerText();

/** By the form that the menu opens. */
async function register(page: Page): Promise<string> {
  const email = `visitor-${crypto.randomUUID()}@example.com`;
  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('menuitem', { name: 'Register' }).click();
  const dialog = page.getByRole('dialog', { name: 'Register' });
  await dialog.getByLabel('Email').fill(email);
  await dialog.getByLabel('Password').fill(PASSWORD);
  await stage.expectAccessible(page);
  await stage.expectFits(page);
  await dialog.getByRole('button', { name: 'Register' }).click();
  await dialog.waitFor({ state: 'detached' });
  return email;
}

for (const [size, theme] of [
  ['phone', 'dark'],
  ['desk', 'light'],
] as const) {
  it(`[WA4] keeps what a visitor traded when they register: ${size}, ${theme}`, async () => {
    const maker = await somebody(`maker-${crypto.randomUUID()}@example.com`);
    const market = await ownMarket(maker, 'Will the visitor stay?');
    const page = await stage.visitor({ width: widths[size], theme });
    await page.goto(`/sandbox/m/${market.market_id}`);
    const ticket = page.getByRole(size === 'phone' ? 'dialog' : 'region', {
      name: 'Order',
      exact: true,
    });
    if (size === 'phone') {
      const price = page.getByRole('button', { name: /^Yes [0-9.]+¢$/ });
      await price.last().click();
    }
    await ticket.getByLabel('Shares').fill('10');
    await ticket.getByRole('button', { name: 'Buy Yes (play money)' }).click();
    await ticket.getByText(/^Bought 10 Yes at/).waitFor();
    await page.keyboard.press('Escape');
    const other = await page.context().newPage();
    await other.goto('/sandbox/portfolio');
    await other.getByText('Will the visitor stay?').first().waitFor();
    await soon(() => balanceOf(page)).toMatch(/^99\d\.\d\d$/);
    const before = await balanceOf(page);
    const email = await register(page);
    // The same money and position, in this tab and in others, and after a reload.
    await soon(() => balanceOf(page)).toBe(before);
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menu').getByText(email).waitFor();
    await page.keyboard.press('Escape');
    await page.reload();
    await soon(() => balanceOf(page)).toBe(before);
    await page.goto('/sandbox/portfolio');
    await page.getByText('Will the visitor stay?').first().waitFor();
    await soon(() => balanceOf(other)).toBe(before);
    await other.getByRole('button', { name: 'Your account' }).click();
    await other.getByRole('menu').getByText(email).waitFor();
    expect(await page.getByText('You were signed out').count()).toBe(0);
    expect(await other.getByText('You were signed out').count()).toBe(0);
    stage.expectNoFaults(/status of 401/);
  });
}

it('[WA21] gives play money to a user who registers without a demo account', async () => {
  const page = await stage.visitor({ width: widths.phone });
  await page.goto('/sandbox');
  await page.getByText('play money (test USDT)').waitFor();
  await register(page);
  await soon(() => balanceOf(page)).toBe('10,000.00');
  // Once: signing in to it again adds nothing.
  await page.reload();
  await soon(() => balanceOf(page)).toBe('10,000.00');
  stage.expectNoFaults();
});
