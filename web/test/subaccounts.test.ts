// Subaccounts at the page: opened, funded, looked at in the portfolio, frozen and closed.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buy, ownMarket, person, signedIn } from './person.ts';
import { Stage, soon, widths } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());

describe('subaccounts', () => {
  it('[WSA1] are opened, named, given money, frozen and closed', async () => {
    const { page, client } = await person(stage, '/sandbox/subaccounts');
    await page.getByText('No subaccounts').waitFor();
    await page.getByRole('button', { name: 'Open a subaccount' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Label').fill('Grid <b>');
    await dialog.getByRole('button', { name: 'Save' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Grid <b>' });
    await row.waitFor();
    // A comma for a point is told at the field.
    await page.getByLabel('Amount').fill('12,5');
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    await page.getByText('A number with a point').waitFor();
    await page.getByLabel('Amount').fill('12.5');
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    await page.getByText('12.50 USDT moved.').waitFor();
    await row.getByText('12.50').waitFor();
    await soon(() => page.getByTestId('balance').innerText()).toBe('9,987.50');
    const act = async (name: string): Promise<void> => {
      await page.getByRole('button', { name: /Actions for/ }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await act('Rename');
    await dialog.getByLabel('Label').fill('Night');
    await dialog.getByRole('button', { name: 'Save' }).click();
    const night = page.getByRole('row').filter({ hasText: 'Night' });
    await night.waitFor();
    await act('Freeze');
    await dialog.getByRole('button', { name: 'Freeze' }).click();
    await night.getByText('frozen by you').waitFor();
    await act('Let go');
    await night.getByText('active').waitFor();
    // What is still in it is said, and it stays.
    for (const width of Object.values(widths)) {
      await page.setViewportSize({ width, height: 900 });
      await stage.expectFits(page);
      const menu = await page.getByRole('button', { name: /Actions for/ }).boundingBox();
      expect(menu!.x + menu!.width).toBeLessThanOrEqual(width);
    }
    await act('Close');
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
    await dialog.getByText(/still has a balance/).waitFor();
    await stage.expectAccessible(page);
    await dialog.getByRole('button', { name: 'Back' }).click();
    const [{ subaccount_id: id } = { subaccount_id: '' }] = (await client.subaccounts.list()).items;
    const { account_id: own } = await client.account.get();
    await client.subaccounts.transfer({ from: id, to: own, amount: '12.5' });
    await act('Close');
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
    await page.getByText('No subaccounts').waitFor();
    stage.expectNoFaults(/status of 409/);
  });

  it('[WSA2] are looked at in the portfolio one at a time, each with what is its own', async () => {
    const { page, client } = await signedIn(stage);
    const { subaccount_id: id } = await client.subaccounts.create({ label: 'Hedge' });
    const { account_id: own } = await client.account.get();
    await client.subaccounts.transfer({ from: own, to: id, amount: '100' });
    const market = await ownMarket(client, 'Will it hedge?');
    await page.goto('/sandbox/portfolio');
    await page.getByRole('combobox', { name: 'Account shown' }).click();
    // The order is placed while the page still reads the subaccount: one read without it is answered, one is held.
    const isRead = page.waitForResponse(/account\/orders\?.*subaccount_id/);
    let letPositionsCome = (): void => undefined;
    const isPlaced = new Promise<void>((resolve) => {
      letPositionsCome = resolve;
    });
    await page.route(/account\/positions\?.*subaccount_id/, async (route) => {
      await isPlaced;
      await route.continue();
    });
    await page.getByRole('option', { name: 'Hedge' }).click();
    const its = client.forSubaccount(id);
    await isRead;
    await buy(its, market, '10', '0.1');
    letPositionsCome();
    await page.getByRole('tab', { name: /Open orders/ }).click();
    const order = page.getByRole('row').filter({ hasText: 'Will it hedge?' });
    await order.waitFor();
    await buy(its, market, '5');
    await page.getByRole('tab', { name: /Positions/ }).click();
    await order.waitFor();
    await page.getByRole('tab', { name: /Open orders/ }).click();
    await order.getByRole('button', { name: /Cancel/ }).click();
    await soon(async () => (await its.account.orders({ status: 'pending' })).items.length).toBe(0);
    await page.getByRole('combobox', { name: 'Account shown' }).click();
    await page.getByRole('option', { name: 'Your account' }).click();
    await page.getByRole('tab', { name: /Positions/ }).click();
    await soon(() => order.count()).toBe(0);
    expect(await page.getByTestId('balance').innerText()).toBe('9,400.00');
    stage.expectNoFaults();
  });
});
