// Trading without a mouse.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seededMarket } from './market-stage.ts';
import { person } from './person.ts';
import { Stage, soon, widths } from './stage.ts';

/** More than any page between two controls. */
const TABS_MAX = 120;

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());

it.each(['light', 'dark'] as const)(
  '[WM55] a keyboard alone buys, leaves a limit order and cancels it, %s',
  async (theme) => {
    const market = await seededMarket({ state: 'active', category: 'technology' });
    const { page, client } = await person(stage, `/sandbox/m/${market.market_id}`, { theme });
    await page.getByRole('button', { name: 'Buy Yes (play money)' }).waitFor();
    await page.keyboard.press('b');
    await page.keyboard.type('7');
    await page.getByText('Payout if right').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText(/^Bought 7 Yes at/).waitFor();
    await tabTo(page, /^Limit$/, 'Shift+Tab');
    await page.keyboard.press('Enter');
    await tabTo(page, /^Limit price$/);
    await page.keyboard.type('1');
    await tabTo(page, /^Shares$/);
    await page.keyboard.type('100');
    await page.keyboard.press('Enter');
    await page.getByText(/^Order open: 100 Yes at 1¢/).waitFor();
    await tabTo(page, /^Position \(1\)$/, 'Shift+Tab');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await tabTo(page, /^Cancel/);
    await page.keyboard.press('Enter');
    await page.getByText('No open orders').waitFor();
    expect((await client.account.orders({ status: 'pending' })).items).toEqual([]);
    stage.expectNoFaults(/status of 422/);
  },
);

it('[WM55] rows of the book are high enough to press, and the whole ladder fits its card', async () => {
  const market = await seededMarket({ state: 'active', category: 'technology' });
  for (const width of Object.values(widths)) {
    const page = await stage.visitor({ width });
    await page.goto(`/sandbox/m/${market.market_id}`);
    const bids = page.getByRole('list', { name: 'Bids' });
    const rows = bids.getByRole('button');
    await rows.nth(6).waitFor();
    const heights = await rows.evaluateAll((all) =>
      all.map((row) => row.getBoundingClientRect().height),
    );
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(24);
    const [last, card] = await Promise.all([
      rows.last().boundingBox(),
      page.locator('section').filter({ has: bids }).last().boundingBox(),
    ]);
    const endOf = (box: typeof last) => (box === null ? 0 : box.y + box.height);
    expect(endOf(last)).toBeLessThanOrEqual(endOf(card));
  }
  stage.expectNoFaults();
});

/** The focus moves on until it is at the control of that name; wherever it is, it is seen. */
async function tabTo(page: Page, name: RegExp, key = 'Tab'): Promise<void> {
  const passed: string[] = [];
  for (let count = 0; count < TABS_MAX; count += 1) {
    await page.keyboard.press(key);
    await soon(() => page.evaluate(isMarked)).toBe(true);
    const at = await page.evaluate(focusedName);
    if (name.test(at)) return;
    passed.push(at);
  }
  throw new Error(`no way to ${name}: ${passed.join(' | ')}`);
}

/** In the page. */
function focusedName(): string {
  const focused = document.activeElement;
  const label = focused instanceof HTMLInputElement ? focused.labels?.[0]?.innerText : undefined;
  const text = focused instanceof HTMLElement ? focused.innerText : '';
  return (focused?.getAttribute('aria-label') ?? label ?? text).trim();
}

/** In the page: by an outline of the control or of the field around it. The page itself has none. */
function isMarked(): boolean {
  const focused = document.activeElement;
  if (focused === null || focused === document.body) return true;
  const drawn = [focused, focused.parentElement ?? focused].map((each) => getComputedStyle(each));
  return drawn.some(
    ({ outlineStyle, outlineWidth, boxShadow }) =>
      (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) || boxShadow !== 'none',
  );
}
