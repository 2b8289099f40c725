// Orders that rest when their owner becomes blocked, and somebody who waits to trade with them.
import { asAccountId, type LaneName, type MarketId } from '@sibyl/engine';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BlockedOrders } from '../../src/compliance/blocked-orders.ts';
import { Jobs } from '../../src/jobs/jobs.ts';
import { withCompliance } from '../../src/open-compliance.ts';
import { Parts } from '../../src/parts.ts';
import { StoreUnavailable } from '../../src/ports/store-unavailable.ts';
import { limitBuy } from '../limit-order.ts';
import { type Exchange, openExchange } from '../modules/exchange.ts';

const lanes: LaneName[] = ['live', 'sandbox'];
const by = { actor: 'ops', reason: 'a test', requestId: 'req_test' };
const sanctions = { sanctions: [{ id: 'list', names: ['Erika Mustermann'], lanes }] };
const cold = { jurisdictions: [{ id: 'cold', countries: ['AQ'], lanes }] };
const log = { write: () => undefined };

let exchange: Exchange;
let opened: Parts;
beforeEach(async () => {
  exchange = await openExchange();
  opened = new Parts();
});
afterEach(async () => {
  await opened.close();
  await exchange.close();
});

function watched(): BlockedOrders {
  return opened.add(new BlockedOrders({ ...exchange, log }), (started) => started.stop());
}

interface Resting {
  readonly token: string;
  readonly userId: string;
  readonly market: string;
  readonly order: string;
}

/** Somebody of the name with a high bid. */
async function resting(name: string, more: object = {}): Promise<Resting> {
  const token = await exchange.trader();
  await exchange.ask('updateProfile', { token, body: { display_name: name } });
  const { user_id: userId } = (await exchange.ask('getAccount', { token })).data;
  const market = await exchange.market('book');
  return { token, userId, market, order: await bid(token, market, more) };
}

async function bid(token: string, market: string, more: object = {}): Promise<string> {
  const side = { outcome_id: 'yes', side: 'buy', order_type: 'limit' };
  const body = { market_id: market, ...side, price: '0.99', size: '100', ...more };
  const { data, error } = await exchange.ask('placeOrder', { token, body });
  expect(error).toBeNull();
  return data.order_id;
}

async function stateOf({ token }: Pick<Resting, 'token'>, order: string) {
  const { data } = await exchange.ask('getOrder', { token, params: { order_id: order } });
  return { status: data.status, reason: data.cancel_reason };
}

const GONE = { status: 'cancelled', reason: 'admin' };
const OPEN = { status: 'pending', reason: null };

