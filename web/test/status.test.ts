// How the exchange does, as anybody can see it. One of its own: whoever pauses a lane here stops nobody else's orders.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startSeeded } from '../../server/test/seeded-sandbox.ts';
import { type Started, temporaryFolder } from '../../server/test/server-process.ts';
import { opened } from './opened.ts';
import { setMode } from './operator.ts';
import { Stage, widths } from './stage.ts';

const data = temporaryFolder();
const environment = { LANES: 'both', OPERATOR_TOKEN: opened.operatorToken, RATE_MULTIPLIER: '50' };
let server: Started;
let stage: Stage;

beforeAll(async () => {
  [server, stage] = await Promise.all([
    startSeeded({ dataDir: data.folder, environment }),
    Stage.open(),
  ]);
});

afterAll(async () => {
  await stage?.close();
  await server?.stop();
  data.remove();
});

it('[WT1] shows each lane, and an incident with its reason while it goes on and when it is over', async () => {
  const page = await stage.visitor({ origin: server.baseUrl });
  await page.goto('/');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Status' }).click();
  await page.getByRole('heading', { name: 'Status' }).waitFor();
  for (const lane of ['Live', 'Sandbox']) await page.getByRole('heading', { name: lane }).waitFor();
  const days = page.getByRole('list', { name: 'The last 90 days' });
  expect(await days.count()).toBe(2);
  expect(await days.getByRole('listitem').count()).toBe(2 * 90);
  const words = { reason: 'ticket 4711', message: 'the disk is looked at' };
  await setMode(server.adminUrl, 'read_only', words);
  await page.reload();
  await page.getByText('Not everything works').waitFor();
  // A busy machine may have been slow meanwhile: that is another incident.
  const incidents = page.getByRole('list', { name: 'Incidents' }).getByRole('listitem');
  const incident = incidents.filter({ hasText: 'Read-only' }).first();
  await incident.getByText('goes on').waitFor();
  await incident.getByText('Trading is paused by the operator: the disk is looked at.').waitFor();
  // Only operators read the reason.
  expect(await page.content()).not.toContain(words.reason);
  await setMode(server.adminUrl, 'normal', { reason: 'nothing was found' });
  await page.reload();
  await incident.getByText('lasted').waitFor();
  stage.expectNoFaults();
});

it('[WF6][WT2] fits and has no grave fault at any width, in both themes', async () => {
  const page = await stage.visitor({ origin: server.baseUrl });
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
