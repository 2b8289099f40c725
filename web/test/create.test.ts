// From a template to a market of one's own, and what became of it.
import { parseAmount } from '@sibyl/sdk';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { marketRules } from '../src/format/market-rules.ts';
import { templateWords } from '../src/format/template-words.ts';
import { paramsOf } from '../src/pages/create/params.ts';
import { locales } from '../src/texts/texts.ts';
import { person, sandbox, signedIn } from './person.ts';
import { cellOf, cut } from './shown.ts';
import { Stage, soon, widths } from './stage.ts';

/** Whatever the rule of a template names. */
const FIGURES = {
  symbol: 'BTC',
  level: '1',
  lower: '1',
  upper: '2',
  strike: '1',
  city: 'Oslo',
  product: 'Pen',
  company: 'Acme',
};

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());

async function choose(page: Page, template: string): Promise<void> {
  await page
    .getByRole('link')
    .filter({ has: page.getByText(template, { exact: true }) })
    .click();
}

describe('creating a market', () => {
  it('[WC1] says what is wrong with a field, and what the exchange refuses, beside the field', async () => {
    const { page } = await person(stage, '/sandbox/create');
    await choose(page, 'Your own question for a number');
    const create = page.getByRole('button', { name: 'Create, sandbox' });
    expect(await create.isDisabled()).toBe(true);
    await page.getByText('Fill in the fields first.').waitFor();
    const question = page.getByLabel('Question');
    await question.focus();
    await question.blur();
    await page.getByText('This is needed.').waitFor();
    await question.fill('x'.repeat(161));
    await page.getByText('At most 160 characters.').waitFor();
    await question.fill('How warm will it be?');
    await page.getByLabel('Lower end').fill('30');
    await page.getByLabel('Upper end').fill('10');
    await page.getByLabel('Upper end').blur();
    await page.getByText('The upper end must lie above the lower one.', { exact: true }).waitFor();
    expect(await create.isDisabled()).toBe(true);
    await page.getByLabel('Upper end').fill('40');
    await soon(() => create.isEnabled()).toBe(true);
    const closing = page.getByLabel('When trading closes');
    const soonEnough = await closing.inputValue();
    await closing.fill('2999-01-01T00:00');
    await page.getByText('The exchange expects: within five years.').waitFor();
    expect(await create.isDisabled()).toBe(true);
    await closing.fill(soonEnough);
    await soon(() => create.isEnabled()).toBe(true);
    await question.fill('x'.repeat(161));
    await page.getByText('Question: At most 160 characters.').waitFor();
    // The browser tells of the refusal that this journey has provoked.
    stage.expectNoFaults(/status of 422/);
  });

  it('[WC2] shows title, schedule and deposit before it makes the market, and then its page', async () => {
    const { page, client } = await person(stage, '/sandbox/create');
    await choose(page, 'Your own question');
    await page.getByLabel('Question').fill('Will the harbour freeze?');
    const create = page.getByRole('button', { name: 'Create, sandbox' });
    await soon(() => create.isEnabled()).toBe(true);
    expect(await page.getByTestId('draft-title').innerText()).toBe('Will the harbour freeze?');
    expect(await page.getByText('It waits for approval').count()).toBe(0);
    const { balance_free: before } = await client.account.get();
    await page.getByText('9,500.00 USDT').waitFor();
    await page.getByText('500.00 USDT', { exact: true }).waitFor();
    for (const width of Object.values(widths)) {
      await page.setViewportSize({ width, height: 900 });
      await stage.expectFits(page);
    }
    await stage.expectAccessible(page);
    await create.click();
    await page.waitForURL(/\/sandbox\/m\/m_[0-9a-f]{16}$/);
    const marketId = page.url().split('/').at(-1) ?? '';
    expect((await client.markets.get(marketId)).title).toBe('Will the harbour freeze?');
    const { balance_free: after } = await client.account.get();
    expect(parseAmount(before) - parseAmount(after)).toBe(parseAmount('500'));
    stage.expectNoFaults();
  });

  it('[WC7] gives a market the title that its maker wrote', async () => {
    const { page, client } = await person(stage, '/sandbox/create');
    await choose(page, 'Your own question');
    await page.getByLabel('Question').fill('Will the first snow fall before Advent?');
    await page.getByLabel('Title of your own').fill('  Snow before Advent  ');
    const create = page.getByRole('button', { name: 'Create, sandbox' });
    await soon(() => create.isEnabled()).toBe(true);
    expect(await page.getByTestId('draft-title').innerText()).toBe('Snow before Advent');
    await create.click();
    await page.getByRole('heading', { level: 1, name: 'Snow before Advent' }).waitFor();
    const market = await client.markets.get(page.url().split('/').at(-1) ?? '');
    expect(market.title).toBe('Snow before Advent');
    expect(market.rendered_title).toBe('Will the first snow fall before Advent?');
    stage.expectNoFaults();
  });

  it('[WC3] leads to the market that exists when the same is made again, and draws nothing', async () => {
    const { page, client } = await person(stage, '/sandbox/create');
    const closes = new Date(Date.now() + 3 * 86_400_000);
    closes.setSeconds(0, 0);
    const { market } = await client.markets.create({
      template_id: 'own-question',
      params: { question: 'Will it be again?', closes_at_ms: closes.getTime() },
    });
    const { balance_free: before } = await client.account.get();
    await choose(page, 'Your own question');
    await page.getByLabel('Question').fill('Will it be again?');
    const local = await page.evaluate((ms) => {
      const at = new Date(ms);
      at.setMinutes(at.getMinutes() - at.getTimezoneOffset());
      return at.toISOString().slice(0, 16);
    }, closes.getTime());
    await page.getByLabel('When trading closes').fill(local);
    await page.getByText('You have made this market already. Nothing is drawn again.').waitFor();
    await page.getByRole('button', { name: 'Go to the market' }).click();
    await page.waitForURL(`**/m/${market.market_id}`);
    expect((await client.account.get()).balance_free).toBe(before);
    stage.expectNoFaults();
  });

  it('[WC4] lists own markets with their deposit, and what came back when one has ended', async () => {
    const { page, client } = await person(stage, '/sandbox/create');
    await page.getByText('No markets of yours yet').waitFor();
    const { market } = await client.markets.create({
      template_id: 'own-choice-3',
      params: {
        question: '<b>Who</b> comes first?',
        first: 'W'.repeat(48),
        second: 'B',
        third: 'C',
        closes_at_ms: Date.now() + 86_400_000,
      },
    });
    // So that what comes back is something else than the deposit.
    const other = await signedIn(stage);
    await other.client.orders.place({
      market_id: market.market_id,
      outcome_id: 'second',
      side: 'buy',
      order_type: 'market',
      size: '50',
    });
    await client.sandbox.settle({ market_id: market.market_id, winning_outcome_id: 'second' });
    await page.reload();
    const row = page.getByRole('row', { name: /<b>Who<\/b> comes first\?/ });
    await row.getByText('Resolved').waitFor();
    const back = (await client.portfolio.ledger({ reason: 'settlement' })).items
      .filter((entry) => entry.asset !== null)
      .map((entry) => entry.amount);
    expect(back).toHaveLength(1);
    const table = page.getByRole('region', { name: 'My markets' });
    await soon(() => cellOf(row, table, 'Paid to you at the end')).toBe(cut(back[0] ?? ''));
    expect(await cellOf(row, table, 'Deposit')).toBe('500.00');
    await stage.expectFits(page);
    stage.expectNoFaults();
  });

  it('[WC5] says that a market waits for approval where it does', async () => {
    const { page } = await person(stage, '/sandbox/create');
    await choose(page, 'Any question, after review');
    await page.getByLabel('question', { exact: false }).first().fill('Will they approve?');
    await page.getByText('It waits for approval by the exchange before it opens.').waitFor();
    await page.getByText('After approval').waitFor();
    stage.expectNoFaults();
  });

  it('[WC6] lets a visitor write first, and go on with a demo account', async () => {
    const page = await stage.visitor({ width: widths.phone });
    await page.goto('/sandbox/create');
    await choose(page, 'Your own question');
    await page.getByLabel('Question').fill('Will a visitor ask?');
    expect(await page.getByTestId('draft-title').innerText()).toBe('Will a visitor ask?');
    await page.reload();
    expect(await page.getByLabel('Question').inputValue()).toBe('Will a visitor ask?');
    await stage.expectAccessible(page);
    await page.getByRole('button', { name: 'Go on with a demo account' }).click();
    const create = page.getByRole('button', { name: 'Create, sandbox' });
    await soon(() => create.isEnabled()).toBe(true);
    expect(await page.getByLabel('Question').inputValue()).toBe('Will a visitor ask?');
    await page.getByText('500.00 USDT').first().waitFor();
    await create.click();
    await page.waitForURL(/\/sandbox\/m\/m_[0-9a-f]{16}$/);
    stage.expectNoFaults();
  });

  it("[WC8] says names, labels and rules of the exchange's templates in the reader's language", async () => {
    const page = await stage.visitor();
    await page.goto('/sandbox/create');
    await page.evaluate(() => localStorage.setItem('sibyl.locale', 'de'));
    await page.reload();
    await choose(page, 'Eigene Frage mit 3 Antworten');
    await page.getByRole('heading', { name: 'Eigene Frage mit 3 Antworten' }).waitFor();
    await page.getByLabel('Die dritte Antwort').waitFor();
    const { items: templates } = await sandbox.templates.list({ limit: 500 });
    const english = templates
      .filter((template) => template.market_type === 'creator' && template.status === 'active')
      .flatMap(({ id, name, params_schema: schema }) =>
        [name, ...paramsOf(schema).map(({ label }) => label)].map((text) => ({ id, text })),
      );
    const rules = templates.flatMap(({ id, display_defaults: { description: text } }) =>
      text === undefined ? [] : [{ id, text }],
    );
    expect(rules.length).toBeGreaterThan(0);
    const others = locales.filter((locale) => locale !== 'en');
    for (const { id, text } of english) {
      const said = others.map((locale) => templateWords(locale, id, text));
      expect(said, `${id}: ${text}`).not.toContain(text);
    }
    for (const { id, text } of rules) {
      const ruled = { template_id: id, description: text, params: FIGURES, closes_at_ms: 1 };
      const english = marketRules('en', ruled);
      const said = others.map((locale) => marketRules(locale, ruled));
      expect(said, `${id}: ${text}`).not.toContain(text);
      expect(said, `${id}: ${text}`).not.toContain(english);
    }
    const { items: markets } = await sandbox.markets.list({ category: 'crypto', limit: 500 });
    const market = markets.find(({ template_id: id }) => id === 'price-above');
    await page.goto(`/sandbox/m/${market?.market_id}`);
    await page.getByText('Wird mit Ja entschieden, wenn der Preis von').waitFor();
    stage.expectNoFaults();
  });

  it('[WC6] asks a visitor for an account where the deposit is real money', async () => {
    const page = await stage.visitor();
    await page.goto('/create?template=own-question');
    await page.getByText('Real markets need an account').waitFor();
    await page.getByRole('main').getByRole('button', { name: 'Register' }).click();
    await page.getByRole('dialog', { name: 'Register' }).waitFor();
    stage.expectNoFaults();
  });
});
