// What somebody has and did, as it is seen while it happens.
import { addAmounts, parseAmount, type SibylClient, subtractAmounts } from '@sibyl/sdk';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { savedRows } from './csv-rows.ts';
import { seededMarket } from './market-stage.ts';
import { buy, ownMarket, person, signedIn } from './person.ts';
import { cellOf, cut } from './shown.ts';
import { Stage, soon, widths } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());

function list(page: Page, name: string): Locator {
  return page.getByRole('region', { name, exact: true });
}

async function open(page: Page, tab: string): Promise<void> {
  await page.getByRole('tab', { name: tab }).click();
}

describe('portfolio', () => {
  it('[WP1] tells a visitor what it is and where to begin, at every width', async () => {
    const page = await stage.visitor();
    await page.goto('/sandbox/portfolio');
    await page.getByText('Your portfolio starts with a trade').waitFor();
    for (const width of Object.values(widths)) {
      await page.setViewportSize({ width, height: 900 });
      await stage.expectFits(page);
    }
    await stage.expectAccessible(page);
    await page.getByRole('button', { name: 'Find a market' }).click();
    await page.waitForURL(/\/sandbox\/?$/);
    stage.expectNoFaults();
  });

  it('[WP9] tells what was gained apart from what was paid in', async () => {
    const { page } = await person(stage, '/sandbox/portfolio');
    const gained = page.getByTestId('range-profit');
    await soon(() => gained.innerText()).toBe('0.00 profit in this period · +10,000.00 deposited');
    stage.expectNoFaults();
  });

  it('[WP9] tells them apart in a range that has a past too', async () => {
    const { page, client } = await signedIn(stage);
    const { balance_free: free } = await client.account.get();
    // As an account of yesterday: worth 7 less than what came in later, before any of it came.
    await page.route('**/v1/portfolio/summary*', async (route) => {
      const response = await route.fetch();
      const answer = await response.json();
      const nowMs = Date.now();
      answer.data.series = [
        { ts_ms: nowMs - 3_600_000, equity: '5.000000' },
        { ts_ms: nowMs, equity: addAmounts(free, '12') },
      ];
      await route.fulfill({ response, json: answer });
    });
    await page.goto('/sandbox/portfolio');
    const gained = page.getByTestId('range-profit');
    await soon(() => gained.innerText()).toBe('+7.00 profit in this period · +10,000.00 deposited');
    await page.unrouteAll({ behavior: 'wait' });
    stage.expectNoFaults();
  });

  it('[WP10] shows positions by category, as the exchange reckons them', async () => {
    const { page, client } = await person(stage, '/sandbox/portfolio');
    await buy(client, await ownMarket(client, 'Will the weir hold?'), '30');
    const part = list(page, 'Positions by category').getByRole('listitem');
    await part.waitFor();
    const [held] = (await client.portfolio.summary({ range: '1d' })).exposure;
    expect(held?.category).toBe('community');
    const value = cut(held?.value ?? '');
    const cost = cut(held?.cost ?? '');
    expect(value).not.toBe(cost);
    await soon(async () => (await part.innerText()).split(/\s*\n\s*/).join(' ')).toBe(
      `Community ${value} cost ${cost} · 1 outcome`,
    );
    stage.expectNoFaults();
  });

  it('[WP2] shows a fill elsewhere at once: position, fill, statement, equity', async () => {
    const { page, client } = await person(stage, '/sandbox/portfolio');
    await page.getByText('No positions', { exact: true }).waitFor();
    const market = await ownMarket(client, 'Will the tide reach the wall?');
    await buy(client, market, '25');
    const positions = list(page, 'Positions');
    const row = positions.getByRole('row', { name: /tide reach the wall/ });
    await row.waitFor();
    expect(await cellOf(row, positions, 'Shares')).toBe('25');
    const { items: fills } = await client.account.fills();
    await open(page, 'Fills');
    const filled = list(page, 'Fills').getByRole('row', { name: /tide reach the wall/ });
    await filled.first().waitFor();
    expect(await filled.count()).toBe(fills.length);
    await open(page, 'Statement');
    const statement = list(page, 'Statement');
    const fee = addAmounts(...fills.map((fill) => fill.fee));
    const bought = statement.getByRole('row', { name: /Bought 25 .*tide reach the wall/ });
    await bought.waitFor();
    expect(await cellOf(bought, statement, 'Event')).toContain(`Bought 25 · fee ${cut(fee)}`);
    const { equity } = await client.portfolio.summary();
    await expect.poll(() => page.getByTestId('equity').innerText()).toBe(`${cut(equity)} USDT`);
    stage.expectNoFaults();
  });

  it('[WP3] closes a position after showing what the sale comes to', async () => {
    const { page, client } = await person(stage, '/sandbox/portfolio');
    const market = await ownMarket(client, 'Will the bridge open?');
    await buy(client, market, '40');
    await page.getByRole('button', { name: 'Close Yes in Will the bridge open?' }).click();
    const dialog = page.getByRole('dialog', { name: 'Close the position' });
    const sell = dialog.getByRole('button', { name: 'Sell 40 Yes (play money)' });
    await soon(() => sell.isEnabled()).toBe(true);
    const order = {
      market_id: market.market_id,
      outcome_id: 'yes',
      side: 'sell',
      order_type: 'market',
      size: '40',
    } as const;
    const { preview } = await client.orders.place(order, { dry_run: true });
    const shown = Object.fromEntries(
      (await dialog.locator('dl > div').allInnerTexts()).map((text) => text.split('\n')),
    );
    expect(shown).toMatchObject({
      Sells: '40 Yes',
      Fee: cut(preview?.fee ?? ''),
      'You receive': cut(preview?.total ?? ''),
    });
    await stage.expectAccessible(page);
    const { balance_free: before } = await client.account.get();
    await sell.click();
    await page.getByText('No positions', { exact: true }).waitFor();
    const { balance_free: after } = await client.account.get();
    // The market is the seller's own, so that the rebate of its pool comes back too.
    const rebates = (await client.portfolio.ledger({ reason: 'maker_rebate' })).items;
    const expected = addAmounts(before, preview?.total ?? '', rebates[0]?.amount ?? '');
    expect(parseAmount(after)).toBe(parseAmount(expected));
    stage.expectNoFaults();
  });

  it('[WP4] filters open orders, changes one in place, takes back one and then all', async () => {
    const { page, client } = await person(stage, '/sandbox/portfolio?list=orders');
    const first = await ownMarket(client, 'Will it snow?');
    const second = await ownMarket(client, 'Will it thaw?');
    await buy(client, first, '20', '0.1');
    await buy(client, first, '30', '0.2');
    await buy(client, second, '40', '0.3');
    const orders = list(page, 'Open orders');
    const rows = orders.getByRole('row').filter({ has: page.getByRole('cell') });
    await soon(() => rows.count()).toBe(3);
    await stage.expectAccessible(page);
    await page.getByRole('combobox', { name: 'Market' }).click();
    await page.getByRole('option', { name: 'Will it thaw?' }).click();
    await soon(() => rows.count()).toBe(1);
    await rows.getByRole('button', { name: 'Edit' }).click();
    const price = rows.getByRole('textbox', { name: 'Price in cents' });
    await price.fill('31.23');
    await rows.getByText('The nearest possible is 31.2¢.').waitFor();
    await price.fill('31.2');
    await price.press('Enter');
    await rows.getByRole('cell', { name: '31.2¢' }).waitFor();
    const pending = await client.account.orders({ status: 'pending' });
    expect(pending.items.map((order) => order.price)).toContain('0.312000');
    await rows.getByRole('button', { name: 'Cancel', exact: true }).click();
    // The last order of that market is gone, and the filter with it.
    await soon(() => rows.count()).toBe(2);
    await page.getByRole('button', { name: 'Cancel all' }).click();
    const dialog = page.getByRole('dialog', { name: 'Cancel 2 orders?' });
    await dialog.getByRole('button', { name: 'Cancel all' }).click();
    await page.getByText('No open orders').waitFor();
    expect((await client.account.orders({ status: 'pending' })).items).toEqual([]);
    stage.expectNoFaults();
  });

  it('[WP5] saves whole lists as files whose cells are no formulas', async () => {
    const { page, client } = await person(stage, '/sandbox/portfolio?list=fills');
    const title = '=HYPERLINK("http://127.0.0.1","free"), now';
    const market = await ownMarket(client, title);
    await buy(client, market, '12.5');
    await list(page, 'Fills').waitFor();
    const [header = [], ...rows] = await savedRows(
      page,
      page.getByRole('button', { name: 'Save as CSV' }),
    );
    const fills = (await client.account.fills()).items;
    const column = (name: string): readonly (string | undefined)[] =>
      rows.map((row) => row[header.indexOf(name)]);
    expect(column('trade_id')).toEqual(fills.map((fill) => fill.trade_id));
    expect(column('size')).toEqual(fills.map((fill) => fill.size));
    expect(column('cost')).toEqual(fills.map((fill) => fill.cost));
    expect(new Set(column('market_title'))).toEqual(new Set([`'${title}`]));
    await open(page, 'Statement');
    const [titles = [], ...lines] = await savedRows(
      page,
      page.getByRole('button', { name: 'Save as CSV' }),
    );
    const ledger = (await client.portfolio.ledger({ limit: 500 })).items;
    expect(lines.map((line) => line[titles.indexOf('amount')])).toEqual(
      ledger.map((line) => line.amount),
    );
    stage.expectNoFaults();
  });

  it('[WP5] names markets and outcomes in files as the page does', async () => {
    const { page, client } = await person(stage, '/sandbox/portfolio?list=fills');
    const market = await seededMarket({
      state: 'active',
      category: 'crypto',
      market_type: 'normal',
    });
    const [outcome] = market.outcomes;
    if (outcome === undefined) throw new Error('a market without outcomes');
    const order = { market_id: market.market_id, outcome_id: outcome.id, side: 'buy' } as const;
    await client.orders.place({ ...order, order_type: 'market', size: '5' });
    await page.evaluate(() => localStorage.setItem('sibyl.locale', 'de'));
    for (const name of ['fills', 'statement']) {
      await page.goto(`/sandbox/portfolio?list=${name}`);
      const title = await page
        .getByRole('link', { name: /^Schließt|-Kurs am/ })
        .first()
        .innerText();
      const save = page.getByRole('button', { name: 'Als CSV speichern' });
      const [header = [], ...rows] = await savedRows(page, save);
      const column = (of: string) => rows.map((row) => row[header.indexOf(of)]).filter(Boolean);
      expect(new Set(column('market_title'))).toEqual(new Set([title]));
      expect(new Set(column('outcome_label'))).toEqual(
        new Set([outcome.id === 'yes' ? 'Ja' : 'Höher']),
      );
    }
    stage.expectNoFaults();
  });

  it('[WP6] draws a list of hundreds of lines where it is seen only, to its end', async () => {
    const { page, client } = await signedIn(stage);
    await manyTrades(client);
    const fills: unknown[] = [];
    for await (const fill of client.account.fills({ limit: 500 })) fills.push(fill);
    expect(fills.length).toBeGreaterThan(250);
    await page.goto('/sandbox/portfolio?list=fills');
    const table = list(page, 'Fills');
    await table.getByRole('row').nth(20).waitFor();
    const oldest = table.getByRole('row').filter({
      has: page.getByRole('cell', { name: '7', exact: true }),
    });
    let most = 0;
    await expect
      .poll(
        async () => {
          most = Math.max(most, await table.getByRole('row').count());
          await table.evaluate((frame) => frame.scrollTo(0, frame.scrollHeight));
          return oldest.count();
        },
        { timeout: 240_000, interval: 50 },
      )
      .toBe(1);
    expect(most).toBeLessThan(100);
    expect(await table.getByRole('table').getAttribute('aria-rowcount')).toBe(String(fills.length));
    stage.expectNoFaults();
  });

  it('[WP7] shows the receipt of a market that ended, and the balance with it', async () => {
    const maker = await signedIn(stage);
    const market = await ownMarket(maker.client, 'Will the lamp be lit?');
    const { page, client } = await person(stage, '/sandbox/portfolio?list=receipts');
    await buy(client, market, '30');
    const { balance_free: before } = await client.account.get();
    await page.getByText('No payouts yet').waitFor();
    await maker.client.sandbox.settle({ market_id: market.market_id, winning_outcome_id: 'yes' });
    const receipts = list(page, 'Payouts');
    const row = receipts.getByRole('row', { name: /lamp be lit/ });
    await row.waitFor();
    expect(await cellOf(row, receipts, 'Result')).toBe('Yes');
    expect(await cellOf(row, receipts, 'You held')).toBe('30 Yes');
    expect(await cellOf(row, receipts, 'Paid')).toBe('30.00');
    const { balance_free: after } = await client.account.get();
    expect(parseAmount(after)).toBe(parseAmount(addAmounts(before, '30')));
    await soon(() => cellOf(row, receipts, 'Profit after fees')).toBe(
      `+${cut(subtractAmounts(after, '10000'))}`,
    );
    await open(page, 'Record');
    await page.getByText('1 of 1 came true').waitFor();
    stage.expectNoFaults();
  });

  it('[WP8] stays whole with hostile titles, on every width and in both themes', async () => {
    const { page, client } = await person(stage, '/sandbox/portfolio', { theme: 'dark' });
    const markup = '<img src=x onerror=alert(1)><script>alert(2)</script>';
    const titles = [markup, 'W'.repeat(160), '\u05d0\u05d1\u05d2 abc \u05d3\u05d4'];
    for (const title of titles) {
      const market = await ownMarket(client, title);
      await buy(client, market, '10');
      await buy(client, market, '10', '0.1');
    }
    for (const name of ['Positions', 'Open orders', 'Fills', 'Statement']) {
      await open(page, name);
      await list(page, name).getByRole('link', { name: markup, exact: true }).first().waitFor();
      for (const width of Object.values(widths)) {
        await page.setViewportSize({ width, height: 900 });
        await stage.expectFits(page);
      }
    }
    await stage.expectAccessible(page);
    stage.expectNoFaults();
  });
});

/** The first of them is known by its size. */
async function manyTrades(client: SibylClient): Promise<void> {
  const market = await ownMarket(client, 'Will there be many?');
  await buy(client, market, '7');
  const order = {
    action: 'place',
    order: {
      market_id: market.market_id,
      outcome_id: 'yes',
      side: 'buy',
      order_type: 'market',
      size: '1',
    },
  } as const;
  for (let batch = 0; batch < 13; batch += 1) {
    await client.orders.batch({ items: Array.from({ length: 20 }, () => order) });
  }
}
