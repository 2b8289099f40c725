// Rules of compliance on a whole exchange: people who try every way in, burst, farm and wash.
import { asAccountId } from '@sibyl/engine';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ComplianceOffice } from '../../src/compliance/office.ts';
import { WashWatch } from '../../src/compliance/wash-watch.ts';
import { bearer } from '../gateway/harness.ts';
import { type Exchange, openExchange } from '../modules/exchange.ts';

const lanes: ('live' | 'sandbox')[] = ['live', 'sandbox'];
let marketCount = 100;
const by = { actor: 'ops', reason: 'a test', requestId: 'req_test' };

let exchange: Exchange;
beforeEach(async () => {
  exchange = await openExchange();
});
afterEach(() => exchange.close());

async function userOf(token: string): Promise<string> {
  const { data } = await exchange.ask('getAccount', { token });
  return data.user_id;
}

/** A market that whoever asks makes. */
const question = (number: number) => ({ template_id: 'pool', params: { n: 500 + number } });

const order = (market: string, more: object = {}) => ({
  market_id: market,
  outcome_id: 'yes',
  side: 'buy',
  order_type: 'limit',
  price: '0.4',
  size: '10',
  ...more,
});

describe('[CP3] somebody who is blocked', () => {
  it('gets in no way, by session or key, and cancels in every way', async () => {
    const token = await exchange.trader();
    const market = await exchange.market('book');
    const place = { token, body: order(market) };
    const first = (await exchange.ask('placeOrder', place)).data.order_id;
    const second = (await exchange.ask('placeOrder', place)).data.order_id;
    const { data: minted } = await exchange.ask('mintKey', {
      token,
      body: { permissions: ['read', 'trade'] },
    });
    const userId = await userOf(token);
    await exchange.platform.profiles.change(userId, { country: 'AQ' });
    const rules = { jurisdictions: [{ id: 'cold', countries: ['AQ'], lanes }] };
    await exchange.office.load(rules, by);
    for (const credential of [token, minted.key_id]) {
      const tries = [
        exchange.ask('placeOrder', { token: credential, body: order(market) }),
        exchange.ask('placeOrder', {
          token: credential,
          body: order(market),
          query: { dry_run: true },
        }),
        exchange.ask('amendOrder', {
          token: credential,
          params: { order_id: first },
          body: { size: '5' },
        }),
        exchange.ask('batchOrders', {
          token: credential,
          key: `batch-${credential}`.slice(0, 40),
          body: {
            items: [
              { action: 'cancel', order_id: 'coid:none' },
              { action: 'place', order: order(market) },
            ],
          },
        }),
        exchange.ask('convertPosition', {
          token: credential,
          key: `convert-${credential}`.slice(0, 40),
          body: { action: 'mint', market_id: market, size: '1' },
        }),
        exchange.ask('createMarket', { token: credential, body: { template_id: 'x', params: {} } }),
      ];
      for (const { error } of await Promise.all(tries)) {
        expect(error).toMatchObject({
          code: 'JURISDICTION_BLOCKED',
          details: { rule_id: 'cold', lifted_by: 'operator' },
        });
        expect(error.message).toContain('AQ');
      }
    }
    // Getting out is never stopped.
    const cancels = { items: [{ action: 'cancel', order_id: second }] };
    const batch = await exchange.ask('batchOrders', { token, key: 'only-cancels', body: cancels });
    expect(batch.data).toMatchObject({ failed: 0 });
    const cancel = await exchange.ask('cancelOrder', { token, params: { order_id: first } });
    expect(cancel.error).toBeNull();
    // And a change of the country or the rules is felt with the next request.
    await exchange.platform.profiles.change(userId, { country: 'PT' });
    expect((await exchange.ask('placeOrder', place)).error).toBeNull();
    await exchange.office.load({ gates: [{ id: 'tier', tier_min: 'genesis', lanes }] }, by);
    expect((await exchange.ask('placeOrder', place)).error).toMatchObject({
      code: 'TIER_UPGRADE_REQUIRED',
      details: { tier: 'self_serve', required_tier: 'genesis', lifted_by: 'tier_upgrade' },
    });
    await exchange.office.load({}, by);
    expect((await exchange.ask('placeOrder', place)).error).toBeNull();
  });

  it('[CP4] sees beforehand what and why in the account', async () => {
    const token = await exchange.trader();
    await exchange.office.load({ gates: [{ id: 'where', country: true, lanes }] }, by);
    const { data } = await exchange.ask('getAccount', { token });
    expect(data.restrictions).toEqual(['COMPLIANCE_GATE_BLOCKED']);
    expect(data.restriction_reasons).toMatchObject([
      { code: 'COMPLIANCE_GATE_BLOCKED', rule_id: 'where', lifted_by: 'declared_country' },
    ]);
    expect(data.country).toBeNull();
  });

  it('is nobody by default, and no visitor of the sandbox', async () => {
    const token = await exchange.trader();
    const { data } = await exchange.ask('getAccount', { token });
    expect(data).toMatchObject({ restrictions: [], restriction_reasons: [] });
  });
});

