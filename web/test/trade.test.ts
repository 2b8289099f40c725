// Trading on a market's page: what the exchange says is what is shown.
import { createClient, type Market, type SibylClient, subtractAmounts } from '@sibyl/sdk';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeMarket, signIn, somebody, withoutFirstAnswers } from './market-stage.ts';
import { baseUrl, opened } from './opened.ts';
import { credit } from './operator.ts';
import { person, signedIn } from './person.ts';
import { cut } from './shown.ts';
import { Stage, soon, widths } from './stage.ts';

let stage: Stage;
let maker: SibylClient;
let market: Market;
let page: Page;
beforeAll(async () => {
  [stage, maker] = await Promise.all([
    Stage.open(),
    somebody(`maker-${crypto.randomUUID()}@example.com`),
  ]);
  market = await makeMarket(maker, 'own-question', { question: 'Will the ferry run in winter?' });
  ({ page } = await person(stage, `/sandbox/m/${market.market_id}`, { isShared: true }));
});
afterAll(() => stage.close());

const ticket = () => page.getByRole('region', { name: 'Order', exact: true });
const figure = (label: string) =>
  ticket()
    .locator('dl > div')
    .filter({ has: page.getByText(label, { exact: true }) })
    .locator('dd');

describe('the ticket', () => {
  it('[WM6] shows the figures of a dry run', async () => {
    await ticket().getByLabel('Shares').fill('25');
    const order = {
      market_id: market.market_id,
      outcome_id: 'yes',
      side: 'buy',
      order_type: 'market',
      size: '25',
    } as const;
    const { preview } = await maker.orders.place(order, { dry_run: true });
    const total = `${preview?.total.slice(0, -4)} USDT`;
    await soon(() => figure('Total cost').textContent()).toBe(total);
    await soon(() => figure('Payout if right').textContent()).toBe('25.00');
    expect(await figure('Fee').textContent()).toMatch(
      new RegExp(`^${cut(preview?.fee ?? '')} \\(`),
    );
    stage.expectNoFaults();
  });

  it('[WM25] keeps figures readable that are asked for anew', async () => {
    await ticket().getByLabel('Shares').fill('25');
    await soon(() => figure('Payout if right').textContent()).toBe('25.00');
    // Nobody answers, until the figures have been looked at.
    const asked = Promise.withResolvers<void>();
    await page.route('**/orders?dry_run=true', () => asked.resolve());
    await ticket().getByLabel('Shares').fill('27');
    await asked.promise;
    const busy = ticket().locator('dl[aria-busy="true"]');
    await busy.waitFor();
    // What was said last stands there, marked for the eye too.
    expect(await figure('Payout if right').textContent()).toBe('25.00');
    expect(await figure('Payout if right').isVisible()).toBe(true);
    expect(await busy.evaluate((list) => getComputedStyle(list, '::before').content)).not.toBe(
      'none',
    );
    await stage.expectAccessible(page);
    await page.unrouteAll();
    await ticket().getByLabel('Shares').fill('26');
    await soon(() => figure('Payout if right').textContent()).toBe('26.00');
    stage.expectNoFaults();
  });

  it('[WM28] takes a number with the sign for thousands', async () => {
    await ticket().getByLabel('Shares').fill('1,500');
    await soon(() => ticket().getByLabel('Shares').inputValue()).toBe('1500');
    await ticket().getByLabel('Shares').fill('26');
    stage.expectNoFaults();
  });

  it('[WM7] buys and sells, and what was filled arrives by the stream', async () => {
    await page.keyboard.press('Escape');
    await page.locator('h1').click();
    await page.keyboard.press('s');
    await ticket().getByRole('button', { name: 'Sell Yes (play money)' }).waitFor();
    await page.locator('h1').click();
    await page.keyboard.press('b');
    await ticket().getByLabel('Shares').fill('20');
    await page.keyboard.press('Enter');
    await ticket()
      .getByText(/^Bought 20 Yes at/)
      .waitFor();
    const position = page.getByRole('region', { name: 'Your positions' }).getByRole('row').nth(1);
    await position.getByText('20', { exact: true }).waitFor();
    await position.getByRole('button', { name: 'Close' }).click();
    await soon(() => ticket().getByLabel('Shares').inputValue()).toBe('20');
    await ticket().getByRole('button', { name: 'Sell Yes (play money)' }).click();
    await ticket()
      .getByText(/^Sold 20 Yes at/)
      .waitFor();
    await page.getByText('No position').waitFor();
    await page.getByRole('tab', { name: 'Fills' }).click();
    await soon(() =>
      page.getByRole('region', { name: 'Your fills' }).getByRole('row').count(),
    ).toBe(3);
    await ticket().getByText('You hold no Yes to sell.').waitFor();
    // A preview of the sale may cross the news that nothing is left to sell; the browser notes its refusal.
    stage.expectNoFaults(/status of 422/);
  });

  it('[WM8][WM30] marks a resting order in the ladder, amends it in place, cancels it', async () => {
    await ticket().getByRole('button', { name: 'Buy', exact: true }).click();
    const bid = page.getByRole('button', { name: /^Bid / }).nth(2);
    const level = /Bid ([0-9.]+)¢/.exec((await bid.textContent()) ?? '')?.[1];
    await bid.click();
    const cents = await ticket().getByLabel('Limit price').inputValue();
    expect(Number(cents)).toBe(Number(level));
    await ticket().getByLabel('Shares').fill('15');
    await ticket().getByRole('button', { name: 'Buy Yes (play money)' }).click();
    await ticket().getByText(`Order open: 15 Yes at ${cents}¢`).waitFor();
    await page.getByRole('button', { name: `Your order: ${cents}` }).waitFor();
    await page.getByRole('tab', { name: 'Open orders (1)' }).click();
    const own = page.getByRole('list', { name: 'Your open orders' });
    await own.getByRole('button', { name: 'Change' }).click();
    await own.getByLabel('Price in ¢').fill('40');
    await own.getByRole('button', { name: 'Save' }).click();
    await own.getByText('15 at 40¢').waitFor();
    const { items } = await maker.markets.list({ q: 'ferry run', limit: 1 });
    expect(items[0]?.market_id).toBe(market.market_id);
    const book = await maker.markets.orderBook(market.market_id, { outcome_id: 'yes', depth: 100 });
    expect(book.bids.some(([price]) => price === '0.400000')).toBe(true);
    await own.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('No open orders').waitFor();
    await ticket().getByText('Order closed.').waitFor();
    stage.expectNoFaults();
  });

  it('[WM9] offers to undo only what still rests', async () => {
    await ticket().getByLabel('Limit price').fill('30');
    await ticket().getByLabel('Shares').fill('12');
    await ticket().getByRole('button', { name: 'Buy Yes (play money)' }).click();
    await ticket().getByRole('button', { name: 'Undo' }).click();
    await ticket().getByText('Order cancelled.').waitFor();
    await page.getByText('No open orders').waitFor();
    await ticket().getByRole('button', { name: 'Market', exact: true }).click();
    await ticket().getByLabel('Shares').fill('5');
    await ticket().getByRole('button', { name: 'Buy Yes (play money)' }).click();
    await ticket()
      .getByText(/^Bought 5 Yes at/)
      .waitFor();
    expect(await ticket().getByRole('button', { name: 'Undo' }).count()).toBe(0);
    stage.expectNoFaults();
  });

  it('[WM10] says what is missing, what the nearest is, and how much there is too little', async () => {
    const submit = ticket().getByRole('button', { name: 'Buy Yes (play money)' });
    await ticket().getByLabel('Shares').fill('');
    await ticket().getByText('Enter a quantity.').waitFor();
    expect(await submit.isDisabled()).toBe(true);
    await ticket().getByLabel('Shares').fill('10.005');
    await ticket()
      .getByText(/^The nearest possible is 10(\.01)?\.$/)
      .waitFor();
    expect(await submit.isDisabled()).toBe(true);
    await ticket().getByLabel('Shares').fill('0');
    await ticket()
      .getByText(/^At least [0-9.]+\.$/)
      .waitFor();
    expect(await submit.isDisabled()).toBe(true);
    await ticket().getByRole('button', { name: 'Limit', exact: true }).click();
    await ticket().getByLabel('Shares').fill('10');
    await ticket().getByLabel('Limit price').fill('');
    await ticket().getByText('Enter a limit price, or pick one in the order book.').waitFor();
    expect(await submit.isDisabled()).toBe(true);
    await ticket().getByLabel('Limit price').fill('53.45');
    await ticket().getByLabel('Shares').fill('100000');
    await ticket().getByText('The nearest possible is 53.4¢.').waitFor();
    expect(await submit.isDisabled()).toBe(true);
    await ticket().getByLabel('Limit price').fill('20');
    const alert = ticket().getByRole('alert');
    await alert.getByText(/^You need 20,000\.00; 9,9[0-9.]+ is available\.$/).waitFor();
    await alert.getByRole('button', { name: 'Get test money' }).waitFor();
    // The browser itself notes every answer that is a refusal.
    stage.expectNoFaults(/status of 422/);
  });
});

