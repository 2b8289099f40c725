// Leaving over the gateway: what is in the way of closing an account, and what is over when it is closed.
import { operations } from '@sibyl/contract';
import {
  type AccountId,
  asAccountId,
  asMarketId,
  asTemplateId,
  type CommandBody,
  FOR_EVER_MS,
} from '@sibyl/engine';
import { lots, usdt } from '@sibyl/money';
import type { Response } from 'light-my-request';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TEMPLATES } from '../../../lane/test/random-run.ts';
import { limitBuy } from '../limit-order.ts';
import { linkIn } from '../mailbox.ts';
import { codeAt } from './authenticator-app.ts';
import { cancelTraded } from './cancelling.ts';
import { expectError } from './expect.ts';
import { bearer, type Harness, openHarness } from './harness.ts';

let harness: Harness;
let session: string;
let corrections = 0;
beforeEach(async () => {
  harness = await openHarness({ rateMultiplier: 0 });
  session = (await post('/api/auth/register', ada, null)).json().data.session_token;
});
afterEach(() => harness.close());

const ada = { email: 'ada@example.com', password: 'horse battery' };

function post(url: string, body?: object, token: string | null = session): Promise<Response> {
  return harness.call({
    method: 'POST',
    url,
    remoteAddress: '192.0.2.1',
    headers: token === null ? {} : bearer(token),
    ...(body === undefined ? {} : { payload: body }),
  });
}

const close = (password = ada.password): Promise<Response> => post('/api/auth/close', { password });
const get = (url: string): Promise<Response> => harness.call({ url, headers: bearer(session) });

async function accountOf(lane: 'live' | 'sandbox') {
  return asAccountId((await harness.platform.userByEmail(ada.email))!.accounts[lane]);
}

async function submit(body: CommandBody, name: 'live' | 'sandbox' = 'live') {
  const actor = { kind: 'operator', name: 'test', reason: 'test' } as const;
  const { answer } = await harness.lanes[name]!.submit({ body, actor, requestId: 'test' });
  if (!answer.ok) throw new Error(`${body.type}: ${answer.rejection.code}`);
  return answer.result;
}

async function bookMarket(
  name: 'live' | 'sandbox' = 'live',
  accountId = asAccountId('acc_platform'),
) {
  const book = TEMPLATES.find(({ id }) => id === 'book')!;
  const source = name === 'live' ? 'manual' : 'sandbox_mock';
  const template = { ...book, oracleConfig: { ...book.oracleConfig, source } } as typeof book;
  await submit({ type: 'publish_template', template }, name);
  const shown = { displayTitle: null, displayImageUrl: null };
  const templateId = asTemplateId('book');
  const made = await submit(
    { type: 'create_market', accountId, templateId, params: { n: 1 }, ...shown },
    name,
  );
  if (made.kind !== 'market') throw new Error('no market was made');
  return asMarketId(made.marketId);
}

/** Its money is gone, as after a withdrawal. */
async function takeOut(accountId: AccountId): Promise<void> {
  const free = await harness.lanes.live!.read(({ accounts, ledger }) =>
    ledger.balance(accounts.get(accountId)!.free),
  );
  corrections += 1;
  const reference = `correction ${corrections}`;
  await submit({ type: 'correct_balance', accountId, amount: usdt(-free), reference });
}

/** Whoever has the address has opened the link that was mailed to it. */
async function verifyAddress(): Promise<void> {
  const token = linkIn((await harness.letters()).at(-1)!.text).token;
  expect((await post('/api/auth/email/confirm', { token }, null)).statusCode).toBe(200);
}

async function reasonOf(answer: Response): Promise<string> {
  expectError(answer, 'STATE_CONFLICT');
  // Whatever refuses it leaves the account as it was.
  expect((await get('/api/auth/profile')).statusCode).toBe(200);
  const user = await harness.platform.userByEmail(ada.email);
  for (const [name, lane] of Object.entries(harness.lanes)) {
    const id = asAccountId(user!.accounts[name as 'live']);
    const account = await lane.read(({ accounts }) => accounts.get(id));
    expect(account?.frozenReason ?? null).not.toBe('closed by its owner');
  }
  return answer.json().error.details.reason;
}

