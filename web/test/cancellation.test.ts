// A market that operators cancel: previewed, proposed and confirmed in the console, and what its traders see of it.
import { createClient } from '@sibyl/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Started, startServer, temporaryFolder } from '../../server/test/server-process.ts';
import { goTo, signIn } from './console-people.ts';
import { PATIENCE_MS, Stage, soon, widths } from './stage.ts';

const data = temporaryFolder();
const LIFE_MS = 8 * 60_000;
const TRADED_MS = 8_000;
let server: Started;
let stage: Stage;

beforeAll(async () => {
  [server, stage] = await Promise.all([
    startServer({ dataDir: data.folder, environment: { LANES: 'sandbox', RATE_MULTIPLIER: '50' } }),
    Stage.open(),
  ]);
});

afterAll(async () => {
  await stage?.close();
  await server?.stop();
  data.remove();
});

/** A market of which one family holds shares, for some seconds of trading. */
async function tradedMarket(question: string): Promise<string> {
  const lane = createClient({ baseUrl: `${server.baseUrl}/sandbox`, timeoutMs: PATIENCE_MS });
  const password = 'correct horse battery staple';
  const { session_token: token } = await lane.sessions.register({
    email: 'holder@example.com',
    password,
  });
  const holder = lane.withToken(token ?? '');
  await holder.sandbox.faucet();
  const { market } = await holder.markets.create({
    template_id: 'own-question',
    params: { question, closes_at_ms: Date.now() + LIFE_MS },
  });
  const { market_id: id } = market;
  await holder.orders.place({
    market_id: id,
    outcome_id: 'yes',
    side: 'buy',
    order_type: 'market',
    size: '50',
    time_in_force: 'ioc',
  });
  await new Promise((resolve) => setTimeout(resolve, TRADED_MS));
  return id;
}

/** As pages show it: 0.5170 as 51.7¢. */
const inCents = (payout: string): string => `${Math.round(Number(payout) * 10_000) / 100}¢`;

it('[WOC13][WOC24][WM36] an operator cancels a market, and its page says what it pays', async () => {
  const question = 'Will the comet be seen?';
  const id = await tradedMarket(question);
  const visitor = await stage.visitor({ origin: server.baseUrl, width: widths.phone });
  await visitor.goto(`/sandbox/m/${id}`);
  await visitor.getByText(/you are not refunded what you paid/).waitFor();
  const { markets } = createClient({ baseUrl: `${server.baseUrl}/sandbox` });
  const { payout_vector: paying } = await markets.cancellationPrice(id);
  const [yes = '', no = ''] = paying.map(({ payout }) => inCents(payout));
  await visitor.getByText(`Cancellation price now: Yes ${yes}, No ${no}.`).waitFor();
  await stage.expectFits(visitor);

  const admin = { name: 'admin', password: server.operatorPassword ?? '' };
  const page = await signIn(stage, server.adminUrl, admin);
  await goTo(page, 'Markets');
  await page.getByRole('button', { name: question }).click();
  await page.getByRole('button', { name: 'Halt', exact: true }).click();
  const halting = page.getByRole('dialog', { name: 'Halt a market' });
  await halting.getByLabel('Reason').fill('the comet has broken up');
  await halting.getByLabel('Message (optional)').fill('We look into it.');
  await halting.getByRole('button', { name: 'Halt a market' }).click();
  await halting.getByText(/^You halted /).waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('Users read: We look into it.').waitFor();
  const desk = page.getByRole('region', { name: 'Cancellation' });
  await desk.getByRole('button', { name: 'Preview a cancellation' }).click();
  await desk.getByText(/^Thin:/).waitFor();
  // The whole life of the market as the window, in the zone of the browser.
  const [from, to] = await page.evaluate(
    ([first, last]) =>
      [first, last].map((ms = 0) => {
        const local = new Date(ms - new Date(ms).getTimezoneOffset() * 60_000);
        return local.toISOString().slice(0, 'YYYY-MM-DDTHH:MM:SS'.length);
      }),
    [Date.now() - LIFE_MS, Date.now() + 1_000],
  );
  await desk.getByLabel('Window from').fill(from ?? '');
  await desk.getByLabel('Window to').fill(to ?? '');
  await desk.getByRole('button', { name: 'Preview a cancellation' }).click();
  await desk.getByRole('row', { name: /^Named window/ }).waitFor();
  await desk.getByRole('heading', { name: /^Largest (losers|gainers)$/ }).waitFor();
  await stage.expectAccessible(page);
  await stage.expectFits(page);
  await desk.getByRole('button', { name: 'Propose this cancellation' }).click();
  const form = page.getByRole('dialog', { name: 'Propose a cancellation' });
  await form.getByLabel('Evidence').fill('https://example.com/comet');
  await form.getByLabel('Reason').fill('The comet broke up.');
  await form.getByRole('button', { name: 'Propose a cancellation, sandbox' }).click();
  await form.getByText(/^You proposed to cancel /).waitFor();
  await page.keyboard.press('Escape');
  await visitor.getByText('Operators propose to cancel this market.', { exact: false }).waitFor();
  await visitor.getByText('Reason: The comet broke up.').waitFor();
  await stage.expectFits(visitor);

  await goTo(page, 'Queues');
  await page.getByRole('link', { name: /Will the comet be seen\? \(to confirm\)/ }).click();
  await page.getByRole('region', { name: 'Proposed cancellation' }).waitFor();
  await page.getByRole('button', { name: 'Confirm or drop the cancellation' }).click();
  const ruling = page.getByRole('dialog', { name: 'Confirm or drop a cancellation' });
  await ruling.getByRole('combobox', { name: 'Ruling' }).click();
  await page.getByRole('option', { name: 'Upheld' }).click();
  await ruling.getByLabel('Reason').fill('seen by two');
  await ruling.getByRole('button', { name: 'Confirm or drop a cancellation, sandbox' }).click();
  await ruling.getByText(/^You ruled on the cancellation of /).waitFor();
  await visitor.getByText('Cancelled: paid at typical prices, fees returned').waitFor();
  const { payout_vector: paid } = await markets.get(id);
  const yesPaid = paid?.find(({ outcome_id: outcome }) => outcome === 'yes')?.payout ?? '';
  expect(Number(yesPaid)).toBeGreaterThan(0.5);
  expect(Number(yesPaid)).toBeLessThan(0.6);
  const words = visitor.getByText(`Yes paid ${inCents(yesPaid)} a share`);
  await soon(() => words.count()).toBeGreaterThan(0);
  expect(await visitor.getByText(/you are not refunded/).count()).toBe(0);
  await stage.expectAccessible(visitor);
  stage.expectNoFaults(/40[49]/);
});