describe('whoever has an account', () => {
  it('[WM31] is not shown the answer to an order of somebody else', async () => {
    const { page: own } = await person(stage, `/sandbox/m/${market.market_id}`);
    await own.getByRole('button', { name: 'Buy Yes (play money)' }).click();
    await own.getByText(/^Bought 10 Yes at/).waitFor();
    await own.getByRole('button', { name: 'Your account' }).click();
    await own.getByRole('menuitem', { name: 'Sign out' }).click();
    await own.getByText(/Your first order opens a demo account/).waitFor();
    expect(await own.getByText(/^Bought 10 Yes at/).count()).toBe(0);
    // The ticket of the journeys before asks for more than there is, every five seconds; this one may ask while its session ends.
    stage.expectNoFaults(/status of (401|422)/);
  });

  it('[WM31] is in sight on a phone whose sheet is longer than its window', async () => {
    const own = await stage.visitor({ width: widths.phone });
    await own.setViewportSize({ width: widths.phone, height: 600 });
    await own.goto(`/sandbox/m/${market.market_id}`);
    await own.getByRole('button', { name: /^Yes / }).last().click();
    const sheet = own.getByRole('dialog', { name: 'Order' });
    await sheet.getByRole('button', { name: 'Limit', exact: true }).click();
    await sheet.getByLabel('Limit price').fill('1');
    await sheet.getByLabel('Shares').fill('100');
    await sheet.getByRole('button', { name: 'Buy Yes (play money)' }).click();
    const answer = sheet.getByRole('status').filter({ hasText: /Order open: 100 Yes at 1¢/ });
    await answer.getByRole('button', { name: 'Undo' }).waitFor();
    const endOf = () => answer.evaluate((note) => note.getBoundingClientRect().bottom);
    await soon(endOf).toBeLessThanOrEqual(600);
    await stage.expectAccessible(own);
    stage.expectNoFaults(/status of 422/);
  });

  it('[WM1] trades with it, however early the button is pressed', async () => {
    const early = await page.context().newPage();
    // Its ticket asked for more than there is, and would go on being refused.
    await page.reload();
    stage.expectNoFaults(/status of 422/);
    const known = Promise.withResolvers<void>();
    await early.route('**/api/auth/session', async (route) => {
      await known.promise;
      await route.continue();
    });
    const demos: string[] = [];
    early.on('request', (request) => {
      if (request.url().endsWith('/api/auth/demo')) demos.push(request.method());
    });
    await early.goto(`/sandbox/m/${market.market_id}`);
    await early.getByRole('button', { name: 'Buy Yes (play money)' }).click();
    known.resolve();
    await early.getByText(/^Bought 10 Yes at/).waitFor();
    expect(demos).toEqual([]);
    await early.close();
    stage.expectNoFaults();
  });

  it('[WF14] is not taken for a visitor while the exchange does not answer', async () => {
    const late = await page.context().newPage();
    let away = /\/(api|v1)\//;
    await late.route('**/sandbox/**', (route) =>
      away.test(route.request().url()) ? route.abort('connectionrefused') : route.continue(),
    );
    await withoutFirstAnswers(late);
    const demos: string[] = [];
    late.on('request', (request) => {
      if (request.url().endsWith('/api/auth/demo')) demos.push(request.method());
    });
    await late.goto(`/sandbox/m/${market.market_id}`);
    await late.getByText('The exchange does not answer.').first().waitFor();
    await late
      .getByText(/reconnecting/)
      .first()
      .waitFor();
    expect(await late.getByRole('button', { name: 'Sign in' }).count()).toBe(0);
    // Markets are there again; who this is, nobody can tell yet.
    away = /\/api\//;
    await late.reload();
    await late.getByRole('button', { name: 'Buy Yes (play money)' }).click();
    await late.getByText(/The exchange did not answer\. Check your orders/).waitFor();
    away = /nothing/;
    await late.getByTestId('balance').waitFor();
    expect(demos).toEqual([]);
    await late.close();
    stage.expectNoFaults(/ERR_CONNECTION_REFUSED/);
  });

  it('[WF14] sees a page that could not be loaded as soon as the exchange is back', async () => {
    const late = await page.context().newPage();
    let isAway = true;
    await late.route('**/sandbox/**', (route) =>
      isAway && /\/(api|v1)\//.test(route.request().url())
        ? route.abort('connectionrefused')
        : route.continue(),
    );
    await withoutFirstAnswers(late);
    await late.goto(`/sandbox/m/${market.market_id}`);
    await late.getByText('The exchange does not answer.').first().waitFor();
    isAway = false;
    await late.getByRole('heading', { name: 'Will the ferry run in winter?' }).waitFor();
    await late.getByTestId('balance').waitFor();
    await late.close();
    stage.expectNoFaults(/ERR_CONNECTION_REFUSED/);
  });
});

