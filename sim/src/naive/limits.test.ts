// Limits of work, price and time in small examples computed by hand, on the reference alone.
import { DEFAULT_PARAMETERS } from '@sibyl/engine';
import { describe, expect, it } from 'vitest';
import { Bench } from '../../test/bench.ts';
import type { NaiveOutcome } from './exchange.ts';

const types = (outcome: NaiveOutcome): string[] =>
  outcome.events.map((event) => event.type).filter((type) => type !== 'ledger_posted');

const orderOf = (outcome: NaiveOutcome) => {
  const { answer } = outcome;
  if (!answer.ok || answer.result.kind !== 'order') throw new Error('no order');
  return answer.result.order;
};

const lockAt = (bench: Bench): number => bench.exchange.world.markets[0]?.locksAtMs ?? 0;

/** Asks of one share each at the given prices, in a market without a pool. */
function asks(prices: readonly number[], parameters = {}, changes = {}): Bench {
  const bench = new Bench(0n, 2, parameters, changes);
  bench.mint('acc_B', 100 * prices.length);
  for (const price of prices)
    bench.order({ accountId: 'acc_B', outcomeId: 'yes', side: 'sell', price, lots: 100 });
  return bench;
}

describe('limits of the reference', () => {
  it('[RT10] ends a walk whose units are used up', () => {
    const bench = asks([5000, 5010, 5020], { walkUnits: 2 });
    const order = orderOf(
      bench.place({ accountId: 'acc_T', outcomeId: 'yes', price: 5020, lots: 300 }),
    );
    expect(order).toMatchObject({ filledLots: 200, cancelReason: 'too_many_steps' });
  });

  it('[PB3] keeps a market order without a pool within the band of its first fill', () => {
    const bench = asks([5000, 5150, 5160], {}, { bandPips: 150 });
    const order = orderOf(bench.place({ accountId: 'acc_T', outcomeId: 'yes', lots: 300 }));
    expect(order).toMatchObject({ filledLots: 200, cancelReason: 'price_band' });
    const limited = bench.place({ accountId: 'acc_T', outcomeId: 'yes', price: 5160, lots: 100 });
    expect(orderOf(limited)).toMatchObject({ filledLots: 100, cancelReason: null });
  });

  it('[PB1][PB2] holds a buy to the price of ten seconds ago and its band', () => {
    const bench = new Bench(1_000_000_000n, 2, {}, { bandPips: 100 });
    const buy = () =>
      orderOf(bench.place({ accountId: 'acc_T', outcomeId: 'yes', price: 5500, lots: 90_000 }));
    // From 0.5 to 0.51 a pool of b = 1442.695039 gives b·logit(0.51): 57.715495 shares, in whole lots 5771.
    expect(buy()).toMatchObject({ filledLots: 5771, cancelReason: 'price_band' });
    bench.nowMs += 10_000;
    expect(buy()).toMatchObject({ filledLots: 0, cancelReason: 'price_band' });
    bench.nowMs += 100;
    expect(buy().filledLots).toBeGreaterThan(5000);
  });

  it('[CM11] stops a tick after so many units, at the time of the last timer', () => {
    // Each of them counts two: the timer, and the order that it cancels.
    const bench = new Bench(0n, 2, { timerUnits: 4 });
    for (const expiresAtMs of [1_000_010, 1_000_020, 1_000_030]) {
      const buy = { accountId: 'acc_A', outcomeId: 'yes', price: 5000, lots: 100 };
      bench.order({ ...buy, timeInForce: 'gtd', expiresAtMs });
    }
    bench.nowMs = 1_000_100;
    const first = bench.run({ type: 'tick' });
    expect([first.atMs, types(first)]).toEqual([1_000_020, ['order_cancelled', 'order_cancelled']]);
    const second = bench.run({ type: 'tick' });
    expect([second.atMs, types(second)]).toEqual([1_000_100, ['order_cancelled']]);
  });

  it('[MK11] closes so many postings in one command, and goes on after it', () => {
    const bench = asks([5000, 5010, 5020], { chunkMax: 2 });
    bench.nowMs = lockAt(bench) + 5;
    const quality = (type: string): boolean => type !== 'quality_sampled';
    const first = types(bench.run({ type: 'tick' })).filter(quality);
    expect(first).toEqual(['order_cancelled', 'order_cancelled']);
    expect(types(bench.run({ type: 'tick' }))).toEqual([]);
    bench.nowMs += 1;
    const last = types(bench.run({ type: 'tick' }));
    expect(last).toEqual(['order_cancelled', 'market_status_changed']);
  });

  it('[CM12][RS9] lets a window run on for the time that the lane was down and recovering', () => {
    const bench = new Bench(0n, 2);
    const proposal = { proposerId: null, evidence: ['seen'], bond: 0n };
    const result = { kind: 'outcome', outcomeId: 'yes' };
    const marketId = bench.marketId;
    bench.run({ type: 'propose_resolution', marketId, result, ...proposal });
    const { challengeMs, recoveryGraceMs } = DEFAULT_PARAMETERS.resolution;
    const proposedMs = bench.nowMs;
    bench.nowMs += 1_000;
    bench.run({ type: 'tick' });
    bench.nowMs += 5_000;
    bench.run({ type: 'recover' });
    bench.nowMs = proposedMs + challengeMs;
    // 1 s before and the rest after the grace hour have run: 5 s of being down and the hour are missing.
    const endsMs = proposedMs + challengeMs + 5_000 + recoveryGraceMs;
    const moved = { type: 'resolution_window_moved', marketId, windowEndsAtMs: endsMs };
    expect(bench.run({ type: 'tick' }).events).toEqual([moved]);
    bench.nowMs = endsMs;
    expect(types(bench.run({ type: 'tick' }))).toContain('market_resolved');
  });
});
