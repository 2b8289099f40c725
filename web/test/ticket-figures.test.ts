// The figures and fields of the ticket: for a visitor before the first order, and for limit orders.
import { addAmounts, type Market, type SibylClient, subtractAmounts } from '@sibyl/sdk';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeMarket, somebody } from './market-stage.ts';
import { person } from './person.ts';
import { cut } from './shown.ts';
import { Stage, soon, widths } from './stage.ts';

let stage: Stage;
let maker: SibylClient;
let market: Market;
beforeAll(async () => {
  [stage, maker] = await Promise.all([
    Stage.open(),
    somebody(`maker-${crypto.randomUUID()}@example.com`),
  ]);
  market = await makeMarket(maker, 'own-question', { question: 'Will the canal freeze?' });
});
afterAll(() => stage.close());

const MINUTE_MS = 60_000;

/** The ticket of a page at its width; on a phone it is opened first. */
async function ticketOf(page: Page, width: number): Promise<Locator> {
  if (width > widths.tablet) return page.getByRole('region', { name: 'Order', exact: true });
  await page
    .getByRole('button', { name: /^Yes [0-9.]+¢$/ })
    .last()
    .click();
  return page.getByRole('dialog', { name: 'Order' });
}

/** Label and figure of each line. */
async function figuresOf(ticket: Locator): Promise<Record<string, string>> {
  const lines = await ticket.locator('dl > div').allInnerTexts();
  return Object.fromEntries(lines.map((line) => line.split('\n').map((part) => part.trim())));
}

describe('before the first order', () => {
  it.each([widths.phone, widths.desk])(
    '[WM29] a visitor sees what the exchange would charge and pay, at %s px',
    async (width) => {
      const page = await stage.visitor();
      await page.setViewportSize({ width, height: 900 });
      await page.goto(`/sandbox/m/${market.market_id}`);
      const ticket = await ticketOf(page, width);
      await ticket.getByLabel('Shares').fill('150');
      const { preview, avg_fill_price: average } = await maker.orders.place(
        {
          market_id: market.market_id,
          outcome_id: 'yes',
          side: 'buy',
          order_type: 'market',
          size: '150',
        },
        { dry_run: true },
      );
      const total = Number(preview?.total);
      await soon(async () => (await figuresOf(ticket))['Payout if right']).toBe('150.00');
      const shown = await figuresOf(ticket);
      // The book has the pool on ticks, so that each tick may cost its half more.
      const near = (text: string | undefined, exact: number): void =>
        expect(Math.abs(Number.parseFloat(text ?? '') - exact), text).toBeLessThan(0.15);
      near(shown['Total cost'], total);
      near(shown['Average price'], Number(average) * 100);
      near(shown['Profit if right'], 150 - total);
      near(shown['Balance after'], 1_000 - total);
      expect(shown.Fee).toBe(`${cut(preview?.fee ?? '')} (0.2 %)`);
      await stage.expectFits(page);
      await stage.expectAccessible(page);
      stage.expectNoFaults();
    },
  );

  it('[WM38] a visitor sees cost, payout and profit of a limit order that rests', async () => {
    const page = await stage.visitor();
    await page.goto(`/sandbox/m/${market.market_id}`);
    const ticket = await ticketOf(page, widths.desk);
    await ticket.getByRole('button', { name: 'Limit', exact: true }).click();
    await ticket.getByLabel('Limit price').fill('40');
    await ticket.getByLabel('Shares').fill('25');
    await soon(() => figuresOf(ticket)).toMatchObject({
      'Rests in the book': '25',
      Fee: '0.00',
      'Total cost': '10.00 USDT',
      'Payout if right': '25.00',
      'Profit if right': '+15.00',
      'Balance after': '990.00',
    });
    // It would take what it must not.
    await ticket.getByLabel('Limit price').fill('60');
    await ticket.getByRole('checkbox', { name: /^Post only/ }).check();
    await ticket.getByText(/^Not placed: it would have filled immediately/).waitFor();
    stage.expectNoFaults();
  });
});

