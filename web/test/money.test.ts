// Money at the page: reported, credited, sent to a destination of one's own, held, cancelled, and none of it in the sandbox.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CUSTODY_SECRET, signedReport } from '../../server/test/custody/signed-report.ts';
import { MoodyCustody } from '../../server/test/faults/moody-custody.ts';
import { startSeeded } from '../../server/test/seeded-sandbox.ts';
import { type Started, temporaryFolder } from '../../server/test/server-process.ts';
import { ask, figure, table } from './money-page.ts';
import { opened } from './opened.ts';
import { credit } from './operator.ts';
import { needsProof, type Person, person, signedIn } from './person.ts';
import { Stage, widths } from './stage.ts';

// An exchange of its own, where nobody waits for a day to pass, and no other journey halts the live lane meanwhile.
const data = temporaryFolder();
let server: Started;
let stage: Stage;
let custody: MoodyCustody;
beforeAll(async () => {
  custody = await MoodyCustody.open();
  const environment = {
    LANES: 'both',
    OPERATOR_TOKEN: opened.operatorToken,
    SEED_LIVE: 'demo',
    RATE_MULTIPLIER: '50',
    DESTINATION_DELAY_HOURS: '0',
    DEPOSIT_INSTRUCTIONS: PAY_IN,
    ...{ CUSTODY_URL: custody.url, CUSTODY_NAME: 'bank', CUSTODY_SECRET },
  };
  [server, stage] = await Promise.all([
    startSeeded({ dataDir: data.folder, environment }),
    Stage.open(),
  ]);
});
afterAll(async () => {
  await stage?.close();
  await server?.stop();
  await custody?.close();
  data.remove();
});

const PAY_IN = 'Ask at the counter.';
const BANK = 'DE89 3704 0044 0532 0130 00';

/** Somebody with 100 USDT and a destination at the page of the live exchange. */
async function rich(): Promise<Person> {
  const somebody = await signedIn(stage, { origin: server.baseUrl });
  const { live, page } = somebody;
  const { account_id: id } = await live.account.get();
  await live.destinations.add({ label: 'My bank', destination: BANK });
  await page.goto('/money');
  await page.getByText(BANK).waitFor();
  await credit(server.adminUrl, id, '100');
  await figure(page, 'Free').toBe('100.00');
  return somebody;
}

/** What the custody says of money that came in. */
async function report(accountId: string, deposit: object): Promise<void> {
  const usual = { account_id: accountId, asset: 'USDT', amount: '75', reference: 'tx-1' };
  const call = signedReport({ ...usual, ...deposit });
  const answer = await fetch(`${server.adminUrl}/custody/v1/deposits`, { method: 'POST', ...call });
  if (!answer.ok) throw new Error(await answer.text());
}

