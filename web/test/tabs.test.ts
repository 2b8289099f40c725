// Several tabs of one browser: they share a cookie, and so the account.
import type { Market, SibylClient } from '@sibyl/sdk';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { enter } from './enter.ts';
import { makeMarket, somebody } from './market-stage.ts';
import { sandbox } from './person.ts';
import { PATIENCE_MS, Stage } from './stage.ts';

const password = 'correct horse battery staple';

let stage: Stage;
let maker: SibylClient;
let market: Market;
beforeAll(async () => {
  const email = `maker-${crypto.randomUUID()}@example.com`;
  [stage, maker] = await Promise.all([Stage.open(), somebody(email)]);
  market = await makeMarket(maker, 'own-question', { question: 'Will the tabs agree?' });
});
afterAll(() => stage.close());

/** A stranger's tab at the market, and the demo accounts that it asks for: none is opened, as addresses have few. */
async function strangersTab(tab: Page): Promise<string[]> {
  const demos: string[] = [];
  await tab.route('**/api/auth/demo', async (route) => {
    demos.push(route.request().method());
    await route.abort('connectionrefused');
  });
  await tab.goto(`/sandbox/m/${market.market_id}`);
  await tab.getByText(/Your first order opens a demo account/).waitFor();
  return demos;
}

it('[WF17] asks who is there before it opens a demo account, and orders with the account there is', async () => {
  const page = await stage.visitor();
  const demos = await strangersTab(page);
  // Nothing tells the page of it, as if it had slept.
  const email = `tabs-${crypto.randomUUID()}@example.com`;
  const token = await enter(page, 'register', { email, password });
  const client = sandbox.withToken(token);
  await client.sandbox.faucet();
  await page.getByRole('button', { name: 'Buy Yes (play money)' }).click();
  await page.getByText(/^Bought 10 Yes at/).waitFor();
  await page.getByTestId('balance').waitFor();
  expect(demos).toEqual([]);
  const { items } = await client.account.positions();
  expect(items).toMatchObject([{ market_id: market.market_id, size: '10.000000' }]);
  stage.expectNoFaults();
});

it('[WF17] is in every tab at once whoever registers in one, and signs out of all', async () => {
  const one = await stage.visitor();
  const other = await one.context().newPage();
  other.setDefaultTimeout(PATIENCE_MS);
  await strangersTab(one);
  const demos = await strangersTab(other);
  await one.getByRole('button', { name: 'Your account' }).click();
  await one.getByRole('menuitem', { name: 'Register' }).click();
  const form = one.getByRole('dialog');
  await form.getByLabel('Email').fill(`tabs-${crypto.randomUUID()}@example.com`);
  await form.getByLabel('Password').fill(password);
  await form.getByRole('button', { name: 'Register' }).click();
  await one.getByTestId('balance').waitFor();
  await other.getByTestId('balance').waitFor();
  expect(await other.getByRole('button', { name: 'Sign in' }).count()).toBe(0);
  await other.getByRole('button', { name: 'Your account' }).click();
  await other.getByRole('menuitem', { name: 'Sign out' }).click();
  await other.getByRole('button', { name: 'Sign in' }).waitFor();
  // The exchange tells a session's end to all its connections.
  await one.getByText(/^You were signed out/).waitFor();
  expect(demos).toEqual([]);
  // What the ticket asks for an account that has no money, or whose session has just ended, is refused.
  stage.expectNoFaults(/status of (401|422)/);
});
