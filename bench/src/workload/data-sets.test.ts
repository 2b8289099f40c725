import { describe, expect, test } from 'vitest';
import { compareTally, DATA_SETS, loadWorkload } from './data-sets.ts';
import { CANCEL, generate, LIMIT, STRIDE, TAKE } from './generate.ts';
import { mulberry32 } from './mulberry32.ts';

describe('[BN2] the generator draws the published data sets', () => {
  // Columns of the table of performance workloads: adds, cancels, marketable, fills, quantity, Σ price×qty, open.
  test.each([
    ['W1', [700_122, 199_779, 100_099, 499_349, 20_158_858, 99_983_569_905, 99_120]],
    ['W1000', [700_432, 199_582, 99_986, 467_505, 19_196_433, 95_986_933_747, 125_548]],
  ] as const)('%s comes out as published', (name, published) => {
    const { counts, tally } = generate(DATA_SETS[name].shape);
    expect([
      counts.limits,
      counts.cancels,
      counts.takes,
      tally.fills,
      tally.quantity,
      tally.notional,
      tally.open,
    ]).toEqual(published);
    expect(DATA_SETS[name].required).toEqual(tally);
  });

  test('W1-100k is the beginning of W1 and has its published fills and quantity', () => {
    const short = loadWorkload(DATA_SETS['W1-100k']);
    const long = generate({ symbols: 1, prefill: 0, mixed: 200_000 });
    expect(short.tally.fills).toBe(49_881);
    expect(short.tally.quantity).toBe(2_021_563);
    expect(long.commands.subarray(0, 100_000 * STRIDE)).toEqual(short.commands);
  });
});

test('[BN2] the first numbers are those of mulberry32', () => {
  const next = mulberry32(0);
  // Widely published first outputs for seed 0, as fractions of 2^32: 0.26642920868471265, 0.0003297457005828619.
  expect(next() / 2 ** 32).toBe(0.26642920868471265);
  expect(next() / 2 ** 32).toBe(0.0003297457005828619);
});

test('[BN2] a naive book rescanned for every command comes to the same tally', () => {
  const workload = generate({ symbols: 3, prefill: 50, mixed: 3_000 });
  const resting: { id: number; symbol: number; side: number; price: number; left: number }[] = [];
  let fills = 0;
  let quantity = 0;
  let notional = 0;
  for (let at = 0; at < workload.commands.length; at += STRIDE) {
    const [type, symbol, id, side, price, size] = workload.commands.subarray(at, at + STRIDE);
    if (type === CANCEL) {
      const index = resting.findIndex((order) => order.id === id);
      expect(resting[index]).toMatchObject({ symbol, side, price });
      resting.splice(index, 1);
      continue;
    }
    let left = size!;
    while (left > 0) {
      const crossing = resting.filter(
        (order) =>
          order.symbol === symbol &&
          order.side !== side &&
          (side === 0 ? order.price <= price! : order.price >= price!),
      );
      crossing.sort((a, b) => (side === 0 ? a.price - b.price : b.price - a.price) || a.id - b.id);
      const maker = crossing[0];
      if (maker === undefined) break;
      const filled = Math.min(left, maker.left);
      fills += 1;
      quantity += filled;
      notional += filled * maker.price;
      left -= filled;
      maker.left -= filled;
      if (maker.left === 0) resting.splice(resting.indexOf(maker), 1);
    }
    expect([LIMIT, TAKE]).toContain(type);
    if (type === LIMIT && left > 0) {
      resting.push({ id: id!, symbol: symbol!, side: side!, price: price!, left });
    }
  }
  expect(workload.tally).toEqual({ fills, quantity, notional, open: resting.length });
});

test('[BN2] a tally that differs is named number by number', () => {
  const required = DATA_SETS.W1.required;
  expect(compareTally(required, required)).toEqual([]);
  expect(compareTally({ ...required, fills: 1, open: 2 }, required)).toEqual([
    'fills 1 instead of 499349',
    'open 2 instead of 99120',
  ]);
});