describe('[CP11] orders of somebody who becomes blocked', () => {
  it('are withdrawn for the whole family when a list is loaded, and nobody sells into them', async () => {
    const blocked = watched();
    const erika = await resting('Erika Mustermann');
    const other = await resting('Max Muster', { price: '0.01' });
    const { data: sub } = await exchange.ask('createSubaccount', {
      token: erika.token,
      body: { label: 'second' },
    });
    const { subaccount_id } = sub;
    const from = (await exchange.ask('getAccount', { token: erika.token })).data.account_id;
    const fund = { from, to: subaccount_id, amount: '200' };
    await exchange.ask('transferFunds', { token: erika.token, key: 'fund-second', body: fund });
    const second = await bid(erika.token, erika.market, { subaccount_id, price: '0.98' });
    await exchange.office.load(sanctions, by);
    await blocked.settled();
    expect(await stateOf(erika, erika.order)).toEqual(GONE);
    const openOrders = (id: string) =>
      exchange.lanes.sandbox!.read((state) => state.accounts.get(asAccountId(id))!.openOrders);
    expect([await openOrders(from), await openOrders(subaccount_id)], second).toEqual([0, 0]);
    expect(await stateOf(other, other.order)).toEqual(OPEN);
    const mule = await exchange.trader();
    const mint = { action: 'mint', market_id: erika.market, size: '100' };
    await exchange.ask('convertPosition', { token: mule, key: 'mint-for-mule', body: mint });
    const sell = { market_id: erika.market, outcome_id: 'yes', side: 'sell', order_type: 'limit' };
    const { data } = await exchange.ask('placeOrder', {
      token: mule,
      body: { ...sell, price: '0.9', size: '100', time_in_force: 'ioc' },
    });
    expect(data.filled_size).toBe('0.000000');
  });

  it('are withdrawn when a flag blocks, and when a country is set, by whomever', async () => {
    const blocked = watched();
    await exchange.office.load(cold, by);
    const [washer, seen, mover] = [await resting('A'), await resting('B'), await resting('C')];
    const why = { ruleId: 'wash', lane: null, detail: 'too much' };
    const found = { kind: 'wash_trading', ...why } as const;
    await exchange.office.flag({ ...found, subject: washer.userId, blocks: true });
    await exchange.office.flag({ ...found, subject: seen.userId, blocks: false });
    const fixed = { country: 'AQ', isCountryFixed: true };
    await exchange.platform.profiles.change(mover.userId, fixed);
    await blocked.settled();
    expect(await stateOf(washer, washer.order)).toEqual(GONE);
    expect(await stateOf(mover, mover.order)).toEqual(GONE);
    // A flag that does not block withdraws nothing.
    expect(await stateOf(seen, seen.order)).toEqual(OPEN);
  });

  it('are withdrawn at the start where a crash came before, and no lane that the rule leaves out is touched', async () => {
    const erika = await resting('Erika Mustermann');
    const live = { sanctions: [{ ...sanctions.sanctions[0]!, lanes: ['live' as const] }] };
    await exchange.office.load(live, by);
    const { office, ...given } = exchange;
    const random = { token: () => 'x', bytes: () => new Uint8Array() } as never;
    const jobs = new Jobs({ clock: exchange.clock, log });
    await withCompliance({ ...given, log, random, jobs }, opened);
    expect(await stateOf(erika, erika.order)).toEqual(OPEN);
    await office.load(sanctions, by);
    await withCompliance({ ...given, log, random, jobs }, opened);
    expect(await stateOf(erika, erika.order)).toEqual(GONE);
  });

  it('are withdrawn too if a request from before the block brings them, and if the store was away', async () => {
    let failures = 0;
    const told: string[] = [];
    const telling = { write: (_level: string, message: string) => told.push(message) };
    // A store that cannot be reached three times.
    const platform = new Proxy(exchange.platform, {
      get(store, name) {
        const value: unknown = Reflect.get(store, name, store);
        if (typeof value !== 'function') return value;
        if (name !== 'userByAccount' || failures === 3) return value.bind(store);
        failures += 1;
        return () => Promise.reject(new StoreUnavailable('a test'));
      },
    });
    const parts = { ...exchange, platform, log: telling };
    const blocked = opened.add(new BlockedOrders(parts), (started) => started.stop());
    const erika = await resting('Erika Mustermann');
    await exchange.office.load(sanctions, by);
    await blocked.settled();
    expect([failures, await stateOf(erika, erika.order)]).toEqual([1, OPEN]);
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      exchange.clock.advance(1_000);
      await blocked.settled();
    }
    expect([failures, await stateOf(erika, erika.order)]).toEqual([3, GONE]);
    // However often it is tried, the log has when it began and when it was over.
    expect(told).toEqual([
      expect.stringContaining('still rest'),
      expect.stringContaining('after 3 failed attempts'),
    ]);
    // The gate let it in before; it reaches the lane only now.
    const { account_id } = (await exchange.ask('getAccount', { token: erika.token })).data;
    const accountId = asAccountId(account_id);
    await exchange.operate(limitBuy(accountId, erika.market as MarketId));
    const openOrders = () =>
      exchange.lanes.sandbox!.read(({ accounts }) => accounts.get(accountId)!.openOrders);
    expect(await openOrders()).toBe(1);
    exchange.clock.advance(60_000);
    await blocked.settled();
    expect(await openOrders()).toBe(0);
  });
});
