// What a page shows before its scripts have run, and what it loads meanwhile.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededMarket } from './market-stage.ts';
import { baseUrl } from './opened.ts';
import { Stage, soon, widths } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());

const TITLE = /^Will .+ launch .+ by \w+ \d+, \d+\?$/;
const SCRIPT = /\/assets\/[\w-]+\.js/;

/** The browser notes each script that was kept from it. */
const KEPT_AWAY = /ERR_FAILED/;

async function withoutScripts(page: Page): Promise<Page> {
  await page.route(SCRIPT, (route) => route.abort());
  return page;
}

describe('the first paint', () => {
  it.each([
    ['phone', 'dark'],
    ['desk', 'light'],
  ] as const)(
    '[WF18] shows a market on a %s before any script has run, %s',
    async (kind, theme) => {
      const market = await seededMarket({ state: 'active', category: 'technology' });
      const page = await withoutScripts(await stage.visitor({ width: widths[kind], theme }));
      await page.goto(`/sandbox/m/${market.market_id}`);
      await page.getByRole('heading', { level: 1, name: TITLE }).waitFor();
      await page.getByText(/^\d+¢$/).waitFor();
      await stage.expectFits(page);
      await stage.expectAccessible(page);
      stage.expectNoFaults(KEPT_AWAY);
    },
  );

  it.each(['phone', 'desk'] as const)('[WF18] shows the list on a %s', async (kind) => {
    const page = await withoutScripts(await stage.visitor({ width: widths[kind] }));
    await page.goto('/sandbox/');
    const cards = page.getByRole('article');
    await cards.first().getByRole('heading').waitFor();
    const priced = cards.filter({ hasText: /\d+¢/ });
    expect(await priced.count()).toBeGreaterThan(3);
    // Drawn by the style of the pages, as the cards that take their place.
    const border = await cards.first().evaluate((card) => getComputedStyle(card).borderTopWidth);
    expect(border).toBe('1px');
    await stage.expectFits(page);
    await stage.expectAccessible(page);
    stage.expectNoFaults(KEPT_AWAY);
  });

  it('[WF18] escapes what makers of markets wrote, and shows nothing of it to programs', async () => {
    const market = await seededMarket({ state: 'active', category: 'technology' });
    const document = await documentAt(`/sandbox/m/${market.market_id}`);
    expect(document).toContain('<!--early-->');
    expect(await documentAt('/sandbox/portfolio')).not.toContain('<!--early-->');
    expect(await documentAt('/sandbox/m/m_0000000000000000')).not.toContain('<!--early-->');
  });

  it.each(['de', 'zh'])(
    '[WF21] names markets and rounds as the page does in %s',
    async (locale) => {
      const query = { state: 'active', sort: 'closes_at' } as const;
      const markets = [
        await seededMarket({ ...query, market_type: 'fast' }),
        await seededMarket({ ...query, category: 'crypto', market_type: 'normal' }),
      ];
      const page = await stage.visitor({ width: widths.phone });
      await page.goto('/sandbox/status');
      await page.evaluate((chosen) => localStorage.setItem('sibyl.locale', chosen), locale);
      await page.reload();
      for (const { market_id: id, rendered_title: raw } of markets) {
        await page.goto(`/sandbox/m/${id}`);
        await page.getByTestId('headline').first().waitFor();
        const title = await page.getByRole('heading', { level: 1 }).innerText();
        expect(title).not.toBe(raw);
        expect(await page.title()).toBe(`${title} · Sibyl`);
        await withoutScripts(page);
        const answer = await page.goto(`/sandbox/m/${id}`);
        expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(title);
        expect(await page.locator('html').getAttribute('lang')).toBe(locale);
        expect(await answer?.text()).toContain(`<meta property="og:title" content="${title}">`);
        await page.unrouteAll();
      }
      stage.expectNoFaults(KEPT_AWAY);
    },
  );

  it.each([
    ['/sandbox/', 'article h2'],
    ['/sandbox/m/', '[data-testid=headline]'],
  ])('[WF19] names the scripts of %s in its document', async (path, shown) => {
    const market = await seededMarket({ state: 'active', category: 'technology' });
    const address = path.endsWith('/m/') ? path + market.market_id : path;
    const named = new Set((await documentAt(address)).match(new RegExp(SCRIPT, 'g')));
    expect(named.size).toBeGreaterThan(2);
    const page = await stage.visitor();
    const asked: string[] = [];
    page.on('request', (request) => {
      const [file] = SCRIPT.exec(new URL(request.url()).pathname) ?? [];
      if (file !== undefined) asked.push(file);
    });
    await page.goto(address);
    await page.locator(shown).first().waitFor();
    await soon(async () => asked.length).toBeGreaterThan(2);
    const late = asked.slice(0, named.size).filter((file) => !named.has(file));
    expect(late).toEqual([]);
    stage.expectNoFaults();
  });
});

async function documentAt(path: string): Promise<string> {
  const answer = await fetch(baseUrl + path, { headers: { accept: 'text/html' } });
  return answer.text();
}
