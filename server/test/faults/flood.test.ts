import { describe, expect, it } from 'vitest';
import { runFlood } from './flood.ts';

describe('a flood', () => {
  it('[FL1] costs a bystander no answer and a trader no order', async () => {
    const report = await runFlood(8);
    console.log(report);
    expect(report.wrong).toEqual([]);
    // How quick they were is for `npm run chaos -- --flood`, on a machine that nobody else uses.
    expect(report.health.count).toBeGreaterThan(2);
    expect(report.orders.count).toBeGreaterThan(2);
    expect(report.rssMb.after).toBeLessThan(report.rssMb.before + 300);
  });
});
