// A fast round from its opening to its result, as an open page shows it.
import type { Market } from '@sibyl/sdk';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededMarket } from './market-stage.ts';
import { opened } from './opened.ts';
import { sandbox } from './person.ts';
import { Stage, soon, widths } from './stage.ts';

const TEMPLATE = 'sol-up-or-down-short';
const ROUND_SEC = 40;
const LOCK_OFFSET_MS = 15_000;
/** Of the rounds that the sandbox begins with. */
const SEEDED_OFFSET_MS = 120_000;

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
  await publishRounds();
});
afterAll(async () => {
  await operate(`/admin/v1/templates/${TEMPLATE}/deprecate`, {});
  await stage.close();
});

describe('a fast round', () => {
  it('[WM40] counts down to both of its ends and shows its price until the second', async () => {
    const round = await nextRound();
    const pages = await Promise.all([
      stage.visitor({ theme: 'dark' }),
      stage.visitor({ width: widths.phone }),
    ]);
    for (const page of pages) await page.goto(`/sandbox/m/${round.market_id}`);
    const [page] = pages;
    const named = /^SOL up or down, \d+:\d\d [AP]M to \d+:\d\d [AP]M$/;
    await page.getByRole('heading', { level: 1, name: named }).waitFor();
    for (const each of pages) {
      await soon(() => countdownOf(each, 'Orders until')).toMatch(/^00:\d\d$/);
      await soon(() => countdownOf(each, 'Result at')).toMatch(/^00:\d\d$/);
    }
    const closed = page
      .getByRole('status')
      .filter({ hasText: /^Orders are closed\. The price at/ });
    await closed.waitFor();
    await soon(() => countdownOf(page, 'Orders until')).toBe('Closed');
    expect(await countdownOf(page, 'Result at')).toMatch(/^00:\d\d$/);
    const points = () =>
      page.getByTestId('reference-line').locator('polyline').getAttribute('points');
    const atLock = (await points())?.split(' ').length ?? 0;
    await soon(async () => (await points())?.split(' ').length ?? 0).toBeGreaterThan(atLock + 3);
    expect(await page.getByText('Target price').count()).toBe(1);
    // A round has no change of a day.
    expect(await page.getByText('today', { exact: true }).count()).toBe(0);
    for (const each of pages) {
      await stage.expectFits(each);
      await stage.expectAccessible(each);
    }
    // A preview may be on its way when orders close.
    stage.expectNoFaults(/status of 422/);
  });

  it('[WM41] shows its result and leads to the round that takes orders', async () => {
    const round = await nextRound();
    const page = await stage.visitor();
    await page.goto(`/sandbox/m/${round.market_id}`);
    const note = page.getByRole('dialog').filter({ hasText: /^(Up|Down) won/ });
    await note.getByText(/^The price at the end was [0-9.,]+\.$/).waitFor();
    const { resolution } = await sandbox.markets.get(round.market_id);
    const winner = resolution?.winning_outcome_id === 'yes' ? 'Up' : 'Down';
    await note.getByText(`${winner} won`, { exact: true }).waitFor();
    await note.getByRole('button', { name: 'Current round' }).click();
    await soon(async () => new URL(page.url()).pathname).not.toContain(round.market_id);
    await soon(() => countdownOf(page, 'Orders until')).toMatch(/^00:\d\d$/);
    stage.expectNoFaults(/status of 422/);
  });

  it('[WM42] names the times at which orders closed and the price was read', async () => {
    const round = await seededMarket({ market_type: 'fast', state: 'resolved', sort: 'closes_at' });
    const page = await stage.visitor();
    await page.goto(`/sandbox/m/${round.market_id}`);
    await page.getByRole('tab', { name: 'Resolution' }).click();
    const steps = page.getByRole('tabpanel').getByRole('listitem');
    const lock = await timeIn(page, round.closes_at_ms - SEEDED_OFFSET_MS);
    const end = await timeIn(page, round.closes_at_ms);
    await steps.filter({ hasText: 'Trading closes' }).getByText(lock, { exact: true }).waitFor();
    await steps.filter({ hasText: 'Price is read' }).getByText(end, { exact: true }).waitFor();
  });
});

/** A round with enough time to open its page before its orders end. */
async function nextRound(): Promise<Market> {
  const isLongEnough = ({ closes_at_ms: endMs }: Market): boolean =>
    endMs - LOCK_OFFSET_MS - Date.now() > (ROUND_SEC * 1_000 - LOCK_OFFSET_MS) / 2;
  let found: Market | undefined;
  await soon(async () => {
    const query = { market_type: 'fast', state: 'active', sort: 'created_at', limit: 20 } as const;
    const { items } = await sandbox.markets.list(query);
    found = items.find((each) => each.template_id === TEMPLATE && isLongEnough(each));
    return found !== undefined;
  }).toBe(true);
  if (found === undefined) throw new Error('no round opened');
  return found;
}

function countdownOf(page: Page, label: string): Promise<string> {
  const figure = page.locator('dl > div').filter({ hasText: label });
  return figure.locator('dd').innerText();
}

function timeIn(page: Page, atMs: number): Promise<string> {
  return page.evaluate(
    (ms) => new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' }).format(ms),
    atMs,
  );
}

async function publishRounds(): Promise<void> {
  const { items } = await sandbox.templates.list({ limit: 500 });
  const [like] = items.filter(({ id }) => id === 'btc-up-or-down-5m');
  if (like === undefined) throw new Error('the sandbox has no rounds');
  const schema = like.params_schema as { readonly properties: object };
  await operate('/admin/v1/templates', {
    template: {
      id: TEMPLATE,
      version: 1,
      name: 'SOL up or down, short',
      category: like.category,
      market_type: 'fast',
      outcome_schema: 'binary',
      min_bet: like.min_bet,
      max_bet: like.max_bet,
      min_creator_deposit: like.min_creator_deposit,
      fee_schedule: like.fee_schedule,
      params_schema: {
        ...schema,
        properties: { ...schema.properties, symbol: { type: 'string', enum: ['SOL'] } },
      },
      display_defaults: { title_template: '{symbol} at or above {strike}?' },
      oracle_config: { source: 'sandbox_mock', params: { symbol: 'SOL' }, challenge_sec: 0 },
      round_config: { duration_sec: ROUND_SEC, lock_offset_ms: LOCK_OFFSET_MS },
    },
  });
}

async function operate(path: string, body: object): Promise<void> {
  const answer = await fetch(`${opened.adminUrl}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${opened.operatorToken}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ lane: 'sandbox', reason: 'short rounds', ...body }),
  });
  if (!answer.ok) throw new Error(`the operator was refused: ${await answer.text()}`);
}
