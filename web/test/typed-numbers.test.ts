// Numbers as readers of other languages type and read them, wherever an order or a market is written.
import type { Market, SibylClient } from '@sibyl/sdk';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buy, ownMarket, signedIn } from './person.ts';
import { Stage, soon } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());

/** Somebody who reads German and has an order of 30.86 shares at 40.5 cents. */
async function germanWithOrder(): Promise<{ page: Page; client: SibylClient; market: Market }> {
  const { page, client } = await signedIn(stage);
  await page.evaluate(() => localStorage.setItem('sibyl.locale', 'de'));
  const market = await ownMarket(client, 'Will the dam hold?');
  await buy(client, market, '30.86', '0.405');
  return { page, client, market };
}

async function onlyOrder(client: SibylClient): Promise<unknown> {
  const [order] = (await client.account.orders({ status: 'pending' })).items;
  return { price: order?.price, size: order?.size };
}

describe('an order that is changed in German', () => {
  it('[WM28][WM8] is read and written on the page of its market as in the ticket', async () => {
    const { page, client, market } = await germanWithOrder();
    await page.goto(`/sandbox/m/${market.market_id}`);
    await page.getByRole('tab', { name: 'Offene Aufträge (1)' }).click();
    const own = page.getByRole('list', { name: 'Ihre offenen Aufträge' });
    await own.getByRole('button', { name: 'Ändern' }).click();
    const price = own.getByLabel('Preis in ¢');
    const size = own.getByLabel('Anteile');
    expect([await price.inputValue(), await size.inputValue()]).toEqual(['40,5', '30,86']);
    await price.fill('41,55');
    await own.getByText('Am nächsten liegt 41,6¢.').waitFor();
    await price.fill('41,6');
    await size.fill('1.000');
    await own.getByRole('button', { name: 'Speichern' }).click();
    await own.getByText('1.000 zu 41,6¢').waitFor();
    expect(await onlyOrder(client)).toEqual({ price: '0.416000', size: '1000.000000' });
    const ticket = page.getByRole('region', { name: 'Auftrag', exact: true });
    await ticket.getByRole('button', { name: '50 %' }).click();
    await soon(() => ticket.getByLabel('Betrag in').inputValue()).toMatch(/^\d+,\d\d?$/);
    await soon(() => ticket.getByRole('button', { name: /kaufen \(/ }).isEnabled()).toBe(true);
    stage.expectNoFaults(/status of 422/);
  });

  it('[WM28][WP4] is read and written in the portfolio as in the ticket', async () => {
    const { page, client } = await germanWithOrder();
    await page.goto('/sandbox/portfolio?list=orders');
    const row = page
      .getByRole('region', { name: 'Offene Aufträge', exact: true })
      .getByRole('row')
      .filter({ has: page.getByRole('cell') });
    await row.getByRole('button', { name: 'Ändern' }).click();
    const [price, size] = [row.getByRole('textbox').first(), row.getByRole('textbox').last()];
    expect([await price.inputValue(), await size.inputValue()]).toEqual(['40,5', '30,86']);
    await price.fill('40,77');
    await row.getByText('Am nächsten liegt 40,8¢.').waitFor();
    await price.fill('40,7');
    await size.fill('1.000');
    await size.press('Enter');
    await row.getByRole('cell', { name: '40,7¢' }).waitFor();
    expect(await onlyOrder(client)).toEqual({ price: '0.407000', size: '1000.000000' });
    stage.expectNoFaults();
  });
});

describe('a market that is made in German', () => {
  it('[WC9] has the ends that its maker typed, and none that could be read in two ways', async () => {
    const { page, client } = await signedIn(stage);
    await page.evaluate(() => localStorage.setItem('sibyl.locale', 'de'));
    await page.goto('/sandbox/create');
    await page.getByRole('link').filter({ hasText: 'Eigene Frage nach einer Zahl' }).click();
    await page.getByLabel('Frage').fill('Wie viele kommen?');
    const [lower, upper] = [page.getByLabel('Unteres Ende'), page.getByLabel('Oberes Ende')];
    const create = page.getByRole('button', { name: /^Erstellen, / });
    await lower.fill('1.000');
    await upper.fill('25.000');
    await upper.blur();
    await page
      .getByText(/^Geben Sie eine Zahl mit Komma ein, ohne Tausenderpunkt/)
      .first()
      .waitFor();
    expect(await create.isDisabled()).toBe(true);
    await lower.fill('1000,5');
    await upper.fill('250');
    await page.getByText('Das obere Ende muss über dem unteren liegen.', { exact: true }).waitFor();
    await upper.fill('25.000,5');
    await soon(() => create.isEnabled()).toBe(true);
    await create.click();
    await page.waitForURL(/\/sandbox\/m\/m_[0-9a-f]{16}$/);
    const { params } = await client.markets.get(page.url().split('/').at(-1) ?? '');
    expect(params).toMatchObject({ lower: '1000.5', upper: '25000.5' });
    stage.expectNoFaults();
  });
});
