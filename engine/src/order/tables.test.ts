// The tables that orders are kept in, against plain maps.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AccountId, asAccountId, asOrderId, asTradeId } from '../identity.ts';
import { micro } from '../micro.ts';
import { orderReference, tradeReference } from '../reference.ts';
import { ClosedOrders } from './closed-orders.ts';
import { IdTable } from './id-table.ts';
import type { Order } from './order.ts';
import { OrderList } from './order-list.ts';

describe('tables', () => {
  test('[OR11] a table by id is a map', () => {
    const id = fc.oneof(
      fc.integer({ min: 1, max: 300 }),
      fc.integer({ min: 2 ** 32, max: 2 ** 32 + 99 }),
    );
    const step = fc.record({ id, isDeleted: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200, size: 'max' }), (steps) => {
        const table = new IdTable<string>();
        const map = new Map<number, string>();
        steps.forEach((one, index) => {
          if (one.isDeleted) {
            expect(table.delete(one.id)).toBe(map.delete(one.id));
          } else {
            table.set(one.id, `v${index}`);
            map.set(one.id, `v${index}`);
          }
          expect(table.size).toBe(map.size);
          expect(table.get(one.id)).toBe(map.get(one.id));
          expect(table.has(one.id)).toBe(map.has(one.id));
        });
        expect([...table.values()].sort()).toEqual([...map.values()].sort());
        for (let n = 1; n <= 300; n += 1) expect(table.get(n)).toBe(map.get(n));
      }),
      { numRuns: 100 },
    );
  });

  test('[OR13] an account lists its orders oldest first, whatever was added and removed', () => {
    const entry = (id: number): Order =>
      ({ id, accountPrevious: null, accountNext: null }) as unknown as Order;
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 80, size: 'max' }),
        (ids) => {
          const list = new OrderList();
          const listed = new Map<number, Order>();
          for (const id of ids) {
            const known = listed.get(id);
            if (known === undefined) {
              const order = entry(id);
              list.add(order);
              listed.set(id, order);
            } else {
              list.remove(known);
              listed.delete(id);
            }
            const expected = [...listed.keys()].sort((a, b) => a - b);
            expect([...list.values()].map((order) => order.id)).toEqual(expected);
            expect(list.size).toBe(expected.length);
          }
        },
      ),
    );
  });

  test('[OR11] exactly the last so many closed orders are remembered', () => {
    const owner: AccountId = asAccountId('acc_a');
    const statuses = ['filled', 'cancelled', 'rejected'] as const;
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.nat(4000),
        fc.nat(99),
        (capacity, count, skip) => {
          const closed = new ClosedOrders(capacity);
          // Closed out of the order of their ids, as orders do, and some of them far apart.
          const ids = Array.from({ length: count }, (_, index) => {
            const id = ((index * 1709) % 4001) + 1;
            return id % 7 === 0 ? id + 2 ** 32 + skip : id;
          });
          for (const id of ids) closed.add(asOrderId(id), owner, statuses[id % 3]!);
          const kept = new Set(ids.slice(-capacity));
          expect([...closed.entries()].map(({ orderId }) => orderId)).toEqual([...kept]);
          for (const id of ids) {
            const expected = kept.has(id)
              ? { orderId: id, accountId: owner, status: statuses[id % 3] }
              : undefined;
            expect(closed.get(asOrderId(id))).toEqual(expected);
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  test('[OR11] the table of closed orders grows without losing any', () => {
    const closed = new ClosedOrders(100_000);
    const owner: AccountId = asAccountId('acc_a');
    for (let id = 1; id <= 5000; id += 1) closed.add(asOrderId(id), owner, 'filled');
    for (let id = 1; id <= 5000; id += 1) expect(closed.get(asOrderId(id))?.orderId).toBe(id);
    expect(closed.get(asOrderId(5001))).toBeUndefined();
  });

  test('[LG4] references name the order or the trade', () => {
    for (const id of [
      1, 999, 1000, 1001, 1999, 2000, 1_000_000, 999_999_999, 1001, 12_345_678_901,
    ]) {
      expect(orderReference(asOrderId(id))).toBe(`order:${id}`);
      expect(tradeReference(asTradeId(id))).toBe(`trade:${id}`);
    }
    fc.assert(
      fc.property(fc.maxSafeNat(), (id) => {
        expect(orderReference(asOrderId(id))).toBe(`order:${id}`);
      }),
    );
  });

  test('[MO1] safe integers become the bigints they are', () => {
    const bound = Number.MAX_SAFE_INTEGER;
    for (const value of [0, 1, -1, 2 ** 31, 2 ** 32, -(2 ** 32) - 1, bound, -bound]) {
      expect(micro(value)).toBe(BigInt(value));
    }
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => {
        expect(micro(value)).toBe(BigInt(value));
      }),
    );
  });
});
