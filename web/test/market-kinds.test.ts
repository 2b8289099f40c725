// Markets of every kind and in every state, and markets whose makers mean no good.
import type { SibylClient } from '@sibyl/sdk';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  makeMarket,
  operatorAct,
  seededMarket,
  signIn,
  somebody,
  withoutFirstAnswers,
} from './market-stage.ts';
import { Stage, soon, widths } from './stage.ts';

let stage: Stage;
let maker: SibylClient;
let page: Page;
beforeAll(async () => {
  const email = `maker-${crypto.randomUUID()}@example.com`;
  [stage, maker] = await Promise.all([Stage.open(), somebody(email)]);
  page = await stage.visitor({ isShared: true, isClosed: true });
  await signIn(page, email);
});
afterAll(() => stage.close());

describe('markets of other kinds', () => {
  it('[WM13] lets one choose an answer of many for chart, book and ticket', async () => {
    const market = await makeMarket(maker, 'own-choice-3', {
      question: 'Who paints the bridge?',
      first: 'The town',
      second: 'The county',
      third: 'Nobody',
    });
    await page.goto(`/sandbox/m/${market.market_id}`);
    const row = page.getByRole('listitem').filter({ hasText: 'The county' });
    await row.getByRole('button', { name: /^Yes/ }).click();
    await page.getByTestId('headline').getByText('The county').waitFor();
    await page.getByRole('button', { name: 'Buy The county (play money)' }).click();
    await page.getByText(/^Bought 10 The county at/).waitFor();
    await page.getByRole('region', { name: 'Your positions' }).getByText('The county').waitFor();
    // What was bought has made this answer dearer than the others: the book is its own.
    const { asks } = await maker.markets.orderBook(market.market_id, { outcome_id: 'second' });
    const best = page.getByRole('list', { name: 'Offers' }).getByRole('button').last();
    const shown = async () =>
      Number(/Offer ([0-9.]+)¢/.exec((await best.textContent()) ?? '')?.[1]);
    await soon(shown).toBeCloseTo(Number(asks[0]?.[0]) * 100, 6);
    stage.expectNoFaults();
  });

  it('[WM14] shows a number between its ends and what each side pays', async () => {
    const market = await makeMarket(maker, 'own-number', {
      question: 'How many swans are counted?',
      lower: '100',
      upper: '300',
      unit: 'swans',
    });
    await page.goto(`/sandbox/m/${market.market_id}`);
    await page.getByTestId('headline').getByText('200 swans').waitFor();
    const higher = page.getByRole('row').filter({ hasText: 'Higher' }).first();
    expect(await higher.getByRole('cell').allTextContents()).toEqual([
      '0.00',
      '0.25',
      '0.50',
      '0.75',
      '1.00',
    ]);
    const lower = page.getByRole('row').filter({ hasText: 'Lower' }).first();
    expect(await lower.getByRole('cell').allTextContents()).toEqual([
      '1.00',
      '0.75',
      '0.50',
      '0.25',
      '0.00',
    ]);
    for (const end of ['100 swans', '300 swans']) {
      await page.getByRole('columnheader', { name: end }).waitFor();
    }
    await page
      .getByRole('button', { name: /^Lower/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Buy Lower (play money)' }).click();
    await page.getByText(/^Bought 10 Lower at/).waitFor();
    stage.expectNoFaults();
  });

  it('[WM35] promises of a share for a number only what it pays at most', async () => {
    const market = await makeMarket(maker, 'own-number', {
      question: 'How many geese are counted?',
      lower: '100',
      upper: '300',
      unit: 'geese',
    });
    await page.goto(`/sandbox/m/${market.market_id}`);
    const ticket = page.getByRole('region', { name: 'Order', exact: true });
    await ticket.getByText('Total cost').waitFor();
    const labels = await ticket.locator('dt').allTextContents();
    expect(labels).toEqual(expect.arrayContaining(['Maximum payout', 'Maximum profit']));
    expect(labels.filter((label) => label.endsWith('if right'))).toEqual([]);
    stage.expectNoFaults();
  });

  it('[WM15] shows a fast round with what it must reach and how the last ones ended', async () => {
    const round = await seededMarket({
      market_type: 'fast',
      state: 'resolved',
      sort: 'created_at',
    });
    await page.goto(`/sandbox/m/${round.market_id}`);
    await page.getByRole('heading', { name: 'Round' }).waitFor();
    const strike = Number(round.params.strike).toLocaleString('en', { maximumFractionDigits: 6 });
    await page.getByText(strike, { exact: true }).waitFor();
    await page.getByText('Last results').waitFor();
    const hasRisen = round.resolution?.winning_outcome_id === 'yes';
    const own = page.getByRole('main').locator(`a[href$="${round.market_id}"]`);
    await own.getByText(hasRisen ? 'Up' : 'Down').waitFor();
    stage.expectNoFaults();
  });
});

describe('a market on a phone', () => {
  it('[WM34] has nothing below its buttons at the end of the page', async () => {
    const market = await makeMarket(maker, 'own-question', { question: 'Will the ice carry?' });
    const phone = await stage.visitor({ width: widths.phone });
    await phone.goto(`/sandbox/m/${market.market_id}`);
    await phone
      .getByRole('button', { name: /^Yes [0-9.]+¢$/ })
      .last()
      .waitFor();
    const language = phone.getByRole('contentinfo').getByRole('button', { name: 'Deutsch' });
    // Fails where something else would be pressed.
    await language.click({ timeout: 10_000 });
    await phone
      .getByRole('button', { name: /^Ja [0-9,]+¢$/ })
      .last()
      .waitFor();
    stage.expectNoFaults();
  });
});

describe('markets that take no orders', () => {
  /** A preview may be on its way while the news that trading ended is; the browser notes its refusal. */
  const expectNoFaultsBesidesPreviews = (): void => {
    stage.expectNoFaults(/status of 422/);
  };

  it('[WM16] says that a market is halted while it is open in the page, and when it goes on', async () => {
    const market = await makeMarket(maker, 'own-question', { question: 'Will the clock strike?' });
    // The reason is told by the stream alone, to whoever hears it by then.
    const heard = page.waitForEvent('websocket').then((socket) =>
      socket.waitForEvent('framereceived', {
        predicate: ({ payload }) => payload.includes(`markets_snapshot:${market.market_id}`),
      }),
    );
    await page.goto(`/sandbox/m/${market.market_id}`);
    await heard;
    const submit = page.getByRole('button', { name: 'Buy Yes (play money)' });
    await soon(() => submit.isEnabled()).toBe(true);
    await operatorAct('halt', market.market_id, 'a rumour is looked into');
    await soon(() => submit.isDisabled()).toBe(true);
    await page
      .getByRole('status')
      .getByText(/Trading is halted.*a rumour is looked into/)
      .waitFor();
    await page.getByText('Halted', { exact: true }).waitFor();
    await operatorAct('resume', market.market_id, 'nothing was found');
    await soon(() => submit.isEnabled()).toBe(true);
    expect(await page.getByText(/Trading is halted/).count()).toBe(0);
    expectNoFaultsBesidesPreviews();
  });

  it('[WM16] shows a halt that came between reading the market and hearing its stream', async () => {
    const market = await makeMarket(maker, 'own-question', { question: 'Will the bell ring?' });
    const late = await stage.visitor();
    const held: (() => void)[] = [];
    let isHeld = true;
    await late.routeWebSocket(/./, (route) => {
      const exchange = route.connectToServer();
      route.onMessage((message) => {
        if (isHeld) held.push(() => exchange.send(message));
        else exchange.send(message);
      });
    });
    await late.goto(`/sandbox/m/${market.market_id}`);
    const submit = late.getByRole('button', { name: 'Buy Yes (play money)' });
    await soon(() => submit.isEnabled()).toBe(true);
    await operatorAct('halt', market.market_id, 'a rumour is looked into');
    isHeld = false;
    for (const send of held) send();
    await soon(() => submit.isDisabled()).toBe(true);
    expectNoFaultsBesidesPreviews();
  });

  it('[WM16] keeps a halt that is newer than an answer on its way', async () => {
    const market = await makeMarket(maker, 'own-question', { question: 'Will the gate close?' });
    const late = await stage.visitor();
    let isNextHeld = false;
    const held = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    await late.route(`**/v1/markets/${market.market_id}`, async (route) => {
      const isHeld = isNextHeld;
      isNextHeld = false;
      const answer = await route.fetch();
      if (isHeld) {
        held.resolve();
        await release.promise;
      }
      // One that nobody waits for any more cannot be answered.
      await route.fulfill({ response: answer }).catch(() => undefined);
      if (isHeld) arrived.resolve();
    });
    await late.goto(`/sandbox/m/${market.market_id}`);
    const submit = late.getByRole('button', { name: 'Buy Yes (play money)' });
    await soon(() => submit.isEnabled()).toBe(true);
    await operatorAct('halt', market.market_id, 'a rumour is looked into');
    await soon(() => submit.isDisabled()).toBe(true);
    isNextHeld = true;
    await operatorAct('resume', market.market_id, 'nothing was found');
    await held.promise;
    await soon(() => submit.isEnabled()).toBe(true);
    await operatorAct('halt', market.market_id, 'something was found');
    await soon(() => submit.isDisabled()).toBe(true);
    release.resolve();
    await arrived.promise;
    const halted = late.getByRole('status').getByText(/Trading is halted.*something was found/);
    await halted.waitFor();
    expect(await submit.isDisabled()).toBe(true);
    stage.expectNoFaults(/status of 422/);
  });

  it('[WM17] says what won and what one was paid as soon as a market is decided', async () => {
    const market = await makeMarket(maker, 'own-question', { question: 'Will the lake freeze?' });
    const other = await stage.visitor();
    await other.goto(`/sandbox/m/${market.market_id}`);
    const ticket = other.getByRole('region', { name: 'Order', exact: true });
    await ticket.getByRole('button', { name: /^No/ }).click();
    await other.getByRole('button', { name: 'Buy No (play money)' }).click();
    await other.getByText(/^Bought 10 No at/).waitFor();
    await maker.sandbox.settle({ market_id: market.market_id, winning_outcome_id: 'no' });
    await other.getByText('No won').waitFor();
    await other.getByText('No paid 1.00 a share').waitFor();
    await other.getByText('Yes paid 0.00 a share').waitFor();
    await other.getByText('You were paid 10.00.').waitFor();
    expect(await other.getByRole('button', { name: 'Buy No (play money)' }).isDisabled()).toBe(
      true,
    );
    expect(await other.getByRole('button', { name: 'Close', exact: true }).count()).toBe(0);
    await stage.expectAccessible(other);
    await other.setViewportSize({ width: widths.phone, height: 844 });
    await ticket.waitFor({ state: 'detached' });
    expect(await other.getByRole('button', { name: /^(Yes|No)( [0-9.]+¢)?$/ }).count()).toBe(0);
    expectNoFaultsBesidesPreviews();
  });

  it('[WM37] warns before an order where the creator of a sandbox market can settle it', async () => {
    const warning = page.getByRole('note').filter({ hasText: 'can settle it at any time' });
    const market = await makeMarket(maker, 'own-choice-3', {
      question: 'Who warns the reader?',
      first: 'The ticket',
      second: 'The page',
      third: 'The guide',
    });
    await page.goto(`/sandbox/m/${market.market_id}`);
    await warning.waitFor();
    // A round is decided by its price.
    const round = await seededMarket({ market_type: 'fast', status: 'active' });
    await page.goto(`/sandbox/m/${round.market_id}`);
    await page.getByRole('button', { name: /^Buy .*\(play money\)$/ }).waitFor();
    expect(await warning.count()).toBe(0);
  });

  it('[WM21] offers nobody else to settle it, and says why', async () => {
    const market = await seededMarket({
      state: 'active',
      category: 'crypto',
      market_type: 'normal',
    });
    expect(market.creator_address).not.toBeNull();
    const strangers = await stage.visitor();
    for (const each of [page, strangers]) {
      await each.goto(`/sandbox/m/${market.market_id}`);
      await each.getByText('Only its creator can settle this market.').waitFor();
      // Whether they are its creator is asked anew when their session is read again.
      const settle = each.getByRole('button', { name: 'Settle this market' });
      await soon(() => settle.isDisabled()).toBe(true);
    }
    stage.expectNoFaults();
  });

  it('[WM21] lets the maker of a sandbox market settle it, after one more press', async () => {
    const market = await makeMarket(maker, 'own-question', { question: 'Will the fair be dry?' });
    await page.goto(`/sandbox/m/${market.market_id}`);
    const settle = page.getByRole('button', { name: 'Settle this market' });
    await settle.click();
    const dialog = page.getByRole('dialog', { name: 'Settle this market' });
    await dialog.getByRole('combobox', { name: 'What came true' }).click();
    await page.getByRole('option', { name: 'No' }).click();
    await dialog.getByRole('button', { name: 'Settle, sandbox' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText('No won').waitFor();
    await soon(() => settle.isDisabled()).toBe(true);
    // A preview may be on its way when the market is settled.
    stage.expectNoFaults(/status of 422/);
  });

  it.each([
    // A round names the time of its result.
    ['locked', /^(Trading has closed|Orders are closed)\./],
    ['settling', 'A result is proposed. Trading has closed.'],
    ['cancelled', 'This market was cancelled.'],
  ] as const)('[WM18] says why a market that is %s cannot be traded', async (state, reason) => {
    const market = await seededMarket({ state });
    await page.goto(`/sandbox/m/${market.market_id}`);
    const submit = page.getByRole('button', { name: /^Buy .* \(play money\)$/ });
    await submit.waitFor();
    expect(await submit.isDisabled()).toBe(true);
    await page.getByRole('region', { name: 'Order', exact: true }).getByText(reason).waitFor();
    stage.expectNoFaults();
  });

  it('[WM18] says when a scheduled market opens, or that it waits for its approval', async () => {
    const reason = page.getByRole('region', { name: 'Order', exact: true });
    const unapproved = await makeMarket(maker, 'yes-no-question', {
      question: 'Will somebody look at it?',
    });
    await page.goto(`/sandbox/m/${unapproved.market_id}`);
    await reason.getByText('This market is waiting for approval.').waitFor();
    const submit = page.getByRole('button', { name: /^Buy .* \(play money\)$/ });
    expect(await submit.isDisabled()).toBe(true);
    // Approved, and still to open: as the exchange says it of the same market.
    const opensAtMs = Date.now() + 3 * 86_400_000;
    await page.route(`**/v1/markets/${unapproved.market_id}`, async (route) => {
      const response = await route.fetch();
      const answer = await response.json();
      Object.assign(answer.data, { approved: true, status: 'scheduled', opens_at_ms: opensAtMs });
      await route.fulfill({ response, json: answer });
    });
    await withoutFirstAnswers(page);
    await page.reload();
    const time = await page.evaluate(
      (ms) => new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' }).format(ms),
      opensAtMs,
    );
    await reason.getByText(`Trading opens on ${time}.`).waitFor();
    expect(await submit.isDisabled()).toBe(true);
    await page.unrouteAll({ behavior: 'wait' });
    stage.expectNoFaults();
  });

  it('[WM19] says of an unknown market that there is none', async () => {
    await page.goto('/sandbox/m/m_0000000000000000');
    await page.getByText('There is no such market').waitFor();
    await page.getByRole('link', { name: 'All markets' }).click();
    await page.getByRole('article').first().waitFor();
    await page.goto('/sandbox/m/what-is-this');
    await page.getByText('There is no such market').waitFor();
    stage.expectNoFaults(/status of 40[04]/);
  });
});

describe('hostile words', () => {
  const words = [
    '<img src=x onerror="document.title=1"><script>document.title=1</script>',
    'W'.repeat(150),
    `${'מימין לשמאל '.repeat(8)}left to right?`,
  ];

  it.each(words)('[WM20] stay text, and the page stays whole: %s', async (question) => {
    const market = await makeMarket(maker, 'own-choice-3', {
      question,
      first: `<b>${'x'.repeat(40)}</b>`,
      second: 'רע evil (رديء)',
      third: 'M'.repeat(48),
    });
    await page.goto(`/sandbox/m/${market.market_id}`);
    const title = page.getByRole('heading', { level: 1 });
    await title.waitFor();
    expect(await title.textContent()).toBe(market.title);
    expect(await page.title()).not.toBe('1');
    const answers = page.getByRole('listitem');
    for (const { label } of market.outcomes) {
      await answers.getByText(label, { exact: true }).first().waitFor();
    }
    for (const width of Object.values(widths)) {
      await page.setViewportSize({ width, height: 900 });
      await stage.expectFits(page);
    }
    await page.goto('/sandbox/?sort=created_at');
    await page
      .getByRole('article')
      .filter({ hasText: question.slice(0, 20) })
      .first()
      .waitFor();
    for (const width of Object.values(widths)) {
      await page.setViewportSize({ width, height: 900 });
      await stage.expectFits(page);
    }
    stage.expectNoFaults();
  });
});
