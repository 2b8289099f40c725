// The console of operators, on an exchange of its own: whoever halts a lane here disturbs nobody else's journey.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { operatorOperations } from '@sibyl/contract';
import { createClient } from '@sibyl/sdk';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addOperatorOffline } from '../../server/src/operator/offline-operators.ts';
import { type Started, startServer, temporaryFolder } from '../../server/test/server-process.ts';
import { approve, confirm, goTo, signIn } from './console-people.ts';
import { enter } from './enter.ts';
import { ask, figure, table } from './money-page.ts';
import { PATIENCE_MS, Stage, widths } from './stage.ts';

const data = temporaryFolder();
const OPERATOR_TOKEN = 'op_token_of_the_journey_of_operators';
const environment = {
  CHALLENGE_MIN_MINUTES: '0',
  ...{ LANES: 'live', SEED_LIVE: 'demo', OPERATOR_TOKEN, RATE_MULTIPLIER: '50' },
  ...{ DESTINATION_DELAY_HOURS: '0', DEPOSIT_APPROVAL_ABOVE: 'none' },
};
const HTML = { headers: { accept: 'text/html' } };

const passwords = { admin: '', grace: '' };
let server: Started;
let stage: Stage;

beforeAll(async () => {
  const first = await startServer({ dataDir: data.folder, environment });
  passwords.admin = first.operatorPassword ?? '';
  await first.stop();
  const location = { dataDir: data.folder, databaseUrl: null };
  passwords.grace = await addOperatorOffline(location, 'grace', ['market_manager', 'treasurer']);
  [server, stage] = await Promise.all([
    startServer({ dataDir: data.folder, environment }),
    Stage.open(),
  ]);
});

afterAll(async () => {
  await stage?.close();
  await server?.stop();
  data.remove();
});

const signedIn = (name: keyof typeof passwords): Promise<Page> =>
  signIn(stage, server.adminUrl, { name, password: passwords[name] });

const confirmed = (page: Page, name: keyof typeof passwords): Promise<void> =>
  confirm(page, passwords[name]);

/** What automation does before people come. */
async function automated(path: string, body: object): Promise<Record<string, unknown>> {
  const answer = await fetch(`${server.adminUrl}/admin/v1${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${OPERATOR_TOKEN}`,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    },
    body: JSON.stringify({ lane: 'live', reason: 'a journey', ...body }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return ((await answer.json()) as { data: Record<string, unknown> }).data;
}

/** A market of the platform whose answer can be challenged for no time at all. */
async function newMarket(question: string): Promise<string> {
  const { template } = operatorOperations.publishTemplate.example.body;
  const oracle = { source: 'manual', challenge_sec: 0 };
  const quick = { ...template, id: 'quick-question', version: 1, market_type: 'normal' };
  await automated('/templates', { template: { ...quick, oracle_config: oracle } });
  await automated('/accounts/acc_platform/deposits', {
    asset: 'USDT',
    amount: '100000',
    external_ref: 'journey-1',
  });
  const params = { question, closes_at_ms: Date.now() + 3_600_000 };
  const made = await automated('/markets', { template_id: 'quick-question', params });
  return String(made.market_id);
}

it('[WOC1] is on the port of operators alone, under the policy of the pages', async () => {
  const answer = await fetch(`${server.adminUrl}/queues`, HTML);
  const page = await answer.text();
  const policy = answer.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe|nonce|data:|https?:|\*/);
  expect(answer.headers.get('cache-control')).toBe('no-cache');
  expect(page).not.toMatch(/<script(?![^>]*src=)|<style|style=/);
  const script = /\/assets\/[\w-]+\.js/.exec(page)?.[0] ?? '';
  const own = await fetch(server.adminUrl + script);
  expect(own.headers.get('content-security-policy')).toBe(policy);
  expect(own.headers.get('cache-control')).toContain('immutable');
  // Of its files the public port has none, and its page is that of the exchange.
  for (const path of [script, '/console.html']) {
    expect((await fetch(server.baseUrl + path)).status).toBe(404);
  }
  expect(await (await fetch(`${server.baseUrl}/queues`, HTML)).text()).not.toContain(script);
  for (const origin of [server.baseUrl, server.adminUrl]) {
    const unknown = await fetch(`${origin}/admin/v1/nowhere`, HTML);
    expect(await unknown.json()).toMatchObject({ ok: false });
  }
});

