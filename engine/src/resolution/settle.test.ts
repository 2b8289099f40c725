import { lots, type Pips, sharesOf } from '@sibyl/money';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  accountName,
  makeWorld,
  NO_REBATES,
  ofType,
  posted,
  spelled,
  type World,
} from '../../test/world.ts';
import { checkAll } from '../invariants.ts';
import { postingsOf } from '../ledger/postings.ts';
import { readDecimal } from '../market/exact-decimal.ts';
import { freeSlot, reservedSlot } from '../state/holding.ts';
import type { Market } from '../state/market.ts';
import { longPips } from './payout.ts';

function resolve(world: World, market: Market, payout: readonly number[]) {
  const result = { kind: 'payout', payout: payout as Pips[] } as const;
  const evidence = ['seen'];
  world.do({
    type: 'propose_resolution',
    marketId: market.id,
    proposerId: null,
    result,
    evidence,
    bond: 0n as never,
  });
  return world.pass(7_200_000).events;
}

describe('[ST3] payout vectors', () => {
  test.each([
    ['37.5', 3750, 13875000n],
    ['33.333333333333333333', 3333, 12332100n],
    ['-5', 0, 0n],
    ['130', 10_000, 37000000n],
    ['0', 0, 0n],
    ['100', 10_000, 37000000n],
    ['99.999999999999999999', 9999, 36996300n],
  ])('vector 27: scalar 0 to 100 at %s pays long %i', (value, long, paid) => {
    const world = makeWorld();
    world.open('t');
    const bound = { type: 'string', maxLength: 40 };
    const market = world.market({
      deposit: 100,
      template: {
        outcomeSchema: 'scalar',
        paramsSchema: { properties: { lower: bound, upper: bound } },
      },
      params: { lower: '0', upper: '100.0' },
    });
    world.place('t', market, 'buy 37 long');
    const free = world.free('t');
    const marketId = market.id;
    const result = { kind: 'value', value } as const;
    const proposal = { proposerId: null, result, evidence: ['e'], bond: 0n as never };
    world.do({ type: 'propose_resolution', marketId, ...proposal });
    const { events } = world.pass(7_200_000);
    expect(ofType(events, 'market_resolved')[0]?.payout).toEqual([long, 10_000 - long]);
    expect(world.free('t') - free).toBe(paid);
    checkAll(world.state);
  });

  test('bounds of any sign and length, exactly', () => {
    const decimal = (text: string) => readDecimal(text)!;
    // 1/3 of the way between bounds that no binary fraction holds.
    expect(longPips(decimal('-0.1'), decimal('-0.2'), decimal('0.1'))).toBe(3333);
    const [lower, upper] = [
      decimal('123456789012345678901234567890'),
      decimal('123456789012345678901234567891'),
    ];
    expect(longPips(lower + 5n * 10n ** 17n, lower, upper)).toBe(5000);
    fc.assert(
      fc.property(
        fc.bigInt(-(10n ** 30n), 10n ** 30n),
        fc.bigInt(1n, 10n ** 30n),
        fc.bigInt(),
        (lo, width, x) => {
          const long = BigInt(longPips(x, lo, lo + width));
          let inside = x;
          if (x < lo) inside = lo;
          if (x > lo + width) inside = lo + width;
          // floor((x − lo)·10000 / width), said without dividing.
          expect(long * width <= (inside - lo) * 10_000n).toBe(true);
          expect((long + 1n) * width > (inside - lo) * 10_000n).toBe(true);
        },
      ),
    );
  });
});

const names = ['a', 'b', 'c'] as const;
const step = fc.record({
  who: fc.nat(2),
  outcome: fc.nat(4),
  side: fc.constantFrom('buy' as const, 'sell' as const),
  lots: fc.integer({ min: 1, max: 40_000 }),
  pips: fc.option(fc.integer({ min: 1, max: 99 })),
});

/** Parts of 10000, some of them zero. */
const payoutOf = (outcomes: number) =>
  fc
    .array(fc.nat(10_000), { minLength: outcomes - 1, maxLength: outcomes - 1 })
    .map((cuts) => [0, ...cuts.sort((x, y) => x - y), 10_000])
    .map((cuts) => cuts.slice(1).map((cut, index) => cut - cuts[index]!));

const games = fc.constantFrom(2, 3, 5).chain((outcomes) =>
  fc.record({
    outcomes: fc.constant(outcomes),
    payout: payoutOf(outcomes),
    steps: fc.array(step, { maxLength: 20 }),
    settleBps: fc.constantFrom(0, 30, 1000),
    minted: fc.nat(300),
  }),
);

function play(world: World, market: Market, steps: readonly Step[]): void {
  for (const { who, outcome, side, lots: size, pips } of steps) {
    const { id } = market.outcomes[outcome % market.outcomes.length]!;
    const price = pips === null ? '' : ` @ ${pips / 100}`;
    world.place(names[who]!, market, `${side} ${size / 100} ${id}${price}`);
  }
}
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

