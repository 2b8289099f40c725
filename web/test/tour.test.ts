// The tour of a newcomer: to a filled order, or left at once, and never again.
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buy, ownMarket, person, signedIn } from './person.ts';
import { Stage } from './stage.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await Stage.open();
});

afterAll(() => stage?.close());

/** Also after the page was loaded anew and shows a market, or the list of them. */
async function expectGone(page: Page, tour: Locator): Promise<void> {
  await tour.waitFor({ state: 'detached' });
  await page.reload();
  const ticket = page.getByRole('region', { name: 'Order', exact: true });
  await ticket.or(page.getByRole('article')).first().waitFor();
  expect(await tour.count()).toBe(0);
  stage.expectNoFaults();
}

it('[WF10] leads a newcomer to a filled order, and is not shown again', async () => {
  // An address opens few demo accounts in an hour, and other journeys need theirs.
  const { page } = await person(stage, '/sandbox/?category=technology', { hasSeenTour: false });
  const tour = page.getByRole('complementary', { name: 'Tour' });
  await tour.getByText('Step 1 of 4').waitFor();
  await stage.expectAccessible(page);
  await tour.getByRole('button', { name: 'Show me' }).click();
  await tour.getByText('Step 2 of 4').waitFor();
  await page.getByRole('link', { name: /^Yes/ }).first().click();
  await tour.getByText('Step 3 of 4').waitFor();
  // An order that waits is no fill yet.
  const ticket = page.getByRole('region', { name: 'Order', exact: true });
  await ticket.getByRole('button', { name: 'Limit', exact: true }).click();
  await ticket.getByLabel('Limit price').fill('1');
  await page.getByRole('button', { name: /^Buy Yes/ }).click();
  await page.getByRole('tab', { name: 'Open orders (1)' }).waitFor();
  await tour.getByText('Step 3 of 4').waitFor();
  await ticket.getByRole('button', { name: 'Market', exact: true }).click();
  await page.getByRole('button', { name: /^Buy Yes/ }).click();
  await tour.getByText('Step 4 of 4').waitFor();
  await stage.expectAccessible(page);
  await tour.getByRole('button', { name: 'Done' }).click();
  await expectGone(page, tour);
});

it('[WF10] stands only where its step can be done, and goes with the page it ended on', async () => {
  const { page, client } = await person(stage, '/sandbox/account', { hasSeenTour: false });
  const tour = page.getByRole('complementary', { name: 'Tour' });
  expect(await tour.count()).toBe(0);
  await page.getByRole('link', { name: 'Markets', exact: true }).first().click();
  await tour.getByRole('button', { name: 'Show me' }).click();
  await page.getByRole('article').getByRole('link').first().click();
  await tour.getByText('Step 3 of 4').waitFor();
  await page.goBack();
  await tour.getByText('Step 2 of 4').waitFor();
  const market = await ownMarket(client, 'Will the tour end?');
  await page.goto(`/sandbox/m/${market.market_id}`);
  await tour.getByText('Step 3 of 4').waitFor();
  await buy(client, market, '5');
  await tour.getByText('Step 4 of 4').waitFor();
  await page.getByRole('link', { name: 'Portfolio' }).first().click();
  await tour.waitFor({ state: 'detached' });
  await page.goBack();
  await page.getByRole('region', { name: 'Order', exact: true }).waitFor();
  expect(await tour.count()).toBe(0);
  stage.expectNoFaults();
});

/** At a market of the person's own, some shares of which they have just bought. */
async function atLastStep(question: string): Promise<Readonly<{ page: Page; tour: Locator }>> {
  const { page, client } = await signedIn(stage, { hasSeenTour: false });
  const market = await ownMarket(client, question);
  await page.goto(`/sandbox/m/${market.market_id}`);
  const tour = page.getByRole('complementary', { name: 'Tour' });
  await tour.getByRole('button', { name: 'Show me' }).click();
  await tour.getByText('Step 3 of 4').waitFor();
  await buy(client, market, '5');
  await tour.getByText('Step 4 of 4').waitFor();
  return { page, tour };
}

it('[WF10] speaks of a fill until the page is loaded anew, and not again', async () => {
  const { page, tour } = await atLastStep('Will the tour outlive a load?');
  await page.reload();
  await page.getByRole('region', { name: 'Your positions' }).getByText('Yes').waitFor();
  expect(await tour.count()).toBe(0);
  stage.expectNoFaults();
});

it('[WF10] speaks of a fill to nobody but whose it is', async () => {
  const { page, tour } = await atLastStep('Will the tour outlive its account?');
  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByText(/Your first order opens a demo account/).waitFor();
  await tour.waitFor({ state: 'detached' });
  // A preview may be on its way while the session ends; the browser notes its refusal.
  stage.expectNoFaults(/status of 401/);
});

it('[WF10] is left in the middle and not shown again', async () => {
  const page = await stage.visitor({ hasSeenTour: false });
  await page.goto('/sandbox/?category=technology');
  const tour = page.getByRole('complementary', { name: 'Tour' });
  await tour.getByRole('button', { name: 'Show me' }).click();
  await page.getByRole('link', { name: /^Yes/ }).first().click();
  await tour.getByText('Step 3 of 4').waitFor();
  await tour.getByRole('button', { name: 'Skip' }).click();
  await expectGone(page, tour);
});

it('[WF10] leaves whoever is at real money alone', async () => {
  const page = await stage.visitor({ hasSeenTour: false });
  await page.goto('/sandbox/');
  const tour = page.getByRole('complementary', { name: 'Tour' });
  await tour.waitFor();
  await page.getByRole('link', { name: 'Go live' }).click();
  await page.getByText('Live: real money.').waitFor();
  await page.getByRole('article').first().waitFor();
  expect(await tour.count()).toBe(0);
  stage.expectNoFaults();
});

it('[WF10] is left at any step and not shown again', async () => {
  const page = await stage.visitor({ hasSeenTour: false, width: 390 });
  await page.goto('/sandbox');
  const tour = page.getByRole('complementary', { name: 'Tour' });
  await tour.waitFor();
  await page.getByRole('article').first().waitFor();
  await stage.expectFits(page);
  const card = await tour.boundingBox();
  const content = await page.getByRole('main').boundingBox();
  expect(card!.y + card!.height).toBeLessThanOrEqual(content!.y);
  await tour.getByRole('button', { name: 'Skip' }).click();
  await expectGone(page, tour);
});