describe('[CP10] somebody whom a list has', () => {
  const wallet = `0x${'0'.repeat(38)}AA`;
  const rules = {
    jurisdictions: [{ id: 'cold', countries: ['AQ'] }],
    sanctions: [{ id: 'list', names: ['Erika Mustermann'], wallets: [wallet], countries: ['KP'] }],
  };
  const declare = (token: string, body: object) => exchange.ask('updateProfile', { token, body });

  it.each([
    [{ country: 'AQ' }, { country: 'PT' }, 'JURISDICTION_BLOCKED', 'cold'],
    [{ country: 'KP' }, { country: null }, 'SANCTIONS_HIT', 'list'],
    [{ display_name: 'Mustermann, ERIKA' }, { display_name: 'Erika M' }, 'SANCTIONS_HIT', 'list'],
    [{ wallet_address: wallet.toLowerCase() }, { wallet_address: null }, 'SANCTIONS_HIT', 'list'],
  ])(
    'by %j does not get off it by declaring %j, whichever comes first',
    async (fact, other, code, rule) => {
      const refusal = {
        code,
        details: { rule_id: rule, lifted_by: 'operator', field: Object.keys(fact)[0] },
      };
      const [early, late] = [await exchange.session(), await exchange.session()];
      expect((await declare(early, fact)).error).toBeNull();
      await exchange.office.load(rules, by);
      expect((await declare(early, other)).error).toMatchObject(refusal);
      expect((await declare(late, fact)).error).toBeNull();
      expect((await declare(late, { ...other, phone: '+351912345678' })).error).toMatchObject(
        refusal,
      );
      // Nothing of it was taken; the rest of the profile, and the same again, may be said.
      const again = await declare(late, { ...fact, language: 'de' });
      expect(again).toMatchObject({ error: null, data: { ...fact, phone: null, language: 'de' } });
      // The operator takes it off the list.
      await exchange.office.load({}, by);
      expect(await declare(late, other)).toMatchObject({ error: null, data: other });
    },
  );

  it('leaves a country that an operator has set, until he takes it away', async () => {
    const token = await exchange.session();
    const userId = await userOf(token);
    const { profiles } = exchange.platform;
    await profiles.change(userId, { country: 'ES', isCountryFixed: true });
    expect((await declare(token, { country: 'PT' })).error).toMatchObject({
      code: 'COMPLIANCE_GATE_BLOCKED',
      message: expect.stringContaining('operator'),
      details: { rule_id: 'country_set_by_operator', lifted_by: 'operator', field: 'country' },
    });
    expect((await declare(token, { country: 'ES', language: 'es' })).error).toBeNull();
    await profiles.change(userId, { country: null, isCountryFixed: false });
    expect((await declare(token, { country: 'PT' })).error).toBeNull();
  });
});

describe('[CP2] loading rules', () => {
  it('is noted in the journal of both lanes, once for each version, also after a crash', async () => {
    const { office, platform, secrets, clock, lanes: open } = exchange;
    const first = await office.load({ gates: [] }, by);
    expect(await office.load({ gates: [] }, by)).toBe(first);
    const second = await office.load({}, by);
    expect(second.version).toBe(2);
    const noted = () =>
      Promise.all(Object.values(open).map((lane) => lane.read((state) => state.compliance)));
    const { version, hash } = second;
    expect(await noted()).toEqual([
      { version, hash },
      { version, hash },
    ]);
    // Kept, yet not noted: as after a crash between the two.
    const third = { ...second, version: 3, hash: 'c'.repeat(64) };
    await platform.compliance.addRules(third);
    const random = { token: () => 'x', bytes: () => new Uint8Array() } as never;
    await ComplianceOffice.open({ platform, secrets, clock, lanes: open, random });
    expect(await noted()).toEqual([
      { version: 3, hash: third.hash },
      { version: 3, hash: third.hash },
    ]);
  });
});

