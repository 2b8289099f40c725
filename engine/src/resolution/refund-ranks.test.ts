// A cancelled market pays in ranks: whatever was traded, against a plain computation of what each rank gets.
import { usdt } from '@sibyl/money';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Fraction, PriceDiary, worthOf } from '../../test/diary.ts';
import {
  accountName,
  makeWorld,
  NO_REBATES,
  ofType,
  PLAIN_PARAMETERS,
  type World,
} from '../../test/world.ts';
import type { CommandBody } from '../command.ts';
import { checkAll } from '../invariants.ts';
import type { Market } from '../market/market.ts';
import type { Parameters } from '../parameters.ts';
import { netOf } from '../position/holding.ts';
import { previewRefund } from './refund.ts';

const HOUR = 3_600_000;
const NAMES = ['a', 'b', 'c', 'd'] as const;

const step = fc.record({
  who: fc.constantFrom(...NAMES),
  what: fc.constantFrom('buy', 'buy', 'buy', 'sell', 'mint', 'merge', 'exit', 'exit'),
  outcome: fc.nat(2),
  lots: fc.oneof(fc.integer({ min: 1, max: 3000 }), fc.integer({ min: 1, max: 60_000 })),
  cents: fc.option(fc.integer({ min: 1, max: 99 }), { freq: 2 }),
  ms: fc.oneof(fc.constant(0), fc.nat(60_000), fc.nat(HOUR)),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const setting = fc.record({
  outcomes: fc.constantFrom(2, 3),
  parameters: fc.constantFrom(PLAIN_PARAMETERS, NO_REBATES),
  hours: fc.constantFrom(10, 1000),
  steps: fc.array(step, { maxLength: 30, size: 'max' }),
});

function perform(world: World, market: Market, one: Step): void {
  const { what, who, lots, cents } = one;
  if (what === 'exit') {
    exit(world, market, who);
    return;
  }
  if (what === 'mint' || what === 'merge') {
    const sets = { accountId: accountName(who), marketId: market.id, lots };
    world.run({ type: `${what}_sets`, ...sets, caps: null, grant: null } as CommandBody);
    return;
  }
  const outcome = market.outcomes[one.outcome % market.outcomes.length]!.id;
  const price = cents === null ? '' : ` @ ${cents / 100}`;
  // Sells need shares: those that lack them are refused, which is as good a step as any.
  world.place(who, market, `${what} ${lots / 100} ${outcome}${price}`);
}

/** Sells all that he has for what it brings: some leave with more than they put in, and others have paid it. */
function exit(world: World, market: Market, who: string): void {
  for (const [index, { id }] of market.outcomes.entries()) {
    const held = Number(world.shares(who, market, index) / 10_000n) / 100;
    if (held > 0) world.place(who, market, `sell ${held} ${id}`);
  }
}

interface Played {
  readonly world: World;
  readonly market: Market;
  readonly averages: readonly Fraction[];
}

/** A market after all that, at the moment of its cancellation. */
function play(
  parameters: Parameters,
  outcomes: number,
  hours: number,
  steps: readonly Step[],
): Played {
  const world = makeWorld({ parameters });
  world.open(NAMES.join(' '));
  const template = { durationSec: hours * 3600 };
  const market = world.market({ deposit: 300, outcomes, template });
  const diary = new PriceDiary(world, market);
  for (const one of steps) {
    if (world.nowMs + one.ms >= market.locksAtMs) break;
    world.nowMs += one.ms;
    diary.note();
    perform(world, market, one);
  }
  // Whatever stands now has stood for a while.
  if (world.nowMs + HOUR < market.locksAtMs) world.nowMs += HOUR;
  diary.note();
  world.run({ type: 'tick' });
  return { world, market, averages: diary.averages(parameters) };
}

interface Claim {
  readonly name: string;
  readonly net: bigint;
  readonly backed: bigint;
  readonly rest: bigint;
}

function claimsOf({ world, market, averages }: Played): readonly Claim[] {
  return NAMES.map((name) => {
    const holding = world.holding(name, market);
    const net = holding === undefined ? 0n : netOf(holding);
    const shares = market.outcomes.map(
      (_, index) => world.shares(name, market, index) + world.reservedShares(name, market, index),
    );
    const value = worthOf(shares, averages);
    const claim = -lesser(-net, 0n);
    const backed = lesser(value, claim);
    return { name, net, backed, rest: claim - backed };
  });
}

const lesser = (one: bigint, other: bigint) => (one < other ? one : other);

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, one) => total + one, 0n);

/** RF2 as it is written: what everybody should get of the money. */
function ranks(money: bigint, deposit: bigint, claims: readonly Claim[]) {
  let left = money;
  const paid = new Map<string, bigint>(claims.map(({ name }) => [name, 0n]));
  let creator = 0n;
  const payCreator = (claim: bigint): void => {
    const part = lesser(claim, left);
    creator += part;
    left -= part;
  };
  const payHolders = (claimed: (claim: Claim) => bigint): void => {
    const total = sum(claims.map(claimed));
    const there = left;
    for (const claim of claims) {
      const due = claimed(claim);
      const part = total <= there ? due : (due * there) / total;
      paid.set(claim.name, paid.get(claim.name)! + part);
    }
    // What rounding leaves of a rank is insurance's, not the next rank's.
    left = total <= there ? there - total : 0n;
  };
  payCreator((deposit * 49n) / 50n);
  payHolders(({ backed }) => backed);
  payCreator(deposit - (deposit * 49n) / 50n);
  payHolders(({ rest }) => rest);
  return { paid, creator };
}

function moneyIn({ world, market }: Played): bigint {
  const { ledger } = world.state;
  const fees = [...market.unvested.values()].map(({ account }) => ledger.balance(account));
  return ledger.balance(market.escrow) + sum(fees);
}

