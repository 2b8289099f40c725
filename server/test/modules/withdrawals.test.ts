// Withdrawals over the interface: who may ask, where to, when they wait, and how they are taken back.
import { asAccountId, asWithdrawalId, checkAll } from '@sibyl/engine';
import { usdt } from '@sibyl/money';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WithdrawalWorker } from '../../src/custody/withdrawal-worker.ts';
import { mayBePaid } from '../../src/handling/payout-obstacle.ts';
import { type Custody, CustodySilent } from '../../src/ports/custody.ts';
import { linkIn } from '../mailbox.ts';
import { type AskOptions, DELAY_MS, type Exchange, openExchange } from './exchange.ts';

const PASSWORD = 'long enough 12';

let exchange: Exchange;
beforeEach(async () => {
  exchange = await openExchange();
});
afterEach(() => exchange.close());

let count = 0;
const fresh = (prefix: string): string => {
  count += 1;
  return `${prefix}-${String(count).padStart(8, '0')}`;
};

interface Person {
  readonly token: string;
  readonly accountId: string;
}

/** Somebody with 100 USDT in live. */
async function rich(): Promise<Person> {
  const token = await exchange.session();
  const { data } = await exchange.ask('getAccount', { token, at: '' });
  const accountId = asAccountId(data.account_id);
  const amount = usdt(100_000_000n);
  await exchange.operate({ type: 'deposit', accountId, amount, reference: fresh('wire') }, 'live');
  return { token, accountId };
}

function prove({ token }: Person) {
  return exchange.ask('stepUp', { token, body: { password: PASSWORD } });
}

/** A destination that is usable by now. */
async function destination(person: Person, text = fresh('DE89')): Promise<string> {
  const body = { label: 'bank', destination: text };
  const { data } = await exchange.ask('addDestination', { token: person.token, body });
  exchange.clock.advance(DELAY_MS);
  await prove(person);
  return data.destination_id;
}

interface Wanted extends AskOptions {
  readonly amount?: string;
  readonly subaccount_id?: string;
}

function ask(token: string, id: string, options: Wanted = {}) {
  const { amount = '40', subaccount_id: sub, ...more } = options;
  const body = { destination_id: id, amount, ...(sub !== undefined && { subaccount_id: sub }) };
  return exchange.ask('createWithdrawal', { token, at: '', key: fresh('key'), body, ...more });
}

async function money({ token }: Person): Promise<readonly string[]> {
  const { data } = await exchange.ask('getBalance', { token, at: '' });
  await exchange.lanes.live!.read((state) => checkAll(state));
  const [{ free, reserved_by: by }] = data.balances;
  return [free, by.withdrawals];
}

function step(withdrawalId: string, name: 'approve' | 'send') {
  const nothing = { reference: null, reason: null } as const;
  const id = asWithdrawalId(withdrawalId);
  return exchange.operate(
    { type: 'advance_withdrawal', withdrawalId: id, step: name, ...nothing },
    'live',
  );
}

function stateOf(withdrawalId: string): Promise<string | undefined> {
  const id = asWithdrawalId(withdrawalId);
  return exchange.lanes.live!.read(({ funds }) => funds.withdrawal(id)?.state);
}

/** Over a custody that pays whatever it is asked for. */
function worker(): WithdrawalWorker {
  const { lanes, clock } = exchange;
  return new WithdrawalWorker({
    lane: lanes.live!,
    custody: { name: 'local', pay: async () => ({ state: 'paid', reference: 'tx' }) },
    clock,
    mayBePaid: (ownerId) => mayBePaid(exchange, ownerId),
    alarm: (message) => expect.fail(message),
    failed: (error) => expect.fail(String(error)),
  });
}