/** From a session elsewhere. */
async function endOtherSessions(name: keyof typeof passwords): Promise<void> {
  const plane = `${server.adminUrl}/admin/v1/sessions`;
  const json = { 'content-type': 'application/json' };
  const body = JSON.stringify({ name, password: passwords[name] });
  const opened = await fetch(plane, { method: 'POST', headers: json, body });
  const { data: own } = (await opened.json()) as { data: { session_token: string } };
  const headers = { authorization: `Bearer ${own.session_token}` };
  const listed = (await (await fetch(plane, { headers })).json()) as {
    data: { sessions: { session_id: string; current: boolean }[] };
  };
  for (const { session_id: id, current } of listed.data.sessions) {
    if (!current) await fetch(`${plane}/${id}`, { method: 'DELETE', headers });
  }
}

it('[WOC2] signs in and out, and is signed in after a reload', async () => {
  const page = await stage.visitor({ origin: server.adminUrl });
  await page.goto('/operators');
  await page.getByLabel('Name').fill('admin');
  await page.getByLabel('Password').fill('wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Name or password is wrong.').waitFor();
  await page.getByLabel('Password').fill(passwords.admin);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Remind me later' }).click();
  await page.getByRole('row', { name: /grace/ }).waitFor();
  await page.reload();
  await page.getByRole('row', { name: /admin \(you\)/ }).waitFor();
  expect(await page.evaluate(() => document.cookie)).toBe('');
  await endOtherSessions('admin');
  await page.reload();
  await page.getByText(/Your session is over\. It was ended: .* Sign in again/).waitFor();
  await page.getByLabel('Name').fill('admin');
  await page.getByLabel('Password').fill(passwords.admin);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'You' }).click();
  await page.getByText('admin', { exact: true }).nth(1).waitFor();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByLabel('Password').waitFor();
  expect(await page.content()).not.toContain('grace');
  await page.reload();
  await page.getByLabel('Password').waitFor();
  // Of the wrong password.
  stage.expectNoFaults(/40[01]/);
});

