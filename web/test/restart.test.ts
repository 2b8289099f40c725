// The exchange dies under an open page: the page says so, comes back by itself, and shows what is true then.
import { addAmounts, createClient, formatAmount, parseAmount } from '@sibyl/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startSeeded } from '../../server/test/seeded-sandbox.ts';
import { type Started, startServer, temporaryFolder } from '../../server/test/server-process.ts';
import { person } from './person.ts';
import { cut } from './shown.ts';
import { PATIENCE_MS, Stage, soon } from './stage.ts';

const data = temporaryFolder();
const settings = { LANES: 'both', RATE_MULTIPLIER: '50' };
let server: Started;
let stage: Stage;

beforeAll(async () => {
  [server, stage] = await Promise.all([
    startSeeded({ dataDir: data.folder, environment: settings }),
    Stage.open(),
  ]);
});

afterAll(async () => {
  await stage?.close();
  await server?.stop();
  data.remove();
});

it('[WF8][WM3] a page that was open while the exchange was killed shows the right book and balance afterwards', async () => {
  const { baseUrl: origin } = server;
  const client = createClient({ baseUrl: `${origin}/sandbox`, timeoutMs: PATIENCE_MS });
  const { items } = await client.markets.list({ status: 'active', category: 'technology' });
  const marketId = items[0]?.market_id ?? '';
  const { page, client: owner } = await person(stage, `/sandbox/m/${marketId}`, { origin });
  const bids = page.getByRole('list', { name: 'Bids' });
  await bids.getByRole('button').first().waitFor();
  // A reload would forget it.
  await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }));

  await server.stop('SIGKILL');
  await page
    .getByText(/^Last update (?!0s)\S+ ago, reconnecting$/)
    .first()
    .waitFor();
  // The page hears of nothing that happens until it is back.
  await page.context().setOffline(true);

  const { port } = new URL(origin);
  server = await startServer({ dataDir: data.folder, environment: { ...settings, PORT: port } });
  const before = await client.markets.orderBook(marketId, { outcome_id: 'yes' });
  const maker = await makerOf(origin);
  await maker.orders.place({
    market_id: marketId,
    outcome_id: 'yes',
    side: 'buy',
    order_type: 'limit',
    price: before.bids[0]?.[0] ?? '',
    size: '77',
  });
  await owner.orders.place({
    market_id: marketId,
    outcome_id: 'yes',
    side: 'buy',
    order_type: 'limit',
    price: '0.01',
    size: '500',
  });
  const { balance_free: free } = await owner.account.get();
  await page.context().setOffline(false);
  await page
    .getByText(/reconnecting/)
    .first()
    .waitFor({ state: 'detached' });
  await soon(() => page.getByTestId('balance').textContent()).toBe(cut(free));
  expect(await page.evaluate(() => Reflect.get(globalThis, 'isSamePage'))).toBe(true);
  const after = await client.markets.orderBook(marketId, { outcome_id: 'yes' });
  const [price = '', size = ''] = after.bids[0] ?? [];
  expect(after.bids[0]).toEqual([before.bids[0]?.[0], addedTo(before.bids[0]?.[1], '77')]);
  const shown = `${(Number(price) * 100).toFixed(1)}¢,${formatAmount(parseAmount(size))}`;
  await bids.getByRole('button').filter({ hasText: shown }).waitFor();
  // The live lane of this exchange has no markets.
  await page.goto('/');
  await page.getByText('No market is open yet').waitFor();
  await page.getByRole('link', { name: 'Create a market' }).waitFor();
  // The browser itself notes connections that it could not make.
  stage.expectNoFaults(/WebSocket|ERR_CONNECTION|Failed to load/);
});

async function makerOf(origin: string): Promise<ReturnType<typeof createClient>> {
  const visitor = createClient({ baseUrl: `${origin}/sandbox`, timeoutMs: PATIENCE_MS });
  const { session_token: token } = await visitor.sessions.register({
    email: `maker-${crypto.randomUUID()}@example.com`,
    password: 'correct horse battery staple',
  });
  const maker = visitor.withToken(token);
  await maker.sandbox.faucet();
  return maker;
}

/** As the exchange writes amounts: six places. */
function addedTo(amount = '0', more: string): string {
  const [whole = '0', fraction = ''] = addAmounts(amount, more).split('.');
  return `${whole}.${fraction.padEnd(6, '0')}`;
}