describe('withdrawals', () => {
  it('[WO1] a withdrawal reserves its amount at once, and its repetition is the same one', async () => {
    const anna = await rich();
    const id = await destination(anna, 'DE89 3704');
    const key = fresh('key');
    const { data } = await ask(anna.token, id, { key });
    expect(data).toMatchObject({
      state: 'requested',
      amount: '40.000000',
      destination: 'DE89 3704',
      subaccount_id: null,
      held_until_at: null,
    });
    expect(await money(anna)).toEqual(['60.000000', '40.000000']);
    const again = await ask(anna.token, id, { key });
    expect(again.data).toEqual(data);
    expect(again.response.headers['idempotency-replayed']).toBe('true');
    expect((await ask(anna.token, id, { key, amount: '41' })).error.code).toBe(
      'IDEMPOTENCY_BODY_MISMATCH',
    );
    expect(await money(anna)).toEqual(['60.000000', '40.000000']);
    const { error } = await ask(anna.token, id, { amount: '60.000001' });
    expect(error).toMatchObject({ code: 'BALANCE_INSUFFICIENT', details: { free: '60.000000' } });
    expect((await ask(anna.token, id, { amount: '0' })).error.code).toBe('VALIDATION_FAILED');
  });

  it('[WO1] there are none in the sandbox', async () => {
    const anna = await rich();
    const id = await destination(anna);
    expect((await ask(anna.token, id, { at: '/sandbox' })).error.code).toBe('PROD_ONLY');
    const sandboxKey = await exchange.key({ session: anna.token, at: '' });
    expect((await ask(sandboxKey, id)).error.code).toBe('PROD_ONLY');
  });

  it('[WO1] a session must be stepped up, and a key have the permission of one that was', async () => {
    const anna = await rich();
    const id = await destination(anna);
    const live = { session: anna.token, tier: 'trade_full' };
    const withdrawing = await exchange.key({ ...live, permissions: ['read', 'withdraw'] });
    exchange.clock.advance(300_000);
    const { error } = await ask(anna.token, id);
    expect(error).toMatchObject({
      code: 'STEP_UP_MFA_REQUIRED',
      details: { factors: ['password'] },
    });
    const trading = await exchange.key(live);
    expect((await ask(trading, id)).error).toMatchObject({
      code: 'SCOPE_MISSING',
      details: { required: 'withdraw' },
    });
    expect(await money(anna)).toEqual(['100.000000', '0.000000']);
    expect((await ask(withdrawing, id)).data.state).toBe('requested');
    await prove(anna);
    expect((await ask(anna.token, id)).data.state).toBe('requested');
    expect(await money(anna)).toEqual(['20.000000', '80.000000']);
  });

  it('[WO1] a refusal for want of a proof is not kept for the key', async () => {
    const anna = await rich();
    const id = await destination(anna);
    exchange.clock.advance(300_000);
    const key = fresh('key');
    expect((await ask(anna.token, id, { key })).error.code).toBe('STEP_UP_MFA_REQUIRED');
    await prove(anna);
    expect((await ask(anna.token, id, { key })).data.state).toBe('requested');
  });

  it('[WO2] a new destination is usable after the delay that is told, and again after it was removed', async () => {
    const anna = await rich();
    const body = { label: 'bank', destination: 'DE89 3704' };
    const { data: added } = await exchange.ask('addDestination', { token: anna.token, body });
    const nowMs = exchange.clock.wallMs();
    expect(added).toMatchObject({ is_usable: false, usable_from_at_ms: nowMs + DELAY_MS });
    const { data: listed } = await exchange.ask('listDestinations', { token: anna.token });
    expect(listed).toMatchObject({ destinations: [added], delay_ms: DELAY_MS });
    exchange.clock.advance(DELAY_MS - 1);
    await prove(anna);
    const { error } = await ask(anna.token, added.destination_id);
    expect(error).toMatchObject({
      code: 'STATE_CONFLICT',
      details: { usable_from_at_ms: nowMs + DELAY_MS },
    });
    exchange.clock.advance(1);
    expect((await ask(anna.token, added.destination_id)).data.state).toBe('requested');
    const params = { destination_id: added.destination_id };
    await exchange.ask('removeDestination', { token: anna.token, params });
    expect((await ask(anna.token, added.destination_id)).error.code).toBe('NOT_FOUND');
    const { data: again } = await exchange.ask('addDestination', { token: anna.token, body });
    expect(again.is_usable).toBe(false);
    expect((await ask(anna.token, again.destination_id)).error.code).toBe('STATE_CONFLICT');
  });

  it.each([
    ['DE89 3704 0044 0532 0130 00', null],
    ['GB82WEST12345698765432', null],
    ['DE89 3704 0044 0532 0130 01', 'VALIDATION_FAILED'],
    ['DE89370400440532013900', 'VALIDATION_FAILED'],
    ['GB82WEST12345698765423', 'VALIDATION_FAILED'],
    // No country of that name gives out IBANs, and addresses of wallets have another form.
    ['ZZ89370400440532013001', null],
    ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', null],
  ])('[WO2] an IBAN that was mistyped is no destination: %s', async (text, code) => {
    const { token } = await rich();
    const body = { label: 'bank', destination: text };
    const { error } = await exchange.ask('addDestination', { token, body });
    expect(error?.code ?? null).toBe(code);
    if (code !== null) expect(error.details.field).toBe('destination');
  });

  it('[WO2] money goes to destinations of the caller alone', async () => {
    const [anna, bert] = [await rich(), await rich()];
    const id = await destination(bert);
    await prove(anna);
    expect((await ask(anna.token, id)).error.code).toBe('NOT_FOUND');
    const params = { destination_id: id };
    const removed = await exchange.ask('removeDestination', { token: anna.token, params });
    expect(removed.error.code).toBe('NOT_FOUND');
    expect(
      (await exchange.ask('listDestinations', { token: anna.token })).data.destinations,
    ).toEqual([]);
    expect(await money(anna)).toEqual(['100.000000', '0.000000']);
  });

  it('[WO2] whoever adds a destination proves who they are', async () => {
    const anna = await rich();
    exchange.clock.advance(300_000);
    const body = { label: 'bank', destination: 'DE89 3704' };
    const { error } = await exchange.ask('addDestination', { token: anna.token, body });
    expect(error.code).toBe('STEP_UP_MFA_REQUIRED');
  });

  it('[WO3] after a change of the password it is held for a day, and says so', async () => {
    const anna = await rich();
    const id = await destination(anna);
    const change = { current_password: PASSWORD, new_password: 'another one 12' };
    await exchange.ask('changePassword', { token: anna.token, body: change });
    const untilMs = exchange.clock.wallMs() + 86_400_000;
    const { data } = await ask(anna.token, id);
    expect(data).toMatchObject({
      state: 'held',
      reason: 'credentials_changed',
      needs_approval: false,
      held_until_at_ms: untilMs,
    });
    expect(await money(anna)).toEqual(['60.000000', '40.000000']);
    const withdrawalId = asWithdrawalId(data.withdrawal_id);
    const send = { type: 'advance_withdrawal', step: 'send', reference: null } as const;
    const early = await exchange.lanes.live!.submit({
      body: { ...send, withdrawalId, reason: null },
      actor: { kind: 'system' },
      requestId: 'test',
    });
    expect(early.answer).toMatchObject({ ok: false, rejection: { code: 'STATE_CONFLICT' } });
  });

  it('[WO9] one that was asked for before the password was changed waits as long, whoever agreed to it', async () => {
    const anna = await rich();
    const id = await destination(anna);
    const small = (await ask(anna.token, id, { amount: '5' })).data.withdrawal_id;
    const large = (await ask(anna.token, id, { amount: '90' })).data.withdrawal_id;
    const change = { current_password: PASSWORD, new_password: 'another one 12' };
    await exchange.ask('changePassword', { token: anna.token, body: change });
    const untilMs = exchange.clock.wallMs() + 86_400_000;
    await step(large, 'approve');
    const driver = worker();
    await driver.round();
    expect([await stateOf(small), await stateOf(large)]).toEqual(['requested', 'requested']);
    const { data } = await exchange.ask('listWithdrawals', { token: anna.token, at: '' });
    const held = { state: 'held', held_until_at_ms: untilMs, needs_approval: false };
    expect(data.withdrawals).toMatchObject([
      { ...held, withdrawal_id: large, reason: 'credentials_changed' },
      { ...held, withdrawal_id: small, reason: 'credentials_changed' },
    ]);
    const params = { withdrawal_id: small };
    const one = await exchange.ask('getWithdrawal', { token: anna.token, at: '', params });
    expect(one.data).toMatchObject(held);
    exchange.clock.advance(86_399_999);
    await driver.round();
    expect(await stateOf(large)).toBe('requested');
    // The pause of the worker is over as well by then.
    exchange.clock.advance(60_000);
    await driver.round();
    expect([await stateOf(small), await stateOf(large)]).toEqual(['completed', 'completed']);
  });

  it('[WO10] that of somebody who is sanctioned since is not sent before the list lets go', async () => {
    const anna = await rich();
    const id = await destination(anna);
    const { data } = await ask(anna.token, id);
    const { email } = (await exchange.platform.userByAccount(anna.accountId))!;
    const loading = { actor: 'test', reason: 'test', requestId: 'test' };
    await exchange.office.load({ sanctions: [{ id: 'list', emails: [email] }] }, loading);
    const driver = worker();
    await driver.round();
    expect(await stateOf(data.withdrawal_id)).toBe('requested');
    await exchange.office.load({}, loading);
    exchange.clock.advance(60_000);
    await driver.round();
    expect(await stateOf(data.withdrawal_id)).toBe('completed');
  });

  it('[MF16] a link that sets a new password gives back what was not sent, of subaccounts too', async () => {
    const anna = await rich();
    const id = await destination(anna);
    const body = { label: 'hedge' };
    const opened = await exchange.ask('createSubaccount', { token: anna.token, at: '', body });
    const sub = opened.data.subaccount_id;
    const transfer = { from: anna.accountId, to: sub, amount: '10' };
    const given = { token: anna.token, at: '', key: fresh('key') } as const;
    await exchange.ask('transferFunds', { ...given, body: transfer });
    const asked = [
      await ask(anna.token, id, { amount: '5' }),
      await ask(anna.token, id, { amount: '6', subaccount_id: sub }),
      await ask(anna.token, id, { amount: '82' }),
      await ask(anna.token, id, { amount: '2' }),
    ].map(({ data }) => String(data.withdrawal_id));
    await step(asked[3]!, 'approve');
    await step(asked[3]!, 'send');
    const user = (await exchange.platform.userByAccount(anna.accountId))!;
    const { url } = await exchange.links.issue('reset_password', user.userId, false);
    const reset = { token: linkIn(url).token, new_password: 'plum otter ladder' };
    expect((await exchange.ask('resetPassword', { body: reset })).error).toBeNull();
    expect(await Promise.all(asked.map(stateOf))).toEqual(['failed', 'failed', 'failed', 'sent']);
    const first = await exchange.lanes.live!.read(({ funds }) =>
      funds.withdrawal(asWithdrawalId(asked[0]!)),
    );
    expect(first?.reason).toBe('the password was reset');
    const again = { email: user.email, password: reset.new_password };
    const { data } = await exchange.ask('logIn', { body: again });
    expect(await money({ ...anna, token: data.session_token })).toEqual(['88.000000', '2.000000']);
  });

  it('[WO8] less than the least amount is refused with it, and reserves nothing', async () => {
    const anna = await rich();
    const id = await destination(anna);
    const listed = await exchange.ask('listDestinations', { token: anna.token });
    expect(listed.data.min_withdrawal).toBe('1.000000');
    for (const amount of ['0.000001', '0.999999']) {
      const { error } = await ask(anna.token, id, { amount });
      expect(error).toMatchObject({
        code: 'VALIDATION_FAILED',
        details: { field: 'amount', min_withdrawal: '1.000000' },
      });
    }
    expect(await money(anna)).toEqual(['100.000000', '0.000000']);
    expect((await ask(anna.token, id, { amount: '1' })).data.state).toBe('requested');
  });

  it('[WO8] all that is left may be less, and not what is parted from the rest', async () => {
    const anna = await rich();
    const id = await destination(anna);
    const { data: sub } = await exchange.ask('createSubaccount', {
      token: anna.token,
      at: '',
      body: { label: 'dust' },
    });
    const toId = asAccountId(sub.subaccount_id);
    const fromId = asAccountId(anna.accountId);
    const amount = usdt(400_000n);
    await exchange.operate({ type: 'transfer', fromId, toId, amount }, 'live');
    const parted = await ask(anna.token, id, { amount: '0.4', subaccount_id: toId });
    expect(parted.error).toMatchObject({ details: { min_withdrawal: '1.000000' } });
    await exchange.operate({ type: 'transfer', fromId: toId, toId: fromId, amount }, 'live');
    expect((await ask(anna.token, id, { amount: '99.5' })).error).toBeNull();
    expect((await ask(anna.token, id, { amount: '0.4' })).error.code).toBe('VALIDATION_FAILED');
    expect((await ask(anna.token, id, { amount: '0.6' })).error.code).toBe('BALANCE_INSUFFICIENT');
    const key = fresh('key');
    const all = await ask(anna.token, id, { amount: '0.5', key });
    expect(all.error).toBeNull();
    expect(await money(anna)).toEqual(['0.000000', '100.000000']);
    const again = await ask(anna.token, id, { amount: '0.5', key });
    expect(again.data.withdrawal_id).toBe(all.data.withdrawal_id);
  });

  it('[WO7] the owner sees its deposits in every state, page by page, nobody else does', async () => {
    const [anna, bert] = [await rich(), await rich()];
    const opened = await exchange.ask('createSubaccount', {
      token: anna.token,
      at: '',
      body: { label: 'hedge' },
    });
    const sub = opened.data.subaccount_id;
    const report = { type: 'report_deposit', custody: 'bank', amount: usdt(5_000_000n) } as const;
    const seen = { ...report, reference: 'tx-1', confirmations: 2, reason: null } as const;
    const accountId = asAccountId(anna.accountId);
    await exchange.operate({ ...seen, accountId, state: 'pending' }, 'live');
    const returned = { ...seen, reference: 'tx-2', accountId: asAccountId(sub) } as const;
    await exchange.operate({ ...returned, state: 'failed', reason: 'returned' }, 'live');
    // What operators put right is in the statement, and no deposit.
    const correction = { accountId, amount: usdt(-1_000_000n), reference: 'ticket-1' } as const;
    await exchange.operate({ type: 'correct_balance', ...correction }, 'live');
    const page = (token: string, query: object) =>
      exchange.ask('listDeposits', { token, at: '', query: { ...query } });
    const newest = (await page(anna.token, { limit: 2 })).data;
    expect(newest.deposits).toMatchObject([
      { state: 'failed', reason: 'returned', tx_ref: 'tx-2', subaccount_id: sub },
      { state: 'pending', confirmations: 2, amount: '5.000000', subaccount_id: null },
    ]);
    const rest = (await page(anna.token, { limit: 2, before: newest.next_before })).data;
    expect(rest).toMatchObject({
      deposits: [{ state: 'confirmed', amount: '100.000000' }],
      next_before: null,
    });
    const others = (await page(bert.token, {})).data.deposits;
    expect(others.map(({ state }: { readonly state: string }) => state)).toEqual(['confirmed']);
  });

  it('[WO4] the owner sees its withdrawals and those of its subaccounts, page by page, nobody else does', async () => {
    const [anna, bert] = [await rich(), await rich()];
    const id = await destination(anna);
    const opened = await exchange.ask('createSubaccount', {
      token: anna.token,
      at: '',
      body: { label: 'hedge' },
    });
    const sub = opened.data.subaccount_id;
    const transfer = { from: anna.accountId, to: sub, amount: '10' };
    await exchange.ask('transferFunds', {
      token: anna.token,
      at: '',
      key: fresh('key'),
      body: transfer,
    });
    const bound = await exchange.call({
      method: 'POST',
      url: '/v1/keys',
      headers: { authorization: `Bearer ${anna.token}` },
      payload: { permissions: ['read', 'withdraw'], subaccount_id: sub },
    });
    const { key_id: key, public_id: publicId } = bound.json().data;
    const tier = { actor: 'test', reason: 'test', atMs: 0 };
    await exchange.platform.setKeyTier(publicId, 'trade_full', tier);
    const first = (await ask(anna.token, id, { amount: '1' })).data;
    const own = (await ask(anna.token, id, { amount: '4', subaccount_id: sub })).data;
    const second = (await ask(key, id, { amount: '6' })).data;
    expect([own.subaccount_id, second.subaccount_id]).toEqual([sub, sub]);
    const third = (await ask(anna.token, id, { amount: '3' })).data;
    const page = (token: string, query: object) =>
      exchange.ask('listWithdrawals', { token, at: '', query: { ...query } });
    const newest = (await page(anna.token, { limit: 2 })).data;
    expect(newest).toEqual({ withdrawals: [third, second], next_before: second.withdrawal_id });
    const rest = (await page(anna.token, { limit: 2, before: newest.next_before })).data;
    expect(rest).toEqual({ withdrawals: [own, first], next_before: null });
    expect((await page(bert.token, {})).data.withdrawals).toEqual([]);
    const params = { withdrawal_id: first.withdrawal_id };
    expect(
      (await exchange.ask('getWithdrawal', { token: anna.token, at: '', params })).data,
    ).toEqual(first);
    for (const operation of ['getWithdrawal', 'cancelWithdrawal'] as const) {
      const { error } = await exchange.ask(operation, { token: bert.token, at: '', params });
      expect(error.code).toBe('NOT_FOUND');
    }
    await prove(bert);
    const foreign = await ask(bert.token, await destination(bert), { subaccount_id: sub });
    expect(foreign.error.code).toBe('NOT_FOUND');
  });

  it('[WO4] the owner cancels it as long as it was not sent, and has the money back', async () => {
    const anna = await rich();
    const id = await destination(anna);
    const { data: one } = await ask(anna.token, id);
    const cancel = (withdrawalId: string) =>
      exchange.ask('cancelWithdrawal', {
        token: anna.token,
        at: '',
        params: { withdrawal_id: withdrawalId },
      });
    expect((await cancel(one.withdrawal_id)).data).toMatchObject({
      state: 'failed',
      reason: 'cancelled',
    });
    expect((await cancel(one.withdrawal_id)).data.state).toBe('failed');
    expect(await money(anna)).toEqual(['100.000000', '0.000000']);
    const { data: two } = await ask(anna.token, id);
    await exchange.operate(
      {
        type: 'advance_withdrawal',
        withdrawalId: asWithdrawalId(two.withdrawal_id),
        step: 'send',
        reference: null,
        reason: null,
      },
      'live',
    );
    expect((await cancel(two.withdrawal_id)).error).toMatchObject({
      code: 'STATE_CONFLICT',
      details: { state: 'sent' },
    });
    expect(await money(anna)).toEqual(['60.000000', '40.000000']);
  });

  it('[CU6] where the custody refuses or cannot be asked nothing is reserved, and it may be asked again', async () => {
    await exchange.close();
    let verdict: string | null | CustodySilent = new CustodySilent('no answer', { isLate: true });
    const custody: Custody = {
      name: 'bank',
      pay: async () => ({ state: 'pending' }),
      books: async () => ({ balance: 0n, paid: [] }),
      async check() {
        if (verdict instanceof CustodySilent) throw verdict;
        return verdict;
      },
    };
    exchange = await openExchange(undefined, { custody });
    const anna = await rich();
    const id = await destination(anna);
    const key = fresh('key');
    expect((await ask(anna.token, id, { key })).error.code).toBe('UPSTREAM_TIMEOUT');
    verdict = new CustodySilent('status 503');
    expect((await ask(anna.token, id, { key })).error.code).toBe('UPSTREAM_ERROR');
    verdict = 'no such bank';
    expect((await ask(anna.token, id)).error).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { field: 'destination_id', reason: 'no such bank' },
    });
    expect(await money(anna)).toEqual(['100.000000', '0.000000']);
    verdict = null;
    const { data } = await ask(anna.token, id, { key });
    expect(data.state).toBe('requested');
    verdict = new CustodySilent('status 503');
    expect((await ask(anna.token, id, { key })).data).toEqual(data);
  });

  it('[CU7] the balance of live tells its account how money gets in', async () => {
    const anna = await rich();
    const { data } = await exchange.ask('getBalance', { token: anna.token, at: '' });
    expect(data.deposit_instructions).toBe(`Send it with ${anna.accountId}.`);
  });

  it('[WO6] what brings those of a day above the limit waits for an operator, however it is divided', async () => {
    const anna = await rich();
    const id = await destination(anna);
    const asked = await Promise.all(
      ['50', '30', '11', '9'].map((amount) => ask(anna.token, id, { amount })),
    );
    const states = asked.map(({ data }) => [data.amount, data.state, data.reason]);
    expect(states).toEqual([
      ['50.000000', 'requested', null],
      ['30.000000', 'requested', null],
      ['11.000000', 'held', 'above_limit'],
      ['9.000000', 'held', 'above_limit'],
    ]);
    const cancelled = asked[2]!.data.withdrawal_id;
    const params = { withdrawal_id: cancelled };
    await exchange.ask('cancelWithdrawal', { token: anna.token, at: '', params });
    exchange.clock.advance(10 * 3_600_000);
    await prove(anna);
    expect((await ask(anna.token, id, { amount: '2' })).data.state).toBe('held');
  });
});

