// What builders do at the pages, from an application to what they earn; and what users allow their apps.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SibylClient } from '@sibyl/sdk';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { baseUrl } from './opened.ts';
import { approveApp, approveBuilder } from './operator.ts';
import { buy, ownMarket, person, sandbox } from './person.ts';
import { Stage, soon, widths } from './stage.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await Stage.open();
});

afterAll(() => stage?.close());

const HOME = 'https://desk.example';

/** What a page of another site reads with the key. */
async function statusFor(key: string, origin: string): Promise<number> {
  const headers = { 'x-api-key': key, origin };
  return (await fetch(`${baseUrl}/v1/markets?limit=1`, { headers })).status;
}

describe('builders and apps', () => {
  it('[WD12] leads from the agreement over an application and a review to an app with a secret that is shown once', async () => {
    const { page, client } = await person(stage, '/sandbox/developers/apps');
    await page.getByText('Accept the builder agreement first').waitFor();
    await page.getByRole('link', { name: 'To the application' }).click();
    await page.getByText('Traded in 30 days with one key, in USD').waitFor();
    await page.getByLabel('You or your company').fill('Ada Example');
    await page.getByLabel('What you want to build').fill('A dashboard for elections.');
    const apply = page.getByRole('button', { name: 'Apply' });
    await page.getByText('Accept the agreement first').waitFor();
    expect(await apply.isDisabled()).toBe(true);
    await page.getByText('The builder agreement').click();
    await page.getByText('Your app does for a user what that user has allowed it').waitFor();
    await page.getByRole('checkbox', { name: /I have read the agreement/ }).check();
    await stage.expectAccessible(page);
    await apply.click();
    await page.getByText('Somebody of the exchange looks at it.').waitFor();
    const { user_id: userId, application } = await client.builders.me();
    expect(application).toMatchObject({ track: 'trade_capped', status: 'in_review' });
    await approveBuilder(userId);
    // What one has is not offered again.
    const track = page.getByRole('combobox', { name: 'Track' });
    await track.getByText('trade_full').waitFor();
    await track.click();
    await page.getByRole('option', { name: 'genesis' }).waitFor();
    expect(await page.getByRole('option', { name: 'trade_capped' }).count()).toBe(0);
    await page.keyboard.press('Escape');

    await page.getByRole('link', { name: 'Apps', exact: true }).click();
    await page.getByRole('button', { name: 'Register an app' }).first().click();
    await page.getByLabel('Name').fill('Election desk');
    await page.getByLabel('Redirect addresses').fill(`${HOME}/callback`);
    await page.getByLabel('Origins of the widget').fill(`${HOME}/`);
    await page.getByRole('checkbox', { name: 'orders:trade' }).check();
    await page.getByRole('button', { name: 'Register', exact: true }).click();
    // What is wrong with an address is said.
    await page.getByText(/an origin as browsers send it/).waitFor();
    await page.getByLabel('Origins of the widget').fill(HOME);
    await page.getByRole('button', { name: 'Register', exact: true }).click();
    const row = page.locator('dl > div', { hasText: /^client_secret/ });
    const secret = (await row.locator('code').textContent()) ?? '';
    expect(secret).toMatch(/^acs_/);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    expect(await page.locator('body').textContent()).not.toContain(secret);
    await page.getByRole('button', { name: 'Submit for review' }).click();
    await page.getByText('in review', { exact: true }).waitFor();
    const [app] = (await client.apps.list({})).items;
    await approveApp(app?.app_id ?? '', `Ada ${crypto.randomUUID()}`);
    await page.reload();
    await page.getByText('approved', { exact: true }).waitFor();

    await page.getByText('Widget', { exact: true }).click();
    const snippet = (await page.getByRole('figure').textContent()) ?? '';
    const [key = ''] = /pk_[\w-]+/.exec(snippet) ?? [];
    expect([await statusFor(key, HOME), await statusFor(key, baseUrl)]).toEqual([200, 403]);
    await page.getByRole('button', { name: 'New secret' }).click();
    const dialog = page.getByRole('dialog', { name: 'A new client secret?' });
    await dialog.getByText('The old one stays good for 24 hours').waitFor();
    await dialog.getByRole('button', { name: 'New secret' }).click();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByText(/Both secrets are good until/).waitFor();
    await page.setViewportSize({ width: widths.phone, height: 844 });
    await stage.expectFits(page);
    await stage.expectAccessible(page);
    await page.getByRole('button', { name: 'Disable' }).click();
    const asked = page.getByRole('dialog', { name: 'Disable Election desk?' });
    await asked.getByRole('button', { name: 'Disable' }).click();
    await page.getByText('Works for nobody.').waitFor();
    expect(await statusFor(key, HOME)).toBe(401);
    // The browser itself notes the refusal.
    stage.expectNoFaults(/status of 400/);
  });
});

const PASSWORD = 'correct horse battery staple';
const newEmail = () => `guest-${crypto.randomUUID()}@example.com`;

