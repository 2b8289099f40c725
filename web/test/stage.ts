// A real Chromium on the real exchange. Whatever the browser complains about fails the journey it happened in.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { deflateRawSync } from 'node:zlib';
import type axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { launchUnseenChromium } from '../../server/test/browser/chromium.ts';

/** How long a page may take for what it comes to by itself: the machine may be busy with much else. */
export const PATIENCE_MS = 60_000;

export const widths = { phone: 390, tablet: 1024, desk: 1440 } as const;

export interface VisitOptions {
  readonly width?: number;
  readonly theme?: 'light' | 'dark';
  readonly origin?: string;
  /** The tour greets everybody else; a journey that is about something else has seen it. */
  readonly hasSeenTour?: boolean;
  /** Whether the page may keep itself on the device. Chromium complains of preloads that its worker answers. */
  readonly isKept?: boolean;
  /** Visitors leave with the test they came in, and cost those after it nothing; this one is for several. */
  readonly isShared?: boolean;
  /** The window is given what cannot be taken from it again, and is closed after this visitor. */
  readonly isClosed?: boolean;
}

/** A document of the exchange where nothing runs that could store anything. */
const NOTHING = '/nothing.json';

/** Of the exchange that the journeys share: whoever goes to one of their own need not wait until it is there. */
async function sharedOrigin(): Promise<string> {
  const { baseUrl } = await import('./opened.ts');
  return baseUrl;
}

interface Visit extends VisitOptions {
  readonly origin: string;
}

/** What a window keeps from one visitor to the next. */
function kindOf({ origin, hasSeenTour = true }: Visit): string {
  return JSON.stringify([origin, hasSeenTour]);
}

/** Packed, for the way into the browser takes longer than unpacking it there. */
const judge = deflateRawSync(
  readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js')),
).toString('base64');

/** One for all journeys of a thread; it ends with the thread. */
let launching: Promise<Browser> | null = null;

/** Windows whose visitors have gone, by their kind: for the next visitor of any journey of the thread. */
const left = new Map<string, Page[]>();

export class Stage {
  readonly #browser: Browser;
  readonly #faults: string[] = [];
  /** Those that are there for several tests. */
  readonly #shared = new Map<Page, Visit>();

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  static async open(): Promise<Stage> {
    launching ??= launchUnseenChromium();
    return new Stage(await launching);
  }