describe('a limit order', () => {
  it.each([widths.phone, widths.desk])(
    '[WM38] shows cost, payout, profit and the balance after, at %s px',
    async (width) => {
      const { page, client } = await person(stage, `/sandbox/m/${market.market_id}`);
      await page.setViewportSize({ width, height: 900 });
      const ticket = await ticketOf(page, width);
      await ticket.getByRole('button', { name: 'Limit', exact: true }).click();
      await ticket.getByLabel('Limit price').fill('45');
      await ticket.getByLabel('Shares').fill('20');
      const { balance_free: free } = await client.account.get();
      await soon(() => figuresOf(ticket)).toEqual({
        'Rests in the book': '20',
        Fee: '0.00',
        'Total cost': '9.00 USDT',
        'Payout if right': '20.00',
        'Profit if right': '+11.00',
        'Balance after': cut(subtractAmounts(free, '9')),
      });
      // One that fills in part costs both parts, of which the first has a fee.
      const { asks } = await client.markets.orderBook(market.market_id, { outcome_id: 'yes' });
      const [price, size] = asks[0]!;
      const wanted = addAmounts(size, '10');
      await ticket.getByLabel('Limit price').fill(String(Number(price) * 100));
      await ticket.getByLabel('Shares').fill(wanted);
      const { preview, remaining_size: rest } = await client.orders.place(
        {
          market_id: market.market_id,
          outcome_id: 'yes',
          side: 'buy',
          order_type: 'limit',
          price,
          size: wanted,
        },
        { dry_run: true },
      );
      const cost = (Number(preview?.total) + Number(rest) * Number(price)).toFixed(6);
      await soon(async () => (await figuresOf(ticket))['Total cost']).toBe(`${cut(cost)} USDT`);
      await stage.expectFits(page);
      await stage.expectAccessible(page);
      stage.expectNoFaults();
    },
  );

  it('[WM39] moves its price by a tick with buttons and arrow keys', async () => {
    const { page } = await person(stage, `/sandbox/m/${market.market_id}`);
    const ticket = await ticketOf(page, widths.desk);
    await ticket.getByRole('button', { name: 'Limit', exact: true }).click();
    const price = ticket.getByLabel('Limit price');
    await price.fill('45');
    await ticket.getByRole('button', { name: 'Raise by 0.1¢' }).click();
    expect(await price.inputValue()).toBe('45.1');
    await ticket.getByRole('button', { name: 'Lower by 0.1¢' }).click();
    await price.press('ArrowDown');
    expect(await price.inputValue()).toBe('44.9');
    await price.press('Shift+ArrowUp');
    expect(await price.inputValue()).toBe('45.9');
    // Between two ticks it goes to the next one.
    await price.fill('45.95');
    await price.press('ArrowDown');
    expect(await price.inputValue()).toBe('45.9');
    // From nothing it begins at the price of now.
    await price.fill('');
    await price.press('ArrowUp');
    expect(Number(await price.inputValue())).toBeGreaterThan(40);
    await price.fill('99.9');
    await price.press('ArrowUp');
    expect(await price.inputValue()).toBe('99.9');
    stage.expectNoFaults();
  });

  it('[WM39] moves by arrow keys where it is changed, on its market and in the portfolio', async () => {
    const { page, client } = await person(stage, `/sandbox/m/${market.market_id}`);
    await client.orders.place({
      market_id: market.market_id,
      outcome_id: 'yes',
      side: 'buy',
      order_type: 'limit',
      price: '0.3',
      size: '10',
    });
    await page.getByRole('tab', { name: 'Open orders (1)' }).click();
    const own = page.getByRole('list', { name: 'Your open orders' });
    await own.getByRole('button', { name: 'Change' }).click();
    await own.getByLabel('Price in ¢').press('Shift+ArrowUp');
    await own.getByLabel('Price in ¢').press('ArrowUp');
    await own.getByRole('button', { name: 'Save' }).click();
    await own.getByText('10 at 31.1¢').waitFor();
    await page.goto('/sandbox/portfolio?list=orders');
    const orders = page.getByRole('region', { name: 'Open orders' });
    await orders.getByRole('button', { name: 'Edit' }).click();
    await orders.getByLabel('Price in cents').press('ArrowDown');
    await orders.getByLabel('Price in cents').press('Enter');
    await orders.getByText('31¢').waitFor();
    stage.expectNoFaults();
  });

  it.each([widths.phone, widths.desk])(
    '[WM43] expires at the time that was chosen, at %s px',
    async (width) => {
      const { page, client } = await person(stage, `/sandbox/m/${market.market_id}`);
      await page.setViewportSize({ width, height: 900 });
      const ticket = await ticketOf(page, width);
      await ticket.getByRole('button', { name: 'Limit', exact: true }).click();
      await ticket.getByLabel('Limit price').fill('30');
      await ticket.getByLabel('Shares').fill('10');
      await ticket.getByLabel('Time in force').click();
      await page.getByRole('option', { name: 'Until a set time' }).click();
      const expiry = ticket.getByLabel('Expires at');
      const submit = ticket.getByRole('button', { name: 'Buy Yes (play money)' });
      await expiry.fill('2020-01-01T00:00');
      await ticket.getByText('Choose a time in the future.').first().waitFor();
      expect(await submit.isDisabled()).toBe(true);
      await expiry.fill('');
      await ticket.getByText('Choose when the order expires.').waitFor();
      const endMs = Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS + 90 * MINUTE_MS;
      await expiry.fill(await page.evaluate(localTime, endMs));
      await stage.expectFits(page);
      await stage.expectAccessible(page);
      await submit.click();
      await ticket.getByText('Order open: 10 Yes at 30¢').waitFor();
      const { items } = await client.account.orders({ status: 'pending' });
      expect(items.map((order) => order.expires_at_ms)).toEqual([endMs]);
      await page.keyboard.press('Escape');
      await page.getByRole('tab', { name: 'Open orders (1)' }).click();
      await page
        .getByRole('list', { name: 'Your open orders' })
        .getByText(/^until /)
        .waitFor();
      stage.expectNoFaults();
    },
  );
});

/** In the page, whose zone the field has. */
function localTime(ms: number): string {
  const zoneMs = new Date(ms).getTimezoneOffset() * 60_000;
  return new Date(ms - zoneMs).toISOString().slice(0, 16);
}
