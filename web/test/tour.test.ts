// The tour of a newcomer: to a filled order, or left at once, and never again.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { person } from './person.ts';
import { Stage } from './stage.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await Stage.open();
});

afterAll(() => stage?.close());

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
  await page.getByRole('button', { name: /^Buy Yes/ }).click();
  await tour.getByText('Step 4 of 4').waitFor();
  await stage.expectAccessible(page);
  await tour.getByRole('button', { name: 'Done' }).click();
  await tour.waitFor({ state: 'detached' });
  await page.reload();
  await page.getByTestId('balance').waitFor();
  expect(await tour.count()).toBe(0);
  stage.expectNoFaults();
});

it('[WF10] is left at any step and not shown again', async () => {
  const page = await stage.visitor({ hasSeenTour: false, width: 390 });
  await page.goto('/sandbox');
  const tour = page.getByRole('complementary', { name: 'Tour' });
  await stage.expectFits(page);
  await tour.getByRole('button', { name: 'Skip' }).click();
  await tour.waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('banner').waitFor();
  expect(await tour.count()).toBe(0);
  stage.expectNoFaults();
});
