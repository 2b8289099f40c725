// The page of money as journeys read and use it.
import type { Locator, Page } from 'playwright-core';
import { soon } from './stage.ts';

/** A figure of the balance, by its name. */
export function figure(page: Page, name: string) {
  const term = page.getByRole('term').filter({ hasText: new RegExp(`^${name}$`) });
  return soon(() => term.locator('xpath=following-sibling::dd').innerText());
}

/** Asks for money out and comes to the question whether it is meant so. */
export async function ask(page: Page, amount: string): Promise<Locator> {
  await page.getByLabel('Amount', { exact: true }).fill(amount);
  await page.getByRole('button', { name: 'Withdraw, live' }).click();
  const question = page.getByRole('dialog', { name: /^Withdraw / });
  await question.waitFor();
  return question;
}

export function table(page: Page, name: string): Locator {
  return page.getByRole('region', { name, exact: true }).getByRole('row');
}
