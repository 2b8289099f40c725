import { describe, expect, it } from 'vitest';
import { type Bar, barsOfBoth, spans, stretchOf, windowOf, withMinute } from './spans.ts';

const NOW_MS = 1_794_657_600_000;
const MINUTE_MS = 60_000;
const open = {
  status: 'active',
  market_type: 'normal',
  created_at_ms: NOW_MS - 86_400_000,
  closes_at_ms: NOW_MS + 86_400_000,
  settles_at_ms: null,
};
const minute = (at: number, close: number): Bar => ({
  startMs: NOW_MS + at * MINUTE_MS,
  open: close,
  high: close,
  low: close,
  close,
});
const five = { name: '5m', ms: 5 * MINUTE_MS } as const;

describe('the range of a chart', () => {
  it.each(spans)('[WM23] has at most 300 bars: %s', (span) => {
    const old = { ...open, created_at_ms: NOW_MS - 200 * 86_400_000 };
    const { fromMs, toMs, interval } = windowOf(old, span, 'line', NOW_MS);
    expect((NOW_MS - fromMs) / interval.ms).toBeLessThanOrEqual(301);
    expect(toMs).toBe(null);
    const candles = windowOf(old, span, 'candles', NOW_MS);
    const most = span === 'all' ? 201 : 101;
    expect((NOW_MS - candles.fromMs) / candles.interval.ms).toBeLessThanOrEqual(most);
  });

  it('[WM23] ends where a decided market ended', () => {
    const endMs = NOW_MS - 3_600_000;
    const over = {
      ...open,
      status: 'resolved',
      settles_at_ms: endMs,
      created_at_ms: NOW_MS - 7_200_000,
    };
    const { toMs, interval } = windowOf(over, 'all', 'line', NOW_MS);
    expect(toMs).toBe(endMs + interval.ms);
  });

  it('[WM23] asks for the newest bars, and from the first on where all are shown', () => {
    const week = windowOf(open, '1w', 'line', NOW_MS);
    expect(stretchOf(week)).toEqual({ limit: 7 * 24 + 1 });
    const all = windowOf(open, 'all', 'line', NOW_MS);
    expect(stretchOf(all)).toEqual({ from_ms: all.fromMs, limit: 500 });
  });

  it('[WM23] grows by minutes', () => {
    const first = withMinute([], minute(0, 0.5), five);
    const grown = withMinute(first, minute(3, 0.6), five);
    expect(grown).toEqual([{ startMs: NOW_MS, open: 0.5, high: 0.6, low: 0.5, close: 0.6 }]);
    const fallen = withMinute(grown, minute(4, 0.45), five);
    expect(fallen).toEqual([{ startMs: NOW_MS, open: 0.5, high: 0.6, low: 0.45, close: 0.45 }]);
    // The first trade of the next bar need not be in its first minute.
    const next = withMinute(fallen, minute(7, 0.55), five);
    const begun = { startMs: NOW_MS + five.ms, open: 0.55, high: 0.55, low: 0.55, close: 0.55 };
    expect(next).toEqual([...fallen, begun]);
    expect(withMinute(next, minute(1, 0.1), five)).toEqual(next);
  });
});

describe('the chart of a question', () => {
  const candle = (
    at: number,
    prices: readonly [string, string, string, string],
    volume: string,
  ) => {
    const [open, high, low, close] = prices;
    return { ts_ms: NOW_MS + at * MINUTE_MS, open, high, low, close, volume };
  };
  const level = ['0.5', '0.5', '0.5', '0.5'] as const;

  it('[WM27] follows the other side where it alone is traded, and stays there', () => {
    const own = [candle(0, level, '0'), candle(1, level, '0'), candle(2, level, '0')];
    const other = [
      candle(0, level, '0'),
      candle(1, ['0.522497', '0.569666', '0.51', '0.56'], '12'),
      candle(2, ['0.56', '0.56', '0.56', '0.56'], '0'),
    ];
    expect(
      barsOfBoth(own, other).map(({ open, high, low, close }) => [open, high, low, close]),
    ).toEqual([
      [0.5, 0.5, 0.5, 0.5],
      [0.477503, 0.49, 0.430334, 0.44],
      [0.44, 0.44, 0.44, 0.44],
    ]);
  });

  it('[WM27] spans both where both are traded', () => {
    const own = [candle(0, ['0.5', '0.55', '0.5', '0.52'], '1')];
    const other = [candle(0, ['0.4', '0.52', '0.4', '0.45'], '1')];
    expect(barsOfBoth(own, other)).toEqual([
      { startMs: NOW_MS, open: 0.5, high: 0.6, low: 0.48, close: 0.52 },
    ]);
  });
});