describe('[KY7] a country that is not served', () => {
  it('is refused alike for an email that is registered and one that is not', async () => {
    await exchange.office.load({ jurisdictions: [{ id: 'cold', countries: ['AQ'], lanes }] }, by);
    const password = 'long enough 12';
    const register = async (email: string, more: object = {}) =>
      (await exchange.ask('register', { body: { email, password, ...more } })).error;
    expect(await register('known@example.com')).toBeNull();
    const from = { country: 'AQ', password: 'another battery' };
    const known = await register('known@example.com', from);
    const unknown = await register('unknown@example.com', from);
    expect(known).toMatchObject({ code: 'JURISDICTION_BLOCKED', details: { rule_id: 'cold' } });
    expect({ ...known, trace_id: '' }).toEqual({ ...unknown, trace_id: '' });
  });
});

describe('[CP5] 50 sign-ups at once from one address', () => {
  it('bring in as many as the rule says, flag the address once, and let others in', async () => {
    const signUps = { id: 'burst', per_address: 7, window_minutes: 10 };
    await exchange.office.load({ anti_abuse: { sign_ups: signUps } }, by);
    const register = (name: string, remoteAddress: string) =>
      exchange.call({
        method: 'POST',
        url: '/api/auth/register',
        payload: { email: `${name}@example.com`, password: 'long enough 12' },
        remoteAddress,
      });
    const names = Array.from({ length: 50 }, (_, index) => `burst${index}`);
    const answers = await Promise.all(names.map((name) => register(name, '192.0.2.7')));
    const refused = answers.filter(({ statusCode }) => statusCode !== 200);
    expect(answers.length - refused.length).toBe(7);
    for (const answer of refused) {
      expect(answer.json().error).toMatchObject({
        code: 'ANTI_ABUSE_BLOCKED',
        details: { rule_id: 'burst', lifted_by: 'time', retry_after_sec: 600 },
      });
      expect(answer.headers['retry-after']).toBe('600');
    }
    const page = { status: 'open', limit: 10, beforeMs: Number.MAX_SAFE_INTEGER } as const;
    const flags = await exchange.platform.compliance.flags(page);
    expect(flags.map(({ kind }) => kind)).toEqual(['sign_ups']);
    // Nobody can read the address out of it.
    expect(JSON.stringify(flags)).not.toContain('192.0.2.7');
    expect((await register('elsewhere', '192.0.2.8')).statusCode).toBe(200);
    exchange.clock.advance(600_001);
    expect((await register('later', '192.0.2.7')).statusCode).toBe(200);
  });
});

describe('[CP7] the faucet', () => {
  it('serves so many accounts of an address a day, and each of them again', async () => {
    await exchange.office.load(
      { anti_abuse: { faucet: { id: 'farm', accounts_per_address: 2 } } },
      by,
    );
    const faucet = (token: string) =>
      exchange.call({
        method: 'POST',
        url: '/sandbox/v1/sandbox/faucet',
        headers: bearer(token),
        remoteAddress: '192.0.2.9',
      });
    const people = [await exchange.session(), await exchange.session(), await exchange.session()];
    const verdicts: number[] = [];
    for (const token of people) verdicts.push((await faucet(token)).statusCode);
    expect(verdicts).toEqual([200, 200, 422]);
    exchange.clock.advance(3_600_000);
    expect((await faucet(people[0]!)).statusCode).toBe(200);
    expect((await faucet(people[2]!)).json().error.details.rule_id).toBe('farm');
  });
});

