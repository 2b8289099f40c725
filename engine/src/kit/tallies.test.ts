// Tables of amounts against plain maps.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Row, Tallies } from './tallies.ts';

test('[PO3] a table keeps every amount apart, however it grows, and gives rows out again empty', () => {
  const step = fc.record({
    pick: fc.nat(),
    column: fc.nat(2),
    amount: fc.bigInt(-(10n ** 15n), 10n ** 15n),
    kind: fc.constantFrom('open', 'open', 'add', 'add', 'addMicro', 'set', 'close'),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200, size: 'max' }), (steps) => {
      const table = new Tallies(3);
      const rows = new Map<Row, bigint[]>();
      for (const { kind, pick, column, amount } of steps) {
        const row = [...rows.keys()][pick % Math.max(rows.size, 1)];
        if (kind === 'open' || row === undefined) {
          const opened = table.open();
          expect(rows.has(opened)).toBe(false);
          rows.set(opened, [0n, 0n, 0n]);
          continue;
        }
        const wanted = rows.get(row)!;
        if (kind === 'close') {
          table.close(row);
          rows.delete(row);
        } else if (kind === 'set') {
          table.set(row, column, amount);
          wanted[column] = amount;
        } else {
          if (kind === 'add') table.add(row, column, amount);
          else table.addMicro(row, column, Number(amount));
          wanted[column] = wanted[column]! + amount;
        }
      }
      for (const [row, amounts] of rows) {
        expect([0, 1, 2].map((column) => table.get(row, column))).toEqual(amounts);
      }
    }),
  );
});

test('[PO3] an amount that would wrap stops instead', () => {
  const half = 1n << 61n;
  for (const sign of [1n, -1n]) {
    const table = new Tallies(1);
    const row = table.open();
    table.add(row, 0, sign * half);
    expect(() => table.add(row, 0, sign * (half + 1n))).toThrow(/beyond all money/);
  }
});
