// How the exchange does, as anybody can see it.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { setMode } from './operator.ts';
import { Stage, widths } from './stage.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await Stage.open();
});

afterAll(async () => {
  await setMode('live', 'normal', 'the journey is over');
  await stage?.close();
});

it('[WT1] shows each lane, and an incident with its reason while it goes on and when it is over', async () => {
  const page = await stage.visitor();
  await page.goto('/');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Status' }).click();
  await page.getByRole('heading', { name: 'Status' }).waitFor();
  for (const lane of ['Live', 'Sandbox']) await page.getByRole('heading', { name: lane }).waitFor();
  const days = page.getByRole('list', { name: 'The last 90 days' });
  expect(await days.count()).toBe(2);
  expect(await days.getByRole('listitem').count()).toBe(2 * 90);
  await setMode('live', 'read_only', 'the disk is looked at');
  await page.reload();
  await page.getByText('Not everything works').waitFor();
  // A busy machine may have been slow meanwhile: that is another incident.
  const incidents = page.getByRole('list', { name: 'Incidents' }).getByRole('listitem');
  const incident = incidents.filter({ hasText: 'Read-only' }).first();
  await incident.getByText('goes on').waitFor();
  await incident.getByText('Trading is paused by the operator: the disk is looked at.').waitFor();
  await setMode('live', 'normal', 'nothing was found');
  await page.reload();
  await incident.getByText('lasted').waitFor();
  stage.expectNoFaults();
});

it('[WF6][WT2] fits and has no grave fault at any width, in both themes', async () => {
  const page = await stage.visitor();
  await page.goto('/sandbox/status');
  await page.getByRole('heading', { name: 'Incidents' }).waitFor();
  for (const width of Object.values(widths)) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: width === widths.tablet ? 'dark' : 'light' });
    await stage.expectFits(page);
    // The desk has the colours of the phone and shows what the tablet shows.
    if (width !== widths.desk) await stage.expectAccessible(page);
  }
  stage.expectNoFaults();
});
