// Shares of fees: credited once a day, and shown to those who earned them.
import { operations } from '@sibyl/contract';
import {
  type AccountId,
  asAccountId,
  asMarketId,
  type PlaceOrder,
  type State,
  vestedFees,
} from '@sibyl/engine';
import { formatDecimal, lots, pips } from '@sibyl/money';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type CreditingParts,
  creditDay,
  feeCrediting,
} from '../../src/modules/revenue/crediting.ts';
import { cancelTraded } from '../gateway/cancelling.ts';
import { runJob } from '../run-job.ts';
import { type Exchange, openExchange } from './exchange.ts';

const APP = 'app_x';
const DAY_MS = 86_400_000;

let exchange: Exchange;
let ada: Trader;
let bob: Trader;

interface Trader {
  readonly token: string;
  readonly accountId: AccountId;
  readonly userId: string;
}

beforeEach(async () => {
  exchange = await openExchange();
  ada = await trader();
  bob = await trader();
});

afterEach(() => exchange.close());

async function trader(): Promise<Trader> {
  const token = await exchange.trader();
  const { data } = await exchange.ask('getAccount', { token });
  const user = await exchange.platform.userByAccount(data.account_id);
  return { token, accountId: asAccountId(data.account_id), userId: user!.userId };
}

function order(who: Trader, marketId: string, side: 'buy' | 'sell', appId: string | null) {
  const body: PlaceOrder = {
    type: 'place_order',
    accountId: who.accountId,
    marketId: asMarketId(marketId),
    outcomeId: 'yes',
    side,
    orderType: 'limit',
    price: pips(5000),
    lots: lots(10_000),
    timeInForce: 'gtc',
    expiresAtMs: null,
    postOnly: false,
    reduceOnly: false,
    stpMode: 'cancel_resting',
    maxCost: null,
    validUntilMs: null,
    clientOrderId: null,
    builder: appId === null ? null : { appId, feeBps: 10, capBps: 100 },
    caps: null,
    grant: null,
    execution: 'hybrid',
    acceptPrice: false,
  };
  return exchange.operate(body);
}

/** Bob buys a hundred shares from somebody in a market of Ada's, through the app. */
async function tradedMarket(number = 0): Promise<string> {
  const marketId = await exchange.market('book', number, ada.accountId);
  const seller = await trader();
  const sets = { accountId: seller.accountId, marketId: asMarketId(marketId), lots: lots(10_000) };
  await exchange.operate({ type: 'mint_sets', ...sets, caps: null, grant: null });
  await order(seller, marketId, 'sell', null);
  await order(bob, marketId, 'buy', APP);
  return marketId;
}

async function resolve(marketId: string): Promise<void> {
  const answer = { marketId: asMarketId(marketId), winningOutcomeId: 'yes' };
  await exchange.operate({ type: 'mock_oracle', accountId: ada.accountId, ...answer });
}

const read = <T>(query: (state: State) => T): Promise<T> => exchange.lanes.sandbox!.read(query);

const freeOf = (accountId: AccountId) =>
  read(({ accounts, ledger }) => ledger.balance(accounts.get(accountId)!.free));

function ownApp(who: Trader): void {
  const accounts = { live: who.accountId, sandbox: who.accountId };
  exchange.owners.put(APP, { userId: who.userId, accounts });
}

function parts(changes: Partial<CreditingParts> = {}): CreditingParts {
  const { platform, owners, clock } = exchange;
  return { platform, lane: exchange.lanes.sandbox!, owners, clock, ...changes };
}

