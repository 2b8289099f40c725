// The fee on conversions: what a detour over complete sets saves on fees, it costs again.
import { type Lots, lots, type Usdt } from '@sibyl/money';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { passChecks } from '../../test/maker-checks.ts';
import { cancelTraded } from '../../test/resolution.ts';
import { accountName, inLots, makeWorld, ofType, posted, type World } from '../../test/world.ts';
import { checkAll } from '../invariants.ts';
import { dayOf } from '../state/cap-use.ts';
import type { CommandBody } from '../state/command.ts';
import { keptOf, realizedOf } from '../state/holding.ts';
import { madeOf } from '../state/made.ts';
import type { Market } from '../state/market.ts';
import { DEFAULT_PARAMETERS } from '../state/parameters.ts';

function scene(outcomes = 2, deposit = 1000, names = 'a b'): { world: World; market: Market } {
  const world = makeWorld({ parameters: DEFAULT_PARAMETERS });
  world.open(names);
  return { world, market: world.market({ deposit, outcomes }) };
}

function convert(kind: 'mint' | 'merge', market: Market, size: Lots, name = 'a'): CommandBody {
  const sets = { accountId: accountName(name), marketId: market.id, lots: size };
  return { type: `${kind}_sets`, ...sets, caps: null, grant: null } as CommandBody;
}

/** ceil( amount × 11 bps × (10000 − Q)/10000 ), amount in µ. */
function feeOf(size: number, quality = 0): bigint {
  const exact = BigInt(size) * 10_000n * 110_000n * BigInt(10_000 - quality);
  const unit = 10n ** 12n;
  return (exact + unit - 1n) / unit;
}

const freeOf = (world: World, name = 'a') => world.free(name);

