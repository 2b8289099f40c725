// What goes by letters, and how somebody leaves, as they meet it at the page.

import { text } from 'node:stream/consumers';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mailedLink } from './letters.ts';
import { person, sandbox, signedIn } from './person.ts';
import { Stage, soon } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());

const NEW = 'plum otter ladder 47 quay';

describe('letters', () => {
  it('[WA12] a forgotten password is set anew by the mailed link, from the sign-in dialog to the next sign-in', async () => {
    const { page, email, client } = await signedIn(stage);
    const other = await stage.visitor();
    await other.goto('/sandbox/account');
    await other.getByRole('button', { name: 'Sign in' }).first().click();
    await other.getByRole('button', { name: 'Forgot your password?' }).click();
    await other.getByLabel('Email').fill(email);
    await other.getByRole('button', { name: 'Send the link' }).click();
    await other.getByText(/a link is on its way there/).waitFor();
    await stage.expectAccessible(other);
    const link = await mailedLink(email, '/reset');
    await other.goto(link);
    await other.getByLabel('New password').fill('short');
    await other.getByRole('button', { name: 'Set it' }).click();
    await other.getByText('The password must have at least 10 characters.').waitFor();
    await other.getByLabel('New password').fill(NEW);
    await stage.expectAccessible(other);
    await other.getByRole('button', { name: 'Set it' }).click();
    await other.getByText('The new password holds.').waitFor();
    await expect(client.profile.get()).rejects.toMatchObject({ status: 401 });
    await other.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    const dialog = other.getByRole('dialog', { name: 'Sign in' });
    await dialog.getByLabel('Email').fill(email);
    await dialog.getByLabel('Password').fill(NEW);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await soon(() => dialog.count()).toBe(0);
    // The link was used, and is of no use to whoever finds it; the browser takes the same address anew only by way of another.
    await page.goto('/sandbox/status');
    await page.goto(link);
    await page.getByLabel('New password').fill(NEW);
    await page.getByRole('button', { name: 'Set it' }).click();
    await page.getByText(/was used before, or is over/).waitFor();
    stage.expectNoFaults(/status of (401|404|422)/);
  });

  it('[WA13] an address is verified by the link of the registration, and the account says so', async () => {
    const { page, email } = await person(stage, '/sandbox/account');
    await page.getByText('not verified').waitFor();
    await page.getByRole('button', { name: 'Send the link again' }).click();
    await page.getByText('A link is on its way to you.').waitFor();
    await page.goto(await mailedLink(email, '/verify', 1));
    await page.getByRole('button', { name: 'Yes, it is mine' }).click();
    await page.getByText('The address is verified.').waitFor();
    await page.goto('/sandbox/account');
    await page.getByText(/^verified /).waitFor();
    stage.expectNoFaults();
  });
});

describe('leaving', () => {
  it('[WA14] saves everything as a file, and closes the account by the password', async () => {
    const { page, email, password, client } = await person(stage, '/sandbox/account');
    const { subaccount_id: night } = await client.subaccounts.create({ label: 'Night' });
    const filter = { state: 'active', market_type: 'normal', sort: 'volume', limit: 1 } as const;
    const [market] = (await client.markets.list(filter)).items;
    const ids = { market_id: market!.market_id, outcome_id: market!.outcomes[0]!.id };
    const bought = { ...ids, side: 'buy', order_type: 'market', size: '3' } as const;
    const { order_id: id } = await client.orders.place(bought);
    const savedBy = async (press: Locator): Promise<unknown> => {
      const saving = page.waitForEvent('download');
      await press.click();
      return JSON.parse(await text(await (await saving).createReadStream()));
    };
    const whole = {
      profile: { email },
      records: [
        { environment: 'live', subaccount_id: null, orders: [], fills: [] },
        {
          ...{ environment: 'sandbox', subaccount_id: null, orders: [{ order_id: id }] },
          fills: expect.arrayContaining([expect.objectContaining({ order_id: id })]),
          ledger: expect.arrayContaining([expect.objectContaining({ reason: 'faucet' })]),
        },
        { environment: 'sandbox', subaccount_id: night, orders: [], fills: [], ledger: [] },
      ],
    };
    const save = page.getByRole('button', { name: 'Download my data' });
    expect(await savedBy(save)).toMatchObject(whole);
    await page.getByRole('button', { name: 'Close my account' }).click();
    const dialog = page.getByRole('dialog', { name: 'Close my account' });
    await dialog.getByText(/you cannot read your orders, fills and statement any more/).waitFor();
    expect(await savedBy(dialog.getByRole('button', { name: 'Download my data' }))).toMatchObject(
      whole,
    );
    const close = dialog.getByRole('button', { name: 'Close it for good' });
    await dialog.getByLabel('Password').fill('not this one');
    await close.click();
    await dialog.getByText(/password is wrong/).waitFor();
    await stage.expectAccessible(page);
    // What is in the way is said in words; here the exchange is made to say it.
    await page.route('**/api/auth/close', (route) => {
      const error = {
        code: 'STATE_CONFLICT',
        message: 'There is money in the account.',
        details: { reason: 'balance', lane: 'live' },
        trace_id: 'req_0000000000000000',
      };
      return route.fulfill({ status: 409, json: { ok: false, data: null, meta: {}, error } });
    });
    await dialog.getByLabel('Password').fill(password);
    await close.click();
    await dialog.getByText(/Withdraw it first/).waitFor();
    await page.unroute('**/api/auth/close');
    await close.click();
    await page.getByText('You are not signed in').waitFor();
    await expect(client.profile.get()).rejects.toMatchObject({ status: 401 });
    await expect(sandbox.sessions.logIn({ email, password })).rejects.toMatchObject({
      code: 'PASSWORD_INCORRECT',
    });
    stage.expectNoFaults(/status of 40[19]/);
  });

  it('[WD11] a key is minted for some addresses, and what is wrong with one is said', async () => {
    const { page, client } = await person(stage, '/sandbox/developers/keys');
    await page.getByRole('button', { name: /Mint/ }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Allowed addresses').fill('nowhere');
    await dialog.getByRole('button', { name: /Mint/ }).click();
    await dialog.getByText(/allowed_addresses/).waitFor();
    await dialog.getByLabel('Allowed addresses').fill('192.0.2.7, 198.51.100.0/24');
    await dialog.getByRole('button', { name: /Mint/ }).click();
    await soon(async () =>
      (await client.keys.list()).items.map((key) => key.allowed_addresses),
    ).toEqual([['192.0.2.7/32', '198.51.100.0/24']]);
    stage.expectNoFaults(/status of 400/);
  });
});
