// The end of markets with very many orders, holders or fee accounts: lock, settlement by each way, cancellation.
import { type AccountId, type CommandBody, fairValue, type Market } from '@sibyl/engine';
import { lots, usdt } from '@sibyl/money';
import { type Scenario, scaled } from './scenario.ts';
import { DAY_MS, Stage } from './stage.ts';
import type { Watch } from './watch.ts';

const OUTCOMES = 64;
const HOLDERS_MAX = 100_000;
const HOLDERS = 20_000;
const ORDERS = 1_000_000;
const LOCK_MS = 3_600_000;
const LOCKS = { durationSec: LOCK_MS / 1000 } as const;

export const holders: Scenario = {
  name: 'markets with many holders',
  expectedSeconds: 25,
  run(watch, scale) {
    // More share accounts than these some millions are beyond one lane: its tables pause when they double.
    cancelHeld(watch, scaled(HOLDERS_MAX, scale), 8);
    cancelHeld(watch, scaled(HOLDERS, scale), OUTCOMES);
    for (const way of ['mock oracle', 'ruling', 'readings', 'deadline'] as const) {
      settleHeld(watch, scaled(HOLDERS, scale), way);
    }
    cancelFlat(watch, scaled(HOLDERS_MAX, scale));
    vest(watch, scaled(HOLDERS, scale));
  },
};

export const openOrders: Scenario = {
  name: 'markets with many open orders',
  expectedSeconds: 22,
  run(watch, scale) {
    const orders = scaled(ORDERS, scale);
    const stage = new Stage(watch, `${orders} open orders`);
    const accounts = stage.openAccounts(scaled(5_000, scale));
    const market = stage.makeMarket({ template: LOCKS });
    for (let index = 0; index < orders; index += 1) {
      const accountId = accounts[index % accounts.length]!;
      const price = 1 + (index % 4_000);
      stage.place({ accountId, market, outcome: index % 2, side: 'buy', price, lots: 1 });
    }
    stage.advance('lock', LOCK_MS);
  },
};

/** Everyone holds every outcome. */
function hold(stage: Stage, count: number, market: Market): readonly AccountId[] {
  const accounts = stage.openAccounts(count);
  for (const accountId of accounts) stage.mint(accountId, market, 100);
  return accounts;
}

/** Proposed and confirmed, each with the work that it leaves. */
function cancel(stage: Stage, market: Market): void {
  const { id: marketId } = market;
  const value = fairValue(stage.state, market, null);
  if ('code' in value) throw new Error(`no fair value: ${value.code}`);
  const terms = { cause: 'event', reason: 'worst', evidence: ['worst'], excluded: [] } as const;
  const { payout: expected } = value;
  stage.time('proposal', { type: 'propose_void', marketId, ...terms, window: null, expected });
  stage.finish('proposal');
  const upheld = { ruling: 'upheld', result: null, alone: true } as const;
  stage.time('cancellation', { type: 'rule_resolution', marketId, ...upheld });
  stage.finish('cancellation');
}

function cancelHeld(watch: Watch, count: number, outcomes: number): void {
  const stage = new Stage(watch, `${count} holders of ${outcomes} outcomes`);
  const market = stage.makeMarket({ outcomes, deposit: 1_000 });
  hold(stage, count, market);
  cancel(stage, market);
}

type Way = 'mock oracle' | 'ruling' | 'readings' | 'deadline';

const MOCK = { source: 'sandbox_mock', params: {}, challengeSec: 0, bond: null };
const MANUAL = { source: 'manual', params: {}, challengeSec: null, bond: null };

function settleHeld(watch: Watch, count: number, way: Way): void {
  const stage = new Stage(watch, `${count} holders of ${OUTCOMES} outcomes`);
  const oracleConfig = way === 'mock oracle' || way === 'readings' ? MOCK : MANUAL;
  const template = { ...LOCKS, oracleConfig };
  const market = stage.makeMarket({ outcomes: OUTCOMES, deposit: 1_000, template });
  const accounts = hold(stage, count, market);
  if (way === 'deadline' || way === 'readings') stage.advance('lock', LOCK_MS);
  if (way === 'deadline') {
    stage.advance('no proposal', 8 * DAY_MS);
    return;
  }
  if (way === 'ruling') for (const body of dispute(market, accounts[0]!)) stage.do(body);
  stage.time(way, decision(way, market, accounts[0]!));
  stage.finish(way);
}

function dispute({ id: marketId, outcomes }: Market, accountId: AccountId): readonly CommandBody[] {
  const result = { kind: 'outcome', outcomeId: outcomes[0]!.id } as const;
  const [evidence, bond] = [['worst'], usdt(100_000_000n)];
  return [
    { type: 'propose_resolution', marketId, proposerId: null, result, evidence, bond: usdt(0n) },
    { type: 'dispute_resolution', marketId, accountId, evidence, bond },
  ];
}

function decision(way: Way, { id: marketId, outcomes }: Market, accountId: AccountId): CommandBody {
  const outcomeId = outcomes[0]!.id;
  if (way === 'ruling')
    return { type: 'rule_resolution', marketId, ruling: 'upheld', result: null };
  if (way === 'mock oracle') {
    return { type: 'mock_oracle', accountId, marketId, winningOutcomeId: outcomeId };
  }
  const readings = [{ source: 'worst', value: outcomeId }];
  return { type: 'report_readings', marketId, readings };
}

/** Holders who hold nothing any more are none to pay, but there are as many of them. */
function cancelFlat(watch: Watch, count: number): void {
  const stage = new Stage(watch, `${count} holders who hold nothing`);
  const market = stage.makeMarket({});
  for (const accountId of hold(stage, count, market)) {
    stage.do({ type: 'merge_sets', accountId, marketId: market.id, lots: lots(100) });
  }
  cancel(stage, market);
}

/** Every trader has a referrer of their own, whose part of the fees waits in the market. */
function vest(watch: Watch, count: number): void {
  for (const way of ['settlement', 'cancellation'] as const) {
    const stage = new Stage(watch, `fees of ${count} referrers`);
    const referrers = stage.openAccounts(count);
    const traders = stage.openAccounts(count, (index) => ({ referrerId: referrers[index]! }));
    const market = stage.makeMarket({ deposit: 100_000, template: { oracleConfig: MOCK } });
    for (const [index, accountId] of traders.entries()) {
      const outcome = index % 2;
      stage.place({ accountId, market, outcome, side: 'buy', lots: 1_000 });
    }
    const [accountId, marketId] = [referrers[0]!, market.id];
    const winningOutcomeId = market.outcomes[0]!.id;
    if (way === 'settlement') {
      stage.time(way, { type: 'mock_oracle', accountId, marketId, winningOutcomeId });
    } else {
      cancel(stage, market);
    }
    stage.finish(way);
  }
}