describe('[FE8] minting and merging', () => {
  test.each([
    [1, 11n],
    [3, 33n],
    [100, 1100n],
    [1234, 13_574n],
    [10 ** 9, 11_000_000_000n],
  ])('%i lots cost 11 bps, rounded up: %i µ', (size, fee) => {
    expect(feeOf(size)).toBe(fee);
    const { world, market } = scene(2, 1000, 'b');
    world.open('a', 20_000_000);
    const before = freeOf(world);
    const minted = world.do(convert('mint', market, lots(size)));
    expect(minted.result).toEqual({ kind: 'converted', lots: size, fee });
    expect(before - freeOf(world)).toBe(BigInt(size) * 10_000n + fee);
    const merged = world.do(convert('merge', market, lots(size)));
    expect(merged.result).toEqual({ kind: 'converted', lots: size, fee });
    expect(before - freeOf(world)).toBe(2n * fee);
    checkAll(world.state);
  });

  test('quality lowers it, to nothing for a maker of full quality', () => {
    const { world, market } = scene();
    world.mint('a', market, 1000);
    const holding = world.holding('a', market)!;
    for (const quality of [0, 1, 3333, 9999, 10_000]) {
      holding.quality = quality;
      holding.made = { day: dayOf(world.state.nowMs), today: 20_000, before: 0 };
      for (const size of [1, 7, 12_345]) {
        const { result } = world.do(convert('mint', market, lots(size)));
        expect(result).toMatchObject({ fee: feeOf(size, quality) });
      }
    }
    expect(feeOf(12_345, 10_000)).toBe(0n);
  });

  test('the quality is that which looks have given the account in this market', () => {
    const { world, market } = scene();
    world.place('a', market, 'buy 400 yes @ 0.495');
    world.place('a', market, 'buy 400 no @ 0.495');
    passChecks(world, market, 1, 60);
    const { quality } = world.holding('a', market)!;
    // 50 pips from the mid: (250/300)² of 400, out of 500.
    expect(quality).toBe(5555);
    // Of the quotes 100 shares trade: so many lots have the discount.
    world.place('b', market, 'buy 100 no @ 0.505');
    world.place('b', market, 'sell 100 no @ 0.495');
    const made = madeOf(world.state, world.holding('a', market)!);
    expect(made.before).toBe(0);
    expect(made.today).toBeGreaterThan(0);
    const { result } = world.do(convert('mint', market, lots(1_000_000)));
    const full = feeOf(1_000_000 - made.today);
    expect(result).toMatchObject({ fee: full + feeOf(made.today, quality) });
    expect(world.do(convert('mint', market, lots(100))).result).toMatchObject({ fee: feeOf(100) });
    const other = world.do(convert('mint', market, lots(1_000_000), 'b'));
    expect(other.result).toMatchObject({ fee: feeOf(1_000_000) });
  });

  test('the discount is of lots filled as a maker today or yesterday, and of each lot once', () => {
    const { world, market } = scene(2, 0);
    for (const name of ['a', 'b']) world.mint(name, market, 1000);
    const sell = (shares: number): void => {
      world.place('a', market, `sell ${shares} yes @ 0.5`);
      world.place('b', market, `buy ${shares} yes @ 0.5`);
    };
    const fee = (size: number) => {
      const { result } = world.do(convert('mint', market, lots(size)));
      return result.kind === 'converted' ? result.fee : null;
    };
    sell(1);
    world.pass(86_400_000);
    sell(2);
    world.holding('a', market)!.quality = 10_000;
    expect(fee(150)).toBe(0n);
    // Of yesterday's lots none are left: tomorrow 150 of today's still count.
    world.pass(86_400_000);
    expect(fee(250)).toBe(feeOf(100));
    expect(fee(1)).toBe(feeOf(1));
    sell(1);
    world.pass(2 * 86_400_000);
    world.holding('a', market)!.quality = 10_000;
    expect(fee(1)).toBe(feeOf(1));
  });

  test('[FE4][FE5] it is split without maker and builder, waits in the market, and stands in one entry', () => {
    const { world, market } = scene();
    const { events } = world.do(convert('mint', market, lots(1000)));
    const id = market.id;
    // 11,000 µ: 25 % creator, 10 % oracle, 10 % insurance, the rest treasury; no referrer.
    expect(events).toEqual([
      {
        type: 'sets_converted',
        accountId: accountName('a'),
        marketId: id,
        action: 'mint',
        lots: 1000,
        fee: 11_000n,
      },
      expect.objectContaining({ reason: 'mint', reference: id }),
    ]);
    expect(ofType(events, 'ledger_posted')[0]).toMatchObject(
      posted([
        { account: 'user:acc_a:free', amount: -10_011_000n },
        { account: `market:${id}:escrow`, amount: 10_000_000n },
        { account: `market:${id}:issue:${id}.0`, amount: -10_000_000n },
        { account: `user:acc_a:free:${id}.0`, amount: 10_000_000n },
        { account: `market:${id}:issue:${id}.1`, amount: -10_000_000n },
        { account: `user:acc_a:free:${id}.1`, amount: 10_000_000n },
        { account: `market:${id}:fees:creator:acc_maker`, amount: 2_750n },
        { account: `market:${id}:fees:oracle`, amount: 1_100n },
        { account: `market:${id}:fees:insurance`, amount: 1_100n },
        { account: `market:${id}:fees:treasury`, amount: 6_050n },
      ]),
    );
  });

  test('a referrer has his part, of his own account only', () => {
    const { world, market } = scene();
    const accountId = accountName('friend');
    const friend = { accountId, mode: 'sandbox', parentId: null, referrerId: accountName('b') };
    world.do({ type: 'open_account', ...friend } as CommandBody);
    world.deposit('friend', 100);
    world.do(convert('mint', market, lots(1000), 'friend'));
    const referred = market.unvested.get('referrer:acc_b')!;
    expect(world.state.ledger.balance(referred.account)).toBe(550n);
  });

  test('[FE5] what vests for an account stays its own, even if that is frozen or closed by then', () => {
    const { world, market } = scene();
    const accountId = accountName('friend');
    const friend = { accountId, mode: 'sandbox', parentId: null, referrerId: accountName('b') };
    world.do({ type: 'open_account', ...friend } as CommandBody);
    world.deposit('friend', 100);
    world.do({ type: 'freeze_account', accountId: accountName('b'), frozen: true });
    const before = world.free('b');
    world.do(convert('mint', market, lots(1000), 'friend'));
    const settle = { type: 'mock_oracle', marketId: market.id, winningOutcomeId: 'yes' } as const;
    world.do({ ...settle, accountId });
    const { ledger, vested } = world.state;
    expect(ledger.balance(vested.get('referrer:acc_b')!)).toBe(550n);
    expect(world.free('b')).toBe(before);
    checkAll(world.state);
  });

  test('[VD14][PO2] it is kept until a cancellation returns it, and realised on the first outcome', () => {
    const { world, market } = scene(3);
    world.do(convert('mint', market, lots(1000)));
    const holding = world.holding('a', market)!;
    expect(keptOf(holding)).toBe(11_000n);
    expect([0, 1, 2].map((outcome) => realizedOf(holding, outcome))).toEqual([-11_000n, 0n, 0n]);
    world.do(convert('merge', market, lots(400)));
    expect(keptOf(holding)).toBe(11_000n + 4_400n);
    expect(realizedOf(holding, 0)).toBeLessThanOrEqual(-15_399n);
    checkAll(world.state);
    const before = freeOf(world);
    cancelTraded(world, market);
    expect(freeOf(world) - before).toBe(6_015_400n);
  });

  test('[PO1] the money for it must be there, to the µ', () => {
    const { world, market } = scene(2, 1000, 'b');
    world.open('a', 10);
    const size = lots(999);
    const required = 9_990_000n + feeOf(999);
    expect(required).toBeGreaterThan(10_000_000n);
    expect(world.run(convert('mint', market, size)).answer).toMatchObject({
      rejection: {
        code: 'BALANCE_INSUFFICIENT',
        details: { required, free: 10_000_000n, reserved: 0n },
      },
    });
    expect(world.run(convert('mint', market, lots(998))).answer.ok).toBe(true);
  });

  test('[OB3] sets minted or merged by matching orders, by the pool or by the house cost nothing', () => {
    const { world, market } = scene(2, 0);
    world.place('a', market, 'buy 10 yes @ 0.4');
    const { outcome } = world.place('b', market, 'buy 10 no @ 0.6');
    expect(ofType(outcome.events, 'sets_converted')).toEqual([]);
    const [trade] = ofType(outcome.events, 'trade_executed');
    expect([trade!.matching, world.state.ledger.balance(market.escrow)]).toEqual([
      'mint',
      10_000_000n,
    ]);
    expect(keptOf(world.holding('a', market)!)).toBe(0n);
  });

  test('an operator may change it', () => {
    const fee = { ...DEFAULT_PARAMETERS.fee, conversionRate: 0 };
    const world = makeWorld({ parameters: { ...DEFAULT_PARAMETERS, fee } });
    world.open('a');
    const market = world.market();
    const { result } = world.do(convert('mint', market, inLots(10)));
    expect(result).toMatchObject({ fee: 0n as Usdt });
  });
});

