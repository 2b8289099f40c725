// A forgotten password where no mail is sent: said before anything is typed, with the operator's address.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startSeeded } from '../../server/test/seeded-sandbox.ts';
import { type Started, temporaryFolder } from '../../server/test/server-process.ts';
import { Stage, widths } from './stage.ts';

const data = temporaryFolder();
let server: Started;
let stage: Stage;
const contact = 'https://help.example/ask?a=1&b=2';

beforeAll(async () => {
  const environment = { LANES: 'sandbox', OPERATOR_CONTACT: contact };
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

for (const [size, theme] of [
  ['phone', 'dark'],
  ['desk', 'light'],
] as const) {
  it(`[WA22] says that no mail is sent, and whom to ask: ${size}, ${theme}`, async () => {
    const page = await stage.visitor({ origin: server.baseUrl, width: widths[size], theme });
    await page.goto('/');
    await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: /Forgot/ }).click();
    await page.getByText('This exchange does not send email').waitFor();
    const link = page.getByRole('main').getByRole('link', { name: contact });
    expect(await link.getAttribute('href')).toBe(contact);
    expect(await page.getByLabel('Email').count()).toBe(0);
    await stage.expectAccessible(page);
    await stage.expectFits(page);
    stage.expectNoFaults();
  });
}
