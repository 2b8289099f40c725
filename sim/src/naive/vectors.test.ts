// The design's worked examples run on the reference alone: it must be right before it may judge the engine.

import { DEFAULT_PARAMETERS } from '@sibyl/engine';
import { describe, expect, it } from 'vitest';
import { NaiveExchange, type NaiveOutcome } from './exchange.ts';
import { expNeg, ln, logit, ONE } from './fixed.ts';
import type { CommandOf, EventOf, PlainTemplate } from './plain.ts';
import { costOf, marginalMicro, openPool } from './pool.ts';

const PARAMETERS = {
  ...DEFAULT_PARAMETERS,
  fee: { ...DEFAULT_PARAMETERS.fee, rebatesPaid: false },
};
const OPERATOR = { kind: 'operator', name: 'test', reason: 'vector' } as const;

type Order = Partial<CommandOf<'place_order'>> & { readonly accountId: string };

/** One market of the given deposit, with everybody rich. */
class Bench {
  readonly exchange = new NaiveExchange('sandbox', PARAMETERS);
  readonly marketId: string;
  #seq = 0;

  constructor(deposit: bigint, outcomes: number) {
    for (const accountId of ['acc_creator', 'acc_A', 'acc_B', 'acc_T']) {
      this.run({
        type: 'open_account',
        accountId,
        mode: 'sandbox',
        parentId: null,
        referrerId: null,
      });
      this.run({ type: 'deposit', accountId, amount: 10_000_000_000n, reference: 'seed' });
    }
    this.run({ type: 'publish_template', template: template(deposit, outcomes) });
    const made = this.run({
      type: 'create_market',
      accountId: 'acc_creator',
      templateId: 't',
      params: {},
      displayTitle: null,
      displayImageUrl: null,
    }).answer;
    if (!made.ok || made.result.kind !== 'market') throw new Error('no market');
    this.marketId = made.result.marketId;
  }

  run(body: { readonly type: string; readonly [field: string]: unknown }): NaiveOutcome {
    this.#seq += 1;
    const command = { seq: this.#seq, atMs: 1_000_000, actor: OPERATOR, ...body };
    const outcome = this.exchange.apply(command as never);
    expect(outcome.answer).toMatchObject({ ok: true });
    return outcome;
  }

  /** A limit order of the given price, or a market order without one. */
  order(fields: Order): EventOf<'trade_executed'>[] {
    const price = fields.price ?? null;
    const outcome = this.run({
      type: 'place_order',
      marketId: this.marketId,
      side: 'buy',
      orderType: price === null ? 'market' : 'limit',
      timeInForce: price === null ? 'ioc' : 'gtc',
      expiresAtMs: null,
      postOnly: false,
      reduceOnly: false,
      stpMode: 'cancel_resting',
      maxCost: null,
      validUntilMs: null,
      clientOrderId: null,
      builder: null,
      caps: null,
      execution: 'hybrid',
      ...fields,
      price,
    });
    return outcome.events.filter((event) => event.type === 'trade_executed');
  }

  mint(accountId: string, lots: number): void {
    this.run({ type: 'mint_sets', accountId, marketId: this.marketId, lots });
  }

  balance(name: string): bigint {
    return this.exchange.world.ledger.get(name.replaceAll('$', this.marketId)) ?? 0n;
  }
}

function template(deposit: bigint, outcomes: number): PlainTemplate {
  return {
    id: 't',
    name: 'Vector',
    category: 'test',
    marketType: 'normal',
    outcomeSchema: outcomes === 2 ? 'binary' : 'multi',
    outcomes:
      outcomes === 2
        ? []
        : Array.from({ length: outcomes }, (_, index) => ({ id: `o${index}`, label: `O${index}` })),
    minBet: 0n,
    maxBet: 10n ** 15n,
    feeSchedule: { makerBps: 8, takerBps: 20, settleBps: 0 },
    paramsSchema: { type: 'object', properties: {} },
    displayDefaults: {
      titleTemplate: 'Vector',
      subtitleTemplate: null,
      description: null,
      imageUrlPattern: null,
    },
    roundConfig: null,
    oracleConfig: { source: 'sandbox_mock', params: {}, challengeSec: null, bond: null },
    minCreatorDeposit: deposit,
    durationSec: 86_400,
    tickPips: 10,
    minLots: 1,
    prior: null,
    requiresApproval: false,
    breaker: null,
    voidRule: 'refund',
  };
}

const brief = (trade: EventOf<'trade_executed'>) => [trade.lots, trade.cost, trade.fee];

describe('the reference against the worked examples', () => {
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

  it('[RF1][RF2] refunds net cost (vector 33)', () => {
    const bench = new Bench(1_000_000_000n, 2);
    bench.order({ accountId: 'acc_T', outcomeId: 'yes', lots: 10000 });
    bench.order({ accountId: 'acc_A', outcomeId: 'yes', lots: 50000 });
    bench.order({ accountId: 'acc_T', outcomeId: 'yes', side: 'sell', lots: 10000 });
    expect(bench.balance('market:$:escrow')).toBe(1271553303n);
    const before = bench.balance('user:acc_A:free');
    const outcome = bench.run({ type: 'cancel_market', marketId: bench.marketId, reason: 'test' });
    expect(bench.balance('user:acc_A:free') - before).toBe(280658462n);
    const ended = outcome.events.find((event) => event.type === 'market_cancelled');
    expect(ended).toMatchObject({ rule: 'refund', returned: 991668192n });
  });
});
