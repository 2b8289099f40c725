// The design's worked examples run on the reference alone: it must be right before it may judge the engine.
import { describe, expect, it } from 'vitest';
import { Bench } from '../../test/bench.ts';
import { expNeg, ln, logit, ONE } from './fixed.ts';
import type { EventOf } from './plain.ts';
import { costOf, marginalMicro, openPool } from './pool.ts';

const brief = (trade: EventOf<'trade_executed'>) => [trade.lots, trade.cost, trade.fee];

describe('[SI4] the reference against the worked examples', () => {
  it('[AM1][AM2] takes exp and ln to the digit', () => {
    expect(expNeg(ONE)).toBe(29146412150787779157341161346n);
    expect(expNeg(10n * ONE)).toBe(3596953013358336146105486n);
    expect(expNeg(70n * ONE)).toBe(0n);
    expect(ln(2n * ONE)).toBe(54916777467707473351141471128n);
    expect(ln(64n * ONE)).toBe(329500664806244840106848826768n);
    expect(logit(6000n)).toBe(32124255479057406416523745725n);
  });

  it('[AM7] opens pools with the published parameters', () => {
    const parameters = [
      [1_000_000_000n, 2, 1442695039n, 999999999n],
      [500_000_000n, 3, 455119612n, 499999999n],
      [1_000_000_000n, 64, 240449173n, 999999998n],
      [100_000_000n, 2, 144269502n, 99999999n],
    ] as const;
    for (const [deposit, outcomes, b, cost] of parameters) {
      const pool = openPool(deposit, outcomes, null);
      expect(pool?.b).toBe(b);
      expect(pool && costOf(pool.q, pool.b)).toBe(cost);
    }
    const prior = openPool(1_000_000_000n, 2, [2000, 8000]);
    expect(prior?.b).toBe(621334933n);
    expect(prior?.q).toEqual([-999999998n, -138646884n]);
  });

  it('[RT1][OB3] walks pool and book in turn (vector 29)', () => {
    const bench = new Bench(1_000_000_000n, 2);
    bench.mint('acc_A', 5000);
    bench.order({ accountId: 'acc_A', outcomeId: 'yes', side: 'sell', price: 5200, lots: 5000 });
    bench.order({ accountId: 'acc_B', outcomeId: 'no', price: 4500, lots: 3000 });
    const trades = bench.order({ accountId: 'acc_T', outcomeId: 'yes', lots: 50000 });
    expect(trades.map(brief)).toEqual([
      [11547, 58889936n, 117752n],
      [5000, 26000000n, 51951n],
      [17403, 93109518n, 185671n],
      [3000, 16500000n, 32802n],
      [13050, 73230772n, 145147n],
    ]);
    expect(bench.balance('user:acc_T:free')).toBe(10_000_000_000n - 268263549n);
    expect(bench.balance('market:$:escrow')).toBe(1305230226n);
    expect(bench.balance('amm:$:$.0')).toBe(805230226n);
    expect(bench.balance('amm:$:$.1')).toBe(1225230226n);
    const pool = bench.exchange.world.markets[0]?.pool;
    expect(pool && marginalMicro(pool.q, pool.b, 0)).toBe(572270n);
  });

  it('[RT2][OR3] rests what is left at the limit (vector 30)', () => {
    const bench = new Bench(1_000_000_000n, 2);
    bench.mint('acc_A', 5000);
    bench.order({ accountId: 'acc_A', outcomeId: 'yes', side: 'sell', price: 5200, lots: 5000 });
    bench.order({ accountId: 'acc_B', outcomeId: 'no', price: 4500, lots: 3000 });
    const trades = bench.order({ accountId: 'acc_T', outcomeId: 'yes', price: 5210, lots: 20000 });
    expect(trades.map(brief)).toEqual([
      [11547, 58889936n, 117752n],
      [5000, 26000000n, 51951n],
      [578, 3008483n, 6011n],
    ]);
    expect(bench.balance('user:acc_T:reserved')).toBe(14978750n);
    expect(bench.balance('user:acc_T:free')).toBe(10_000_000_000n - 103052883n);
  });

  it('[OB3] merges two sells (vector 31)', () => {
    const bench = new Bench(1_000_000_000n, 2);
    bench.mint('acc_A', 5000);
    bench.mint('acc_T', 5000);
    bench.order({ accountId: 'acc_A', outcomeId: 'yes', side: 'sell', price: 5010, lots: 2000 });
    const before = bench.balance('user:acc_T:free');
    const escrow = bench.balance('market:$:escrow');
    const sale = {
      accountId: 'acc_T',
      outcomeId: 'no',
      side: 'sell',
      price: 4980,
      lots: 2000,
    } as const;
    expect(bench.order(sale).map(brief)).toEqual([
      [577, 2882115n, 5765n],
      [1423, 7100770n, 14202n],
    ]);
    expect(bench.balance('user:acc_T:free') - before).toBe(9962918n);
    expect(bench.balance('market:$:escrow') - escrow).toBe(-17112115n);
  });

  it('[RT4][RT5] lets other outcomes absorb the move (vector 32)', () => {
    const bench = new Bench(500_000_000n, 3);
    bench.order({ accountId: 'acc_A', outcomeId: 'o1', price: 3000, lots: 10000 });
    bench.order({ accountId: 'acc_B', outcomeId: 'o2', price: 3100, lots: 10000 });
    const trades = bench.order({ accountId: 'acc_T', outcomeId: 'o0', lots: 30000 });
    const shown = trades.map((trade) => [...brief(trade), trade.makers.map((maker) => maker.lots)]);
    expect(shown).toEqual([
      [9267, 33031432n, 62796n, []],
      [2674, 10295107n, 19937n, [1492]],
      [8508, 33181200n, 64436n, [8508, 8508]],
      [2644, 10443997n, 20336n, [1492]],
      [6907, 28897514n, 56871n, []],
    ]);
    expect(bench.balance('market:$:escrow')).toBe(676849250n);
    expect(bench.exchange.world.markets[0]?.pool?.q).toEqual([
      300_000_000n,
      100_000_000n,
      100_000_000n,
    ]);
  });

  // A of the design: T buys 100 at 6 h, A 500 at 12 h, T sells 100 at 20 h, stop at 24 h.
  it('[VD4][VD13][VD14][VD15] pays a cancelled market at fair value (vector 33)', () => {
    const bench = new Bench(1_000_000_000n, 2);
    const at = (hour: number): void => {
      bench.nowMs = START_MS + hour * 3_600_000;
    };
    at(6);
    bench.order({ accountId: 'acc_T', outcomeId: 'yes', lots: 10000 });
    at(12);
    bench.order({ accountId: 'acc_A', outcomeId: 'yes', lots: 50000 });
    at(20);
    bench.order({ accountId: 'acc_T', outcomeId: 'yes', side: 'sell', lots: 10000 });
    expect(bench.balance('market:$:escrow')).toBe(1271553303n);
    at(24);
    const before = balances(bench);
    const { marketId } = bench;
    const cancellation = { cause: 'event', reason: 'test', window: null, excluded: [] };
    const expected = [5941, 4059];
    bench.run({ type: 'propose_void', marketId, ...cancellation, evidence: ['test'], expected });
    at(48);
    const actor = { kind: 'operator', name: 'another', reason: 'vector' };
    const ruling = { ruling: 'upheld', result: null };
    const outcome = bench.run({ type: 'rule_resolution', actor, marketId, ...ruling });
    const gained = balances(bench).map((free, index) => free - (before[index] ?? 0n));
    expect(gained).toEqual([297_605_333n, 218_018n, 974_503_303n]);
    const ended = outcome.events.find((event) => event.type === 'market_cancelled');
    expect(ended).toMatchObject({
      payout: expected,
      feesReturned: 773_351n,
      poolPaid: 974_503_303n,
      excess: 0n,
    });
    expect(bench.balance('market:$:escrow')).toBe(0n);
  });
});

const START_MS = 1_000_000;

const balances = (bench: Bench): bigint[] =>
  ['acc_A', 'acc_T', 'acc_creator'].map((id) => bench.balance(`user:${id}:free`));