describe('money', () => {
  it('[WMO1] comes in and is seen at once, with what is bound and for what', async () => {
    const { page, live } = await person(stage, '/money', { origin: server.baseUrl });
    await page.getByText('No deposits yet').waitFor();
    const { account_id: id } = await live.account.get();
    const { deposit_instructions: instructions } = await live.portfolio.balance();
    if (instructions !== null) await page.getByText(instructions).waitFor();
    await credit(server.adminUrl, id, '250.5');
    await figure(page, 'Free').toBe('250.50');
    await table(page, 'Deposits').filter({ hasText: '+250.50 USDT' }).waitFor();
    // As the custody reports it: seen, credited, and one that did not arrive.
    const reported = table(page, 'Deposits').filter({ hasText: 'tx-1' });
    await report(id, { state: 'pending', confirmations: 2 });
    await reported.getByText('on its way, confirmed 2 times').last().waitFor();
    await figure(page, 'Free').toBe('250.50');
    await report(id, { state: 'confirmed' });
    await reported.filter({ hasText: '+75.00 USDT' }).getByText('credited').last().waitFor();
    await figure(page, 'Free').toBe('325.50');
    await report(id, { reference: 'tx-2', state: 'failed', reason: 'returned by the bank' });
    const failed = table(page, 'Deposits').filter({ hasText: 'tx-2' });
    await failed.getByText('did not arrive: returned by the bank').last().waitFor();
    const [market] = (await live.markets.list({ state: 'active', limit: 1 })).items;
    await live.orders.place({
      market_id: market?.market_id ?? '',
      outcome_id: market?.outcomes[0]?.id ?? '',
      side: 'buy',
      order_type: 'limit',
      price: '0.01',
      size: '50',
    });
    await figure(page, 'Reserved').toBe('0.50');
    await figure(page, 'For orders').toBe('0.50');
    await figure(page, 'For withdrawals').toBe('0.00');
    // The ways to the page.
    await page.goto('/portfolio');
    await page.getByRole('link', { name: 'Deposits and withdrawals' }).click();
    await page.getByRole('heading', { name: 'Money', exact: true }).waitFor();
    await page.goto('/account');
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Money' }).click();
    await page.getByRole('heading', { name: 'Money', exact: true }).waitFor();
    stage.expectNoFaults();
  });

  it('[WMO8] is not asked for from somebody who is excluded', async () => {
    const { page, live } = await person(stage, '/money', { origin: server.baseUrl });
    const region = page.getByRole('region', { name: 'How to pay in' });
    await region.getByText(PAY_IN).waitFor();
    await live.limits.exclude({ until_ms: null });
    await page.reload();
    await region.getByText('You excluded yourself for ever. Nothing can be paid in').waitFor();
    expect(await page.getByText(PAY_IN).count()).toBe(0);
    await page.setViewportSize({ width: widths.phone, height: 844 });
    await stage.expectAccessible(page);
    stage.expectNoFaults();
  });

  it('[WMO2] goes only to a destination that was added with a fresh proof, until it is removed', async () => {
    const { page, password } = await person(stage, '/money', { origin: server.baseUrl });
    await page.getByText('There is no destination yet that can be used.').waitFor();
    await needsProof(page, '/api/auth/destinations', 'POST');
    await page.getByRole('button', { name: 'Add a destination' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a destination' });
    await dialog.getByLabel('Name').fill('Mine <b>');
    await dialog.getByLabel('Address or account').fill(BANK);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    const proof = page.getByRole('dialog', { name: 'Is it you?' });
    await proof.getByLabel('Password').fill(password);
    await proof.getByRole('button', { name: 'Go on' }).click();
    const row = table(page, 'Destinations').filter({ hasText: 'Mine <b>' });
    await row.getByText('usable', { exact: true }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.getByRole('combobox', { name: 'To' }).waitFor();
    // The same once more is refused in words.
    await page.getByRole('button', { name: 'Add a destination' }).click();
    await dialog.getByLabel('Name').fill('Again');
    await dialog.getByLabel('Address or account').fill(BANK);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.getByRole('alert').waitFor();
    await stage.expectAccessible(page);
    await page.keyboard.press('Escape');
    await row.getByRole('button', { name: 'Remove Mine <b>' }).click();
    const question = page.getByRole('dialog', { name: 'Remove Mine <b>' });
    await question.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('No destinations').waitFor();
    stage.expectNoFaults(/status of 40[39]/);
  });

  it('[WMO2] a new destination says from when on it can be used', async () => {
    const { page, live } = await person(stage, '/money');
    await page.getByText(/A new one can be used after 1d/).waitFor();
    await page.getByRole('button', { name: 'Add a destination' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('My wallet');
    await dialog
      .getByLabel('Address or account')
      .fill('0x52908400098527886E0F7030069857D2E4169EE7');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await table(page, 'Destinations')
      .getByText(/^usable from /)
      .waitFor();
    const [added] = (await live.destinations.list()).destinations;
    expect(added?.is_usable).toBe(false);
    await page.getByText('There is no destination yet that can be used.').waitFor();
    expect(await page.getByRole('button', { name: 'Withdraw, live' }).isDisabled()).toBe(true);
    await page.setViewportSize({ width: widths.phone, height: 844 });
    await stage.expectFits(page);
    stage.expectNoFaults();
  });

  it('[WMO3] leaves after a second press, and once, however often it is pressed', async () => {
    const { page, live } = await rich();
    await page.getByLabel('Amount', { exact: true }).fill('12,5');
    await page.getByRole('button', { name: 'Withdraw, live' }).click();
    await page
      .getByText('A number with a point and at most six places, such as 1500.25.')
      .waitFor();
    const question = await ask(page, '40');
    await question.getByText(BANK).waitFor();
    await question.getByText('The exchange takes none.').waitFor();
    await stage.expectAccessible(page);
    expect((await live.withdrawals.list()).withdrawals).toEqual([]);
    // It arrives, and its answer does not.
    let isCut = true;
    await page.route('**/v1/account/withdrawals', async (route) => {
      if (!isCut) return route.fallback();
      await route.fetch();
      return route.abort();
    });
    await question.getByRole('button', { name: 'Withdraw, live' }).click();
    await question.getByRole('alert').waitFor();
    await question.getByRole('button', { name: 'Withdraw, live' }).click();
    await question.getByRole('alert').waitFor();
    await question.getByRole('button', { name: 'Back' }).click();
    isCut = false;
    await ask(page, '40');
    await question.getByRole('button', { name: 'Withdraw, live' }).click();
    await page.getByText(/^40\.00 USDT: /).waitFor();
    expect((await live.withdrawals.list()).withdrawals).toHaveLength(1);
    await figure(page, 'Free').toBe('60.00');
    // After an answer the same is another one.
    await ask(page, '40');
    await question.getByRole('button', { name: 'Withdraw, live' }).click();
    await figure(page, 'Free').toBe('20.00');
    // More than there is.
    const more = await ask(page, '20.000001');
    await more.getByRole('button', { name: 'Withdraw, live' }).click();
    await more.getByText(/this takes 20.000001, and 20.00 are free/).waitFor();
    await more.getByRole('button', { name: 'Back' }).click();
    // From a subaccount, as soon as there is one.
    const { subaccount_id: night } = await live.subaccounts.create({ label: 'Night <b>' });
    const { account_id: own } = await live.account.get();
    await live.subaccounts.transfer({ from: own, to: night, amount: '15' });
    await page.getByRole('combobox', { name: 'From' }).click();
    await page.getByRole('option', { name: 'Night <b>' }).click();
    await page.getByText('15.00 free').waitFor();
    const other = await ask(page, '6');
    await other.getByText('Night <b>').waitFor();
    await other.getByRole('button', { name: 'Withdraw, live' }).click();
    await table(page, 'Withdrawals').filter({ hasText: 'from Night <b>' }).waitFor();
    await page.getByText('9.00 free').waitFor();
    await figure(page, 'Free').toBe('5.00');
    const [last] = (await live.withdrawals.list()).withdrawals;
    expect(last).toMatchObject({ subaccount_id: night, amount: '6.000000' });
    stage.expectNoFaults(/ERR_FAILED|status of 422/);
  });

  it('[WMO4] is told in words while it waits, and taken back', async () => {
    const { page, live, password } = await rich();
    await live.sessions.changePassword({
      current_password: password,
      new_password: 'another horse battery staple',
    });
    const [destination] = (await live.destinations.list()).destinations;
    // It reaches the page by its stream only.
    await live.withdrawals.create({
      destination_id: destination?.destination_id ?? '',
      amount: '12.5',
    });
    const row = table(page, 'Withdrawals').filter({ hasText: '12.50 USDT' });
    await row
      .getByText(/^held until .+, because the password or a factor was changed$/)
      .last()
      .waitFor();
    await figure(page, 'For withdrawals').toBe('12.50');
    await figure(page, 'Free').toBe('87.50');
    await row.getByRole('button', { name: 'Cancel' }).click();
    const question = page.getByRole('dialog', { name: 'Cancel the withdrawal of 12.50' });
    await question.getByRole('button', { name: 'Cancel it' }).click();
    await row.getByText('cancelled, the money is free again').last().waitFor();
    expect(await row.getByRole('button').count()).toBe(0);
    await figure(page, 'Free').toBe('100.00');
    stage.expectNoFaults();
  });

  it('[WMO5] stays outside the sandbox, which has its faucet', async () => {
    const page = await stage.visitor({ origin: server.baseUrl });
    await page.goto('/sandbox/money');
    await page.getByText('No money comes in or goes out here').waitFor();
    await page.getByRole('button', { name: 'Get test money' }).click();
    await page.getByTestId('balance').waitFor();
    await stage.expectAccessible(page);
    await page.getByRole('link', { name: 'Money of the live exchange' }).click();
    await page.getByText('Money in and out needs an account').waitFor();
    stage.expectNoFaults();
  });

  it('[WMO6] fits every window, light and dark', async () => {
    const { page, live, password } = await rich();
    await live.sessions.changePassword({
      current_password: password,
      new_password: 'another horse battery staple',
    });
    const wallet = { label: 'w'.repeat(64), destination: `0x${'8'.repeat(254)}` };
    const { destination_id: id } = await live.destinations.add(wallet);
    await live.withdrawals.create({ destination_id: id, amount: '1.234567' });
    await page.reload();
    await table(page, 'Withdrawals').getByText('1.234567').waitFor();
    for (const width of Object.values(widths)) {
      await page.setViewportSize({ width, height: 900 });
      await stage.expectFits(page);
    }
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await stage.expectAccessible(page);
    }
    stage.expectNoFaults();
  });
});
