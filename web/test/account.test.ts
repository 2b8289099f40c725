// Who somebody is here, and what they can set.
import { builderAgreement } from '@sibyl/contract/builder-agreement';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { approveBuilder } from './operator.ts';
import { buy, ownMarket, person, sandbox } from './person.ts';
import { Stage, soon, widths } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());

describe('account', () => {
  it('[WA1] shows who one is as it was written, whole at every width', async () => {
    const name = `<i>Ada</i> ${'W'.repeat(50)}`;
    const { page, email, client } = await person(stage, '/sandbox/account', { name });
    const main = page.getByRole('main');
    await main.getByText(name, { exact: true }).waitFor();
    await main.getByText(email).waitFor();
    const { referral_code: code } = await client.account.get();
    await main.getByText(String(code)).waitFor();
    await main.getByText((await client.account.get()).account_id).waitFor();
    await main.getByText('none: you can trade').waitFor();
    for (const width of Object.values(widths)) {
      await page.setViewportSize({ width, height: 900 });
      await stage.expectFits(page);
    }
    await stage.expectAccessible(page);
    stage.expectNoFaults();
  });

  it('[WA2] changes the password after saying what that ends', async () => {
    const { page, email, password } = await person(stage, '/sandbox/account');
    const elsewhere = await sandbox.sessions.logIn({ email, password });
    const client = sandbox.withToken(elsewhere.session_token);
    await client.keys.mint({ label: 'bot', permissions: ['read'] });
    await page.getByText(/signs you out everywhere else and revokes every API key/).waitFor();
    await page.getByLabel('Current password').fill(password);
    await page.getByLabel('New password').fill('another horse battery staple');
    await page.getByRole('button', { name: 'Change the password' }).click();
    await page.getByText(/1 other session was ended; 1 key was revoked/).waitFor();
    await expect(client.account.get()).rejects.toMatchObject({ status: 401 });
    await expect(sandbox.sessions.logIn({ email, password })).rejects.toMatchObject({
      code: 'PASSWORD_INCORRECT',
    });
    await sandbox.sessions.logIn({ email, password: 'another horse battery staple' });
    // This page goes on.
    await page.reload();
    await page.getByTestId('balance').waitFor();
    stage.expectNoFaults();
  });

  it('[WA3] counts down to the next test money, and starts over with the faucet free after asking', async () => {
    const { page, client } = await person(stage, '/sandbox/account');
    const market = await ownMarket(client, 'Will we start over?');
    await buy(client, market, '10');
    await buy(client, market, '10', '0.1');
    await page.getByRole('button', { name: 'Get test money' }).click();
    // It gave an hour's worth when the person was made.
    await page.getByText(/^Again in 59:\d\d$/).waitFor();
    expect(await page.getByRole('button', { name: 'Get test money' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Start over' }).click();
    const dialog = page.getByRole('dialog', { name: 'Start over?' });
    await stage.expectAccessible(page);
    await dialog.getByRole('button', { name: 'Start over' }).click();
    await page.getByText('1 order cancelled, 1 position cleared').waitFor();
    await soon(() => page.getByTestId('balance').innerText()).toBe('0.00');
    await page.getByRole('button', { name: 'Get test money' }).click();
    await soon(() => page.getByTestId('balance').innerText()).toBe('10,000.00');
    stage.expectNoFaults(/status of 429/);
  });

  it('[WA17] lets a partner act within what is said, and takes it back', async () => {
    const { page, client, password } = await person(stage, '/sandbox/account');
    const other = sandbox.withToken(
      (
        await sandbox.sessions.register({
          ...{ email: `partner-${crypto.randomUUID()}@example.com`, password },
        })
      ).session_token,
    );
    const partnerId = String((await other.account.get()).user_id);
    await other.builders.apply({
      ...{ track: 'partner', name: 'Desk Ltd', about: 'Trades for its customers.' },
      agreement: { version: builderAgreement.version, accepted: true },
    });
    await page.getByRole('button', { name: 'Let a partner act for you' }).click();
    const dialog = page.getByRole('dialog', { name: 'Let a partner act for you?' });
    await dialog.getByText('your account of play money').waitFor();
    await dialog.getByLabel('Id of the partner').fill('usr_nobody');
    await dialog.getByRole('checkbox', { name: 'trades' }).check();
    await dialog.getByLabel('Daily cap').fill('250');
    await dialog.getByText('For how long').waitFor();
    await dialog.getByLabel('For how long').click();
    await page.getByRole('option', { name: '30 days' }).click();
    await page.setViewportSize({ width: widths.phone, height: 844 });
    await stage.expectFits(page);
    // A dialog has a width of its own, past which it would scroll.
    const past = await dialog.evaluate((box) => box.scrollWidth - box.clientWidth);
    expect(past).toBeLessThanOrEqual(0);
    await stage.expectAccessible(page);
    await dialog.getByRole('button', { name: 'Allow' }).click();
    const unknown = dialog.getByText('Nobody whom the exchange approved as a partner');
    await unknown.waitFor();
    const field = dialog.getByLabel('Id of the partner');
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    await field.fill(partnerId);
    await unknown.waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Allow' }).click();
    await unknown.waitFor();
    await approveBuilder(partnerId);
    await dialog.getByRole('button', { name: 'Allow' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText(`Desk Ltd (partner ${partnerId})`).waitFor();
    await page.getByText('reads balance, positions and orders · trades').waitFor();
    await page.getByText(/at most 250\.00 USDT a day/).waitFor();
    const own = await client.account.get();
    const passedOn = page.getByText('Give the partner this account:');
    expect(await passedOn.textContent()).toContain(own.account_id);
    const profile = page.getByText('Your id as a partner').locator('..');
    expect(await profile.textContent()).toContain(own.user_id);
    const [given] = (await client.connect.listGrants({ status: 'active' })).items;
    expect(given).toMatchObject({
      ...{ kind: 'delegation', partner_id: partnerId, environment: 'sandbox' },
      ...{ daily_cap: '250.000000', scopes: ['account:read', 'orders:trade'] },
    });
    const days = (given!.expires_at_ms - given!.created_at_ms) / 86_400_000;
    expect(Math.round(days)).toBe(30);
    await page.getByRole('button', { name: 'Take back' }).click();
    const asked = page.getByRole('dialog', { name: /Take back what/ });
    await asked.getByText('its open orders are cancelled').waitFor();
    await asked.getByRole('button', { name: 'Take back' }).click();
    await page.getByText('No app acts for you.').waitFor();
    expect((await client.connect.listGrants({ status: 'active' })).items).toEqual([]);
    stage.expectNoFaults(/status of 40[04]/);
  });

  it('[WA4] tells what a demo account is, and the way to one that stays', async () => {
    const page = await stage.visitor();
    await page.goto('/sandbox/create?template=own-question');
    await page.getByRole('button', { name: 'Go on with a demo account' }).click();
    await page.getByTestId('balance').waitFor();
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Your account' }).click();
    await page.getByText('This is a demo account').waitFor();
    await page.getByText(/closed after 7 days/).waitFor();
    expect(await page.getByLabel('Current password').count()).toBe(0);
    await page.getByRole('main').getByRole('button', { name: 'Register' }).click();
    const dialog = page.getByRole('dialog', { name: 'Register' });
    await dialog.getByText(/^Your demo account becomes your account/).waitFor();
    const email = `demo-${crypto.randomUUID()}@example.com`;
    await dialog.getByLabel('Email').fill(email);
    await dialog.getByLabel('Password').fill('correct horse battery staple');
    await dialog.getByRole('button', { name: 'Register' }).click();
    await page.getByRole('main').getByText(email).waitFor();
    expect(await page.getByText('This is a demo account').count()).toBe(0);
    stage.expectNoFaults();
  });

  it('[WA5] keeps theme and language, the same as in the menu', async () => {
    const page = await stage.visitor();
    await page.goto('/sandbox/account');
    const theme = page.getByRole('group', { name: 'Theme' });
    await theme.getByRole('button', { name: 'Dark' }).click();
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Theme: dark' }).click();
    // The menu goes on from dark to the system's, and the page says so too.
    expect(await theme.getByRole('button', { name: 'System' }).getAttribute('aria-pressed')).toBe(
      'true',
    );
    await theme.getByRole('button', { name: 'Dark' }).click();
    await page.getByRole('combobox', { name: 'Language' }).click();
    await page.getByRole('option', { name: 'Deutsch' }).click();
    await page.getByRole('heading', { name: 'Ihr Konto' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Ihr Konto' }).waitFor();
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
    stage.expectNoFaults();
  });

  it('[WA20] sets limits of one’s own and excludes oneself, and the ticket says why', async () => {
    const { page, client } = await person(stage, '/sandbox/account');
    const market = await ownMarket(client, 'Will we hold back?');
    await page.getByText(/Counting begins with your first limit/).waitFor();
    expect(await page.getByText('so far').count()).toBe(0);
    await page.getByRole('group', { name: 'Lose at most' }).getByLabel('per day').fill('five');
    await page
      .getByText('A number with a point and at most six places, such as 1500.25, or nothing.')
      .waitFor();
    await page.getByRole('group', { name: 'Lose at most' }).getByLabel('per day').fill('5');
    await page.getByRole('button', { name: 'Set the limits' }).click();
    await page.getByText('Your limits are set.').waitFor();
    await page.getByText('0.00 so far').first().waitFor();
    expect((await client.limits.get()).loss.day.amount).toBe('5.000000');
    await expect(buy(client, market, '100')).rejects.toMatchObject({ code: 'RISK_LIMIT_BREACH' });
    await page.getByRole('group', { name: 'Lose at most' }).getByLabel('per day').fill('50');
    await page.getByRole('button', { name: 'Set the limits' }).click();
    await page.getByText(/^from .*: 50/).waitFor();
    const { next_from_ms: raisedFromMs } = (await client.limits.get()).loss.day;
    await page.getByRole('group', { name: 'Pay in at most' }).getByLabel('per day').fill('7');
    await page.getByRole('button', { name: 'Set the limits' }).click();
    await soon(async () => (await client.limits.get()).deposit.day.amount).toBe('7.000000');
    expect((await client.limits.get()).loss.day).toMatchObject({
      amount: '5.000000',
      next_amount: '50.000000',
      next_from_ms: raisedFromMs,
    });
    await page.getByText(/limits and an exclusion set here hold for play money only/).waitFor();
    await page.getByRole('button', { name: 'Exclude yourself' }).click();
    const dialog = page.getByRole('dialog', { name: 'Exclude yourself' });
    await stage.expectAccessible(page);
    await dialog.getByRole('button', { name: 'Exclude yourself' }).click();
    await page.getByText(/^You excluded yourself until/).waitFor();
    await page.goto(`/sandbox/m/${market.market_id}`);
    await page
      .getByText(/^You excluded yourself until/)
      .first()
      .waitFor();
    await stage.expectAccessible(page);
    // The ticket may ask for a preview before it knows the account.
    stage.expectNoFaults(/status of 403/);
  });
});
