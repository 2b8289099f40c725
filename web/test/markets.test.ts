// The list of markets: where strangers begin, what the filters say, what somebody watches.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Stage, widths } from './stage.ts';

let stage: Stage;
/** Of the stranger who came first. */
let demo: Page;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());

/** What the visitor reads before the first press. */
async function expectEstimate(page: Page): Promise<void> {
  const ticket = page.getByRole('region', { name: 'Order', exact: true });
  // Others trade here too: the best price may hold for less than ten shares at the moment.
  await ticket.getByText(/^(from )?[0-9.]+ USDT$/).waitFor();
  await ticket.getByText('opens a demo account with 1,000.00 test USDT').waitFor();
  await ticket.getByLabel('Shares').fill('999999');
  await ticket.getByText('A demo account has 1,000.00 test USDT.').waitFor();
  expect(await ticket.getByRole('button', { name: 'Buy Yes (play money)' }).isDisabled()).toBe(
    true,
  );
  await ticket.getByLabel('Shares').fill('10');
}

describe('the list of markets', () => {
  it('[WM1][WM29] leads a stranger from first visit to a filled order in two clicks, without an account before', async () => {
    const page = await stage.visitor({ isShared: true });
    await page.goto('/');
    await page.waitForURL('**/sandbox/');
    const card = page.getByRole('article').filter({ hasText: 'Will the harbour tunnel open' });
    await card.getByRole('link', { name: /^Yes/ }).click();
    await expectEstimate(page);
    await page.getByRole('button', { name: 'Buy Yes (play money)' }).click();
    await page.getByText(/^Bought 10 Yes at [0-9.]+¢$/).waitFor();
    await page.getByRole('region', { name: 'Your positions' }).getByText('Yes').waitFor();
    await page.getByTestId('balance').waitFor();
    stage.expectNoFaults();
    demo = page;
  });

  it('[WA6] names the money of a demo account where its order costs it', async () => {
    const ticket = demo.getByRole('region', { name: 'Order', exact: true });
    await ticket.getByText(/^[0-9.]+ USDT$/).waitFor();
    await ticket.getByRole('button', { name: 'Amount', exact: true }).click();
    await ticket.getByLabel('Amount in USDT').waitFor();
    // More than there is, asked for and pressed for all the same.
    await ticket.getByLabel('Amount in USDT').fill('5000');
    const alert = ticket.getByRole('alert');
    await alert.getByText(/^You need [0-9,.]+; 99[0-9.]+ is available\.$/).waitFor();
    const refused = demo.waitForResponse(
      (answer) => answer.url().endsWith('/v1/orders') && answer.status() === 422,
    );
    await ticket.getByRole('button', { name: 'Buy Yes (play money)' }).click();
    await refused;
    await alert.getByText(/^You need/).waitFor();
    expect(await ticket.innerText()).not.toContain('CROWN');
    await ticket.getByLabel('Amount in USDT').fill('5');
    // With its figures there, nothing that was refused is still on its way.
    await alert.waitFor({ state: 'detached' });
    await ticket
      .getByText(/^[0-9.]+ USDT$/)
      .first()
      .waitFor();
    stage.expectNoFaults(/status of 422/);
  });

  it('[WA7] ends a demo at the address of its own lane, and stays there', async () => {
    const ended = demo.waitForResponse(/\/api\/auth\/logout$/);
    await demo.getByRole('button', { name: 'Your account' }).click();
    await demo.getByRole('menuitem', { name: 'Sign out' }).click();
    const answer = await ended;
    expect(new URL(answer.url()).pathname).toBe('/sandbox/api/auth/logout');
    expect(answer.ok()).toBe(true);
    await demo.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(new URL(demo.url()).pathname).toMatch(/^\/sandbox\/m\//);
    // A preview may be on its way while the session ends; the browser notes its refusal.
    stage.expectNoFaults(/status of 401/);
  });

  it('[WM2] leads strangers to the sandbox, and leaves whoever goes live on purpose there', async () => {
    const page = await stage.visitor();
    await page.goto('/sandbox/');
    await page.getByRole('link', { name: 'Go live' }).click();
    await page.getByText('Live: real money.').waitFor();
    await page.getByRole('article').first().waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
    await page.reload();
    await page.getByRole('article').first().waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
    // The wish is this tab's; another begins as everybody does, with the filters of its address.
    const other = await page.context().newPage();
    const asked: string[] = [];
    other.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await other.goto('/?category=weather');
    await other.waitForURL('**/sandbox/?category=weather');
    await other.getByRole('heading', { name: 'Markets' }).waitFor();
    // The page of real money has not begun to ask who is there.
    expect(asked).toContain('/sandbox/api/auth/session');
    expect(asked).not.toContain('/api/auth/session');
    stage.expectNoFaults();
  });

  it('[WM3] keeps its filters in the address, so that a link shows the same', async () => {
    const page = await stage.visitor();
    await page.goto('/sandbox/');
    await page.getByRole('button', { name: 'Weather' }).click();
    await page.waitForURL('**/sandbox/?category=weather');
    await page.getByRole('combobox', { name: 'State' }).click();
    await page.getByRole('option', { name: 'Settling' }).click();
    await page.waitForURL('**/sandbox/?category=weather&state=settling');
    await page.getByRole('combobox', { name: 'Kind' }).click();
    await page.getByRole('option', { name: 'Standard' }).click();
    await page.getByRole('combobox', { name: 'Order' }).click();
    await page.getByRole('option', { name: 'Closing soon' }).click();
    await page.waitForURL('**/sandbox/?category=weather&state=settling&type=normal&sort=closes_at');
    await page.getByRole('article').filter({ hasText: 'Highest temperature in Oslo' }).waitFor();
    const other = await stage.visitor();
    await other.goto(page.url());
    await other.getByRole('article').filter({ hasText: 'Highest temperature in Oslo' }).waitFor();
    expect(await other.getByRole('article').count()).toBe(1);
    await other.getByRole('combobox', { name: 'Order' }).getByText('Closing soon').waitFor();
    await other.getByRole('combobox', { name: 'State' }).click();
    await other.getByRole('option', { name: 'Scheduled' }).click();
    await other.getByText('No market fits these filters').waitFor();
    await other.getByRole('button', { name: 'Show all markets' }).click();
    await other.getByRole('article').nth(3).waitFor();
    stage.expectNoFaults();
  });

  it('[WM4] remembers what somebody watches and how the list is shown', async () => {
    const page = await stage.visitor();
    await page.goto('/sandbox/');
    const card = page.getByRole('article').filter({ hasText: 'Who wins the Northern League?' });
    await card.getByRole('button', { name: 'Watch' }).click();
    await page.getByRole('button', { name: 'As a list' }).click();
    await page.getByRole('button', { name: 'Watched' }).click();
    await page.waitForURL('**/sandbox/?watched=yes');
    await page.reload();
    await card.waitFor();
    expect(await page.getByRole('article').count()).toBe(1);
    const list = page.getByRole('button', { name: 'As a list' });
    expect(await list.getAttribute('aria-pressed')).toBe('true');
    // The other lane has a list of its own; asking it for a market of this one would be a fault.
    await page.getByRole('link', { name: 'Go live' }).click();
    await page.getByRole('article').first().waitFor();
    await page.getByRole('button', { name: 'Watched' }).click();
    await page.getByText('You watch no market yet').waitFor();
    await page.goto('/sandbox/?watched=yes');
    await card.getByRole('button', { name: 'Watch' }).click();
    await page.getByText('You watch no market yet').waitFor();
    stage.expectNoFaults();
  });

  it('[WM5] fits every width and is accessible, as cards and as a list', async () => {
    const page = await stage.visitor();
    await page.goto('/sandbox/?state=all');
    await page.getByRole('article').nth(8).waitFor();
    for (const view of ['As cards', 'As a list']) {
      await page.getByRole('button', { name: view }).click();
      for (const width of Object.values(widths)) {
        await page.setViewportSize({ width, height: 900 });
        await stage.expectFits(page);
      }
      await stage.expectAccessible(page);
    }
    stage.expectNoFaults();
  });
});
