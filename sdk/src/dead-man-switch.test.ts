import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DeadManSwitch } from './dead-man-switch.ts';
import { createClient } from './index.ts';

const START_MS = 1_794_657_600_000;

describe('[SK17] a dead-man switch', () => {
  /** When the service heard which timeout, in seconds since the beginning. */
  let heard: [number, number][] = [];
  let isReachable = true;
  beforeEach(() => {
    vi.useFakeTimers({ now: START_MS });
    heard = [];
    isReachable = true;
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const client = createClient({
    baseUrl: 'http://service',
    token: 'x',
    fetch: async (_url, init) => {
      if (!isReachable) throw new TypeError('fetch failed');
      const { timeout_ms: timeoutMs } = JSON.parse(String(init?.body));
      heard.push([(Date.now() - START_MS) / 1_000, timeoutMs]);
      const data = { armed: timeoutMs > 0, timeout_ms: timeoutMs };
      return new Response(JSON.stringify({ ok: true, data, meta: {}, error: null }));
    },
  });

  it('gives at least two signs of life in each timeout, not in step with others', async () => {
    const guard = new DeadManSwitch(client, { timeoutMs: 30_000 });
    await guard.start();
    expect(guard.isArmed).toBe(true);
    await vi.advanceTimersByTimeAsync(300_000);
    const pauses = heard.slice(1).map(([second], at) => second - (heard[at]?.[0] ?? 0));
    expect(Math.max(...pauses)).toBeLessThanOrEqual(10.1);
    expect(new Set(pauses.map((pause) => Math.round(pause * 1_000))).size).toBeGreaterThan(5);
    await guard.abandon();
  });

  it('tells how much time is left while nothing gets through, and arms again when it does', async () => {
    const left: number[] = [];
    const guard = new DeadManSwitch(client, {
      timeoutMs: 30_000,
      onFault: (_error, leftMs) => left.push(leftMs),
    });
    await guard.start();
    isReachable = false;
    await vi.advanceTimersByTimeAsync(40_000);
    expect(left[0]).toBeGreaterThan(15_000);
    expect(left.at(-1)).toBe(0);
    expect(guard.isArmed).toBe(false);
    isReachable = true;
    await vi.advanceTimersByTimeAsync(3_000);
    expect(guard.isArmed).toBe(true);
    await guard.abandon();
  });

  it('disarms when it is stopped, and only lets go when it is abandoned', async () => {
    const stopped = new DeadManSwitch(client);
    await stopped.start();
    await stopped.stop();
    expect(heard.at(-1)?.[1]).toBe(0);
    expect(stopped.isArmed).toBe(false);
    const abandoned = new DeadManSwitch(client);
    await abandoned.start();
    await abandoned.abandon();
    const count = heard.length;
    await vi.advanceTimersByTimeAsync(120_000);
    expect(heard).toHaveLength(count);
    expect(heard.at(-1)?.[1]).toBe(30_000);
  });

  it('a start that the service refuses is refused', async () => {
    isReachable = false;
    await expect(new DeadManSwitch(client).start()).rejects.toThrow('no answer');
  });
});