/** A trade whose size takes more room than most. */
async function printLarge(): Promise<void> {
  const [seller, buyer] = await Promise.all(
    ['seller', 'buyer'].map((name) => somebody(`${name}-${crypto.randomUUID()}@example.com`)),
  );
  const terms = { market_id: market.market_id, side: 'buy', order_type: 'limit' } as const;
  const { asks } = await maker.markets.orderBook(market.market_id, { outcome_id: 'yes' });
  const [price] = asks[0]!;
  // Who buys the other side offers this one; the buyer comes to the end of all that is offered at the price.
  const rest = { outcome_id: 'no', price: subtractAmounts('1', price), size: '1234.56' };
  await seller?.orders.place({ ...terms, ...rest, post_only: true });
  const take = { outcome_id: 'yes', price, size: '6000', time_in_force: 'ioc' } as const;
  await buyer?.orders.place({ ...terms, ...take });
}

/** Cells whose text goes on into the next one. */
function runningOver(table: Locator): Promise<string[]> {
  return table.locator('td').evaluateAll((cells) =>
    cells
      .filter((cell) => {
        const text = document.createRange();
        text.selectNodeContents(cell);
        const isCut = getComputedStyle(cell).overflowX === 'hidden';
        const { right } = cell.getBoundingClientRect();
        return !isCut && text.getBoundingClientRect().right > Math.ceil(right);
      })
      .map((cell) => cell.textContent ?? ''),
  );
}