describe('an export', () => {
  it('[MF19] has everything personal and no secret, and says where the rest is', async () => {
    await harness.call({
      method: 'PATCH',
      url: '/api/auth/profile',
      headers: bearer(session),
      payload: { phone: '+4930123456', country: 'DE' },
    });
    const { data } = (await get('/api/auth/export')).json();
    expect(data).toMatchObject({
      profile: { email: ada.email, phone: '+4930123456', country: 'DE' },
      factors: { totp: null, step_up: ['password'] },
      sessions: [{ is_current: true, network: '192.0.2.0/24' }],
      accounts: [
        { environment: 'live', account_id: await accountOf('live') },
        { environment: 'sandbox', account_id: await accountOf('sandbox') },
      ],
    });
    expect(JSON.stringify(data)).not.toMatch(/hash|horse battery/);
    const paths = Object.values(operations).map(({ path }) => path as string);
    for (const { path, environment } of data.elsewhere) {
      const prefix = environment === 'live' ? '' : '/sandbox';
      expect(paths).toContain(path.slice(prefix.length));
    }
  });
});

describe('closing', () => {
  it('[MF20] is refused while there are orders, positions, money or stakes in the live lane', async () => {
    const accountId = await accountOf('live');
    const amount = usdt(100_000_000n);
    await submit({ type: 'deposit', accountId, amount, reference: 'wire' });
    const refused = await close();
    expect(refused.json().error.details).toMatchObject({ lane: 'live', amount: '100.000000' });
    expect(await reasonOf(refused)).toBe('balance');
    const marketId = await bookMarket();
    const order = await submit(limitBuy(accountId, marketId));
    expect(await reasonOf(await close())).toBe('open_orders');
    if (order.kind !== 'order') throw new Error('no order was placed');
    await submit({ type: 'cancel_order', accountId, orderId: order.order.orderId } as CommandBody);
    await submit({
      type: 'mint_sets',
      accountId,
      marketId,
      lots: lots(100),
      caps: null,
      grant: null,
    });
    expect(await reasonOf(await close())).toBe('positions');
  });

  it('[MF20] is refused while a market of its own is not decided', async () => {
    await bookMarket('live', await accountOf('live'));
    expect(await reasonOf(await close())).toBe('stakes');
  });

  it('[MF20] is refused while the money is in a subaccount', async () => {
    const accountId = await accountOf('live');
    const subaccountId = asAccountId('sub_1');
    await submit({ type: 'open_subaccount', accountId, subaccountId, label: 'bots' });
    const amount = usdt(1_000_000n);
    await submit({ type: 'deposit', accountId, amount, reference: 'wire' });
    await submit({ type: 'transfer', fromId: accountId, toId: subaccountId, amount });
    expect(await reasonOf(await close())).toBe('balance');
  });

  it('[MF20] is no way out of a freeze or a flag', async () => {
    const accountId = await accountOf('live');
    const freeze = { type: 'freeze_account', accountId, reason: 'ticket 1' } as const;
    await submit({ ...freeze, frozen: true });
    expect(await reasonOf(await close())).toBe('frozen');
    await submit({ ...freeze, frozen: false });
    const { userId } = (await harness.platform.userByEmail(ada.email))!;
    await harness.platform.compliance.raiseFlag({
      ...{
        flagId: 'flg_1',
        kind: 'wash_trading',
        ruleId: 'wash',
        subject: userId,
        detail: '',
        lane: null,
      },
      ...{ blocks: true, raisedAtMs: 1, clearedAtMs: null, clearedBy: null, clearReason: null },
    });
    expect(await reasonOf(await close())).toBe('flagged');
    const clearing = { actor: 'ops', reason: 'looked at', atMs: 2 };
    await harness.platform.compliance.clearFlag('flg_1', clearing);
    expect((await close()).statusCode).toBe(200);
  });

  it('[MF25] works for ever excluded users, limits or not, and their address stays out', async () => {
    const accountId = await accountOf('live');
    const none = { day: null, week: null, month: null };
    const limits = { deposit: { ...none, day: usdt(1n) }, loss: none };
    await verifyAddress();
    await submit({ type: 'set_own_limits', accountId, limits });
    await submit({ type: 'exclude_self', accountId, untilMs: FOR_EVER_MS });
    expect((await close()).statusCode).toBe(200);
    harness.clock.advance(86_400_000 * 3650);
    await harness.platform.prune(harness.clock.wallMs());
    const again = { ...ada, email: ada.email.toUpperCase() };
    const refused = await post('/api/auth/register', again, null);
    expectError(refused, 'COMPLIANCE_GATE_BLOCKED');
    expect(refused.json().error.details).toMatchObject({
      rule_id: 'self_exclusion',
      until_ms: FOR_EVER_MS,
    });
    expect(await harness.platform.userByEmail(ada.email)).toBeNull();
    const other = { ...ada, email: 'somebody.else@example.com' };
    expect((await post('/api/auth/register', other, null)).statusCode).toBe(200);
    // Asking is slowed down like guessing.
    const asked = [];
    for (let times = 0; times < 10; times += 1) {
      asked.push(await post('/api/auth/register', again, null));
    }
    expectError(asked.at(-1)!, 'RATE_LIMITED');
  });

  it('[MF20] is no way out of own limits for whom no exclusion would keep out', async () => {
    const accountId = await accountOf('live');
    const none = { day: null, week: null, month: null };
    const limits = { deposit: { ...none, day: usdt(1n) }, loss: none };
    await submit({ type: 'set_own_limits', accountId, limits });
    await submit({ type: 'exclude_self', accountId, untilMs: FOR_EVER_MS });
    expect(await reasonOf(await close())).toBe('limits');
    await verifyAddress();
    expect((await close()).statusCode).toBe(200);
  });

  it('[MF25] keeps nobody’s address out that was never verified: it may be another’s', async () => {
    const accountId = await accountOf('live');
    await submit({ type: 'exclude_self', accountId, untilMs: FOR_EVER_MS });
    expect((await close()).statusCode).toBe(200);
    expect((await post('/api/auth/register', ada, null)).statusCode).toBe(200);
  });

  it('[MF25] keeps an exclusion until it is over, and none from play money', async () => {
    await verifyAddress();
    const untilMs = harness.clock.wallMs() + 86_400_000 * 30;
    await submit({ type: 'exclude_self', accountId: await accountOf('live'), untilMs });
    expect((await close()).statusCode).toBe(200);
    expectError(await post('/api/auth/register', ada, null), 'COMPLIANCE_GATE_BLOCKED');
    harness.clock.advance(86_400_000 * 30);
    session = (await post('/api/auth/register', ada, null)).json().data.session_token;
    const accountId = await accountOf('sandbox');
    await submit({ type: 'exclude_self', accountId, untilMs: FOR_EVER_MS }, 'sandbox');
    expect((await close()).statusCode).toBe(200);
    expect((await post('/api/auth/register', ada, null)).statusCode).toBe(200);
  });

  it('[MF20] is no way out of own limits, also while lifting them waits', async () => {
    const accountId = await accountOf('live');
    const none = { day: null, week: null, month: null };
    const set = (day: bigint | null) =>
      submit({
        type: 'set_own_limits',
        accountId,
        limits: { deposit: { ...none, day: day === null ? null : usdt(day) }, loss: none },
      });
    await set(50_000_000n);
    expect(await reasonOf(await close())).toBe('limits');
    await set(null);
    expect(await reasonOf(await close())).toBe('limits');
    harness.clock.advance(86_400_000);
    const { data } = (await post('/api/auth/login', ada, null)).json();
    session = data.session_token;
    expect((await close()).statusCode).toBe(200);
  });

  it('[MF20] is no way off a list, nor out of a country that an operator has set', async () => {
    const { userId } = (await harness.platform.userByEmail(ada.email))!;
    const { profiles } = harness.platform;
    const by = { actor: 'ops', reason: 'a test', requestId: 'req_test' };
    const sanctioned = { id: 'list', emails: [ada.email] };
    await harness.office.load({ sanctions: [sanctioned] }, by);
    expect(await reasonOf(await close())).toBe('restricted');
    await harness.office.load({ jurisdictions: [{ id: 'cold', countries: ['AQ'] }] }, by);
    await profiles.change(userId, { country: 'AQ' });
    expect(await reasonOf(await close())).toBe('restricted');
    await profiles.change(userId, { country: 'ES', isCountryFixed: true });
    expect(await reasonOf(await close())).toBe('restricted');
    await profiles.change(userId, { country: 'ES', isCountryFixed: false });
    expect((await close()).statusCode).toBe(200);
  });

  it('[MF20] waits for markets that could return fees', async () => {
    const accountId = await accountOf('live');
    await submit({ type: 'deposit', accountId, amount: usdt(100_000_000n), reference: 'wire' });
    const marketId = await bookMarket();
    // It holds no share afterwards, and has paid the fees of both.
    const sets = { accountId, marketId, lots: lots(1000), caps: null, grant: null };
    await submit({ type: 'mint_sets', ...sets });
    await submit({ type: 'merge_sets', ...sets });
    await takeOut(accountId);
    const refused = await close();
    expect(refused.json().error.details).toMatchObject({ lane: 'live', markets: 1 });
    expect(await reasonOf(refused)).toBe('claims');
    await cancelTraded(harness, marketId, 'live');
    const { data } = (await post('/api/auth/login', ada, null)).json();
    session = data.session_token;
    expect(await reasonOf(await close())).toBe('balance');
    await takeOut(accountId);
    expect((await close()).statusCode).toBe(200);
  });

  it('[MF20] sheds no sign-ups of the address', async () => {
    const signUps = { id: 'burst', per_address: 2, window_minutes: 10 };
    const by = { actor: 'ops', reason: 'a test', requestId: 'req_test' };
    await harness.office.load({ anti_abuse: { sign_ups: signUps } }, by);
    expect((await close()).statusCode).toBe(200);
    session = (await post('/api/auth/register', ada, null)).json().data.session_token;
    expect((await close()).statusCode).toBe(200);
    expectError(await post('/api/auth/register', ada, null), 'ANTI_ABUSE_BLOCKED');
  });

  it('[MF20] needs the password, and a fresh proof where there is a second factor', async () => {
    expectError(await close('not this one'), 'PASSWORD_INCORRECT');
    harness.clock.advance(1);
    await post('/api/auth/step-up', { password: ada.password });
    const { secret } = (await post('/api/auth/totp')).json().data;
    await post('/api/auth/totp/confirm', { otp: codeAt(secret, harness.clock.wallMs()) });
    harness.clock.advance(400_000);
    expectError(await close(), 'STEP_UP_MFA_REQUIRED');
    await post('/api/auth/step-up', { otp: codeAt(secret, harness.clock.wallMs()) });
    expect((await close()).statusCode).toBe(200);
  });

  it('[MF21] ends sessions, keys, links and orders of the sandbox, and nobody gets in again', async () => {
    const accountId = await accountOf('sandbox');
    const live = await accountOf('live');
    const { userId } = (await harness.platform.userByEmail(ada.email))!;
    await submit({ type: 'faucet', accountId, keyId: null }, 'sandbox');
    const marketId = await bookMarket('sandbox');
    await submit(limitBuy(accountId, marketId), 'sandbox');
    await submit(
      { type: 'mint_sets', accountId, marketId, lots: lots(100), caps: null, grant: null },
      'sandbox',
    );
    const key = (await post('/v1/keys', {})).json().data.key_id;
    await post('/api/auth/password/forgot', { email: ada.email }, null);
    const mailed = (await harness.letters()).map(({ text }) => linkIn(text).token);
    const done = await close();
    expect(done.json().data.closed_at_ms).toBe(harness.clock.wallMs());
    for (const token of [session, key])
      expectError(await harness.call({ url: '/v1/keys', headers: bearer(token) }), 'AUTH_INVALID');
    expectError(await post('/api/auth/login', ada, null), 'PASSWORD_INCORRECT');
    for (const token of mailed) {
      expectError(await post('/api/auth/email/confirm', { token }, null), 'NOT_FOUND');
      const reset = { token, new_password: 'plum otter ladder' };
      expectError(await post('/api/auth/password/reset', reset, null), 'NOT_FOUND');
    }
    expect(await harness.platform.userById(userId)).toBeNull();
    const left = await harness.lanes.sandbox!.read((state) => {
      const account = state.accounts.get(accountId)!;
      return [account.openOrders, state.ledger.balance(account.free), account.frozen];
    });
    expect(left).toEqual([0, 0n, true]);
    const isFrozen = await harness.lanes.live!.read((state) => state.accounts.get(live)!.frozen);
    expect(isFrozen).toBe(true);
    // The address is free, for somebody else.
    const again = (await post('/api/auth/register', ada, null)).json().data;
    expect(again.user_id).not.toBe(userId);
    expect(again.account_id).not.toBe(live);
  });

  it('[MF21] that was cut off before the end is done by asking again', async () => {
    const accountId = await accountOf('live');
    const reason = 'closed by its owner';
    await submit({ type: 'freeze_account', accountId, frozen: true, reason });
    expect((await close()).statusCode).toBe(200);
  });
});