describe('settlement', () => {
  test('[ST1][ST2][FE7][PO3] pays exactly the escrow, for every payout vector', () => {
    fc.assert(
      fc.property(games, ({ outcomes, payout, steps, settleBps, minted }) => {
        const world = makeWorld();
        world.open(names.join(' '));
        const feeSchedule = { makerBps: 8, takerBps: 20, settleBps };
        const market = world.market({ deposit: 300, outcomes, template: { feeSchedule } });
        for (const name of names) if (minted > 0) world.mint(name, market, minted);
        play(world, market, steps);
        const escrow = world.state.ledger.balance(market.escrow);
        let unvested = 0n;
        for (const { account } of market.unvested.values())
          unvested += world.state.ledger.balance(account);
        const expected = new Map<string, bigint>();
        for (const holding of market.holdings.values()) {
          let due = 0n;
          payout.forEach((part, outcome) => {
            const held =
              world.state.ledger.balance(freeSlot(holding, outcome)) +
              world.state.ledger.balance(reservedSlot(holding, outcome));
            const gross = (held / 10_000n) * BigInt(part);
            due += gross - (gross * BigInt(settleBps)) / 10_000n;
          });
          expected.set(`user:${holding.account.id}:free`, due);
        }
        const events = resolve(world, market, payout);
        const paid = new Map<string, bigint>();
        let out = 0n;
        let vested = 0n;
        for (const entry of ofType(events, 'ledger_posted')) {
          const { reason } = entry;
          for (const { account, amount } of postingsOf(entry)) {
            if (account === `market:${market.id}:escrow`) out -= amount;
            if (reason === 'vesting' && amount > 0n) vested += amount;
            if (reason === 'settlement') paid.set(account, (paid.get(account) ?? 0n) + amount);
          }
        }
        expect(out).toBe(escrow);
        expect(vested).toBe(unvested);
        for (const [account, due] of expected) expect(paid.get(account) ?? 0n).toBe(due);
        const [resolved] = ofType(events, 'market_resolved');
        expect(resolved!.dust < BigInt(outcomes)).toBe(true);
        expect(paid.get('user:acc_maker:free') ?? 0n).toBe(resolved!.poolPayout);
        expect(market).toMatchObject({ status: 'resolved', openOrders: 0, escrow: -1 });
        expect(market.holdings.size + market.unvested.size).toBe(0);
        for (const { name } of world.state.ledger.accounts()) expect(name).not.toContain(market.id);
        for (const name of [...names, 'maker']) expect(world.account(name).holdings.size).toBe(0);
        checkAll(world.state);
      }),
      { numRuns: 60 },
    );
  });

  test('[ST1][MK11][FE5][FE7] entry by entry: holders as they first traded, the vesting, the pool, the end', () => {
    const world = makeWorld({ parameters: NO_REBATES });
    world.open('b a');
    const feeSchedule = { makerBps: 8, takerBps: 20, settleBps: 100 };
    const market = world.market({ deposit: 1000, template: { feeSchedule } });
    // Vector 8.
    world.place('b', market, 'buy 100 yes');
    world.mint('a', market, 10);
    const id = market.id;
    const events = resolve(world, market, [10_000, 0]);
    const proposed = events.findIndex((event) => event.type === 'ledger_posted');
    expect(spelled(events.slice(proposed))).toEqual([
      {
        type: 'ledger_posted',
        reason: 'settlement',
        reference: id,
        ...posted([
          { account: `user:acc_b:free:${id}.0`, amount: -100_000_000n },
          { account: `market:${id}:issue:${id}.0`, amount: 100_000_000n },
          { account: `market:${id}:escrow`, amount: -100_000_000n },
          { account: 'user:acc_b:free', amount: 99_000_000n },
          { account: 'fees:treasury', amount: 1_000_000n },
        ]),
      },
      // 100 − 1 settle fee − 50.866261 cost − 0.101714 taker fee.
      settled('acc_b', 'yes', 10_000, 100_000_000n, 1_000_000n, 48_032_025n),
      {
        type: 'ledger_posted',
        reason: 'settlement',
        reference: id,
        ...posted([
          { account: `user:acc_a:free:${id}.0`, amount: -10_000_000n },
          { account: `market:${id}:issue:${id}.0`, amount: 10_000_000n },
          { account: `user:acc_a:free:${id}.1`, amount: -10_000_000n },
          { account: `market:${id}:issue:${id}.1`, amount: 10_000_000n },
          { account: `market:${id}:escrow`, amount: -10_000_000n },
          { account: 'user:acc_a:free', amount: 9_900_000n },
          { account: 'fees:treasury', amount: 100_000n },
        ]),
      },
      settled('acc_a', 'yes', 1000, 10_000_000n, 100_000n, 4_900_000n),
      settled('acc_a', 'no', 1000, 0n, 0n, -5_000_000n),
      {
        type: 'ledger_posted',
        reason: 'vesting',
        reference: id,
        ...posted([
          { account: `market:${id}:fees:creator:acc_maker`, amount: -25_428n },
          { account: 'fees:creator:acc_maker', amount: 25_428n },
          { account: `market:${id}:fees:oracle`, amount: -10_171n },
          { account: 'fees:oracle', amount: 10_171n },
          { account: `market:${id}:fees:insurance`, amount: -10_171n },
          { account: 'insurance', amount: 10_171n },
          { account: `market:${id}:fees:treasury`, amount: -55_944n },
          { account: 'fees:treasury', amount: 55_944n },
        ]),
      },
      {
        type: 'ledger_posted',
        reason: 'settlement',
        reference: id,
        ...posted([
          { account: `amm:${id}:${id}.0`, amount: -950_866_261n },
          { account: `market:${id}:issue:${id}.0`, amount: 950_866_261n },
          { account: `amm:${id}:${id}.1`, amount: -1_050_866_261n },
          { account: `market:${id}:issue:${id}.1`, amount: 1_050_866_261n },
          { account: `market:${id}:escrow`, amount: -950_866_261n },
          { account: 'user:acc_maker:free', amount: 950_866_261n },
        ]),
      },
      {
        type: 'market_resolved',
        marketId: id,
        payout: [10_000, 0],
        poolPayout: 950_866_261n,
        dust: 0n,
      },
      { type: 'market_status_changed', marketId: id, from: 'settling', to: 'resolved' },
    ]);
    expect(world.account('maker')).toMatchObject({ staked: 0n, realized: -49_133_739n });

    function settled(
      accountId: string,
      outcomeId: string,
      size: number,
      payout: bigint,
      settleFee: bigint,
      realizedPnl: bigint,
    ) {
      const position = { accountId, marketId: id, outcomeId, lots: size };
      const paid = { payout, settleFee, feesReturned: 0n, realizedPnl };
      return { type: 'position_settled', ...position, ...paid };
    }
  });

  test('[ST1] the dust of the pool goes to insurance', () => {
    const world = makeWorld();
    world.open('t');
    const market = world.market({ deposit: 1000 });
    world.place('t', market, 'buy 100 yes');
    // r = (950866261, 1050866261): at 3333 and 6667 pips both parts have a remainder.
    const [r0, r1] = [950_866_261n, 1_050_866_261n];
    const pool = (r0 * 3333n) / 10_000n + (r1 * 6667n) / 10_000n;
    const insured = world.state.ledger.balance(world.state.insurance);
    const events = resolve(world, market, [3333, 6667]);
    const [resolved] = ofType(events, 'market_resolved');
    expect(resolved?.poolPayout).toBe(pool);
    expect(resolved?.dust).toBe(1_050_866_261n - 33_330_000n - pool);
    expect(resolved?.dust).toBe(1n);
    const vested = ofType(events, 'ledger_posted')
      .filter(({ reason }) => reason === 'vesting')
      .flatMap(postingsOf)
      .filter(({ account }) => account === 'insurance');
    const gained = world.state.ledger.balance(world.state.insurance) - insured;
    expect(gained).toBe(1n + (vested[0]?.amount ?? 0n));
  });

  test('[FE7] the house and the pool pay no settle fee', () => {
    const world = makeWorld();
    world.open('t');
    const feeSchedule = { makerBps: 8, takerBps: 20, settleBps: 1000 };
    const market = world.market({ deposit: 1000, template: { feeSchedule } });
    world.place('t', market, 'buy 100 yes', { execution: 'mid' });
    const house = world.state.holdings.find(world.state.house, market)!;
    const held = world.state.ledger.balance(freeSlot(house, 1));
    expect(held).toBe(sharesOf(lots(10_000)));
    const before = world.state.ledger.balance(world.state.house.free);
    const events = resolve(world, market, [0, 10_000]);
    expect(world.state.ledger.balance(world.state.house.free) - before).toBe(held);
    expect(ofType(events, 'position_settled').every(({ settleFee }) => settleFee === 0n)).toBe(
      true,
    );
    checkAll(world.state);
  });

  test('[MK6][ST2] resolving an active market locks it first, orders and all', () => {
    const world = makeWorld();
    world.open('t');
    const market = world.market({ deposit: 1000 });
    world.place('t', market, 'buy 100 yes @ 0.2');
    const accountId = accountName('t');
    const { events } = world.do({
      type: 'mock_oracle',
      accountId,
      marketId: market.id,
      winningOutcomeId: 'no',
    });
    expect(
      events.filter((event) => event.type !== 'ledger_posted').map((event) => event.type),
    ).toEqual([
      'resolution_proposed',
      'order_cancelled',
      'market_status_changed',
      'market_status_changed',
      'market_resolved',
      'market_status_changed',
    ]);
    expect(world.reserved('t')).toBe(0n);
    checkAll(world.state);
  });
});
