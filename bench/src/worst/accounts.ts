// One account with very many orders and holdings: frozen, reset, cancelled by a filter, or silent.
import type { AccountId, CommandBody, OrderId } from '@sibyl/engine';
import { type Scenario, scaled } from './scenario.ts';
import { leastBid, orderIdOf, Stage } from './stage.ts';
import type { Watch } from './watch.ts';

const ORDERS = 20_000;
/** As much as a reset may come to: outcomes, and an order in each market. */
const MARKETS = 800;
const WIDE_MARKETS = 39;
const NAMED_MAX = 1_000;
const TIMEOUT_MS = 5_000;

export const accounts: Scenario = {
  name: 'accounts with many orders and holdings',
  expectedSeconds: 3,
  run(watch, scale) {
    const count = scaled(ORDERS, scale);
    withOrders(watch, count, 'freeze_account', (accountId) => ({
      type: 'freeze_account',
      accountId,
      frozen: true,
    }));
    withOrders(watch, count, 'cancel_orders of all', (accountId) => cancel(accountId, null));
    withOrders(watch, count, 'cancel_orders of 1,000 by name', (accountId, orderIds) =>
      cancel(accountId, orderIds.slice(-NAMED_MAX)),
    );
    withOrders(watch, count, 'cancel_orders of 1,000 unknown', (accountId, orderIds) =>
      cancel(
        accountId,
        Array.from({ length: NAMED_MAX }, (_, at) => (orderIds.length * 9 + at) as OrderId),
      ),
    );
    silence(watch, count);
    reset(watch, scale);
  },
};

function withOrders(
  watch: Watch,
  count: number,
  what: string,
  bodyOf: (accountId: AccountId, orderIds: readonly OrderId[]) => CommandBody,
): void {
  const stage = new Stage(watch, `an account with ${count} open orders`);
  const [accountId, orderIds] = open(stage, count);
  stage.time(what, bodyOf(accountId, orderIds));
}

function open(stage: Stage, count: number): [AccountId, readonly OrderId[]] {
  const [accountId] = stage.openAccounts(1) as [AccountId];
  const markets = stage.makeMarkets(10, {});
  const orderIds = Array.from({ length: count }, (_, index) => {
    const market = markets[index % markets.length]!;
    const price = 1 + (index % 4_000);
    return orderIdOf(
      stage.place({ accountId, market, outcome: index % 2, side: 'buy', price, lots: 1 }),
    );
  });
  return [accountId, orderIds];
}

function cancel(accountId: AccountId, orderIds: readonly OrderId[] | null): CommandBody {
  return {
    type: 'cancel_orders',
    accountId,
    marketId: null,
    outcomeId: null,
    side: null,
    orderIds,
  };
}

function silence(watch: Watch, count: number): void {
  const stage = new Stage(watch, `an account with ${count} open orders`);
  const [accountId] = open(stage, count);
  stage.do({ type: 'heartbeat', accountId, timeoutMs: TIMEOUT_MS, marketId: null });
  stage.advance('its heartbeat ends', TIMEOUT_MS);
}

function reset(watch: Watch, scale: number): void {
  const [narrow, wide] = [scaled(MARKETS, scale), scaled(WIDE_MARKETS, scale)];
  const scene = `holdings in ${narrow} markets of 2 and ${wide} of 64 outcomes`;
  const stage = new Stage(watch, scene);
  const [accountId] = stage.openAccounts(1) as [AccountId];
  const markets = [
    ...stage.makeMarkets(narrow, {}),
    ...stage.makeMarkets(wide, { outcomes: 64, deposit: 100 }),
  ];
  for (const market of markets) {
    stage.mint(accountId, market, 100);
    stage.place({ accountId, market, outcome: 0, side: 'buy', price: 1, lots: leastBid(1) });
  }
  stage.time('reset_account', { type: 'reset_account', accountId });
}
