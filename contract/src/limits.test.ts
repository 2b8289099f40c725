// Checks the numbers a client can run into.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { limits, rateCategories, tiers } from './limits.ts';

describe('limits', () => {
  it('[CT16] have the rates of the table per key', () => {
    expect(limits.rate.perMinute.key).toEqual({
      read: 60,
      trade: 30,
      cancel: 30,
      account_write: 10,
      account_read: 120,
      create: 20,
    });
    expect(limits.rate.windowMs).toBe(60_000);
    expect(limits.rate.perMinute.session).toMatchObject({
      read: 600,
      trade: 120,
      account_write: 60,
    });
    expect(limits.rate.perMinute.anonymous.read).toBe(120);
  });

  it('[CT16] are those of docs/LIMITS.md', () => {
    const { key, session, anonymous } = limits.rate.perMinute;
    const page = readFileSync(new URL('../../docs/LIMITS.md', import.meta.url), 'utf8');
    const rows = [...page.matchAll(/^\| `(\w+)`: .* \| (\d+) \| (\d+) \| (\d+) \|$/gm)];
    expect(rows.map(([, ...cells]) => cells)).toEqual(
      rateCategories.map((category) => [
        category,
        ...[key, session, anonymous].map((quotas) => String(quotas[category])),
      ]),
    );
  });

  it('[CT16] have the caps and multipliers of the tiers', () => {
    const rows = tiers.map((tier) => {
      const { environment, orderNotionalMax, dailyNotionalMax, rateMultiplier } =
        limits.tiers[tier];
      return [tier, environment, orderNotionalMax, dailyNotionalMax, rateMultiplier];
    });
    expect(rows).toEqual([
      ['self_serve', 'sandbox', '10', '100', 1],
      ['read_live', 'live', '25', '250', 1],
      ['trade_capped', 'live', '250', '2500', 1],
      ['trade_full', 'live', null, null, 1],
      ['genesis', 'live', null, null, 10],
      ['partner', 'live', null, null, 20],
      ['institutional', 'live', null, null, 20],
    ]);
  });

  it('[CT16] have the lengths, sizes and windows', () => {
    expect(limits.page).toMatchObject({ limitMin: 1, limitMax: 500, limitDefault: 50 });
    expect(limits.depth).toEqual({ min: 1, max: 100, default: 20 });
    expect(limits.body).toEqual({ standardBytesMax: 64 * 1024, batchBytesMax: 256 * 1024 });
    expect(limits.clientOrderId).toEqual({ lengthMax: 64, windowMs: 24 * 3_600_000 });
    expect(limits.idempotency.bodyKeyLengthMax).toBe(64);
    expect(limits.faucet).toEqual({ amount: '10000', windowMs: 3_600_000 });
    expect(limits.sandboxKey).toEqual({ perAddress: 1, windowMs: 24 * 3_600_000 });
    expect(limits.graduation).toMatchObject({ volume: '100', windowDays: 30 });
    expect(limits.batch.itemsMax).toBe(20);
    expect(limits.risk).toEqual({ openOrdersPerMarketMax: 200, openOrdersPerAccountMax: 2_000 });
  });

  it.each([
    ['a'.repeat(7), false],
    ['a'.repeat(8), true],
    ['A-z_0'.repeat(25).slice(0, 128), true],
    ['a'.repeat(129), false],
    ['abcdefg h', false],
    ['abcdefgé', false],
  ])('[CT16] Idempotency-Key %s: %s', (key, isValid) => {
    expect(new RegExp(limits.idempotency.headerPattern).test(key)).toBe(isValid);
  });
});
