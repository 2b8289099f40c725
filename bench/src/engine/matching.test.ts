import { expect, test } from 'vitest';
import { generate } from '../workload/generate.ts';
import { sibylEngine } from './matching.ts';

test.each([
  ['one symbol', { symbols: 1, prefill: 0, mixed: 10_000 }],
  ['twenty symbols after a prefill', { symbols: 20, prefill: 500, mixed: 10_000 }],
])(
  '[BN1] the engine gives the reference result with a ledger that sums to zero: %s',
  (_title, shape) => {
    const workload = generate(shape);
    const session = sibylEngine.begin(workload);
    for (const [from, to] of [
      [0, 3_000],
      [3_000, workload.count],
    ] as const) {
      session.prepare(from, to);
      session.run(from, to);
    }
    expect(session.finish()).toEqual({ tally: workload.tally, complaints: [] });
  },
);
