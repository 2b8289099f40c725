// No on one outcome: sets are minted and one outcome of them sold, or nothing happens.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  accountName,
  makeWorld,
  OPERATOR,
  ofType,
  orderOf,
  Placed,
  type World,
} from '../../test/world.ts';
import { checkAll } from '../invariants.ts';
import type { PlaceOrder, SellMinted } from '../state/command.ts';
import type { Market } from '../state/market.ts';
import { DEFAULT_PARAMETERS } from '../state/parameters.ts';
import { previewOrder } from './preview.ts';

function scene(outcomes = 3, money = 1000): { world: World; market: Market } {
  const world = makeWorld({ parameters: DEFAULT_PARAMETERS });
  world.open('m');
  world.open('t', money);
  const market = world.market({ deposit: 1000, outcomes });
  return { world, market };
}

function saleOf(market: Market, text: string, changes: Partial<PlaceOrder> = {}): SellMinted {
  const order = { ...orderOf('t', market, text), ...changes };
  return { type: 'sell_minted', accountId: accountName('t'), order };
}

function held(world: World, market: Market): readonly bigint[] {
  return market.outcomes.map((_, outcome) => world.shares('t', market, outcome));
}

describe('[OR18] a sale out of minted sets', () => {
  test('is a mint and a sell, to the µ, for any number of outcomes, size and book', () => {
    const setting = fc.record({
      outcomes: fc.integer({ min: 2, max: 6 }),
      sold: fc.nat(5),
      lots: fc.integer({ min: 1, max: 30_000 }),
      bids: fc.array(fc.record({ outcome: fc.nat(5), shares: fc.integer({ min: 10, max: 90 }) }), {
        maxLength: 4,
      }),
    });
    fc.assert(
      fc.property(setting, ({ outcomes, sold, lots, bids }) => {
        const [together, apart] = [scene(outcomes), scene(outcomes)];
        for (const { world, market } of [together, apart]) {
          for (const { outcome, shares } of bids) {
            const { id } = market.outcomes[outcome % outcomes]!;
            world.place('m', market, `buy ${shares} ${id} @ 0.15`);
          }
        }
        const { id } = apart.market.outcomes[sold % outcomes]!;
        const text = `sell ${lots / 100} ${id} fok`;
        const placed = new Placed(together.world.run(saleOf(together.market, text)));
        checkAll(together.world.state);
        if (placed.refusal !== null || placed.order.status === 'rejected') {
          expect(held(together.world, together.market)).toEqual(
            apart.market.outcomes.map(() => 0n),
          );
          expect(together.world.free('t')).toBe(1_000_000_000n);
          return;
        }
        apart.world.mint('t', apart.market, lots / 100);
        const sale = apart.world.place('t', apart.market, text);
        expect(placed.order).toEqual(sale.order);
        expect(together.world.free('t')).toBe(apart.world.free('t'));
        expect(held(together.world, together.market)).toEqual(held(apart.world, apart.market));
        expect(held(together.world, together.market)[sold % outcomes]).toBe(0n);
      }),
      { numRuns: 100 },
    );
  });

  test('mints nothing where the order is rejected or refused', () => {
    const { world, market } = scene();
    const rejected = new Placed(world.run(saleOf(market, 'sell 10 o0 @ 0.9 fok')));
    expect(rejected.order).toMatchObject({ status: 'rejected', rejectReason: 'fok_unfilled' });
    expect(ofType(rejected.outcome.events, 'sets_converted')).toEqual([]);
    const closed = new Placed(world.run(saleOf(market, 'sell 10 nowhere fok')));
    expect(closed.refusal).toBe('VALIDATION_FAILED');
    expect(closed.outcome.events).toEqual([]);
    expect(held(world, market)).toEqual([0n, 0n, 0n]);
    expect(world.free('t')).toBe(1_000_000_000n);
  });

  test('needs the money for the sets and their fee before the sale, to the µ', () => {
    const { world, market } = scene(3, 10);
    const { answer, events } = world.run(saleOf(market, 'sell 10 o0 fok'));
    expect(answer).toMatchObject({
      rejection: {
        code: 'BALANCE_INSUFFICIENT',
        details: { required: 10_011_000n, free: 10_000_000n, reserved: 0n },
      },
    });
    expect(events).toEqual([]);
    expect(new Placed(world.run(saleOf(market, 'sell 9.98 o0 fok'))).order.status).toBe('filled');
    expect(held(world, market)).toEqual([0n, 9_980_000n, 9_980_000n]);
  });

  test.each([
    ['side', { side: 'buy' }],
    ['time_in_force', { timeInForce: 'ioc' }],
    ['reduce_only', { reduceOnly: true }],
    ['order', { accountId: accountName('m') }],
    ['mint', { caps: { tier: 'basic', keyId: 'key_t', orderMax: null, dayMax: null } }],
    ['mint', { grant: { grantId: 'g', dayMax: null, expiresAtMs: 9e12 } }],
    ['size', { lots: 0 }],
  ] as const)('is refused for its %s: %o', (field, changes) => {
    const { world, market } = scene();
    const sale = saleOf(market, 'sell 10 o0 fok', changes as Partial<PlaceOrder>);
    const { answer, events } = world.run(sale);
    expect(answer).toMatchObject({ rejection: { code: 'VALIDATION_FAILED', details: { field } } });
    expect(events).toEqual([]);
  });

  test('is previewed as it is then done', () => {
    const { world, market } = scene(4);
    const sale = saleOf(market, 'sell 25 o2 fok');
    const said = previewOrder(world.state, OPERATOR, sale);
    const before = world.free('t');
    const { order } = new Placed(world.run(sale));
    expect(said).toMatchObject({
      cost: order.filledCost,
      fees: order.feesPaid,
      mint: { amount: 25_000_000n, fee: 27_500n },
    });
    expect(before - world.free('t')).toBe(25_027_500n + order.feesPaid - order.filledCost);
    const nothing = previewOrder(world.state, OPERATOR, saleOf(market, 'sell 10 o0 @ 0.9 fok'));
    expect(nothing).toMatchObject({ rejectReason: 'fok_unfilled', mint: null });
    const poor = previewOrder(world.state, OPERATOR, saleOf(market, 'sell 2000 o0 fok'));
    expect(poor).toMatchObject({ rejectReason: 'fok_unfilled' });
  });
});
