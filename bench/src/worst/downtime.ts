// What falls due while a lane is down: expiries, silent heartbeats, locks, marks and checks, all at once when it is back.
import { type Scenario, scaled } from './scenario.ts';
import { DAY_MS, Stage } from './stage.ts';
import type { Watch } from './watch.ts';

const DOWN_MS = 3 * DAY_MS;
const EXPIRING = 100_000;
const HEARTBEATS = 20_000;
const ORDERS_EACH = 5;
const MARKETS = 2_000;
const ORDERS_PER_MARKET = 10;
const TIMEOUT_MS = 300_000;

export const downtime: Scenario = {
  name: 'days of downtime',
  expectedSeconds: 10,
  run(watch, scale) {
    expireOrders(watch, scaled(EXPIRING, scale));
    fallSilent(watch, scaled(HEARTBEATS, scale), ORDERS_EACH);
    fallSilent(watch, scaled(HEARTBEATS / 100, scale), ORDERS_EACH * 200);
    renew(watch, scaled(HEARTBEATS * 20, scale));
    lockMarkets(watch, scaled(MARKETS, scale));
    passMarks(watch, scaled(MARKETS, scale), 0);
    passMarks(watch, scaled(MARKETS / 4, scale), 1_000);
  },
};

function expireOrders(watch: Watch, count: number): void {
  const stage = new Stage(watch, `${count} orders that expire`);
  const accounts = stage.openAccounts(scaled(count, 0.01));
  const market = stage.makeMarket({});
  for (let index = 0; index < count; index += 1) {
    const accountId = accounts[index % accounts.length]!;
    const expiresAtMs = stage.nowMs + 60_000 + index * 100;
    const more = { timeInForce: 'gtd', expiresAtMs } as const;
    const price = 1 + (index % 4_000);
    stage.place({ accountId, market, outcome: 0, side: 'buy', price, lots: 1, more });
  }
  stage.recover('three days later', DOWN_MS);
}

function fallSilent(watch: Watch, count: number, orders: number): void {
  const stage = new Stage(watch, `${count} heartbeats over ${orders} orders each`);
  const market = stage.makeMarket({});
  for (const accountId of stage.openAccounts(count)) {
    for (let index = 0; index < orders; index += 1) {
      const price = 1 + (index % 4_000);
      stage.place({ accountId, market, outcome: 0, side: 'buy', price, lots: 1 });
    }
    stage.do({ type: 'heartbeat', accountId, timeoutMs: TIMEOUT_MS, marketId: null });
  }
  stage.recover('three days later', DOWN_MS);
}

/** Each leaves a timer behind that finds nothing to do. */
function renew(watch: Watch, count: number): void {
  const stage = new Stage(watch, `${count} heartbeats that were renewed`);
  const accounts = stage.openAccounts(scaled(count, 0.001));
  for (let index = 0; index < count; index += 1) {
    if (index % accounts.length === 0) stage.nowMs += 1;
    const accountId = accounts[index % accounts.length]!;
    stage.do({ type: 'heartbeat', accountId, timeoutMs: TIMEOUT_MS, marketId: null });
  }
  stage.recover('three days later', DOWN_MS);
}

function lockMarkets(watch: Watch, count: number): void {
  const stage = new Stage(watch, `${count} markets that lock at once, with orders and holders`);
  const [taker, ...makers] = stage.openAccounts(1 + ORDERS_PER_MARKET);
  const markets = stage.makeMarkets(count, { deposit: 100, template: { durationSec: 3_600 } });
  for (const market of markets) {
    for (const [index, accountId] of makers.entries()) {
      stage.place({ accountId, market, outcome: 0, side: 'buy', price: 1 + index, lots: 100 });
    }
    stage.place({ accountId: taker!, market, outcome: 0, side: 'buy', lots: 100 });
  }
  stage.recover('three days later', DOWN_MS);
  stage.recover('ten days later, without a proposal', 10 * DAY_MS);
}

/** Prices are counted at every minute that passed, for books one by one. */
function passMarks(watch: Watch, count: number, deposit: number): void {
  const kind = deposit === 0 ? 'books' : 'pools of 64 outcomes';
  const stage = new Stage(watch, `${count} ${kind}`);
  stage.makeMarkets(count, { outcomes: deposit === 0 ? 2 : 64, deposit });
  stage.advance('a minute later', 60_000);
  stage.recover('three days later', DOWN_MS);
}