describe('an export of one’s own data', () => {
  it('[MF19] has what came in and went out, own limits and the exclusion of each lane', async () => {
    const person = await rich();
    const { token } = person;
    const destinationId = await destination(person);
    const { data: withdrawal } = await ask(token, destinationId);
    const none = { day: null, week: null, month: null };
    const limits = { deposit: { ...none, day: '7' }, loss: none };
    await exchange.ask('setOwnLimits', { token, at: '', body: limits });
    const untilMs = exchange.clock.wallMs() + 86_400_000;
    await exchange.ask('excludeSelf', { token, body: { until_ms: untilMs } });
    const { data } = await exchange.ask('exportData', { token });
    expect(data).toMatchObject({
      destinations: [{ destination_id: destinationId }],
      withdrawals: [{ withdrawal_id: withdrawal.withdrawal_id, amount: '40.000000' }],
      deposits: [{ amount: '100.000000' }],
    });
    const [live, sandbox] = data.own_limits;
    expect(live).toMatchObject({
      environment: 'live',
      limits: { deposit: { day: { amount: '7.000000' } }, excluded_until_ms: null },
    });
    expect(sandbox).toMatchObject({
      environment: 'sandbox',
      limits: { deposit: { day: { amount: null } }, excluded_until_ms: untilMs },
    });
  });
});
