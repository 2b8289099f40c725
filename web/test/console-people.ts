// What operators do in their browsers on every journey: sign in, go somewhere, agree, and prove that it is them.
import type { Page } from 'playwright-core';
import type { Stage } from './stage.ts';

export async function signIn(
  stage: Stage,
  adminUrl: string,
  { name, password }: { readonly name: string; readonly password: string },
): Promise<Page> {
  const page = await stage.visitor({ origin: adminUrl });
  await page.goto('/');
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await later(page);
  return page;
}

/** The password was issued, and there is no second factor. */
export async function later(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Remind me later' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
}

export const goTo = (page: Page, name: string): Promise<void> =>
  page.getByRole('navigation').getByRole('link', { name }).click();

export async function approve(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  const form = page.getByRole('dialog', { name: 'Agree to an act' });
  await form.getByLabel('Reason').fill('checked the source');
  await form.getByRole('button', { name: 'Agree to an act' }).click();
}

export async function confirm(page: Page, password: string): Promise<void> {
  const question = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await question.getByLabel('Password').fill(password);
  await question.getByRole('button', { name: 'Confirm' }).click();
}