describe('allowing an app', () => {
  /** Where the app is; its port is nobody's business. */
  async function openApp(): Promise<string> {
    const server = createServer((_request, answer) => answer.end('the app'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  it('[WA15] somebody signs in on the consent page and allows an app, which gets its code; the account lists it and takes it back', async () => {
    const home = await openApp();
    const callback = `${home}/callback`;
    const email = newEmail();
    const { session_token: token } = await sandbox.sessions.register({ email, password: PASSWORD });
    const client = sandbox.withToken(token);
    const { agreement_version: version } = await client.builders.me();
    const agreement = { version, accepted: true };
    const about = 'A desk for elections.';
    await client.builders.apply({ track: 'trade_capped', name: 'Ada', about, agreement });
    const name = `<b>Desk</b> ${'W'.repeat(40)}`;
    const app = await client.apps.create({
      ...{ name, redirect_uris: ['http://127.0.0.1/callback'], client_type: 'public' },
      allowed_scopes: ['account:read', 'orders:trade', 'offline'],
    });
    const verifier = 'v'.repeat(43);
    const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
    const asked = new URLSearchParams({
      ...{ response_type: 'code', client_id: app.client_id, redirect_uri: callback },
      ...{ scope: 'account:read orders:trade offline', state: 'st', environment: 'sandbox' },
      ...{ code_challenge_method: 'S256' },
      code_challenge: Buffer.from(hash).toString('base64url'),
    });

    const page = await stage.visitor({ width: widths.phone, theme: 'dark' });
    await page.goto(`/connect/authorize?${asked}`);
    await page.getByRole('button', { name: 'I am new here' }).click();
    await page.getByRole('button', { name: 'Create the account' }).waitFor();
    await stage.expectFits(page);
    await stage.expectAccessible(page);
    await page.getByRole('button', { name: 'I have an account' }).click();
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: `${name} wants access to your account` }).waitFor();
    await page.getByText('Place, change and cancel orders for you.').waitFor();
    await stage.expectFits(page);
    await stage.expectAccessible(page);
    const posted: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') posted.push(request.postData() ?? '');
    });
    await page.getByLabel('Daily cap in USDT').fill('25');
    for (const field of [page.getByLabel('Daily cap in USDT'), page.getByRole('radio').first()]) {
      const shownAgain = page.waitForEvent('framenavigated');
      await field.press('Enter');
      await shownAgain;
    }
    expect(await page.getByLabel('Daily cap in USDT').inputValue()).toBe('25');
    expect((await client.connect.listGrants()).items).toEqual([]);
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL(`${callback}?*`);
    const pressed = posted.map((form) => new URLSearchParams(form).get('action'));
    expect(pressed).toEqual(['show', 'show', 'approve']);
    const { searchParams: given } = new URL(page.url());
    expect(given.get('state')).toBe('st');
    const answer = await fetch(`${baseUrl}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        ...{ grant_type: 'authorization_code', code: given.get('code') ?? '' },
        ...{ redirect_uri: callback, code_verifier: verifier, client_id: app.client_id },
      }),
    });
    const { access_token: access } = (await answer.json()) as { access_token: string };
    const acting = sandbox.withToken(access);
    expect((await acting.account.get()).mode).toBe('sandbox');

    await page.goto('/sandbox/account#connected-apps');
    const row = page.getByRole('listitem').filter({ hasText: name });
    await row.getByText(/trades · also while you are away/).waitFor();
    // On a phone the card is far below what the page begins with.
    await soon(() => page.evaluate(() => scrollY)).toBeGreaterThan(0);
    await stage.expectFits(page);
    await row.getByRole('button', { name: 'Take back' }).click();
    const dialog = page.getByRole('dialog', { name: `Take back what ${name} may do?` });
    await dialog.getByRole('button', { name: 'Take back' }).click();
    await page.getByText('No app acts for you.').waitFor();
    await expect(acting.account.get()).rejects.toMatchObject({ code: 'TOKEN_REVOKED' });
    // The app's own address is not of the exchange.
    stage.expectNoFaults(new RegExp(`asked for ${home}/`));
  });
});

/** As if all of it had been done at the pages. */
async function approvedApp(client: SibylClient, name: string): Promise<string> {
  const { user_id: userId, agreement_version: version } = await client.builders.me();
  const agreement = { version, accepted: true };
  const about = 'A desk for elections.';
  await client.builders.apply({ track: 'trade_capped', name: 'Ada', about, agreement });
  await approveBuilder(userId);
  const { app_id: appId } = await client.apps.create({
    ...{
      name,
      redirect_uris: [`${HOME}/callback`],
      allowed_scopes: ['orders:trade'],
      submit: true,
    },
  });
  await approveApp(appId, `Ada ${crypto.randomUUID()}`);
  return appId;
}

describe('earning', () => {
  it('[WA16][WD15] who comes by a link and trades was invited by whom it names, who sees what that earned', async () => {
    const { page, client } = await person(stage, '/sandbox/developers/revenue');
    await page.getByText('Nothing earned yet').waitFor();
    await page.getByText('No trades through your apps in these days').waitFor();
    await page.getByText('No trades under your keys in these days').waitFor();
    await page.getByRole('link', { name: 'Invite somebody' }).click();
    const { referral_code: code } = await client.account.get();
    const link = `${baseUrl}/?ref=${code}`;
    await page.getByText(link).waitFor();
    const copied = () => soon(() => page.evaluate(() => navigator.clipboard.readText()));
    await page.getByRole('button', { name: 'Copy the link' }).click();
    await copied().toBe(link);
    const market = await ownMarket(client, 'Will it be passed on?');
    const marketPage = `/sandbox/m/${market.market_id}`;
    await page.goto(marketPage);
    await page.getByTestId('balance').waitFor();
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await copied().toBe(`${baseUrl}${marketPage}?ref=${code}`);

    const guest = await stage.visitor();
    const register = async (email: string): Promise<void> => {
      await guest.getByRole('button', { name: 'Register' }).first().click();
      const dialog = guest.getByRole('dialog', { name: 'Register' });
      await dialog.getByLabel('Email').fill(email);
      await dialog.getByLabel('Password').fill(PASSWORD);
      await dialog.getByRole('button', { name: 'Register' }).click();
      await dialog.waitFor({ state: 'detached' });
      await guest.getByTestId('balance').waitFor();
    };
    // A code of nobody keeps nobody out, and is gone with the registration.
    await guest.goto('/sandbox/account?ref=nobody');
    await register(newEmail());
    await guest.request.post('/sandbox/api/auth/logout', {
      headers: { 'sec-fetch-site': 'same-origin' },
    });
    await guest.context().clearCookies();
    await guest.goto(link);
    await guest.waitForURL(/\/sandbox\//);
    // The first to invite stays the one.
    await guest.goto('/sandbox/account?ref=nobody');
    const email = newEmail();
    await register(email);
    const { session_token: token } = await sandbox.sessions.logIn({ email, password: PASSWORD });
    const trader = sandbox.withToken(token);
    // The page has asked the faucet for the money of a new account.
    await soon(() => guest.getByTestId('balance').innerText()).toBe('10,000.00');
    const appId = await approvedApp(client, 'Passing on');
    await trader.orders.place({
      ...{ market_id: market.market_id, outcome_id: 'yes', side: 'buy', size: '100' },
      ...{ order_type: 'market', builder: { app_id: appId, fee_bps: 10 } },
    });

    const minted = await client.keys.mint({ label: 'Sweeping', permissions: ['read', 'trade'] });
    await buy(sandbox.withToken(minted.key_id), market, '10');
    const earned = async () => (await client.revenue.rows({ group_by: 'actor' })).items;
    await soon(async () => (await earned()).length).toBe(4);
    const [total, builder, maker, inviter] = await earned();
    expect([builder?.role, maker?.role, inviter?.role]).toEqual(['builder', 'creator', 'referrer']);
    await page.goto('/sandbox/developers/revenue');
    for (const [role, row] of [
      ['Builder of apps', builder],
      ['Maker of markets', maker],
      ['Inviter of traders', inviter],
    ] as const) {
      const line = page.getByRole('row').filter({ hasText: role });
      await moneyCell(line, row?.accrued).first().waitFor();
    }
    const [, ...days] = (await client.revenue.rows({ group_by: 'day' })).items;
    expect(days.map(({ accrued }) => accrued)).toContain(total?.accrued);
    await page.getByRole('button', { name: 'By day' }).first().click();
    await moneyCell(page.getByRole('row'), total?.accrued).first().waitFor();
    const brought = (await client.attribution.rows({ group_by: 'app' })).items;
    expect(brought.map(({ kind }) => kind)).toEqual(['total', 'part', 'part']);
    const apps = page.getByRole('region', { name: 'What your apps brought' });
    // An approved builder's own keys count too, and name no app.
    for (const [name, id] of [
      ['Passing on', appId],
      ['Your own keys', null],
    ] as const) {
      const part = brought.find((row) => row.kind === 'part' && row.app_id === id);
      const line = apps.getByRole('row').filter({ hasText: name });
      await moneyCell(line, part?.volume).waitFor();
    }
    const keys = page.getByRole('region', { name: 'What your keys traded' });
    const ofKey = keys.getByRole('row').filter({ hasText: 'Sweeping' });
    const [, swept] = (await client.attribution.rows({ group_by: 'key' })).items;
    await moneyCell(ofKey, swept?.volume).waitFor();
    await page.getByRole('button', { name: 'By market' }).click();
    await apps.getByRole('row').filter({ hasText: 'Will it be passed on?' }).waitFor();
    for (const width of [widths.phone, widths.desk]) {
      await page.setViewportSize({ width, height: 900 });
      await stage.expectFits(page);
    }
    await stage.expectAccessible(page);
    stage.expectNoFaults(/status of 400/);
  });
});

/** Shows the amount with two places, less than a cent as such, and the last unit under the pointer. */
function moneyCell(row: Locator, amount = ''): Locator {
  const exact = amount.replace(/(\.\d\d\d*?)0+$/, '$1');
  const short = exact.replace(/(\.\d\d)\d+$/, '$1').replace(/^0\.00$/, '<0.01');
  const cell = row.getByRole('cell', { name: short, exact: true });
  if (short === exact) return cell;
  return cell.filter({ has: row.page().getByTitle(exact, { exact: true }) });
}
