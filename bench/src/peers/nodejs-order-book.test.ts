import { expect, test } from 'vitest';
import { generate, LIMIT, TAKE } from '../workload/generate.ts';
import { BUY, SELL } from '../workload/reference-book.ts';
import { nodejsOrderBook } from './nodejs-order-book.ts';

test.each([
  ['one symbol', { symbols: 1, prefill: 0, mixed: 10_000 }],
  ['twenty symbols after a prefill', { symbols: 20, prefill: 500, mixed: 10_000 }],
])('[BN1] nodejs-order-book gives the reference result: %s', (_title, shape) => {
  const workload = generate(shape);
  const session = nodejsOrderBook.begin(workload);
  session.prepare(0, workload.count);
  session.run(0, workload.count);
  expect(session.finish()).toEqual({ tally: workload.tally, complaints: [] });
});

test('[BN1] a limit order that crosses counts the resting orders it meets, not itself', () => {
  const commands = Int32Array.of(
    ...[LIMIT, 0, 1, SELL, 5100, 10],
    ...[LIMIT, 0, 2, SELL, 5101, 10],
    // Fills whole: 10 at 5100 and 4 of 10 at 5101.
    ...[LIMIT, 0, 3, BUY, 5105, 14],
    // Fills 6 at 5101 and rests 2.
    ...[LIMIT, 0, 4, BUY, 5105, 8],
    // Fills the 2 that rest and lets 5 expire.
    ...[TAKE, 0, 5, SELL, 1, 7],
  );
  const tally = { fills: 4, quantity: 22, notional: 112_220, open: 0 };
  const counts = { limits: 4, cancels: 0, takes: 1 };
  const workload = { symbols: 1, prefill: 0, mixed: 5, count: 5, commands, counts, tally };
  const session = nodejsOrderBook.begin(workload);
  session.prepare(0, 5);
  session.run(0, 5);
  expect(session.finish()).toEqual({ tally, complaints: [] });
});
