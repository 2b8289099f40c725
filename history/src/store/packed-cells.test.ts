import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CellPacker, unpackCells } from './packed-cells.ts';

const SHAPE = { width: 3, amounts: [1] };
const BOUND = 2 ** 51;
const NEAR_BOUNDS = [0, 2 ** 28, 2 ** 30, 2 ** 31, 2 ** 32, 2 ** 35, BOUND].flatMap((bound) =>
  [-2, -1, 0, 1, 2].flatMap((step) => [bound + step, 0 - bound - step]),
);

const number = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  fc.constantFrom(...NEAR_BOUNDS, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER),
);
const amount = fc.oneof(
  number.map(BigInt),
  fc.bigInt(-(1n << 63n), (1n << 63n) - 1n),
  fc.constantFrom(-(1n << 63n), (1n << 63n) - 1n, 1n << 53n, -1n << 32n),
);
const rowsOf = (numbers: fc.Arbitrary<number>, amounts: fc.Arbitrary<bigint>) =>
  fc.array(fc.tuple(numbers, amounts, numbers), { minLength: 1, maxLength: 20 });
const small = fc.integer({ min: -BOUND, max: BOUND });

it('[RM9] cells come out of a page as they went in, whatever their size', () => {
  fc.assert(
    fc.property(
      fc.oneof(rowsOf(number, amount), rowsOf(small, small.map(BigInt))),
      fc.nat(20),
      (rows, skipped) => {
        const cells = new ArrayBuffer(rows.length * SHAPE.width * 8);
        const numbers = new Float64Array(cells);
        const amounts = new BigInt64Array(cells);
        for (const [row, [first, middle, last]] of rows.entries()) {
          numbers[row * SHAPE.width] = first;
          amounts[row * SHAPE.width + 1] = middle;
          numbers[row * SHAPE.width + 2] = last;
        }
        const to = skipped % rows.length;
        const chain = Int32Array.from(rows.keys());
        const bytes = new CellPacker(SHAPE, cells).pack(chain, rows.length, to);
        const unpacked = unpackCells(bytes, SHAPE);
        const found = Array.from({ length: unpacked.byteLength / 24 }, (_, row) => {
          const [first, last] = [0, 2].map(
            (column) => new Float64Array(unpacked)[row * 3 + column],
          );
          return [first, new BigInt64Array(unpacked)[row * 3 + 1], last];
        });
        expect(found).toEqual(rows.slice(to).reverse());
      },
    ),
    { numRuns: 2000 },
  );
});

it('[RM9] rows that differ little take few bytes', () => {
  const rows = 100;
  const numbers = Float64Array.from({ length: rows }, (_, row) => 1_794_700_000_000 + row);
  const shape = { width: 1, amounts: [] };
  const packer = new CellPacker(shape, numbers.buffer);
  const chain = Int32Array.from({ length: rows }, (_, row) => rows - 1 - row);
  expect(packer.pack(chain, rows, 0).length).toBeLessThan(rows + 10);
});
