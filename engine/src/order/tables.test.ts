// The tables that orders are kept in, against plain maps.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asOrderId } from '../kit/identity.ts';
import { micro } from '../kit/micro.ts';
import type { Row } from '../kit/tallies.ts';
import type { Account } from '../state/account.ts';
import type { Order } from '../state/order.ts';
import { orderKind } from '../state/order-kind.ts';
import { NO_CELL, OrderLists } from '../state/orders/order-lists.ts';
import { OrderRegistry } from '../state/orders/order-registry.ts';

describe('tables', () => {
  const row = (number: number): Row => number as Row;
  const openOrder = (id: number): Order =>
    ({
      id,
      holding: { account: { row: row(4) } },
      status: 'pending',
      slots: null,
    }) as unknown as Order;

  const lister = (): Account =>
    ({ id: 'acc_a', openOrders: 0, lastListed: NO_CELL, ordersListed: 0 }) as unknown as Account;
  const listOrder = (
    table: OrderRegistry,
    lists: OrderLists,
    account: Account,
    id: number,
  ): Order => {
    const order = openOrder(id);
    table.open(order);
    lists.add(account, asOrderId(id));
    account.openOrders += 1;
    return order;
  };
  const closeOrder = (table: OrderRegistry, account: Account, order: Order): void => {
    order.status = 'cancelled';
    table.close(order);
    account.openOrders -= 1;
  };

  test('[OR11] a table of orders is a map of the open ones and the last so many that closed', () => {
    const statuses = ['filled', 'cancelled', 'rejected'] as const;
    const id = fc.oneof(
      fc.integer({ min: 1, max: 300 }),
      fc.integer({ min: 2 ** 32, max: 2 ** 32 + 99 }),
    );
    const step = fc.record({ id, isShort: fc.boolean() });
    const steps = fc.array(step, { maxLength: 300, size: 'max' });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), steps, (capacity, taken) => {
        const table = new OrderRegistry(capacity);
        const open = new Map<number, Order>();
        const closed: number[] = [];
        const seen = new Set<number>();
        for (const { id: number, isShort } of taken) {
          const orderId = asOrderId(number);
          const order = open.get(number);
          if (order !== undefined) {
            order.status = statuses[number % 3]!;
            table.close(order);
            open.delete(number);
            closed.push(number);
          } else if (!seen.has(number) && isShort) {
            table.remember(orderId, row(4), statuses[number % 3]!);
            closed.push(number);
          } else if (!seen.has(number)) {
            const opened = openOrder(number);
            table.open(opened);
            open.set(number, opened);
          }
          seen.add(number);
          expect(table.size).toBe(open.size);
          expect(table.get(orderId)).toBe(open.get(number));
        }
        const kept = closed.slice(-capacity);
        expect([...table.closed()]).toEqual(
          kept.map((number) => ({ orderId: number, account: 4, status: statuses[number % 3] })),
        );
        expect(new Set(table.values())).toEqual(new Set(open.values()));
        for (const number of seen) {
          const expected = kept.includes(number) ? statuses[number % 3] : undefined;
          const owner = { row: row(4) } as Account;
          const other = { row: row(8) } as Account;
          expect(table.statusClosed(asOrderId(number), owner)).toBe(expected);
          expect(table.statusClosed(asOrderId(number), other)).toBeUndefined();
          expect(table.has(asOrderId(number))).toBe(open.has(number));
        }
      }),
      { numRuns: 100 },
    );
  });

  test('[OR11] an order is opened once and closed only while it is open', () => {
    const table = new OrderRegistry(10);
    const order = openOrder(7);
    table.open(order);
    expect(() => table.open(openOrder(7))).toThrow(/known already/);
    order.status = 'filled';
    table.close(order);
    expect(() => table.close(order)).toThrow(/not open/);
    expect(() => table.remember(asOrderId(7), row(4), 'filled')).toThrow(/known already/);
  });

  test('[OR13] an account lists its orders oldest first, whatever others add and lose', () => {
    const step = fc.record({ who: fc.nat(2), leaving: fc.option(fc.nat(), { freq: 3 }) });
    const steps = fc.array(step, { maxLength: 600, size: 'max' });
    fc.assert(
      fc.property(steps, (taken) => {
        const table = new OrderRegistry(10);
        const lists = new OrderLists(table);
        const accounts = [lister(), lister(), lister()];
        const listed: Order[][] = [[], [], []];
        taken.forEach(({ who, leaving }, index) => {
          const account = accounts[who]!;
          const own = listed[who]!;
          if (leaving === null || own.length === 0) {
            own.push(listOrder(table, lists, account, index + 1));
          } else {
            const [gone] = own.splice(leaving % own.length, 1);
            closeOrder(table, account, gone!);
          }
          expect(lists.of(account)).toEqual(own);
        });
        for (const [who, account] of accounts.entries()) {
          expect(lists.of(account)).toEqual(listed[who]);
        }
      }),
      { numRuns: 50 },
    );
  });

  test('[OR13] an account that has few open orders lists few, however many it had', () => {
    const table = new OrderRegistry(10);
    const lists = new OrderLists(table);
    const account = lister();
    const kept = listOrder(table, lists, account, 1);
    for (let id = 2; id <= 5000; id += 1) {
      closeOrder(table, account, listOrder(table, lists, account, id));
      expect(account.ordersListed).toBeLessThan(80);
    }
    expect(lists.of(account)).toEqual([kept]);
  });

  test('[OR13] an account may lose each order as it is gone through', () => {
    const table = new OrderRegistry(10);
    const lists = new OrderLists(table);
    const account = lister();
    for (const id of [1, 2, 3]) listOrder(table, lists, account, id);
    const seen: number[] = [];
    for (const order of lists.of(account)) {
      seen.push(order.id);
      closeOrder(table, account, order);
    }
    expect([seen, lists.of(account)]).toEqual([[1, 2, 3], []]);
  });

  test('[OR13] an account that counts others than the table has open is found out', () => {
    const table = new OrderRegistry(10);
    const lists = new OrderLists(table);
    const account = lister();
    const order = listOrder(table, lists, account, 1);
    order.status = 'cancelled';
    table.close(order);
    expect(() => lists.of(account)).toThrow(/lists 0 of 1 open orders/);
  });

  test('[OR11] the memory of closed orders grows without losing any', () => {
    const table = new OrderRegistry(100_000);
    const owner = { row: row(4) } as Account;
    for (let id = 1; id <= 5000; id += 1) table.remember(asOrderId(id), row(4), 'filled');
    for (let id = 1; id <= 5000; id += 1) {
      expect(table.statusClosed(asOrderId(id), owner)).toBe('filled');
    }
    expect(table.statusClosed(asOrderId(5001), owner)).toBeUndefined();
  });

  test('[OR1] a kind is what was chosen, and the same choices are one kind', () => {
    const choices = fc.record({
      orderType: fc.constantFrom('market' as const, 'limit' as const),
      timeInForce: fc.constantFrom('gtc' as const, 'gtd' as const, 'ioc' as const, 'fok' as const),
      postOnly: fc.boolean(),
      reduceOnly: fc.boolean(),
      stpMode: fc.constantFrom('cancel_resting' as const, 'cancel_incoming' as const),
      execution: fc.constantFrom('hybrid' as const, 'mid' as const),
    });
    fc.assert(
      fc.property(choices, (chosen) => {
        const kind = orderKind(chosen);
        expect(kind).toEqual(chosen);
        expect(orderKind({ ...chosen })).toBe(kind);
      }),
      { numRuns: 500 },
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