describe('[FE9] a buy and its detour', () => {
  const rounded = fc.oneof(
    fc.integer({ min: 1, max: 100 }),
    fc.integer({ min: 1, max: 5000 }),
    fc.integer({ min: 1, max: 400_000 }),
  );
  const setting = fc.record({
    outcomes: fc.oneof(fc.constantFrom(2, 3, 64), fc.integer({ min: 2, max: 64 })),
    deposit: fc.constantFrom<number[]>(50, 1000, 100_000),
    taker: fc.constantFrom<number[]>(8, 14, 20),
    size: rounded,
    wanted: fc.nat(63),
    moves: fc.array(fc.record({ outcome: fc.nat(63), lots: rounded }), { maxLength: 4 }),
  });
  type Setting = typeof setting extends fc.Arbitrary<infer T> ? T : never;

  function open({ outcomes, deposit, taker, moves }: Setting) {
    const band = { ...DEFAULT_PARAMETERS.band, pips: 10_000 };
    const world = makeWorld({ parameters: { ...DEFAULT_PARAMETERS, band } });
    world.open('a mover', 100_000_000);
    const feeSchedule = { makerBps: 3, takerBps: taker, settleBps: 0 };
    const market = world.market({ deposit, outcomes, template: { feeSchedule } });
    for (const move of moves) {
      const { id } = market.outcomes[move.outcome % outcomes]!;
      world.place('mover', market, `buy ${move.lots / 100} ${id}`);
    }
    return { world, market };
  }

  test('directly costs at most 1 µ a fill more, fees included, for any outcomes, prices and sizes', () => {
    let compared = 0;
    fc.assert(
      fc.property(setting, (chosen) => {
        const { size, outcomes } = chosen;
        const wanted = chosen.wanted % outcomes;
        const direct = open(chosen);
        const before = direct.world.free('a');
        const { id } = direct.market.outcomes[wanted]!;
        const bought = direct.world.place('a', direct.market, `buy ${size / 100} ${id}`);
        if (bought.order.filledLots < size) return;
        const paid = before - direct.world.free('a');
        const detour = open(chosen);
        detour.world.do(convert('mint', detour.market, lots(size)));
        let fills = bought.trades.length;
        for (const [index, other] of detour.market.outcomes.entries()) {
          if (index === wanted) continue;
          const sold = detour.world.place('a', detour.market, `sell ${size / 100} ${other.id}`);
          if (sold.order.filledLots < size) return;
          fills += sold.trades.length;
        }
        const around = before - detour.world.free('a');
        expect(paid).toBeLessThanOrEqual(around + BigInt(fills));
        compared += 1;
      }),
      { numRuns: 80 },
    );
    expect(compared).toBeGreaterThan(20);
  });

  test('replays the detour at 0.99 that once cost a hundredth of the fee', () => {
    const chosen = { outcomes: 2, deposit: 100_000, taker: 20, size: 10_000, wanted: 0 };
    const moves = [{ outcome: 0, lots: 66_000_000 }];
    const direct = open({ ...chosen, moves });
    const before = direct.world.free('a');
    const { order } = direct.world.place('a', direct.market, 'buy 100 yes');
    expect(Number(order.filledCost) / 100e6).toBeGreaterThan(0.98);
    const detour = open({ ...chosen, moves });
    detour.world.do(convert('mint', detour.market, lots(10_000)));
    detour.world.place('a', detour.market, 'sell 100 no');
    expect(before - direct.world.free('a')).toBeLessThan(before - detour.world.free('a'));
  });
});
