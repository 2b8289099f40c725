// Whatever changes the ticket: what was asked and answered about the order of before does not stand beside the new one.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { enter } from './enter.ts';
import { opened } from './opened.ts';
import { credit } from './operator.ts';
import { buy, ownMarket, signedIn } from './person.ts';
import { Stage, soon } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());

it('[WM33] asks again about an order that the book, a key or another account has changed', async () => {
  const { page, live } = await signedIn(stage);
  const { account_id: id } = await live.account.get();
  await credit(opened.adminUrl, id, '10');
  const [market] = (await live.markets.list({ state: 'active', limit: 1 })).items;
  if (market === undefined) throw new Error('no market');
  const { market_id, outcomes } = market;
  const outcome_id = outcomes[0]!.id;
  const waiting = { side: 'buy', order_type: 'limit', price: '0.02', size: '10' } as const;
  await live.orders.place({ ...waiting, market_id, outcome_id, post_only: true });
  const placed: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/v1/orders')) placed.push('order');
  });
  await page.goto(`/m/${market_id}?outcome=${outcome_id}`);
  const form = page.getByRole('region', { name: 'Order', exact: true });
  await form.getByRole('button', { name: 'Limit', exact: true }).click();
  await form.getByLabel('Limit price').fill('1');
  await form.getByLabel('Shares').fill('60');
  const submit = form.getByRole('button', { name: /^Buy .* \(real money\)$/ });
  await submit.click();
  const confirmation = form.getByRole('alertdialog', { name: 'Confirm' });
  await confirmation.getByText('60 shares, at 1¢ or better').waitFor();
  await page.getByRole('button', { name: /^Your order: 2/ }).click();
  await confirmation.waitFor({ state: 'detached' });
  await soon(() => form.getByLabel('Limit price').inputValue()).toBe('2');
  await submit.click();
  await confirmation.getByText('60 shares, at 2¢ or better').waitFor();
  await page.keyboard.press('s');
  await form.getByRole('button', { name: /^Sell .* \(real money\)$/ }).waitFor();
  expect(await confirmation.count()).toBe(0);
  await form.getByRole('button', { name: 'Buy', exact: true }).click();
  await submit.click();
  await confirmation.waitFor();
  const email = `another-${crypto.randomUUID()}@example.com`;
  await enter(page, 'register', { email, password: 'correct horse battery staple' });
  // As a tab does in which somebody signs in.
  await page.evaluate(() => new BroadcastChannel('sibyl.session').postMessage(null));
  await form.getByText('You have no funds to buy with.').waitFor();
  expect(await confirmation.count()).toBe(0);
  expect(placed).toEqual([]);
  // What is asked for a sale without shares, or without money, is refused.
  stage.expectNoFaults(/status of 422/);
});

it('[WM33] takes the note of an order away when closing a position fills the ticket', async () => {
  const { page, client } = await signedIn(stage);
  const market = await ownMarket(client, 'Will the note go?');
  await buy(client, market, '5');
  await page.goto(`/sandbox/m/${market.market_id}`);
  const ticket = page.getByRole('region', { name: 'Order', exact: true });
  await ticket.getByRole('button', { name: 'Buy Yes (play money)' }).click();
  const note = ticket.getByText(/^Bought 10 Yes at/);
  await note.waitFor();
  const positions = page.getByRole('region', { name: 'Your positions' });
  await positions.getByRole('button', { name: 'Close' }).click();
  await ticket.getByRole('button', { name: 'Sell Yes (play money)' }).waitFor();
  expect(await note.count()).toBe(0);
  stage.expectNoFaults();
});