describe('[CP6] trades of accounts that belong together', () => {
  const rule = { id: 'wash', window_hours: 24, share_percent: 60, volume_min: '10', blocks: true };

  /** The subaccounts that buy and sell, where it is not the main accounts. */
  async function trade(buyer: string, seller: string, buying = {}, selling = {}): Promise<void> {
    marketCount += 1;
    const market = await exchange.market('book', marketCount);
    const mint = { action: 'mint', market_id: market, size: '100', ...selling };
    await exchange.ask('convertPosition', { token: seller, key: `mint-${market}`, body: mint });
    const buy = order(market, { size: '100', ...buying });
    await exchange.ask('placeOrder', { token: buyer, body: buy });
    const sell = order(market, { side: 'sell', size: '100', ...selling });
    const { data } = await exchange.ask('placeOrder', { token: seller, body: sell });
    expect(data.status).toBe('filled');
  }

  const blocked = async (token: string) =>
    (await exchange.platform.compliance.blocksOf(await userOf(token))).length;

  const openFlags = async (token: string) => {
    const userId = await userOf(token);
    const page = { status: 'open', limit: 100, beforeMs: Number.MAX_SAFE_INTEGER } as const;
    const flags = await exchange.platform.compliance.flags(page);
    return flags.filter(({ subject }) => subject === userId).map(({ blocks }) => blocks);
  };

  /** Of the sandbox, with the rule in force. */
  async function openWatch(): Promise<WashWatch> {
    const { office, platform, lanes: open } = exchange;
    await office.load({ anti_abuse: { wash_trading: rule } }, by);
    return new WashWatch({ office, platform, lane: open.sandbox! });
  }

  const inviteOf = async (token: string) => {
    const { data } = await exchange.ask('getAccount', { token });
    return { referral_code: data.referral_code };
  };

  const register = async (name: string, address: string, more: object = {}) => {
    const answer = await exchange.call({
      method: 'POST',
      url: '/sandbox/api/auth/register',
      payload: { email: `${name}@example.com`, password: 'long enough 12', ...more },
      remoteAddress: address,
    });
    const { session_token: token, account_id: accountId } = answer.json().data;
    const amount = 1_000_000_000n as never;
    const body = {
      type: 'deposit',
      accountId: asAccountId(accountId),
      amount,
      reference: name,
    } as const;
    await exchange.operate(body);
    return token as string;
  };

  it('are flagged and stopped above the share, until an operator clears it; others are not', async () => {
    const { office, platform, lanes: open } = exchange;
    await office.load({ anti_abuse: { wash_trading: rule } }, by);
    const watch = new WashWatch({ office, platform, lane: open.sandbox! });
    const [ann, bob, eve, dan] = await Promise.all([1, 2, 3, 4].map(() => exchange.trader()));
    await platform.compliance.setLink(await userOf(ann!), await userOf(bob!), true);
    await trade(eve!, dan!);
    await trade(ann!, bob!);
    await watch.judge();
    for (const token of [ann!, bob!]) {
      const { data } = await exchange.ask('getAccount', { token });
      expect(data.restrictions).toEqual(['ANTI_ABUSE_BLOCKED']);
    }
    for (const token of [eve!, dan!]) {
      expect((await exchange.ask('getAccount', { token })).data.restrictions).toEqual([]);
    }
    const market = await exchange.market('book', 7);
    const refused = await exchange.ask('placeOrder', { token: ann!, body: order(market) });
    expect(refused.error).toMatchObject({
      code: 'ANTI_ABUSE_BLOCKED',
      details: { rule_id: 'wash' },
    });
    const [flag] = await platform.compliance.blocksOf(await userOf(ann!));
    const clearing = { actor: 'ops', reason: 'a hedge', atMs: 1 };
    await platform.compliance.clearFlag(flag!.flagId, clearing);
    expect(
      (await exchange.ask('placeOrder', { token: ann!, body: order(market) })).error,
    ).toBeNull();
    watch.stop();
  });

  it('count together for a family, whichever subaccounts trade', async () => {
    const { office, platform, lanes: open } = exchange;
    // No single account of either family trades that much.
    const least = { ...rule, volume_min: '100', share_percent: 100 };
    await office.load({ anti_abuse: { wash_trading: least } }, by);
    const watch = new WashWatch({ office, platform, lane: open.sandbox! });
    const [ann, bob] = [await exchange.trader(), await exchange.trader()];
    await platform.compliance.setLink(await userOf(ann), await userOf(bob), true);
    const subaccountOf = async (token: string, label: string) => {
      const { data } = await exchange.ask('createSubaccount', { token, body: { label } });
      const { subaccount_id } = data;
      const from = (await exchange.ask('getAccount', { token })).data.account_id;
      const body = { from, to: subaccount_id, amount: '200' };
      await exchange.ask('transferFunds', { token, key: `fund-${subaccount_id}`, body });
      return { subaccount_id };
    };
    const [one, two] = [await subaccountOf(ann, 'one'), await subaccountOf(ann, 'two')];
    const [three, four] = [await subaccountOf(bob, 'three'), await subaccountOf(bob, 'four')];
    await trade(ann, bob, one, three);
    await trade(ann, bob, two, four);
    await watch.judge();
    expect([await blocked(ann), await blocked(bob)]).toEqual([0, 0]);
    await trade(ann, bob, {}, three);
    await watch.judge();
    expect([await blocked(ann), await blocked(bob)]).toEqual([1, 1]);
    watch.stop();
  });

  it('are known by an invitation and by one address at the sign-up, and a small share is nothing', async () => {
    const watch = await openWatch();
    const inviter = await register('inviter', '192.0.2.1');
    const guest = await register('guest', '192.0.2.2', await inviteOf(inviter));
    const twins = [await register('twin1', '192.0.2.3'), await register('twin2', '192.0.2.3')];
    const stranger = await register('stranger', '192.0.2.4');
    await trade(inviter, guest);
    await trade(twins[0]!, twins[1]!);
    // Of the stranger's volume half is with the inviter, who is nobody of his.
    await trade(stranger, inviter);
    await watch.judge();
    expect(await blocked(guest)).toBe(1);
    expect(await blocked(twins[0]!)).toBe(1);
    expect(await blocked(stranger)).toBe(0);
    // Half of the inviter's own volume was with somebody else: below the share.
    expect(await blocked(inviter)).toBe(0);
    watch.stop();
  });

  it('stop only in the lane where they were', async () => {
    const watch = await openWatch();
    const [ann, bob] = [await exchange.trader(), await exchange.trader()];
    const { compliance } = exchange.platform;
    await compliance.setLink(await userOf(ann), await userOf(bob), true);
    await trade(ann, bob);
    await watch.judge();
    const restrictionsAt = async (prefix: string) => {
      const ask = { method: 'GET', url: `${prefix}/v1/account`, headers: bearer(ann) } as const;
      return (await exchange.call(ask)).json().data.restrictions;
    };
    expect(await restrictionsAt('/sandbox')).toEqual(['ANTI_ABUSE_BLOCKED']);
    expect(await restrictionsAt('')).toEqual([]);
    watch.stop();
  });

  it('stop the guest alone where only an invitation links them, and the inviter is looked at', async () => {
    const watch = await openWatch();
    const victim = await register('victim', '192.0.2.1');
    const attacker = await register('attacker', '192.0.2.2', await inviteOf(victim));
    await trade(victim, attacker);
    await watch.judge();
    expect([await blocked(attacker), await blocked(victim)]).toEqual([1, 0]);
    expect(await openFlags(victim)).toEqual([false]);
    // Who waits to be looked at is stopped all the same for what he does himself.
    const twin = await register('twin', '192.0.2.1');
    await trade(victim, twin);
    await trade(victim, twin);
    await watch.judge();
    expect(await blocked(victim)).toBe(1);
    watch.stop();
  });

  it('are known also when the other has closed the account, or one who stands between them', async () => {
    const watch = await openWatch();
    const { platform } = exchange;
    const first = await register('first', '192.0.2.1');
    const second = await register('second', '192.0.2.2', await inviteOf(first));
    const third = await register('third', '192.0.2.3', await inviteOf(second));
    const [ann, bob] = [await exchange.trader(), await exchange.trader()];
    await platform.compliance.setLink(await userOf(ann), await userOf(bob), true);
    const twins = [await register('twin1', '192.0.2.4'), await register('twin2', '192.0.2.4')];
    await trade(twins[0]!, twins[1]!);
    await trade(third, first);
    await trade(ann, bob);
    for (const token of [first, second, bob, twins[1]!]) {
      expect(await platform.closing.erase(await userOf(token), 1)).toBe(true);
    }
    await watch.judge();
    for (const token of [third, ann, twins[0]!]) expect(await blocked(token)).toBe(1);
    watch.stop();
  });

  it('count for each side at what it pays itself', async () => {
    const watch = await openWatch();
    const [dear, cheap] = [await exchange.trader(), await exchange.trader()];
    await exchange.platform.compliance.setLink(await userOf(dear), await userOf(cheap), true);
    marketCount += 1;
    const market = await exchange.market('book', marketCount);
    const rest = order(market, { outcome_id: 'no', price: '0.05', size: '100' });
    await exchange.ask('placeOrder', { token: cheap, body: rest });
    const take = order(market, { price: '0.95', size: '100' });
    const { data } = await exchange.ask('placeOrder', { token: dear, body: take });
    expect(data.status).toBe('filled');
    await watch.judge();
    // The other has paid 5 USDT, which is less than the rule looks at.
    expect([await blocked(dear), await blocked(cheap)]).toEqual([1, 0]);
    watch.stop();
  });
});

