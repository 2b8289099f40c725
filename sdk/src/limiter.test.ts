import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createClient, RateLimitedError, type SibylClient } from './index.ts';
import { Limiter } from './limiter.ts';

/** A service that counts sliding minutes by category and refuses what is too much. */
class CountingService {
  readonly #sentMs = new Map<string, number[]>();
  readonly refused: string[] = [];
  readonly answered: string[] = [];
  readonly limits: Record<string, number> = { trade: 30, cancel: 30, read: 60 };

  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const { pathname } = new URL(String(input));
    const category = this.#categoryOf(init?.method ?? 'GET', pathname);
    const limit = this.limits[category] ?? 0;
    const nowMs = Date.now();
    const sent = (this.#sentMs.get(category) ?? []).filter((ms) => ms > nowMs - 60_000);
    const isAllowed = sent.length < limit;
    if (isAllowed) sent.push(nowMs);
    this.#sentMs.set(category, sent);
    (isAllowed ? this.answered : this.refused).push(category);
    const error = isAllowed ? null : { code: 'RATE_LIMITED', message: 'No.', details: {} };
    return new Response(JSON.stringify({ ok: isAllowed, data: {}, meta: {}, error }), {
      status: isAllowed ? 200 : 429,
      headers: {
        'x-ratelimit-category': category,
        'x-ratelimit-limit': String(limit),
        'x-ratelimit-remaining': String(limit - sent.length),
        'x-ratelimit-reset': String(Math.ceil(((sent.at(-1) ?? nowMs) + 60_000) / 1_000)),
        'retry-after': '60',
      },
    });
  };

  /** Cancels and heartbeats take from the trade quota first, and from their reserve when that is used up. */
  #categoryOf(method: string, path: string): string {
    if (method === 'GET') return 'read';
    const isReserved = method === 'DELETE' || path.endsWith('/heartbeat');
    const sent = (this.#sentMs.get('trade') ?? []).filter((ms) => ms > Date.now() - 60_000);
    return isReserved && sent.length >= (this.limits.trade ?? 0) ? 'cancel' : 'trade';
  }
}

const order = {
  market_id: 'm_0123456789abcdef',
  outcome_id: 'yes',
  side: 'buy',
  order_type: 'market',
  size: '1',
} as const;

describe('[SK18] a limiter', () => {
  const service = { current: new CountingService() };
  beforeEach(() => {
    vi.useFakeTimers({ now: 1_794_657_600_000 });
    service.current = new CountingService();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function client(limiter?: Limiter): SibylClient {
    const { fetch } = service.current;
    const options = { baseUrl: 'http://service', token: 'x', retriesMax: 0, fetch };
    return createClient(limiter === undefined ? options : { ...options, limiter });
  }

  /** So many orders at once; gives how many were placed after a while. */
  async function place(from: SibylClient, count: number, forMs: number): Promise<number> {
    let placed = 0;
    await from.orders.place(order);
    for (let at = 1; at < count; at += 1) {
      from.orders.place(order).then(
        () => {
          placed += 1;
        },
        () => undefined,
      );
    }
    await vi.advanceTimersByTimeAsync(forMs);
    return placed + 1;
  }

  it('waits where the service would refuse, and sends as much as it allows', async () => {
    expect(await place(client(new Limiter()), 100, 55_000)).toBe(30);
    await vi.advanceTimersByTimeAsync(200_000);
    expect(service.current.answered).toHaveLength(100);
    expect(service.current.refused).toEqual([]);
  });

  it('is needed: without it the same program is refused', async () => {
    expect(await place(client(), 100, 55_000)).toBe(30);
    expect(service.current.refused).toHaveLength(70);
  });

  it('counts each bucket by itself: cancels go while orders wait', async () => {
    const busy = client(new Limiter());
    await busy.orders.cancelAll();
    await place(busy, 60, 1_000);
    expect(service.current.answered.filter((category) => category === 'trade')).toHaveLength(30);
    await busy.orders.cancelAll();
    await busy.orders.heartbeat({ timeout_ms: 30_000 });
    expect(service.current.answered.filter((category) => category === 'cancel')).toHaveLength(2);
  });

  it('makes room for others with the same key, and goes on when they have stopped', async () => {
    const limiter = new Limiter();
    const mine = client(limiter);
    await mine.orders.place(order);
    for (let at = 0; at < 29; at += 1) await client().orders.place(order);
    await expect(mine.orders.place(order)).rejects.toBeInstanceOf(RateLimitedError);
    const later = mine.orders.place(order);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(service.current.refused).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(40_000);
    await later;
    expect(service.current.refused).toHaveLength(1);
  });

  it('leaves the spare unused, and a wait ends with the abort of its caller', async () => {
    const careful = client(new Limiter({ spare: 10 }));
    expect(await place(careful, 25, 1_000)).toBe(20);
    const stop = new AbortController();
    const waiting = careful.orders.place(order, {}, { signal: stop.signal });
    stop.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
  });
});
