// What the engine checks on its own: makers near the mid every minute, and prices after every trade of a watched market.
import type { AccountId } from '@sibyl/engine';
import { type Scenario, scaled } from './scenario.ts';
import { leastBid, Stage } from './stage.ts';
import type { Watch } from './watch.ts';

const ORDERS_NEAR = 300_000;
const MAKERS = 20_000;
const TRADES = 6_000;
const MINUTE_MS = 60_000;
const MINUTES = 3;

export const makerChecks: Scenario = {
  name: 'looks at makers and prices',
  expectedSeconds: 8,
  run(watch, scale) {
    lookAt(watch, scaled(ORDERS_NEAR, scale), scaled(10, scale));
    lookAt(watch, scaled(ORDERS_NEAR / 3, scale), scaled(MAKERS, scale));
    lookAtWide(watch, scaled(200, scale));
    watchPrices(watch, scaled(TRADES, scale), 2);
    watchPrices(watch, scaled(TRADES / 3, scale), 64);
  },
};

/** Bids around one half, which count until they are 300 pips from the mid. */
function lookAt(watch: Watch, orders: number, makers: number): void {
  const stage = new Stage(watch, `${orders} orders of ${makers} makers near the mid`);
  const accounts = stage.openAccounts(makers);
  const market = stage.makeMarket({});
  for (let index = 0; index < orders; index += 1) {
    const accountId = accounts[index % makers]!;
    const price = 4_800 + (index % 200);
    stage.place({
      accountId,
      market,
      outcome: index % 2,
      side: 'buy',
      price,
      lots: 1 + (index % 9),
    });
  }
  for (let minute = 0; minute < MINUTES; minute += 1) stage.advance('a minute later', MINUTE_MS);
}

function lookAtWide(watch: Watch, orders: number): void {
  const stage = new Stage(watch, `64 outcomes with ${orders} bids each near the mid`);
  const accounts = stage.openAccounts(100);
  const market = stage.makeMarket({ outcomes: 64, deposit: 100_000 });
  for (let outcome = 0; outcome < 64; outcome += 1) {
    for (let index = 0; index < orders; index += 1) {
      const accountId = accounts[index % accounts.length]!;
      const price = 1 + (index % 100);
      stage.place({ accountId, market, outcome, side: 'buy', price, lots: leastBid(price) });
    }
  }
  for (let minute = 0; minute < MINUTES; minute += 1) stage.advance('a minute later', MINUTE_MS);
}

/** The breaker holds the prices after each trade of ten seconds against those of the next. */
function watchPrices(watch: Watch, trades: number, outcomes: number): void {
  const scene = `${trades} trades of ${outcomes} outcomes within ten seconds, with a band`;
  const stage = new Stage(watch, scene);
  const [accountId] = stage.openAccounts(1) as [AccountId];
  const market = stage.makeMarket({ outcomes, deposit: 1_000_000 });
  for (let trade = 0; trade < trades; trade += 1) {
    const side = trade % 2 === 0 ? 'buy' : 'sell';
    stage.place({ accountId, market, outcome: 0, side, lots: 10 });
  }
  stage.timeOrder('market buy', { accountId, market, outcome: 0, side: 'buy', lots: 10 });
}