describe('[CP9] limits of one’s own', () => {
  it('are set, read and kept to; exclusion shows in the account and is not shortened', async () => {
    const token = await exchange.trader();
    const market = await exchange.market('book');
    const none = { day: null, week: null, month: null };
    const set = await exchange.ask('setOwnLimits', {
      token,
      body: { deposit: none, loss: { ...none, day: '5' } },
    });
    expect(set.data.loss.day).toMatchObject({ amount: '5.000000', used: '0.000000' });
    const refused = await exchange.ask('placeOrder', {
      token,
      body: order(market, { size: '20' }),
    });
    expect(refused.error).toMatchObject({
      code: 'RISK_LIMIT_BREACH',
      details: { limit: 'own_loss_day', max: '5.000000' },
    });
    expect((await exchange.ask('placeOrder', { token, body: order(market) })).error).toBeNull();
    const raised = await exchange.ask('setOwnLimits', {
      token,
      body: { deposit: none, loss: none },
    });
    expect(raised.data.loss.day).toMatchObject({
      amount: '5.000000',
      used: '4.000000',
      next_amount: null,
      next_from_ms: expect.any(Number),
    });
    const wrong = await exchange.ask('setOwnLimits', {
      token,
      body: { deposit: none, loss: { ...none, week: '-1' } },
    });
    expect(wrong.error).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { field: 'loss.week' },
    });
    const made = await exchange.ask('createMarket', {
      token,
      key: 'before-leaving',
      body: question(1),
    });
    expect(made).toMatchObject({ error: null, data: { created: true } });
    const out = await exchange.ask('excludeSelf', { token, body: { until_ms: null } });
    expect(out.data.excluded_until_ms).toBe(253_402_300_799_999);
    const buy = await exchange.ask('placeOrder', { token, body: order(market) });
    expect(buy.error).toMatchObject({
      code: 'COMPLIANCE_GATE_BLOCKED',
      details: { rule_id: 'self_exclusion', lifted_by: 'time' },
    });
    const { data } = await exchange.ask('getAccount', { token });
    expect(data.restriction_reasons).toMatchObject([{ rule_id: 'self_exclusion' }]);
    for (const query of [{}, { dry_run: 'true' }]) {
      const made = await exchange.ask('createMarket', { token, query, body: question(2) });
      expect(made.error).toMatchObject({
        code: 'COMPLIANCE_GATE_BLOCKED',
        details: { rule_id: 'self_exclusion', lifted_by: 'time' },
      });
    }
    const again = await exchange.ask('createMarket', {
      token,
      key: 'before-leaving',
      body: question(1),
    });
    expect(again.data).toEqual(made.data);
    const until = { until_ms: exchange.clock.wallMs() + 1000 };
    const shorter = await exchange.ask('excludeSelf', { token, body: until });
    expect(shorter.error).toMatchObject({ code: 'STATE_CONFLICT' });
  });

  it('are set by any session, but an exclusion takes one that has just proved who is there', async () => {
    const token = await exchange.trader();
    const exclude = (by: string) =>
      exchange.ask('excludeSelf', { token: by, body: { until_ms: null } });
    exchange.clock.advance(5 * 60_000);
    const refused = await exclude(token);
    expect(refused.error).toMatchObject({
      code: 'STEP_UP_MFA_REQUIRED',
      details: { factors: ['password'] },
    });
    const none = { day: null, week: null, month: null };
    const limits = await exchange.ask('setOwnLimits', {
      token,
      body: { deposit: none, loss: { ...none, day: '5' } },
    });
    expect(limits).toMatchObject({ error: null, data: { excluded_until_ms: null } });
    const { data: visit } = await exchange.ask('openDemo', { body: {} });
    const visitor = await exclude(visit.session_token);
    expect(visitor.data.excluded_until_ms).toBe(253_402_300_799_999);
  });

  it('hold for markets that are made beside the exclusion: none is journaled after it', async () => {
    const token = await exchange.trader();
    const done: string[] = [];
    exchange.lanes.sandbox!.onCommitted((batch) => {
      for (const { command, outcome } of batch) {
        if (outcome.answer.ok) done.push(command.type);
      }
    });
    const makes = (first: number) =>
      [0, 1, 2, 3].map((at) => exchange.ask('createMarket', { token, body: question(first + at) }));
    await Promise.all([
      ...makes(10),
      exchange.ask('excludeSelf', { token, body: { until_ms: null } }),
      ...makes(20),
    ]);
    expect(done).toContain('exclude_self');
    expect(done.slice(done.indexOf('exclude_self') + 1)).not.toContain('create_market');
  });
});