  /** Somebody who has never been here. */
  async visitor(options: VisitOptions = {}): Promise<Page> {
    const { width = widths.desk, theme = 'light', isShared = false, isKept = false } = options;
    const visit = { ...options, origin: options.origin ?? (await sharedOrigin()) };
    const empty = isKept ? undefined : left.get(kindOf(visit))?.pop();
    const page = empty ?? (await this.#newPage(visit));
    await page.context().setExtraHTTPHeaders({ 'x-forwarded-for': addressOfVisitor() });
    await page.setViewportSize({ width, height: width < 500 ? 844 : 900 });
    await page.emulateMedia({ colorScheme: theme });
    if (isShared) this.#shared.set(page, visit);
    else onTestFinished(() => this.#leave(page, visit));
    this.#watch(page, visit.origin);
    return page;
  }

  async #newPage({ origin, hasSeenTour = true, isKept = false }: Visit): Promise<Page> {
    const context = await this.#browser.newContext({
      locale: 'en-US',
      baseURL: origin,
      permissions: ['clipboard-read', 'clipboard-write'],
      reducedMotion: 'reduce',
      // Nobody looks: a quarter of the dots to draw, and the layout is the same.
      deviceScaleFactor: 0.5,
      serviceWorkers: isKept ? 'allow' : 'block',
    });
    if (hasSeenTour) {
      await context.addInitScript("localStorage.setItem('sibyl.tour', 'seen')");
    }
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(NOTHING);
    return page;
  }

  /**
   * Nothing of a visitor is left for the next but the window, whose process has read the scripts of the pages already: a new
   * one costs as much as most journeys.
   */
  async #leave(page: Page, visit: Visit): Promise<void> {
    const { isKept = false, isClosed = false } = visit;
    const context = page.context();
    if (isKept || isClosed) return context.close();
    page.removeAllListeners();
    try {
      const others = context.pages().filter((other) => other !== page);
      await Promise.all(others.map((other) => other.close()));
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await page.goto(NOTHING);
      await page.evaluate(() => {
        localStorage.clear();
        sessionStorage.clear();
      });
      await context.clearCookies();
    } catch {
      // Its exchange has ended, or it is offline.
      return context.close();
    }
    const kind = kindOf(visit);
    left.set(kind, [...(left.get(kind) ?? []), page]);
  }

  /** What no page may have: grave faults of accessibility. */
  async expectAccessible(page: Page): Promise<void> {
    // It stays in the page, for what is judged there next.
    if (!(await page.evaluate(() => 'axe' in globalThis))) {
      await page.evaluate(unpack, judge);
      // By itself: the policy of the pages forbids it to whatever has waited.
      await page.evaluate('(0, eval)(unpacked)');
    }
    const grave = await page.evaluate(graveFaults);
    if (grave.length > 0) throw new Error(`not accessible: ${grave.join(' | ')}`);
  }

  /** No page may be wider than its window. */
  async expectFits(page: Page): Promise<void> {
    // One without scripts shows its text before its style has come.
    await page.waitForLoadState();
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBeLessThanOrEqual(0);
  }

  /** Browsers complained of nothing since the last look, but for what the journey itself provoked. */
  expectNoFaults(provoked?: RegExp): void {
    const faults = this.#faults.splice(0).filter((fault) => provoked?.test(fault) !== true);
    // Told as text: a comparison of lists would end as "expected [ Array(1) ]" in the summary.
    if (faults.length > 0) throw new Error(`the browser complained: ${faults.join(' | ')}`);
  }

  /** Its visitors leave; the browser goes on for other journeys. */
  async close(): Promise<void> {
    const leaving = [...this.#shared].map(([page, visit]) => this.#leave(page, visit));
    await Promise.all(leaving);
  }

  #watch(page: Page, origin: string): void {
    page.on('console', (message) => {
      // What the stage itself has forbidden is no fault of the page.
      if (message.text().includes('blocked by Playwright')) return;
      if (message.type() === 'error' || message.type() === 'warning') {
        this.#faults.push(`console: ${message.text()} (${message.location().url})`);
      }
    });
    page.on('pageerror', (error) => this.#faults.push(`page: ${error.stack ?? error.message}`));
    page.on('request', (request) => {
      const { origin: asked, protocol } = new URL(request.url());
      if (asked !== origin && !/^(data|blob):/.test(protocol)) {
        this.#faults.push(`asked for ${request.url()}`);
      }
    });
  }
}

/**
 * As a proxy names it: one address opens five demo accounts an hour, and the visitors of all journeys need more. The range is that
 * of benchmarks.
 */
function addressOfVisitor(): string {
  const [third, fourth] = crypto.getRandomValues(new Uint8Array(2));
  return `198.18.${third}.${fourth}`;
}

/** Waits for a value that the page comes to by itself; a busy machine may take its time. */
export function soon<Value>(read: () => Promise<Value>) {
  return expect.poll(read, { timeout: PATIENCE_MS, interval: 100 });
}

/** In the page. */
async function unpack(packed: string): Promise<void> {
  const bytes = Uint8Array.fromBase64(packed);
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  Object.assign(globalThis, { unpacked: await new Response(plain).text() });
}

/** In the page: what its judge finds, by those rules alone whose breach is grave. */
async function graveFaults(): Promise<string[]> {
  const { axe: there } = globalThis as never as { axe: typeof axe & Rulebook };
  const others = there._audit.rules.filter(
    ({ impact }) => impact === 'minor' || impact === 'moderate',
  );
  const { violations } = await there.run({
    resultTypes: ['violations'],
    rules: Object.fromEntries(others.map(({ id }) => [id, { enabled: false }])),
  });
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

declare global {
  interface Uint8ArrayConstructor {
    /** Browsers have it; a function called for each character takes ten times as long. */
    fromBase64(text: string): Uint8Array<ArrayBuffer>;
  }
}

/** How grave a breach of each rule is. */
interface Rulebook {
  readonly _audit: { readonly rules: readonly { readonly id: string; readonly impact: string }[] };
}
