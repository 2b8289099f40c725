import { expect, it } from 'vitest';
import { runRudeEnds } from './rude-ends.ts';

it('[RE11][RE13] 3 rude ends of the whole server: every start succeeds and no order is lost', async () => {
  const report = await runRudeEnds(3, 1);
  console.log(report);
  expect(report.acknowledged).toBeGreaterThan(20);
  expect(report.ends).toEqual({ 'SIGINT twice': 1, 'SIGTERM twice': 1, SIGKILL: 1 });
});