describe('the page of a market', () => {
  it('[WM11] redraws only the rows of the book that changed', async () => {
    const rows = page.getByRole('list', { name: 'Bids' }).getByRole('button');
    await rows.nth(4).waitFor();
    await rows.evaluateAll((elements) => {
      for (const element of elements) element.setAttribute('data-seen', 'yes');
      const list = elements[0]?.closest('ul');
      if (list === null || list === undefined) throw new Error('no list');
      Object.assign(globalThis, { changed: new Set<Element>() });
      const note = (changes: MutationRecord[]): void => {
        for (const { target } of changes) {
          const at = target instanceof Element ? target : target.parentElement;
          const row = at?.closest('button');
          if (row !== null && row !== undefined) Reflect.get(globalThis, 'changed').add(row);
        }
      };
      new MutationObserver(note).observe(list, { subtree: true, characterData: true });
    });
    const label = (await rows.nth(3).textContent()) ?? '';
    const cents = /Bid ([0-9.]+)¢/.exec(label)?.[1] ?? '';
    const price = (Number(cents) / 100).toFixed(3);
    const resting = { side: 'buy', order_type: 'limit', outcome_id: 'yes', size: '1' } as const;
    await maker.orders.place({ ...resting, market_id: market.market_id, price });
    await soon(() => page.evaluate(() => Reflect.get(globalThis, 'changed').size)).toBe(1);
    // Every row is the one that stood there before.
    const count = await rows.count();
    expect(await page.getByRole('list', { name: 'Bids' }).locator('[data-seen]').count()).toBe(
      count,
    );
    stage.expectNoFaults();
  });

  it('[WM12] fits every width and is accessible; on a phone the ticket is a sheet', async () => {
    await page.getByRole('list', { name: 'Bids' }).getByRole('button').first().waitFor();
    const tape = page.getByRole('table', { name: 'Trades' });
    await printLarge();
    await tape.getByTitle('1,234.56').waitFor();
    for (const width of Object.values(widths)) {
      await page.setViewportSize({ width, height: 900 });
      // A phone has no ticket beside the book.
      await ticket().waitFor({ state: width === widths.phone ? 'detached' : 'visible' });
      await stage.expectFits(page);
      expect(await runningOver(tape)).toEqual([]);
    }
    await stage.expectAccessible(page);
    await page.setViewportSize({ width: widths.phone, height: 844 });
    await page
      .getByRole('button', { name: /^No [0-9.]+¢$/ })
      .last()
      .click();
    const sheet = page.getByRole('dialog', { name: 'Order' });
    await sheet.getByRole('button', { name: 'Buy No (play money)' }).waitFor();
    await stage.expectAccessible(page);
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'hidden' });
    stage.expectNoFaults(/status of 422/);
  });
});