/** Cancels, and gives what everybody's free money and reserve grew by. */
function cancel({ world, market }: Played) {
  const wealth = (name: string) => world.free(name) + world.reserved(name);
  const before = new Map(NAMES.map((name) => [name as string, wealth(name)]));
  const { events } = world.do({ type: 'cancel_market', marketId: market.id, reason: 'test' });
  const paid = new Map(NAMES.map((name) => [name as string, wealth(name) - before.get(name)!]));
  const [cancelled] = ofType(events, 'market_cancelled');
  checkAll(world.state);
  return { paid, returned: cancelled!.returned as bigint, dust: cancelled!.dust as bigint };
}

describe('whatever was traded before', () => {
  test('[RF1][RF2][RF3] the ranks are paid as written, to the µ, and together exactly E', () => {
    let short = 0;
    fc.assert(
      fc.property(setting, ({ outcomes, parameters, hours, steps }) => {
        const played = play(parameters, outcomes, hours, steps);
        const { deposit } = played.market;
        const claims = claimsOf(played);
        const money = moneyIn(played);
        expect(money).toBe(deposit + sum(claims.map(({ net }) => net)));
        const expected = ranks(money, deposit, claims);
        const found = cancel(played);
        expect(found.paid).toEqual(expected.paid);
        expect(found.returned).toBe(expected.creator);
        expect(found.returned + found.dust + sum([...found.paid.values()])).toBe(money);
        if (claims.every(({ net }) => net >= 0n)) {
          for (const { name, net } of claims) expect(found.paid.get(name)).toBe(net);
          expect(found.returned).toBe(deposit);
        }
        if (claims.some(({ name, net }) => net > 0n && found.paid.get(name)! < net)) short += 1;
      }),
      { numRuns: 150 },
    );
    expect(short).toBeGreaterThan(0);
  });

  test('[RF4] no set of accounts takes more than a fiftieth out of deposit and fees', () => {
    fc.assert(
      fc.property(setting, ({ outcomes, parameters, hours, steps }) => {
        const played = play(parameters, outcomes, hours, steps);
        const { deposit } = played.market;
        const nets = new Map(claimsOf(played).map(({ name, net }) => [name, net]));
        const { paid, returned } = cancel(played);
        expect(deposit - returned).toBeLessThanOrEqual(deposit / 50n + 1n);
        const gain = (name: string) => paid.get(name)! - nets.get(name)!;
        for (let chosen = 1; chosen < 2 ** NAMES.length; chosen += 1) {
          const isIn = (index: number) => (chosen & (2 ** index)) !== 0;
          const inside = NAMES.filter((_, index) => isIn(index));
          const outside = NAMES.filter((_, index) => !isIn(index));
          // What others traded away to them, or were not paid back, comes from those, not from deposit or fees.
          const others = sum(outside.map((name) => (gain(name) < 0n ? -gain(name) : 0n)));
          const most = deposit / 50n + 1n + others;
          expect(sum(inside.map(gain))).toBeLessThanOrEqual(most);
        }
      }),
      { numRuns: 150 },
    );
  });

  test.each([0, 114])('[RF2] the preview says what it would pay now, %i minutes on', (minutes) => {
    const { world, market } = profitTaken();
    world.pass((minutes * HOUR) / 60);
    const net = netOf(world.holding('a', market)!);
    expect(net).toBeLessThan(0n);
    const steps = previewRefund(world.state, market, 10);
    let step = steps.next();
    while (step.done !== true) step = steps.next();
    const preview = step.value;
    const { paid, returned } = cancel({ world, market, averages: [] });
    expect([preview.returned, preview.isInFull]).toEqual([returned, false]);
    expect(paid.get('a')).toBe(0n);
    expect(preview.gainers).toEqual([{ accountId: 'acc_a', net, paid: 0n, gain: -net }]);
    expect(preview.money).toBe(returned + paid.get('b')!);
  });

  test('[RF2][RF4] a profit taken comes out of the last fiftieth where others’ shares are worth their price', () => {
    const { world, market } = profitTaken();
    // The price that stands counts for as long as it has, though nobody trades any more.
    world.pass((114 * HOUR) / 60);
    const claims = [world.holding('a', market)!, world.holding('b', market)!].map(netOf);
    const { paid, returned } = cancel({ world, market, averages: [] });
    expect(paid.get('b')).toBe(claims[1]);
    expect(returned).toBe(1_000_000_000n + claims[0]!);
  });

  test('[RF2][RF4] a larger profit takes the last fiftieth and no more: the others are paid less', () => {
    // Not a multiple of fifty µ: 49/50 of it are rounded down.
    const deposit = 1_000_000_049n;
    const { world, market } = profitTaken(300, deposit);
    world.pass((114 * HOUR) / 60);
    const money = moneyIn({ world, market, averages: [] });
    const net = netOf(world.holding('b', market)!);
    const { paid, returned, dust } = cancel({ world, market, averages: [] });
    expect(returned).toBe(980_000_048n);
    expect(paid.get('b')).toBe(money - 980_000_048n);
    expect([paid.get('b')! < net, dust]).toEqual([true, 0n]);
  });
});

/** One bought before a larger buyer and sold to the price that this made, which is above what the other paid. */
function profitTaken(first = 50, deposit = 1_000_000_000n) {
  const world = makeWorld({ parameters: NO_REBATES });
  world.open(NAMES.join(' '));
  const template = { durationSec: 7200, minCreatorDeposit: usdt(deposit) };
  const market = world.market({ deposit: 1000, template });
  world.place('a', market, `buy ${first} yes`);
  world.place('b', market, 'buy 2000 yes');
  world.place('a', market, `sell ${first} yes`);
  return { world, market };
}
