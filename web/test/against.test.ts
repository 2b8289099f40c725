// Yes and No on one of many answers.
import type { Market, SibylClient } from '@sibyl/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeMarket, somebody } from './market-stage.ts';
import { Stage, soon, widths } from './stage.ts';

let stage: Stage;
let maker: SibylClient;
let market: Market;
beforeAll(async () => {
  const email = `against-${crypto.randomUUID()}@example.com`;
  [stage, maker] = await Promise.all([Stage.open(), somebody(email)]);
  market = await makeMarket(maker, 'own-choice-3', {
    question: 'Who mends the clock?',
    first: 'The smith',
    second: 'The baker',
    third: 'The mayor',
  });
});
afterAll(() => stage.close());

describe('Yes and No on an answer', () => {
  it('[WM54] buys No as one order, as it was previewed', async () => {
    const page = await stage.visitor({ theme: 'dark' });
    await page.goto(`/sandbox/m/${market.market_id}`);
    const baker = page.getByRole('listitem').filter({ hasText: 'The baker' });
    // [WM53] Nothing is held: there is nothing to sell.
    await baker.getByRole('button', { name: /^Yes/ }).waitFor();
    expect(await baker.getByRole('button', { name: /^Sell/ }).count()).toBe(0);
    await baker.getByRole('button', { name: /^No/ }).click();
    const ticket = page.getByRole('region', { name: 'Order', exact: true });
    await ticket.getByText('Pays if any other answer wins.').waitFor();
    const estimated = await costIn(ticket);
    await ticket.getByRole('button', { name: 'Buy No on The baker (play money)' }).click();
    await page.getByText(/^Bought 10 No on The baker at [0-9.]+¢$/).waitFor();
    const positions = page.getByRole('region', { name: 'Your positions' });
    await positions.getByText('The smith').waitFor();
    await positions.getByText('The mayor').waitFor();
    expect(await positions.getByText('The baker').count()).toBe(0);
    // Signed in by now, the same again is previewed by the exchange itself: dearer, for the first has moved the price.
    await soon(async () => (await costIn(ticket)) > estimated).toBe(true);
    expect(estimated).toBeGreaterThan(6);
    expect(estimated).toBeLessThan(7.5);
    const smith = page.getByRole('listitem').filter({ hasText: 'The smith' });
    await smith.getByRole('button', { name: /^Sell/ }).waitFor();
    expect(await baker.getByRole('button', { name: /^Sell/ }).count()).toBe(0);
    await stage.expectFits(page);
    await stage.expectAccessible(page);
    stage.expectNoFaults();
  });

  it('[WM53] offers both at the thumb of a phone', async () => {
    const page = await stage.visitor({ width: widths.phone });
    await page.goto(`/sandbox/m/${market.market_id}`);
    const mayor = page.getByRole('listitem').filter({ hasText: 'The mayor' });
    await mayor.getByRole('button', { name: /^The mayor/ }).click();
    const bar = page.locator('[data-bar]');
    await bar.getByRole('button', { name: /^Yes [0-9.]+¢$/ }).waitFor();
    await bar.getByRole('button', { name: /^No [0-9.]+¢$/ }).click();
    const sheet = page.getByRole('dialog', { name: 'Order' });
    await sheet.getByRole('button', { name: 'Buy No on The mayor (play money)' }).waitFor();
    await stage.expectFits(page);
    await stage.expectAccessible(page);
    stage.expectNoFaults();
  });
});

async function costIn(ticket: import('playwright-core').Locator): Promise<number> {
  const row = ticket.locator('dl > div').filter({ hasText: 'Total cost' });
  return Number.parseFloat(await row.locator('dd').innerText());
}