it('[WOC3] [WOC20] two operators take a market from its proposal to its payout', async () => {
  const question = 'Did it rain on the journey?';
  await newMarket(question);
  const grace = await signedIn('grace');
  await goTo(grace, 'Markets');
  await grace.getByRole('button', { name: question }).click();
  await grace.getByRole('button', { name: 'Propose an answer' }).click();
  const form = grace.getByRole('dialog', { name: 'Propose an answer' });
  await form.getByRole('combobox', { name: 'Winning outcome' }).click();
  await grace.getByRole('option', { name: 'Yes' }).click();
  await form.getByLabel('Evidence').fill('https://example.com/rain');
  await form.getByRole('button', { name: 'Propose an answer, live' }).click();
  await form.getByText('Say why, in three characters at least.').waitFor();
  await form.getByLabel('Reason').fill('the source says so');
  await form.getByRole('button', { name: 'Propose an answer, live' }).click();
  await confirmed(grace, 'grace');
  await form.getByText('Nothing has been done yet: this waits for a second operator.').waitFor();
  await grace.keyboard.press('Escape');
  // The proposer cannot approve, and needs another role for other actions.
  await goTo(grace, 'Queues');
  const asked = grace.getByRole('region', { name: 'Asked for' });
  await asked.getByText('https://example.com/rain').waitFor();
  const about = grace.getByRole('region', { name: 'Now', exact: true });
  await about.getByText(question).waitFor();
  // Nested outcomes are words and fields too.
  expect(await about.innerText()).not.toMatch(/[{}"]/);
  // The record is shown once while it is as it was.
  const then = grace.getByRole('region', { name: 'When it was asked for', exact: true });
  await then.getByText('The same as now.').waitFor();
  await grace.getByRole('button', { name: 'Withdraw', exact: true }).waitFor();
  await grace.getByText(/^Another operator must approve this by/).waitFor();
  expect(await grace.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0);
  await goTo(grace, 'Operators');
  const add = grace.getByRole('button', { name: 'Add an operator' });
  await add.waitFor();
  expect(await add.getAttribute('title')).toBe('Needs the role admin.');
  expect(await add.isDisabled()).toBe(true);

  const admin = await signedIn('admin');
  await goTo(admin, 'Queues');
  await admin.getByText('grace: the source says so').waitFor();
  await approve(admin);
  await confirmed(admin, 'admin');
  await admin.getByText('Agreed, and carried out.').waitFor();
  await admin.keyboard.press('Escape');
  await admin.getByText('All', { exact: true }).click();
  await admin.getByText('What exactly was asked for').click();
  const came = admin.getByRole('region', { name: 'What came of it' });
  await came.getByText(question).first().waitFor();
  expect(await came.innerText()).not.toMatch(/[{}]/);
  await goTo(admin, 'Markets');
  const row = admin.getByRole('row', { name: question });
  await row.getByText('Resolved').waitFor();
  await row.getByRole('button').click();
  await admin.getByText('Answer: yes').waitFor();
  // Refusals are answers with a status that the browser tells of.
  stage.expectNoFaults(/40[39]/);
});

it('[WOC5][WOC6][WOC24] halts and resumes a lane, freezes an account, and saves the trail of it', async () => {
  const page = await signedIn('admin');
  const act = async (
    button: string,
    title: string,
    reason: string,
    message = '',
  ): Promise<void> => {
    await page.getByRole('button', { name: button, exact: true }).first().click();
    const form = page.getByRole('dialog', { name: title });
    await form.getByLabel('Reason').fill(reason);
    if (message !== '') await form.getByLabel('Message (optional)').fill(message);
    await form.getByRole('button', { name: title }).click();
    await form.getByText(/^You /).waitFor();
    await page.keyboard.press('Escape');
  };
  await page.getByRole('img', { name: /^Orders: Live/ }).waitFor();
  await act('Reconcile now', 'Reconcile', 'every morning');
  const balance = page.getByRole('region', { name: 'Reconciliation' });
  await balance.getByText(/^Live: balanced, sum 0\.000000/).waitFor();
  await goTo(page, 'Lanes');
  await balance.getByText(/^Live: balanced/).waitFor();
  await act('Halt the lane', 'Halt or resume a lane', 'a drill', 'We check prices.');
  await page.getByText(/halted, cancel only since .* by admin: a drill/).waitFor();
  // [WOC24] What users read, apart from the reason.
  await page.getByText('Users read: We check prices.').waitFor();
  await act('Resume the lane', 'Halt or resume a lane', 'the drill is over');
  await page.getByText('normal', { exact: true }).waitFor();

  const email = 'somebody@example.com';
  const client = createClient({ baseUrl: server.baseUrl, timeoutMs: PATIENCE_MS });
  const password = 'correct horse battery staple';
  const { session_token: token } = await client.sessions.register({ email, password });
  const owner = createClient({ baseUrl: server.baseUrl, token: token ?? '' });
  await owner.subaccounts.create({ label: 'hedge' });
  await goTo(page, 'Accounts');
  await page.getByLabel(/the whole e-mail/).fill(email);
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByRole('button', { name: 'Freeze', exact: true }).first().click();
  const freezing = page.getByRole('dialog', { name: 'Freeze an account' });
  await freezing.getByLabel('Reason').fill('ticket 4711');
  await freezing.getByLabel('Message (optional)').fill('Please write to support.');
  await freezing.getByRole('button', { name: 'Freeze an account' }).click();
  await confirmed(page, 'admin');
  await freezing.getByText(/^You froze acc_/).waitFor();
  await page.keyboard.press('Escape');
  await page
    .getByText(/The owner reads: .Please write to support\..\. The audit log has the reason\./)
    .waitFor();
  const { restriction_reasons: barred } = await owner.account.get();
  expect(barred.map(({ reason }) => reason)).toContain('Please write to support.');
  await act('Unfreeze', 'Unfreeze an account', 'settled');
  await page.getByText('subaccount', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Freeze', exact: true }).nth(1).waitFor();
  expect(await page.getByRole('button', { name: 'Reset link' }).count()).toBe(1);
  const { account_id: accountId } = await owner.account.get();
  await page.getByLabel(/the whole e-mail/).fill(accountId);
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByText(accountId, { exact: true }).waitFor();
  await owner.profile.close({ password });
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByText('closed', { exact: true }).nth(1).waitFor();
  const offered = page.getByRole('button', {
    name: /^(Freeze|Unfreeze|Tier|Credit|Correct|Reset)/,
  });
  expect(await offered.filter({ hasNotText: 'Tier of a key' }).count()).toBe(0);

  await goTo(page, 'Audit log');
  const entry = page.getByRole('row', { name: /unfroze acc_/ });
  await entry.waitFor();
  // On a phone a row says what its columns say on a wide screen.
  const size = page.viewportSize();
  await page.setViewportSize({ width: widths.phone, height: 900 });
  await entry.getByText('settled').locator('visible=true').waitFor();
  await page.setViewportSize(size!);
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export all' }).click();
  const file = path.join(data.folder, 'trail.ndjson');
  await (await saving).saveAs(file);
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  const entries = lines.map((line) => JSON.parse(line));
  expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_entry, index) => index + 1));
  const told = entries.map(({ operation, outcome, reason }) => [operation, outcome, reason]);
  expect(told).toEqual(
    expect.arrayContaining([
      ['setPlatformMode', 'ok', 'a drill'],
      ['setPlatformMode', 'ok', 'the drill is over'],
      ['freezeAccount', 'ok', 'ticket 4711'],
    ]),
  );
  // The session was not confirmed at first.
  stage.expectNoFaults(/403/);
});

