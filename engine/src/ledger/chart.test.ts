// The chart of accounts, and the volumes counted beside it.
import { describe, expect, it } from 'vitest';
import { accountName, makeWorld } from '../../test/world.ts';
import { withdrawingAccount } from '../funds/withdrawal.ts';

const CHART = [
  /^user:(acc|sub)_\w+:(free|reserved)(:m_[0-9a-f]{16}\.\d+)?$/,
  /^user:(acc|sub)_\w+:withdrawals$/,
  /^market:m_[0-9a-f]{16}:escrow$/,
  /^market:(m_[0-9a-f]{16}):issue:\1\.\d+$/,
  /^amm:(m_[0-9a-f]{16}):\1\.\d+$/,
  /^market:m_[0-9a-f]{16}:fees:(creator|builder|referrer|oracle|insurance|treasury)(:\w+)?$/,
  /^fees:(creator|builder|referrer|oracle|treasury)(:\w+)?$/,
  /^oracle:m_[0-9a-f]{16}:bond:(proposer|challenger)$/,
  /^insurance$/,
  /^sandbox:house(:reserved|:m_[0-9a-f]{16}\.\d+)?$/,
  /^external:(bank|faucet)$/,
];

describe('chart of accounts', () => {
  it('[LG1] every account has its name and asset from the chart', () => {
    const world = makeWorld();
    world.open('anna bert cleo');
    const market = world.market({ deposit: 1000, creator: 'bert' });
    const ended = world.market({ deposit: 100, creator: 'bert' });
    const template = { durationSec: 60 };
    const disputed = world.market({ deposit: 100, creator: 'bert', template });
    const builder = { appId: 'app_1', feeBps: 10, capBps: 100 };
    world.place('anna', market, 'buy 10 yes', { builder });
    world.place('anna', market, 'sell 5 yes @ 0.9');
    world.place('cleo', market, 'buy 5 no', { execution: 'mid' });
    world.place('anna', ended, 'buy 10 yes', { builder });
    world.do({
      type: 'mock_oracle',
      accountId: accountName('bert'),
      marketId: ended.id,
      winningOutcomeId: 'yes',
    });
    // Accounts propose on locked markets only.
    world.pass(60_000);
    world.do({
      type: 'propose_resolution',
      marketId: disputed.id,
      proposerId: accountName('anna'),
      result: { kind: 'outcome', outcomeId: 'yes' },
      evidence: ['seen'],
      bond: 20_000_000n as never,
    });
    withdrawingAccount(world.state, world.account('anna'));
    const used = new Set<number>();
    for (const { name, asset } of world.state.ledger.accounts()) {
      const form = CHART.findIndex((pattern) => pattern.test(name));
      expect(form, name).toBeGreaterThanOrEqual(0);
      used.add(form);
      const suffix = /(m_[0-9a-f]{16}\.\d+)$/.exec(name);
      expect(asset, name).toBe(suffix === null ? 'USDT' : suffix[1]);
    }
    expect(used.size).toBe(CHART.length);
  });

  it('[MK14] volumes count the taker’s cost before fees', () => {
    const world = makeWorld();
    world.open('anna bert');
    const market = world.market({ deposit: 0, creator: 'bert' });
    world.mint('bert', market, 100);
    world.place('bert', market, 'sell 30 yes @ 0.4');
    world.place('anna', market, 'buy 10 yes @ 0.4');
    world.place('bert', market, 'buy 10 yes @ 0.3');
    world.place('anna', market, 'buy 10 no @ 0.7');
    // 10 at 0.4 of the first outcome, 10 at 0.7 of the second; fees apart, makers not counted.
    expect(market.totalVolume).toBe(11_000_000n);
    expect(market.outcomes.map((outcome) => outcome.volume)).toEqual([4_000_000n, 7_000_000n]);
  });
});
