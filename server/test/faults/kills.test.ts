import { describe, expect, it } from 'vitest';
import { runKills } from './kills.ts';

describe('kill -9 under load', () => {
  it('[P1][P2] 20 kills lose nothing, double nothing, and every restart comes up', async () => {
    const report = await runKills(20, 1);
    console.log(report);
    expect(report.acknowledged).toBeGreaterThan(500);
    expect(report.unknown).toBeGreaterThan(20);
    expect(report.recoveryMsMax).toBeLessThan(10_000);
  }, 300_000);
});
