// The statement, one row for each event, and the profit that all figures of the portfolio share.
import { subtractAmounts } from '@sibyl/sdk';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { savedRows } from './csv-rows.ts';
import { makeMarket, somebody } from './market-stage.ts';
import { buy, person } from './person.ts';
import { cellOf, cut } from './shown.ts';
import { Stage, soon, widths } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());

const WIDTHS = [widths.phone, widths.desk];

/** A market of somebody else's, so that fees are all that it takes. */
async function otherMarket(question: string) {
  const maker = await somebody(`maker-${crypto.randomUUID()}@example.com`);
  const market = await makeMarket(maker, 'own-question', { question });
  const settle = (winner: string) =>
    maker.sandbox.settle({ market_id: market.market_id, winning_outcome_id: winner });
  return { ...market, settle };
}

function table(page: Page, name: string): Locator {
  return page.getByRole('region', { name, exact: true });
}

async function show(page: Page, name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Show' }).click();
  await page.getByRole('option', { name, exact: true }).click();
}

describe('the statement', () => {
  it.each(WIDTHS)(
    '[WP13] has a row for each event, and holds by a filter, at %s px',
    async (width) => {
      const { page, client } = await person(stage, '/sandbox/portfolio?list=statement', { width });
      const market = await otherMarket('Will the mill turn?');
      await buy(client, market, '20');
      await buy(client, market, '10', '0.3');
      await client.orders.cancelAll({});
      const statement = table(page, 'Statement');
      const rows = statement.getByRole('row').filter({ has: page.getByRole('cell') });
      await soon(() => rows.count()).toBe(2);
      const { balance_free: free } = await client.account.get();
      const paid = subtractAmounts('10000', free);
      const [fill] = (await client.account.fills()).items;
      await rows
        .first()
        .getByText(`Bought 20 · fee ${cut(fill?.fee ?? '')}`)
        .waitFor();
      await rows
        .first()
        .getByText(`-${cut(paid)}`, { exact: true })
        .waitFor();
      if (width === widths.desk) {
        expect(await cellOf(rows.first(), statement, 'Balance after')).toBe(cut(free));
        expect(await cellOf(rows.nth(1), statement, 'Balance after')).toBe('10,000.00');
      }
      await stage.expectFits(page);
      await stage.expectAccessible(page);
      await show(page, 'Everything, with holds');
      await soon(() => rows.count()).toBe(4);
      await rows.nth(1).getByText('Reserved for an order').waitFor();
      await rows.nth(1).getByText('+3.00', { exact: true }).waitFor();
      await stage.expectFits(page);
      await show(page, 'Trading fee');
      await soon(() => rows.count()).toBe(1);
      await rows
        .first()
        .getByText(`-${cut(fill?.fee ?? '')}`, { exact: true })
        .waitFor();
      // The file has every entry, whatever the list joins.
      await show(page, 'Everything');
      const [, ...lines] = await savedRows(page, page.getByRole('button', { name: 'Save as CSV' }));
      const ledger = (await client.portfolio.ledger({ limit: 500 })).items;
      expect(lines).toHaveLength(ledger.length);
      stage.expectNoFaults();
    },
  );

  it('[WP13] has one row for a payout, and one for shares that pay nothing', async () => {
    const { page, client } = await person(stage, '/sandbox/portfolio?list=statement');
    const won = await otherMarket('Will the lock be opened?');
    const lost = await otherMarket('Will the lock be closed?');
    await buy(client, won, '20');
    await buy(client, lost, '20');
    await won.settle('yes');
    await lost.settle('no');
    const statement = table(page, 'Statement');
    const rows = statement.getByRole('row').filter({ has: page.getByRole('cell') });
    await soon(() => rows.count()).toBe(5);
    const paid = statement.getByRole('row', { name: /Payout.*lock be opened/ });
    expect(await cellOf(paid, statement, 'Amount')).toBe('+20.00 USDT');
    const worthless = statement.getByRole('row', { name: /No payout.*lock be closed/ });
    expect(await cellOf(worthless, statement, 'Amount')).toBe('0.00');
    const { balance_free: free } = await client.account.get();
    expect(await cellOf(rows.first(), statement, 'Balance after')).toBe(cut(free));
    stage.expectNoFaults();
  });

  it('[WP13] reads on past the holds of somebody who quotes', async () => {
    const { page, client } = await person(stage, '/sandbox/portfolio');
    const market = await otherMarket('Will the pond be clear?');
    const quote = {
      market_id: market.market_id,
      outcome_id: 'yes',
      side: 'buy',
      order_type: 'limit',
      price: '0.1',
      size: '10',
    } as const;
    for (let round = 0; round < 15; round += 1) {
      const items = Array.from({ length: 20 }, () => ({ action: 'place', order: quote }) as const);
      await client.orders.batch({ items });
      await client.orders.cancelAll({});
    }
    const all: unknown[] = [];
    for await (const entry of client.portfolio.ledger({ limit: 500 })) all.push(entry);
    expect(all.length).toBeGreaterThan(1_000);
    await page.goto('/sandbox/portfolio?list=statement');
    await table(page, 'Statement')
      .getByRole('row', { name: /Test money/ })
      .waitFor();
    stage.expectNoFaults();
  });
});

describe('profit', () => {
  it.each(WIDTHS)('[WP11][WP12] has the fees wherever it is shown, at %s px', async (width) => {
    const { page, client } = await person(stage, '/sandbox/portfolio', { width });
    const market = await otherMarket('Will the gate rust?');
    await buy(client, market, '20');
    const { balance_free: free } = await client.account.get();
    const { equity, net_deposits: deposited } = await client.portfolio.summary();
    const profit = subtractAmounts(equity, deposited);
    const shown = cut(profit.replace('-', ''));
    const sign = profit.startsWith('-') ? '-' : '+';
    const row = table(page, 'Positions').getByRole('row', { name: /gate rust/ });
    await row.getByText(`${sign}${shown}`, { exact: true }).first().waitFor();
    // All of it is in the open position: the tile says the same, and nothing is closed.
    const tile = (label: string): Locator =>
      page
        .locator('dl > div')
        .filter({ has: page.getByText(label, { exact: true }) })
        .locator('dd');
    await soon(() => tile('Open profit, after fees').innerText()).toBe(`${sign}${shown}`);
    await soon(() => tile('Closed profit, after fees').innerText()).toBe('0.00');
    const fee = (await client.account.fills()).items[0]?.fee ?? '';
    expect(await tile('Fees paid').innerText()).toBe(cut(fee));
    expect(await tile('Fees paid').locator('[title]').getAttribute('title')).toBe(
      fee.replace(/0+$/, ''),
    );
    expect(await tile('Available').innerText()).toBe(cut(free));
    await stage.expectFits(page);
    await stage.expectAccessible(page);
    await page.goto(`/sandbox/m/${market.market_id}`);
    const own = table(page, 'Your positions').getByRole('row').nth(1);
    await own.getByText(`${sign}${shown}`, { exact: true }).waitFor();
    stage.expectNoFaults();
  });
});
