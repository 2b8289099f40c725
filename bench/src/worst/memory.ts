// What is remembered for a day: command keys and client order ids, grown to millions and forgotten all at once.
import type { AccountId } from '@sibyl/engine';
import { type Scenario, scaled } from './scenario.ts';
import { DAY_MS, Stage } from './stage.ts';
import type { Watch } from './watch.ts';

const KEYS = 1_500_000;
const NAMES = 600_000;

export const memory: Scenario = {
  name: 'a day of keys and names',
  expectedSeconds: 12,
  run(watch, scale) {
    forgetKeys(watch, scaled(KEYS, scale));
    forgetNames(watch, scaled(NAMES, scale));
  },
};

function forgetKeys(watch: Watch, count: number): void {
  const stage = new Stage(watch, `${count} command keys`);
  for (let index = 0; index < count; index += 1) {
    const key = { scope: 'acc_1 POST /v1/orders', key: `key-${index}`, bodyHash: 'hash' };
    stage.do({ type: 'tick' }, undefined, key);
  }
  stage.nowMs += 2 * DAY_MS;
  stage.time('two days later', { type: 'tick' });
}

function forgetNames(watch: Watch, count: number): void {
  const stage = new Stage(watch, `${count} client order ids`);
  const [accountId] = stage.openAccounts(1) as [AccountId];
  const market = stage.makeMarket({ deposit: 1_000 });
  for (let index = 0; index < count; index += 1) {
    const more = { timeInForce: 'ioc', clientOrderId: `order-${index}` } as const;
    stage.place({ accountId, market, outcome: 0, side: 'buy', price: 1, lots: 1, more });
  }
  stage.nowMs += 2 * DAY_MS;
  stage.time('two days later', { type: 'tick' });
}