/** Somebody with 3000 USDT and a destination, at the page of money. */
async function rich(): Promise<Page> {
  const page = await stage.visitor({ origin: server.baseUrl });
  const body = { email: 'rita@example.com', password: 'correct horse battery staple' };
  const token = await enter(page, 'register', body, '');
  const client = createClient({ baseUrl: server.baseUrl, timeoutMs: PATIENCE_MS }).withToken(token);
  const { account_id: id } = await client.account.get();
  await client.destinations.add({ label: 'My bank', destination: DESTINATION });
  const deposit = { asset: 'USDT', amount: '3000', external_ref: 'journey-2' };
  await automated(`/accounts/${id}/deposits`, deposit);
  await page.goto('/money');
  await figure(page, 'Free').toBe('3,000.00');
  return page;
}

const DESTINATION = 'DE89 3704 0044 0532 0130 00';
const BY_HAND = 'The operator of this exchange pays withdrawals by hand.';

it('[WMO7] [WMO9] [WOC11] two operators let a withdrawal go, one pays it by hand or gives it back, and its owner sees it at once', async () => {
  const page = await rich();
  const rowOf = (amount: string) => table(page, 'Withdrawals').filter({ hasText: amount });
  for (const [amount, shown] of [
    ['1500', '1,500.00'],
    ['1200', '1,200.00'],
  ] as const) {
    await page.getByText(BY_HAND).waitFor();
    const question = await ask(page, amount);
    await question.getByText(BY_HAND).waitFor();
    await question.getByRole('button', { name: 'Withdraw, live' }).click();
    await rowOf(shown).getByText('waits until the exchange has looked at it').last().waitFor();
  }
  const grace = await signedIn('grace');
  await goTo(grace, 'Queues');
  const decide = async (amount: string, button: string, act: string): Promise<void> => {
    await grace.getByRole('row', { name: amount }).getByRole('button', { name: button }).click();
    const form = grace.getByRole('dialog', { name: act });
    await form.getByLabel('Reason').fill('a new destination');
    // What its owner reads.
    const message = form.getByLabel('Message (optional)');
    if (button === 'Give back') await message.fill('not your address');
    await form.getByRole('button', { name: act }).click();
  };
  await decide('1500.000000', 'Let go', 'Let a withdrawal go out');
  await confirmed(grace, 'grace');
  await grace.getByText('Nothing has been done yet: this waits for a second operator.').waitFor();
  await grace.keyboard.press('Escape');
  const admin = await signedIn('admin');
  await goTo(admin, 'Queues');
  await approve(admin);
  await confirmed(admin, 'admin');
  await admin.getByText('Agreed, and carried out.').waitFor();
  const byHand = 'waits for the operator, who pays it by hand';
  await rowOf('1,500.00').getByText(byHand).last().waitFor();
  await decide('1200.000000', 'Give back', 'Give a withdrawal back');
  const given = rowOf('1,200.00').getByText(/^not paid, .+ free again: not your address$/);
  await given.last().waitFor();
  await figure(page, 'Free').toBe('1,500.00');
  // Nothing is told as paid before somebody has paid it and says so.
  await grace.keyboard.press('Escape');
  const due = grace.getByRole('region', { name: /^Withdrawals to pay by hand/ });
  await due.getByRole('button', { name: 'Pay now' }).click();
  const taking = 'Take a withdrawal up to pay it by hand';
  const take = grace.getByRole('dialog', { name: taking });
  await take.getByLabel('Reason').fill('at the bank now');
  await take.getByRole('button', { name: taking }).click();
  await rowOf('1,500.00').getByText('the operator is paying it by hand').last().waitFor();
  await grace.keyboard.press('Escape');
  const taken = grace.getByRole('region', { name: /^Withdrawals in progress/ });
  await taken.getByRole('button', { name: 'Was paid' }).click();
  const words = 'Say that a withdrawal was paid by hand';
  const form = grace.getByRole('dialog', { name: words });
  await form.getByText('1500.000000 USDT').waitFor();
  await form.getByText(DESTINATION).waitFor();
  await form.getByLabel('Reference').fill('transfer 4711');
  await form.getByLabel('Reason').fill('sent at the bank');
  await form.getByRole('button', { name: words }).click();
  await rowOf('1,500.00').getByText('paid', { exact: true }).last().waitFor();
  await rowOf('1,500.00').getByText('transfer 4711').last().waitFor();
  // It was never paid after all.
  await grace.keyboard.press('Escape');
  await goTo(grace, 'Withdrawals');
  await grace.getByRole('combobox', { name: 'State' }).click();
  await grace.getByRole('option', { name: 'Completed' }).click();
  await grace.getByRole('button', { name: '1500.000000' }).click();
  await grace.getByRole('button', { name: 'Was never paid' }).click();
  const back = grace.getByRole('dialog', { name: 'Correct a balance' });
  await back.getByText('It was told as paid, by transfer 4711.').waitFor();
  await back.getByLabel('Reason').fill('the bank shows no such transfer');
  await back.getByRole('button', { name: 'Correct a balance, live' }).click();
  await grace.getByText('Nothing has been done yet: this waits for a second operator.').waitFor();
  await admin.keyboard.press('Escape');
  await approve(admin);
  await admin.getByText('Agreed, and carried out.').waitFor();
  await figure(page, 'Free').toBe('3,000.00');
  // Whoever has to prove that it is them is refused first.
  stage.expectNoFaults(/403/);
});

