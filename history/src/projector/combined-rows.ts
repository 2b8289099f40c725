// Rows in memory and rows in the store, read as one; a flush that moves some in between makes a reader begin again.

import { Turns } from '@sibyl/lane';
import type { OrderRow } from '../generated/order.ts';
import type { Settlement } from '../store/history.ts';
import type {
  CandleQuery,
  CandleRow,
  OrderStateRow,
  PageKind,
  PageRow,
} from '../store/read-store.ts';
import { joinCandles } from './candles.ts';
import type { Projector } from './projector.ts';
import { readOrders, updateOrder } from './unflushed-orders.ts';

export class CombinedRows {
  readonly turns = new Turns();
  readonly #projector: Projector;

  constructor(projector: Projector) {
    this.#projector = projector;
  }

  /** Reads the store and then, in the same turn, memory; again if a flush came in between. */
  async consistent<Stored, Result>(
    stored: () => Promise<Stored>,
    join: (stored: Stored) => Result,
  ): Promise<Result> {
    for (;;) {
      const { flushes } = this.#projector;
      const rows = await stored();
      if (this.#projector.flushes === flushes) return join(rows);
    }
  }

  /** Newest first. At least `limit` pages, if there are so many. */
  pages(
    kind: PageKind,
    owner: number,
    firstMax: number,
    limit: number,
  ): Promise<readonly PageRow[]> {
    return this.consistent(
      () => this.#projector.store.pages({ kind, owner, firstMax, limit }),
      (stored) => {
        const pages: PageRow[] = [];
        for (const unflushed of this.#projector.unflushed.toReversed()) {
          pages.push(...unflushed.pagesOf(kind, owner, firstMax, limit - pages.length));
        }
        return pages.length < limit ? pages.concat(stored) : pages;
      },
    );
  }

  /** The orders of a page as they are now, oldest first; with ids, those among them. */
  async ordersOf(
    page: PageRow,
    ids: ReadonlySet<number> | null = null,
  ): Promise<readonly OrderRow[]> {
    const rows = readOrders(page, ids);
    const first = rows[0]?.orderId;
    const last = rows.at(-1)?.orderId;
    if (first === undefined || last === undefined) return rows;
    return this.consistent(
      () => this.#projector.store.orderStates(page.owner, first, last),
      (stored) => this.#updated(rows, stored),
    );
  }

  async order(account: number, orderId: number): Promise<OrderRow | null> {
    const orders = await this.orders(account, [orderId]);
    return orders.get(orderId) ?? null;
  }

  async orders(account: number, ids: readonly number[]): Promise<ReadonlyMap<number, OrderRow>> {
    const found = new Map<number, OrderRow>();
    const wanted = new Set(ids);
    const sorted = [...wanted].sort((a, b) => b - a);
    let page: PageRow | undefined;
    for (const orderId of sorted) {
      if (page === undefined || orderId < page.first) {
        [page] = await this.pages('order', account, orderId, 1);
        if (page === undefined) break;
        for (const row of await this.ordersOf(page, wanted)) found.set(row.orderId, row);
        await this.turns.pause();
      }
    }
    return found;
  }

  /** Ids of orders that may have the name, newest first. */
  ordersNamed(account: number, name: string): Promise<readonly number[]> {
    return this.consistent(
      () => this.#projector.store.ordersNamed(account, name),
      (stored) => {
        const unflushed = this.#projector.unflushed.toReversed();
        return [...unflushed.flatMap(({ orders }) => orders.named(account, name)), ...stored];
      },
    );
  }

  candles(query: CandleQuery): Promise<readonly CandleRow[]> {
    const { market, outcome, interval, fromMs, toMs } = query;
    return this.consistent(
      () => this.#projector.store.candles(query),
      (stored) => {
        const candles = [...stored];
        for (const unflushed of this.#projector.unflushed) {
          for (const row of unflushed.candles.of(market, outcome, interval)) {
            if (row.startMs < fromMs || row.startMs >= toMs) continue;
            const last = candles.at(-1);
            if (last?.startMs === row.startMs) candles[candles.length - 1] = joinCandles(last, row);
            else candles.push(row);
          }
        }
        return candles;
      },
    );
  }

  closeBefore(query: Omit<CandleQuery, 'fromMs'>): Promise<number | null> {
    const { market, outcome, interval, toMs } = query;
    return this.consistent(
      () => this.#projector.store.candleBefore(query),
      (stored) => {
        let close = stored?.close ?? null;
        for (const unflushed of this.#projector.unflushed) {
          for (const row of unflushed.candles.of(market, outcome, interval)) {
            if (row.startMs < toMs) close = row.close;
          }
        }
        return close;
      },
    );
  }

  unflushedVolume(market: number, outcome: number, fromMs: number): bigint {
    let volume = 0n;
    for (const unflushed of this.#projector.unflushed) {
      for (const row of unflushed.candles.of(market, outcome, 60_000)) {
        if (row.startMs >= fromMs) volume += row.volume;
      }
    }
    return volume;
  }

  keyVolume(key: number, firstDay: number, lastDay: number): Promise<bigint> {
    return this.consistent(
      () => this.#projector.store.keyVolume(key, firstDay, lastDay),
      (stored) => {
        let volume = stored;
        for (const unflushed of this.#projector.unflushed) {
          volume += unflushed.keyVolume(key, firstDay, lastDay);
        }
        return volume;
      },
    );
  }

  settlement(market: number): Promise<Settlement> {
    return this.consistent(
      () => this.#projector.store.settlement(market),
      (stored) => {
        let { accounts, total }: Settlement = stored ?? { accounts: 0, total: 0n };
        for (const unflushed of this.#projector.unflushed) {
          const part = unflushed.settlement(market);
          accounts += part?.accounts ?? 0;
          total += part?.total ?? 0n;
        }
        return { accounts, total };
      },
    );
  }

  published(): Promise<ReadonlyMap<string, number>> {
    return this.consistent(
      () => this.#projector.store.templates(),
      (stored) => {
        const times = new Map<string, number>();
        const written = [stored, ...this.#projector.unflushed.map(({ templates }) => templates)];
        for (const rows of written) {
          for (const { templateId, version, publishedAtMs } of rows) {
            times.set(`${templateId}@${version}`, publishedAtMs);
          }
        }
        return times;
      },
    );
  }

  chainData(tradeIds: readonly number[]): Promise<ReadonlyMap<number, string>> {
    return this.consistent(
      () => this.#projector.store.chainData(tradeIds),
      (stored) => {
        const wanted = new Set(tradeIds);
        const attached = new Map<number, string>();
        const written = [stored, ...this.#projector.unflushed.map(({ chainData }) => chainData)];
        for (const rows of written) {
          for (const { tradeId, data } of rows) {
            if (data === null) attached.delete(tradeId);
            else if (wanted.has(tradeId)) attached.set(tradeId, data);
          }
        }
        return attached;
      },
    );
  }

  /** What came after the page was written: first what is stored, then what is not yet. */
  #updated(rows: readonly OrderRow[], stored: readonly OrderStateRow[]): readonly OrderRow[] {
    const states = new Map(stored.map((state) => [state.orderId, state]));
    for (const row of rows) {
      const known = states.get(row.orderId);
      if (known !== undefined) updateOrder(row, known);
      for (const unflushed of this.#projector.unflushed) {
        const state = unflushed.orders.state(row.orderId);
        if (state !== null) updateOrder(row, state);
      }
    }
    return rows;
  }
}
