// The exchange that the journeys share requires a second factor of its operators; this is how one comes to have it.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { codeAt } from '../../server/test/gateway/authenticator-app.ts';
import { confirm, later } from './console-people.ts';
import { opened } from './opened.ts';
import { Stage } from './stage.ts';

const { adminUrl, operatorPassword } = opened;

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());

it('[WOC8] sets up the second factor that is required, and asks for its codes', async () => {
  const page = await stage.visitor({ origin: adminUrl });
  const enter = async (): Promise<void> => {
    await page.getByLabel('Name').fill('admin');
    await page.getByLabel('Password').fill(operatorPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };
  await page.goto('/');
  await enter();
  await page.getByText(/requires a second factor/).waitFor();
  expect(await page.getByRole('navigation').count()).toBe(0);
  await page.getByRole('button', { name: 'Set up' }).click();
  await confirm(page, operatorPassword);
  await page.getByRole('img', { name: 'QR code' }).waitFor();
  const secret = (await page.locator('form code').textContent()) ?? '';
  await page.getByLabel('Six digits').fill(codeAt(secret, Date.now()));
  await page.getByRole('button', { name: 'Confirm', exact: true }).click();
  const codes = page.getByRole('region', { name: 'Recovery codes' });
  const recovery = (await codes.getByRole('listitem').first().textContent()) ?? '';
  await stage.expectAccessible(page);
  await codes.getByRole('button', { name: 'I have stored them' }).click();
  // The password is still the issued one.
  await later(page);

  await page.getByRole('button', { name: 'You' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await enter();
  await page.getByLabel('Code').fill(recovery);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await later(page);
  await page.getByRole('button', { name: 'You' }).click();
  await page.getByRole('menuitem', { name: /^Second factor/ }).click();
  await page.getByRole('button', { name: 'Make new ones' }).click();
  const question = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await question.getByLabel('Code').fill(codeAt(secret, Date.now(), 1));
  await question.getByRole('button', { name: 'Confirm' }).click();
  await codes.getByRole('listitem').first().waitFor();
  // What was refused until it was proved.
  stage.expectNoFaults(/403/);
});
