import { describe, expect, it } from 'vitest';
import { runKills } from './kills.ts';

describe('kill -9 under load', () => {
  it('[P1][P2][DB9] 20 kills under load and some during the start lose nothing and double nothing', async () => {
    const report = await runKills(20, 1);
    console.log(report);
    expect(report.startKills).toBeGreaterThan(4);
    expect(report.acknowledged).toBeGreaterThan(500);
    expect(report.unknown).toBeGreaterThan(20);
    expect(report.recoveryMsMax).toBeLessThan(60_000);
  });
});
