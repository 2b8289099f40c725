// What stands around every page: its policy, its keys, its languages and themes, and what it does without a connection.
import { get } from 'node:http';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { somebody } from './market-stage.ts';
import { baseUrl } from './opened.ts';
import { buy, ownMarket, person } from './person.ts';
import { Stage, soon, widths } from './stage.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await Stage.open();
});

afterAll(() => stage?.close());

describe('the site', () => {
  it('[WF1] forbids everything that is inline or from elsewhere', async () => {
    const answer = await fetch(`${baseUrl}/`, { headers: { accept: 'text/html' } });
    expect(answer.status).toBe(200);
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|nonce|data:|https?:|\*/);
    const page = await answer.text();
    expect(page).not.toMatch(/<script(?![^>]*src=)|<style|style=/);
    const script = /\/assets\/[\w-]+\.js/.exec(page)?.[0] ?? '';
    for (const path of [script, '/icon.svg', '/sw.js', '/sandbox/portfolio']) {
      const other = await fetch(baseUrl + path, { headers: { accept: 'text/html' } });
      expect(other.headers.get('content-security-policy')).toBe(policy);
    }
  });

  it('[WF2] keeps hashed files for a year, and never the page', async () => {
    const visit = await fetch(baseUrl, { headers: { accept: 'text/html' } });
    expect(visit.headers.get('cache-control')).toBe('no-cache');
    const page = await visit.text();
    const script = /\/assets\/[\w-]+\.js/.exec(page)?.[0] ?? '';
    const answer = await fetch(baseUrl + script);
    expect(answer.headers.get('content-type')).toContain('text/javascript');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });

  it('[WF9] counts files of the pages apart from reads', async () => {
    const [page, file, read] = await Promise.all([
      fetch(`${baseUrl}/`, { headers: { accept: 'text/html' } }),
      fetch(`${baseUrl}/icon.svg`),
      fetch(`${baseUrl}/v1/markets?limit=1`),
    ]);
    const limitOf = ({ headers }: Response): number => Number(headers.get('x-ratelimit-limit'));
    expect(limitOf(read)).toBeGreaterThan(0);
    expect(limitOf(page)).toBe(10 * limitOf(read));
    expect(limitOf(file)).toBe(10 * limitOf(read));
  });

  it('[WF9] leaves all reads to whoever has opened a page', async () => {
    // An address that nobody else in these journeys calls from.
    const leftAfter = (path: string): Promise<number> =>
      new Promise((resolve, reject) => {
        get(baseUrl + path, { localAddress: '127.0.0.9', family: 4 }, (answer) => {
          answer.resume();
          resolve(Number(answer.headers['x-ratelimit-remaining']));
        }).on('error', reject);
      });
    const before = await leftAfter('/v1/markets?limit=1');
    for (let file = 0; file < 20; file += 1) await leftAfter('/icon.svg');
    expect(await leftAfter('/v1/markets?limit=1')).toBe(before - 1);
  });

  it('[WF16] brings along what it shows first', async () => {
    const maker = await somebody(`maker-${crypto.randomUUID()}@example.com`);
    const market = await ownMarket(maker, 'Will it open quickly?');
    await buy(maker, market, '5');
    const parts: readonly [string, (page: Page) => Locator][] = [
      // A round counts down, and the book has a side, once the streams have told them.
      ['/', (page) => page.getByRole('list', { name: 'Fast rounds' }).getByText(/^\d+:\d\d$/)],
      [`/m/${market.market_id}`, (page) => page.getByRole('button', { name: /^Bid/ })],
    ];
    const askedBy = async (part: string, shown: (page: Page) => Locator) => {
      const page = await stage.visitor();
      const asked: string[] = [];
      page.on('request', (request) => {
        const { pathname } = new URL(request.url());
        if (/^\/sandbox\/(?:v1|api)\//.test(pathname)) asked.push(pathname);
      });
      await page.goto(`/sandbox${part}`);
      await shown(page).first().waitFor();
      return asked;
    };
    for (const [part, shown] of parts) {
      let asked = await askedBy(part, shown);
      // A round may begin while a page loads: both lists are then asked for. The next round is minutes away.
      if (asked.length > 2) asked = await askedBy(part, shown);
      expect(asked[0]).toBe('/sandbox/api/auth/session');
      expect(asked.length, asked.join()).toBeLessThanOrEqual(2);
    }
    stage.expectNoFaults();
    // So does the list for whoever was invited to it.
    const broughtTo = async (path: string): Promise<readonly string[]> => {
      const document = await (await fetch(baseUrl + path)).text();
      return document.match(/"\/v1\/[^"]+":\{"ok"/g) ?? [];
    };
    const invited = await broughtTo('/sandbox/?ref=somebody');
    expect(invited).toEqual(await broughtTo('/sandbox/'));
    expect(invited.filter((one) => one.startsWith('"/v1/markets?'))).toHaveLength(2);
  });

  it('[WF3] answers programs with the envelope where browsers get the page', async () => {
    for (const path of ['/nowhere', '/portfolio']) {
      const answer = await fetch(baseUrl + path);
      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
    }
    // What people pass on is looked at by programs that name no kind of file.
    for (const path of ['/', '/sandbox/', '/status', '/sandbox/m/m_0000000000000000']) {
      const { headers } = await fetch(baseUrl + path);
      expect(headers.get('content-type')).toContain('text/html');
    }
    const headers = { accept: 'text/html' };
    const visit = await fetch(`${baseUrl}/portfolio`, { headers });
    expect(visit.headers.get('content-type')).toContain('text/html');
    for (const path of ['/v1/nowhere', '/api/nowhere', '/sandbox/v1/nowhere', '/sandbox/api/no']) {
      const unknown = await fetch(baseUrl + path, { headers });
      expect(await unknown.json()).toMatchObject({ ok: false });
    }
  });
});