it('[WOC12] shows who asks for what before an app is approved', async () => {
  const visitor = createClient({ baseUrl: server.baseUrl, timeoutMs: PATIENCE_MS });
  const body = { email: 'builder@example.com', password: 'correct horse battery staple' };
  const client = visitor.withToken((await visitor.sessions.register(body)).session_token);
  const { user_id: owner, agreement_version: version } = await client.builders.me();
  const agreement = { version, accepted: true };
  const about = 'A desk for elections.';
  await client.builders.apply({ track: 'trade_capped', name: 'Ada', about, agreement });
  // The act is of no lane.
  await automated(`/builders/${owner}/approve`, { lane: undefined });
  await client.apps.create({
    ...{ name: 'Election desk', redirect_uris: ['https://desk.example/callback'] },
    ...{ allowed_scopes: ['orders:trade'], builder_fee_bps: 7, submit: true },
  });
  const admin = await signedIn('admin');
  await goTo(admin, 'Queues');
  const row = admin.getByRole('row', { name: 'Election desk' });
  await row.getByRole('button', { name: 'Approve' }).click();
  const form = admin.getByRole('dialog', { name: 'Approve an app' });
  for (const fact of [
    'Election desk',
    owner,
    'https://desk.example/callback',
    'orders:trade',
    '7',
  ]) {
    await form.locator('dd').getByText(fact, { exact: true }).waitFor();
  }
  stage.expectNoFaults();
});