describe('crediting', () => {
  it('[RV1] pays all that is vested to creators and owners of apps, and a second time nothing', async () => {
    ownApp(ada);
    await resolve(await tradedMarket());
    const vested = await read((state) => vestedFees(state));
    expect(vested.map(({ actor }) => actor)).toEqual(['builder', 'creator']);
    const before = await freeOf(ada.accountId);
    expect(await creditDay(parts(), 20_000)).toBe(2);
    const paid = vested.reduce((sum, { amount }) => sum + amount, 0n);
    expect((await freeOf(ada.accountId)) - before).toBe(paid);
    expect(await read((state) => vestedFees(state))).toEqual([]);
    expect(await creditDay(parts(), 20_000)).toBe(0);
    expect((await freeOf(ada.accountId)) - before).toBe(paid);
  });

  it('[RV1] cut off after some of its commands, it pays the rest when it begins anew, and nothing twice', async () => {
    ownApp(bob);
    await resolve(await tradedMarket());
    const vested = await read((state) => vestedFees(state));
    const before = [await freeOf(ada.accountId), await freeOf(bob.accountId)];
    const lane = exchange.lanes.sandbox!;
    let sent = 0;
    const failing: CreditingParts['lane'] = {
      name: lane.name,
      read: (query) => lane.read(query),
      submit: async (submission) => {
        sent += 1;
        const outcome = await lane.submit(submission);
        // Done, and nobody hears of it.
        if (sent === 1) throw new Error('cut off');
        return outcome;
      },
    };
    await expect(creditDay(parts({ lane: failing, creditsMax: 1 }), 20_000)).rejects.toThrow('cut');
    expect(await creditDay(parts({ creditsMax: 1 }), 20_000)).toBe(1);
    expect(await creditDay(parts({ creditsMax: 1 }), 20_000)).toBe(0);
    const after = [await freeOf(ada.accountId), await freeOf(bob.accountId)];
    const [builder, creator] = vested;
    expect(after.map((free, index) => free - before[index]!)).toEqual([
      creator!.amount,
      builder!.amount,
    ]);
  });

  it('[RV1] leaves waiting what an app earned that nobody has', async () => {
    await resolve(await tradedMarket());
    expect(await creditDay(parts(), 20_000)).toBe(1);
    expect(await read((state) => vestedFees(state))).toMatchObject([{ actor: 'builder', id: APP }]);
    ownApp(bob);
    expect(await creditDay(parts(), 20_001)).toBe(1);
  });

  it('[RV2] runs once for each UTC day, and at the start for one that passed', async () => {
    ownApp(ada);
    const { clock, platform } = exchange;
    const today = Math.floor(clock.wallMs() / DAY_MS);
    const said: string[] = [];
    const first = tradedMarket(1);
    await resolve(await first);
    const stop = runJob(feeCrediting(parts({ notify: (message) => said.push(message) })), clock);
    await until(async () => (await platform.setting('revenue.day.sandbox')) === String(today));
    expect(said).toEqual(['2 shares of fees were credited in sandbox']);
    await resolve(await tradedMarket(2));
    const waiting = await read((state) => vestedFees(state));
    expect(waiting).toHaveLength(2);
    const midnightMs = (today + 1) * DAY_MS;
    while (clock.wallMs() < midnightMs) {
      expect(await read((state) => vestedFees(state))).toEqual(waiting);
      clock.advance(600_000);
      await turns();
    }
    await until(async () => (await platform.setting('revenue.day.sandbox')) === String(today + 1));
    expect(await read((state) => vestedFees(state))).toEqual([]);
    await stop();
    expect(said).toHaveLength(2);
  });
});

async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((done) => setImmediate(done));
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await turns();
}