describe('the frame', () => {
  it('[WF4] is reached by keyboard: palette, pages, list of keys', async () => {
    const page = await stage.visitor();
    await page.goto('/sandbox');
    await page.getByRole('banner').waitFor();
    const palette = page.getByPlaceholder(/Type a market/);
    for (const key of ['/', 'Control+k']) {
      await page.keyboard.press(key);
      await palette.waitFor();
      await page.keyboard.press('Escape');
      await palette.waitFor({ state: 'detached' });
    }
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor({ state: 'detached' });
    for (const [key, address] of [
      ['p', /\/sandbox\/portfolio$/],
      ['m', /\/sandbox\/?$/],
    ] as const) {
      await page.keyboard.press('g');
      await page.keyboard.press(key);
      await page.waitForURL(address);
    }
    stage.expectNoFaults();
  });

  it('[WF5] has the language and the theme that were chosen, also after a reload', async () => {
    const page = await stage.visitor({ theme: 'dark' });
    await page.goto('/sandbox');
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Deutsch' }).click();
    await page.getByText('Spielgeld').first().waitFor();
    await soon(() => page.title()).toBe('Märkte · Sibyl');
    await page.getByRole('button', { name: 'Ihr Konto' }).click();
    // From the system's, which is dark here, to light.
    await page.getByRole('menuitem', { name: 'Darstellung: System' }).click();
    await page.reload();
    await page.getByText('Spielgeld').first().waitFor();
    expect(await page.locator('html').getAttribute('data-theme')).toBe('light');
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    // As is what the tab is called.
    await soon(() => page.title()).toBe('Märkte · Sibyl');
    // What the exchange refuses is told in that language too.
    await page.getByRole('button', { name: 'Anmelden' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('E-Mail').fill('nobody@example.com');
    await form.getByLabel('Passwort').fill('not the password');
    await form.getByLabel('Passwort').press('Enter');
    await form.getByText('E-Mail oder Passwort ist falsch.').waitFor();
    stage.expectNoFaults(/status of 401/);
  });

  it('[WF6] fits and has no grave fault at any width, in both themes', async () => {
    const { page, client } = await person(stage, '/sandbox/');
    const market = await ownMarket(client, 'Will it be dark?');
    await buy(client, market, '10');
    const parts = [
      ['/', 'Yes'],
      [`/m/${market.market_id}`, 'Bid'],
      ['/portfolio', 'Will it be dark?'],
      ['/create', 'Your own question'],
      ['/account', 'Change the password'],
      ['/nowhere', 'There is no such page.'],
    ] as const;
    for (const [part, shown] of parts) {
      await page.goto(`/sandbox${part}`);
      await page.getByRole('main').getByText(shown).first().waitFor();
      await page.getByTestId('balance').waitFor();
      for (const width of Object.values(widths)) {
        await page.setViewportSize({ width, height: 900 });
        await stage.expectFits(page);
      }
      // In light each is judged by the journeys that are about it.
      await page.emulateMedia({ colorScheme: 'dark' });
      await stage.expectAccessible(page);
    }
    stage.expectNoFaults();
  });

  it('[WF6] is judged by what finds a grave fault where there is one', async () => {
    const page = await stage.visitor();
    await page.goto('/sandbox/status');
    await page.getByRole('heading', { name: 'Incidents' }).waitFor();
    await stage.expectAccessible(page);
    await page.evaluate(() => {
      const pale = document.createElement('p');
      pale.textContent = 'hardly to be read';
      pale.style.color = '#ddd';
      pale.style.background = '#fff';
      document.querySelector('main')?.append(document.createElement('button'), pale);
    });
    const verdict = stage.expectAccessible(page);
    await expect(verdict).rejects.toThrow(/button-name: <button>.* \| color-contrast: <p/s);
    stage.expectNoFaults();
  });

  it('[WF12] names the lane in one line on a phone', async () => {
    const page = await stage.visitor({ width: widths.phone });
    await page.goto('/sandbox/status');
    const way = page.getByRole('link', { name: 'Go live' });
    await way.waitFor();
    const heights = await way.evaluate((link) => [
      link.getBoundingClientRect().height,
      link.parentElement?.getBoundingClientRect().height,
    ]);
    expect(heights).toEqual([16, 24]);
    stage.expectNoFaults();
  });

  it('[WF7] opens without a connection and says that there is none', async () => {
    const page = await stage.visitor({ isKept: true });
    await page.goto('/sandbox');
    await page.evaluate('navigator.serviceWorker.ready');
    await page.reload();
    await page.getByRole('banner').waitFor();
    // Nothing but the application is kept, least of all what was asked for as somebody.
    await page.goto('/.well-known/oauth-authorization-server');
    await page.context().setOffline(true);
    await page.goto('/sandbox');
    await page.getByText('No connection').waitFor();
    expect(await page.getByRole('article').count()).toBe(0);
    // The browser itself notes every call that could not be made, and a worker that takes over between a preload and its use.
    stage.expectNoFaults(/ERR_|WebSocket|cross-world service worker/);
  });
});
