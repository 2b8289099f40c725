import { expect, it } from 'vitest';
import { runKept } from './kept.ts';

it('[CN17] 2,000 requests on kept connections are answered while server and clients stall', async () => {
  const report = await runKept({ requests: 2_000, seed: 1, isBusy: false });
  console.log(report);
  expect(report.cut).toEqual([]);
  expect(report.stalls).toEqual([1, 1]);
  expect(report.reused).toBeGreaterThan(1_900);
});