it('[WA13] where no mail is sent, the account says whom to ask and offers no link', async () => {
  const page = await stage.visitor({ origin: server.baseUrl });
  const body = { email: 'unmailed@example.com', password: 'correct horse battery staple' };
  await enter(page, 'register', body, '');
  await page.goto('/account');
  await page.getByText('This exchange sends no mail').waitFor();
  expect(await page.getByRole('button', { name: 'Send the link again' }).count()).toBe(0);
  stage.expectNoFaults();
});

it('[WOC9] lowers a quota, which is announced, and developers see it before it holds', async () => {
  const page = await signedIn('admin');
  await goTo(page, 'Lanes');
  const row = page.getByRole('row', { name: /^user read/ });
  await row.getByText('600').waitFor();
  await row.getByRole('button', { name: 'Change' }).click();
  const form = page.getByRole('dialog', { name: 'Quota of a category' });
  await form.getByLabel('Per minute').fill('299');
  await form.getByLabel('Reason').fill('too many reads');
  await form.getByRole('button', { name: 'Quota of a category' }).click();
  await confirmed(page, 'admin');
  await form.getByText(/^You /).waitFor();
  await page.keyboard.press('Escape');
  await row.getByText(/^299 from/).waitFor();
  const versions = page.locator('details', { hasText: 'user, read: 299' });
  await versions.getByText('Changes so far').click();
  await versions.getByRole('row', { name: /user, read: 299 admin too many reads/ }).waitFor();
  const reader = await stage.visitor({ origin: server.baseUrl });
  const body = { email: 'reader@example.com', password: 'correct horse battery staple' };
  await enter(reader, 'register', body, '');
  await reader.goto('/developers');
  const announced = reader.locator('section', { hasText: /^From / });
  await announced.getByText('Public reads').waitFor();
  // As this exchange multiplies it.
  expect(await announced.textContent()).toMatch(/Public reads14,950$/);
  // The session was not confirmed at first.
  stage.expectNoFaults(/403/);
});

it('[WOC7] fits and has no grave fault at any width, in both themes', async () => {
  const page = await signedIn('admin');
  const names = ['Overview', 'Queues', 'Markets', 'Templates', 'Accounts', 'Lanes'];
  for (const name of [...names, 'Compliance', 'Operators', 'Audit log', 'All actions']) {
    await goTo(page, name);
    await page.getByRole('heading', { level: 1 }).waitFor();
    for (const width of Object.values(widths)) {
      await page.setViewportSize({ width, height: 900 });
      await stage.expectFits(page);
    }
    // Each page once: half of them in the light, half in the dark, on the phone and on the wide screen.
    const isEven = name.length % 2 === 0;
    await page.setViewportSize({ width: isEven ? widths.phone : widths.tablet, height: 900 });
    await page.emulateMedia({ colorScheme: isEven ? 'light' : 'dark' });
    await stage.expectAccessible(page);
  }
  stage.expectNoFaults();
});
