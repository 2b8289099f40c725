import { describe, expect, it } from 'vitest';
import { runWebhookKills } from './webhook-kills.ts';

describe('kill -9 with webhooks on their way', () => {
  it('[P10] 4 kills: every event is delivered, in order, signed, also over a rotation', async () => {
    const report = await runWebhookKills(4, 7);
    console.log(report);
    expect(report.events).toBeGreaterThan(100);
    expect(report.repeated).toBeGreaterThan(0);
    expect(report.doublySigned).toBeGreaterThan(0);
    expect(Object.keys(report.moods).length).toBeGreaterThanOrEqual(3);
  });
});