describe('real money', () => {
  it('[WM24] moves only after a second press, and nothing is sent before it', async () => {
    const visitor = await stage.visitor();
    const live = createClient({ baseUrl });
    const email = `live-${crypto.randomUUID()}@example.com`;
    const password = 'correct horse battery staple';
    await live.sessions.register({ email, password });
    const [first] = (await live.markets.list({ state: 'active', limit: 1 })).items;
    await signIn(visitor, email);
    await visitor.goto(`/m/${first?.market_id}`);
    const form = visitor.getByRole('region', { name: 'Order', exact: true });
    await visitor.getByTestId('balance').waitFor();
    await form.getByText('You have no funds to buy with.').waitFor();
    const way = form.getByRole('link', { name: 'Deposit' });
    expect(await way.getAttribute('href')).toBe('/money');
    await form.getByRole('button', { name: 'Limit', exact: true }).click();
    await form.getByLabel('Limit price').fill('40');
    await form.getByLabel('Shares').fill('5');
    const placed: string[] = [];
    visitor.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/v1/orders')) placed.push('order');
    });
    const submit = form.getByRole('button', { name: /\(real money\)$/ });
    const named = (await submit.textContent()) ?? '';
    await submit.click();
    const confirmation = form.getByRole('alertdialog', { name: 'Confirm' });
    await confirmation.getByText(named, { exact: true }).waitFor();
    await confirmation.getByText('5 shares, at 40¢ or better').waitFor();
    await confirmation.getByRole('button', { name: 'Back' }).click();
    await submit.click();
    await confirmation.waitFor();
    expect(placed).toEqual([]);
    await confirmation.getByRole('button', { name: 'Confirm' }).click();
    await form.getByText('You need 2.00; 0.00 is available.').waitFor();
    expect(placed).toEqual(['order']);
    stage.expectNoFaults(/status of 422/);
  });

  it('[WM24] says before the second press what would happen, also if nobody is there', async () => {
    const { page: visitor, live } = await signedIn(stage);
    const { account_id: id } = await live.account.get();
    await credit(opened.adminUrl, id, '10');
    const [first] = (await live.markets.list({ state: 'active', limit: 1 })).items;
    await visitor.goto(`/m/${first?.market_id}`);
    const form = visitor.getByRole('region', { name: 'Order', exact: true });
    await form.getByText('10.00 available').waitFor();
    await form.getByRole('button', { name: 'Limit', exact: true }).click();
    await form.getByLabel('Limit price').fill('1');
    await form.getByLabel('Shares').fill('60');
    const submit = form.getByRole('button', { name: /\(real money\)$/ });
    await submit.click();
    const confirmation = form.getByRole('alertdialog', { name: 'Confirm' });
    await confirmation.getByText(/^60 shares rest in the book until/).waitFor();
    await confirmation.getByRole('button', { name: 'Back' }).click();
    await form.getByLabel('Time in force').click();
    await visitor.getByRole('option', { name: 'Fill what you can, cancel the rest' }).click();
    await submit.click();
    await confirmation.getByText(/^No one is selling at that price/).waitFor();
    stage.expectNoFaults();
  });
});
