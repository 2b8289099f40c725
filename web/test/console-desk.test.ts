// What operators find at their desk: pending work first, addresses they can send each other, and words instead of codes.
import { createClient } from '@sibyl/sdk';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { codeAt } from '../../server/test/gateway/authenticator-app.ts';
import { startSeeded } from '../../server/test/seeded-sandbox.ts';
import { type Started, temporaryFolder } from '../../server/test/server-process.ts';
import { confirm, goTo, signIn } from './console-people.ts';
import { PATIENCE_MS, Stage, widths } from './stage.ts';

const data = temporaryFolder();
let server: Started;
let stage: Stage;

beforeAll(async () => {
  const environment = { LANES: 'both', SEED_LIVE: 'demo', RATE_MULTIPLIER: '50' };
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

const admin = (): Promise<Page> =>
  signIn(stage, server.adminUrl, { name: 'admin', password: server.operatorPassword ?? '' });

const inSandbox = (page: Page): Promise<void> =>
  page.getByRole('group', { name: 'Lane' }).getByRole('button', { name: 'Sandbox' }).click();

/** In a month, as the browser's field for it has it. */
function soon(): string {
  return new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, '2026-12-24T18:00'.length);
}

it('[WOC14] lists queues with work first and empty ones in one card, and links to the card', async () => {
  const page = await admin();
  await inSandbox(page);
  await page.setViewportSize({ width: widths.phone, height: 844 });
  await page.getByRole('link', { name: 'Answers open to challenge' }).click();
  const named = page.locator('#proposal');
  await named.getByText('Highest temperature in Oslo').waitFor();
  expect(page.url()).toMatch(/\/sandbox\/queues#proposal$/);
  const empty = page.locator('section', { hasText: 'Nothing pending, sandbox' });
  const cards = page.locator('main section[id], main li[id]');
  const order = await cards.evaluateAll((all) => all.map(({ id, tagName }) => [id, tagName]));
  const busy = order.filter(([, tag]) => tag === 'SECTION').map(([id]) => id);
  expect(busy).toEqual(['market_approval', 'proposal_missing', 'proposal', 'approval']);
  expect(order.at(-1)?.[1]).toBe('LI');
  await empty.getByText('Disputes to rule on').waitFor();
  expect(await empty.getByRole('listitem').count()).toBe(order.length - busy.length);
  await expect
    .poll(() => named.evaluate((card) => card.getBoundingClientRect().top))
    .toBeLessThan(500);
  stage.expectNoFaults();
});

it('[WOC15] keeps the lane, the filters and the open record in the address', async () => {
  const page = await admin();
  expect(new URL(page.url()).pathname).toBe('/live');
  await inSandbox(page);
  await goTo(page, 'Markets');
  await page.getByLabel('Search by title or ID').fill('temperature in Oslo');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Highest temperature in Oslo' }).click();
  await page.getByRole('button', { name: 'Clarify' }).waitFor();
  expect(page.url()).toMatch(/\/sandbox\/markets\/m_[0-9a-f]+\?q=temperature/);
  const { href } = new URL(page.url());
  await page.reload();
  await page.getByRole('button', { name: 'Clarify' }).waitFor();
  // Another operator opens the link in a browser that last showed the live lane.
  const other = await admin();
  await other.goto(href);
  await other.getByRole('button', { name: 'Clarify' }).waitFor();
  await other.getByText('SANDBOX: play money').waitFor();
  // The record belongs to its lane.
  await other.getByRole('group', { name: 'Lane' }).getByRole('button', { name: 'Live' }).click();
  await other.waitForURL('**/live/markets');
  await other.goto('/sandbox/markets/m_000000000000');
  await other.getByText('No market m_000000000000 in sandbox').waitFor();
  // An address without a lane leads to the one that was chosen last.
  await other.goto('/audit-log?action=setPlatformMode');
  await other.waitForURL('**/live/audit-log?action=setPlatformMode');
  await other.getByText('No entries match these filters').waitFor();
  stage.expectNoFaults();
});

it('[WOC5] charts what the server has kept, with times, and the values under the pointer', async () => {
  const page = await admin();
  const latency = page.locator('figure', { hasText: 'Orders' });
  const chart = latency.getByRole('img');
  // The server samples every half minute, whether a console is open or not.
  await chart.waitFor();
  await page.reload();
  await chart.waitFor();
  await latency
    .getByText(/^\d\d:\d\d$/)
    .nth(1)
    .waitFor();
  const box = await chart.boundingBox();
  await page.mouse.move(box!.x + box!.width - 2, box!.y + 20);
  await latency.getByText(/^\w{3} \d+, 20\d\d, /).waitFor();
  await page.getByRole('group', { name: 'Time range' }).getByText('24 h').click();
  await page.getByRole('region', { name: 'The last 24 h' }).waitFor();
  stage.expectNoFaults();
});

it('[WOC21] changes a parameter by its own field, and shows it in units', async () => {
  const page = await admin();
  await inSandbox(page);
  await goTo(page, 'Lanes');
  const band = page.getByRole('region', { name: 'Price bands and halts' });
  await band.getByText('1 h', { exact: true }).waitFor();
  await band.getByRole('button', { name: 'Change' }).click();
  const form = page.getByRole('dialog', { name: 'Change parameters' });
  await form.getByLabel('Reason').fill('fewer halts');
  await form.locator('button[type=submit]').click();
  await form.getByText('Nothing has changed yet').waitFor();
  const wait = form.getByLabel('Minimum time between halts');
  await wait.fill('7200000');
  await form.locator('button[type=submit]').click();
  await form.getByText('Enter a number with a unit').waitFor();
  // Out of bounds: the exchange names the field.
  await wait.fill('8 d');
  await form.locator('button[type=submit]').click();
  await form.getByText('Expected 1 s to 7 d.').waitFor();
  await wait.fill('2 h');
  await form.locator('button[type=submit]').click();
  await form.getByText('You changed the parameters of band.').waitFor();
  await page.keyboard.press('Escape');
  await band.getByText('2 h', { exact: true }).waitFor();
  await page.getByText('Changes so far').first().click();
  // Nothing but what was changed.
  await page.getByRole('cell', { name: 'Minimum time between halts: 2 h', exact: true }).waitFor();
  stage.expectNoFaults(/403|400|422/);
});

it('[WOC23] makes a market from a template chosen from a list, and a next version of the template', async () => {
  const page = await admin();
  await inSandbox(page);
  await goTo(page, 'Markets');
  await page.getByRole('button', { name: 'Make a market' }).click();
  const form = page.getByRole('dialog', { name: 'Make a market' });
  expect(await form.getByLabel('Level in USDT').count()).toBe(0);
  await form.getByRole('combobox', { name: 'Template' }).click();
  await page.getByRole('option', { name: 'Price above a level, version 1 (Crypto)' }).click();
  await form.getByText('4,200 USDT').waitFor();
  await form.getByRole('combobox', { name: 'Symbol' }).click();
  await page.getByRole('option', { name: 'ETH' }).click();
  await form.getByLabel('When trading closes').fill('2099-12-24T18:00');
  await form.getByLabel('Reason').fill('asked for');
  await form.getByLabel('Level in USDT').fill('-5');
  await form.locator('button[type=submit]').click();
  await form.getByText('Expected at least 1.').waitFor();
  await form.getByLabel('Level in USDT').fill('5000.5');
  await form.getByLabel('When trading closes').fill(soon());
  await form.locator('button[type=submit]').click();
  await form.getByText('You made a market from the template price-above.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Will ETH close above 5000.5?' }).waitFor();
  await goTo(page, 'Templates');
  await page.getByRole('button', { name: 'Price above a level' }).click();
  await page.waitForURL('**/sandbox/templates/price-above');
  await page.getByText('date and time').waitFor();
  await page.getByRole('button', { name: 'New version' }).click();
  const publish = page.getByRole('dialog', { name: 'Publish a template' });
  expect(await publish.getByLabel('Peak taker fee').inputValue()).toBe('0.2');
  await publish.getByLabel('Parameters of a market').fill('{"type": "object",}');
  await publish.getByLabel('Reason').fill('dearer');
  await publish.locator('button[type=submit]').click();
  await publish.getByText(/This is not valid JSON: .*position 18/).waitFor();
  const closing = { type: 'integer', title: 'Closes', minimum: 0 };
  const schemaWith = (symbol: object): string => {
    const properties = { symbol, level: { type: 'number' }, closes_at_ms: closing };
    return JSON.stringify({ type: 'object', required: Object.keys(properties), properties });
  };
  await publish.getByLabel('Parameters of a market').fill(schemaWith({ type: 'string' }));
  await publish.locator('button[type=submit]').click();
  await publish.getByText('properties.symbol: expected enum or maxLength.').waitFor();
  const text = { type: 'string', maxLength: 8 };
  await publish.getByLabel('Parameters of a market').fill(schemaWith(text));
  await publish.getByLabel('Largest order').fill('250.5');
  await publish.locator('button[type=submit]').click();
  await publish.getByText('You published a template.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('250.5 USDT').waitFor();
  await page.getByRole('region', { name: 'Versions' }).getByRole('row').nth(2).waitFor();
  await stage.expectAccessible(page);
  await page.setViewportSize({ width: widths.phone, height: 844 });
  await stage.expectFits(page);
  stage.expectNoFaults(/400|422/);
});

it('[WOC25] lists the recurring jobs with their last and next run', async () => {
  const page = await admin();
  await inSandbox(page);
  await goTo(page, 'Lanes');
  const jobs = page.getByRole('region', { name: 'Jobs' });
  await jobs.getByText('Closes demo accounts that were not used for a week.').waitFor();
  const daily = jobs.getByRole('row', { name: /fee crediting.*sandbox day/ });
  await expect.poll(() => daily.textContent()).toMatch(/ago|now/);
  await page.setViewportSize({ width: widths.phone, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(widths.phone);
  stage.expectNoFaults();
});

it('[WOC18][WOC19] shows the records of an account, in the address too, and the audit log links to it', async () => {
  const lane = createClient({ baseUrl: `${server.baseUrl}/sandbox`, timeoutMs: PATIENCE_MS });
  const body = { email: 'complainant@example.com', password: 'correct horse battery staple' };
  const { session_token: token, user_id: userId } = await lane.sessions.register(body);
  const user = lane.withToken(token ?? '');
  await user.sandbox.faucet();
  const filter = { status: 'active', category: 'technology', limit: 1 } as const;
  const [market] = (await lane.markets.list(filter)).items;
  const order = { outcome_id: market!.outcomes[0]!.id, side: 'buy', order_type: 'market' } as const;
  await user.orders.place({ ...order, market_id: market!.market_id, size: '5' });
  await user.keys.mint({ label: 'lost key', permissions: ['read'] });
  const { account_id: accountId } = await user.account.get();
  const page = await admin();
  await inSandbox(page);
  await goTo(page, 'Accounts');
  await page.getByLabel(/the whole e-mail/).fill(body.email);
  await page.getByRole('button', { name: 'Find' }).click();
  await page.waitForURL(`**/sandbox/accounts/${userId}`);
  await page.getByRole('button', { name: 'Orders, trades, statement and more' }).click();
  const records = page.getByRole('region', { name: `Records of ${accountId}` });
  await records.getByRole('row', { name: /Buy .* 5\.000000/ }).waitFor();
  await records.getByRole('tab', { name: 'Trades' }).click();
  await records.getByText('Taker').first().waitFor();
  await records.getByRole('tab', { name: 'Statement' }).click();
  await records.getByText('Faucet').waitFor();
  await records.getByText(/^5\.000000 shares of /).waitFor();
  expect(await records.getByText('null').count()).toBe(0);
  await records.getByRole('tab', { name: 'Keys and sessions' }).click();
  await records.getByText('lost key').waitFor();
  await stage.expectAccessible(page);
  await page.setViewportSize({ width: widths.phone, height: 844 });
  await stage.expectFits(page);
  await page.reload();
  await records.getByRole('tab', { name: 'Deposits' }).click();
  await records.getByText('No deposits').waitFor();
  await page.setViewportSize({ width: widths.desk, height: 900 });
  await page.getByRole('button', { name: 'Freeze', exact: true }).click();
  const form = page.getByRole('dialog', { name: 'Freeze an account' });
  await form.getByLabel('Reason').fill('complaint 12');
  await form.locator('button[type=submit]').click();
  // In the sandbox no act needs a fresh proof.
  await form.getByText(`You froze ${accountId}.`).waitFor();
  await page.keyboard.press('Escape');
  await goTo(page, 'Audit log');
  await page.getByRole('button', { name: `admin froze ${accountId}` }).click();
  await page.getByRole('link', { name: `Open ${accountId}` }).click();
  await page.waitForURL(`**/sandbox/accounts/${accountId}`);
  stage.expectNoFaults();
});

it('[WOC16] asks after the first sign-in for a new password and a second factor, with a banner until both are done', async () => {
  const page = await stage.visitor({ origin: server.adminUrl });
  await page.goto('/sandbox/queues');
  await page.getByLabel('Name').fill('admin');
  await page.getByLabel('Password').fill(server.operatorPassword ?? '');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Secure your account' }).waitFor();
  expect(await page.getByRole('navigation').count()).toBe(0);
  await stage.expectAccessible(page);
  await page.getByRole('button', { name: 'Remind me later' }).click();
  // The page that the address names.
  await page.getByRole('heading', { name: 'Queues', exact: true }).waitFor();
  const banner = page.getByText(/^Your account is not secure/);
  expect(await banner.textContent()).toContain(
    'you still use the issued password, and you have no second factor',
  );
  await page.reload();
  await banner.waitFor();
  await page.getByRole('link', { name: 'Fix it now' }).click();
  await page.getByRole('button', { name: 'Change password' }).click();
  const form = page.getByRole('dialog');
  const own = 'plum otter ladder 47 quay';
  await form.getByLabel('Current password').fill(server.operatorPassword ?? '');
  await form.getByLabel('New password').fill(own);
  await form.locator('button[type=submit]').click();
  await form.getByRole('status').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => banner.textContent()).not.toContain('issued password');
  await page.getByRole('button', { name: 'Set up' }).click();
  await confirm(page, own);
  const secret = (await page.locator('form code').textContent()) ?? '';
  await page.getByLabel('Six digits').fill(codeAt(secret, Date.now()));
  await page.getByRole('button', { name: 'Confirm', exact: true }).click();
  await page.getByRole('button', { name: 'I have stored them' }).click();
  await banner.waitFor({ state: 'detached' });
  stage.expectNoFaults(/403/);
});