describe('what was earned', () => {
  const total = (rows: readonly Row[]): Row => rows.find(({ kind }) => kind === 'total')!;
  const rowsOf = async (
    id: 'getRevenue' | 'getAttribution',
    who: Trader,
    query: Readonly<Record<string, unknown>> = {},
  ): Promise<readonly Row[]> => (await exchange.ask(id, { token: who.token, query })).data;

  interface Row {
    readonly kind: 'total' | 'part';
    readonly [name: string]: unknown;
  }

  it('[RV3] is accrued by trades, pending until its markets resolve, and then credited', async () => {
    ownApp(ada);
    const marketId = await tradedMarket();
    const accrued = await unvestedOf(`builder:${APP}`, `creator:${ada.accountId}`);
    expect(total(await rowsOf('getRevenue', ada))).toMatchObject({
      accrued: text(accrued),
      credited: '0.000000',
      returned: '0.000000',
      pending: text(accrued),
    });
    await resolve(marketId);
    await creditDay(parts(), 20_000);
    const [sum, ...others] = await rowsOf('getRevenue', ada);
    expect(sum).toMatchObject({ credited: text(accrued), pending: '0.000000' });
    expect(
      others.map(({ role, app_id: app, account_id: account }) => [role, app, account]),
    ).toEqual([
      ['builder', APP, null],
      ['creator', null, ada.accountId],
    ]);
    expect(total(await rowsOf('getRevenue', bob))).toMatchObject({ accrued: '0.000000', fills: 0 });
  });

  it('[RV3] is given back by a cancelled market', async () => {
    ownApp(ada);
    const marketId = await tradedMarket();
    const accrued = await unvestedOf(`builder:${APP}`, `creator:${ada.accountId}`);
    await cancelTraded(exchange, marketId, 'sandbox');
    expect(total(await rowsOf('getRevenue', ada))).toMatchObject({
      accrued: text(accrued),
      returned: text(accrued),
      pending: '0.000000',
    });
  });

  it('[RV3] is told by trade, day, app, market and actor, in pages that hold each row once', async () => {
    ownApp(ada);
    const markets = [await tradedMarket(1), await tradedMarket(2), await tradedMarket(3)];
    const byMarket = await rowsOf('getAttribution', ada, { group_by: 'market' });
    const parted = byMarket.filter(({ kind }) => kind === 'part');
    expect(parted.map(({ market_id: id }) => id)).toEqual(markets.toSorted());
    expect(total(byMarket)).toMatchObject({ fills: 3, volume: '150.000000' });
    for (const row of parted) expect(row).toMatchObject({ fills: 1, volume: '50.000000' });
    const day = new Date(exchange.clock.wallMs()).toISOString().slice(0, 10);
    const days = await rowsOf('getAttribution', ada, { group_by: 'day' });
    // Every day of the month has a row, today's last.
    expect(days.map((row) => row.fills)).toEqual([3, ...new Array(29).fill(0), 3]);
    expect(days.at(-1)).toMatchObject({ day, fills: 3, volume: '150.000000', app_id: null });
    const [, byApp] = await rowsOf('getAttribution', ada, { group_by: 'app' });
    expect(byApp).toMatchObject({ app_id: APP, fills: 3 });
    const fills: Row[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const query = { group_by: 'fill', limit: 1, ...(cursor === undefined ? {} : { cursor }) };
      const page = await exchange.ask('getRevenue', { token: ada.token, query });
      fills.push(...page.data.filter(({ kind }: Row) => kind === 'part'));
      cursor = page.meta.next_cursor;
    }
    expect(fills.map(({ role }) => role)).toEqual(markets.flatMap(() => ['builder', 'creator']));
    expect(fills.map(({ market_id: id }) => id)).toEqual(
      markets.toReversed().flatMap((id) => [id, id]),
    );
    const [, only] = await rowsOf('getRevenue', ada, { app_id: APP });
    expect(only).toMatchObject({ role: 'builder', app_id: APP });
    const past = { from_ms: 0, to_ms: 86_400_000 };
    expect(total(await rowsOf('getAttribution', ada, past))).toMatchObject({ fills: 0 });
  });

  it('[RV4] shows nobody what is another’s, and refuses what makes no sense', async () => {
    ownApp(ada);
    await tradedMarket();
    for (const id of ['getRevenue', 'getAttribution'] as const) {
      const asked = async (query: Readonly<Record<string, unknown>>) =>
        (await exchange.ask(id, { token: bob.token, query })).error;
      expect(await asked({ app_id: APP })).toMatchObject({ code: 'NOT_FOUND' });
      expect(await asked({ from_ms: 5, to_ms: 5 })).toMatchObject({ code: 'VALIDATION_FAILED' });
      const years = { from_ms: 0, to_ms: 367 * 86_400_000 };
      expect(await asked(years)).toMatchObject({ code: 'VALIDATION_FAILED' });
      const rows = await rowsOf(id, bob);
      expect(rows.filter(({ fills }) => fills !== 0)).toEqual([]);
    }
  });

  it('[RV8] orders by keys of a builder are attributed to the builder, to the last unit', async () => {
    const marketId = await exchange.market('pool', 7);
    const buy = (token: string, size: string) =>
      exchange.ask('placeOrder', {
        token,
        body: {
          ...{ market_id: marketId, outcome_id: 'yes', side: 'buy', order_type: 'market', size },
        },
      });
    const attributed = async (who: Trader, query = {}) => {
      const { data } = await exchange.ask('getAttribution', { token: who.token, query });
      return data[0];
    };
    const key = await exchange.key({ session: ada.token, at: '/sandbox' });
    const others = await exchange.key({ session: bob.token, at: '/sandbox' });
    const plain = await buy(key, '3');
    expect((await attributed(ada)).volume).toBe('0.000000');
    const { platform, clock } = exchange;
    const body = { ...operations.applyForTrack.example.body, track: 'trade_full' };
    await exchange.ask('applyForTrack', { token: ada.token, body });
    const change = { actor: 'opr_1', reason: 'ticket', atMs: clock.wallMs() };
    await platform.builders.approve({
      ...{ userId: ada.userId, change, agreedRate: null, note: null, cohortMax: 20 },
    });
    const orders = [await buy(key, '3'), await buy(key, '7.77'), await buy(key, '1.01')];
    await buy(others, '5');
    await buy(ada.token, '5');
    const { data: fills } = await exchange.ask('listFills', { token: ada.token });
    const mine = new Set(orders.map(({ data }) => data.order_id));
    const own = fills.filter(({ order_id: id }: { order_id: string }) => mine.has(id));
    const micro = (text: string) => BigInt(text.replace('.', ''));
    const sum = own.reduce((all: bigint, { cost }: { cost: string }) => all + micro(cost), 0n);
    const total = await attributed(ada);
    expect([micro(total.volume), total.fills]).toEqual([sum, own.length]);
    expect(sum).toBeGreaterThan(0n);
    expect(total).toMatchObject({ app_id: null, accrued: '0.000000' });
    for (const group_by of ['fill', 'app', 'market']) {
      expect((await attributed(ada, { group_by })).volume).toBe(total.volume);
    }
    expect((await attributed(bob)).volume).toBe('0.000000');
    // Nothing of it shows in the fills, and the fee is what it was.
    for (const fill of fills) expect(fill.builder_app_id).toBeNull();
    expect(plain.error).toBeNull();
    const vested = await read((state) => vestedFees(state));
    expect(vested.filter(({ actor }) => actor === 'builder')).toEqual([]);
  });

  it('[RV5] a fill names the app that its order came through', async () => {
    await tradedMarket();
    const { data } = await exchange.ask('listFills', { token: bob.token });
    expect(data).toMatchObject([{ liquidity: 'taker', builder_app_id: APP }]);
  });

  const text = (amount: bigint): string => formatDecimal(amount, 6);

  async function unvestedOf(...earners: readonly string[]): Promise<bigint> {
    return read(({ ledger }) => {
      let sum = 0n;
      for (const { name, balance } of ledger.accounts()) {
        if (earners.some((earner) => name.endsWith(`:fees:${earner}`))) sum += balance;
      }
      return sum;
    });
  }
});
