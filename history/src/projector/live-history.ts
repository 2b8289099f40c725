// History of one lane as the modules read it: rows still in memory together with those in the store.
import { STATUS_CODES } from '@sibyl/engine';
import { type OrderRow, pastOrder } from '../generated/order.ts';
import type {
  CandleRange,
  CursorPage,
  FillCursor,
  FillFilter,
  History,
  OrderFilter,
  PastCandle,
  PastFill,
  PastOrder,
  PastTrade,
  Settlement,
  StatementCursor,
  StatementEntry,
  StatementFilter,
  TradeFilter,
} from '../store/history.ts';
import { STATEMENT_REASON_CODES } from '../store/history.ts';
import type { ReadStore } from '../store/read-store.ts';
import { joinCandles, storedInterval } from './candles.ts';
import { CombinedRows } from './combined-rows.ts';
import { DayVolumes } from './day-volumes.ts';
import { EarningReads } from './earning-reads.ts';
import { type CommandSource, Projector, type ProjectorOptions } from './projector.ts';
import { type Scan, scan } from './scan.ts';
import { readStatements, STATEMENT_REASONS, type StatementRow } from './statement-table.ts';
import { afterFill, type FillRow, readFills, readTrades, type TradeRow } from './trade-tables.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const LAST = Number.MAX_SAFE_INTEGER;

export class LiveHistory implements History {
  readonly #failed: ProjectorOptions['failed'];
  #projector: Projector;
  #store: ReadStore;
  #combined: CombinedRows;
  #dayVolumes: DayVolumes;
  /** Replaced, and still read by whoever began before. */
  #retired: Projector[] = [];

  static async open(options: ProjectorOptions): Promise<LiveHistory> {
    const dayVolumes = new DayVolumes(options.store);
    const projector = await Projector.open(options, (candles) => dayVolumes.add(candles));
    return new LiveHistory(projector, dayVolumes, options.failed);
  }

  private constructor(
    projector: Projector,
    dayVolumes: DayVolumes,
    failed: ProjectorOptions['failed'],
  ) {
    this.#failed = failed;
    this.#projector = projector;
    this.#store = projector.store;
    this.#combined = new CombinedRows(projector);
    this.#dayVolumes = dayVolumes;
  }

  get projector(): Projector {
    return this.#projector;
  }

  get earnings(): EarningReads {
    return new EarningReads(this.#projector, this.#combined);
  }

  follow(source: CommandSource): Promise<void> {
    return this.#projector.follow(source);
  }

  /**
   * Makes history anew in an empty store while the old one serves, then goes on with the new one; `switched` is
   * called when all of it is in the store and nothing has been asked of it yet.
   */
  async rebuild(
    source: CommandSource,
    store: ReadStore,
    switched: () => void = () => {},
  ): Promise<void> {
    const fresh = await LiveHistory.open({ store, failed: this.#failed });
    try {
      await fresh.follow(source);
      await fresh.#projector.flush();
      if (fresh.#projector.failure !== null) throw fresh.#projector.failure;
      switched();
    } catch (error) {
      await fresh.close();
      throw error;
    }
    const old = this.#projector;
    this.#projector = fresh.#projector;
    this.#store = fresh.#store;
    this.#combined = fresh.#combined;
    this.#dayVolumes = fresh.#dayVolumes;
    old.retire();
    this.#retired.push(old);
  }

  /** Lets go of the stores that were replaced; nobody may be reading them any more. */
  async dropRetired(): Promise<void> {
    for (const projector of this.#retired.splice(0)) await projector.close();
  }

  async order(accountId: string, orderId: number): Promise<PastOrder | null> {
    await this.#projector.ready();
    const account = this.#store.find('account', accountId);
    if (account === null) return null;
    const row = await this.#combined.order(account, orderId);
    return row === null ? null : this.#pastOrder(row);
  }

  async ordersById(accountId: string, orderIds: readonly number[]): Promise<readonly PastOrder[]> {
    await this.#projector.ready();
    const account = this.#store.find('account', accountId);
    if (account === null) return [];
    const rows = await this.#combined.orders(account, orderIds);
    return orderIds.flatMap((orderId) => {
      const row = rows.get(orderId);
      return row === undefined ? [] : [this.#pastOrder(row)];
    });
  }

  async orders(filter: OrderFilter, limit: number): Promise<CursorPage<PastOrder, number>> {
    await this.#projector.ready();
    const account = this.#store.find('account', filter.accountId);
    const market = this.#marketOf(filter.marketId);
    if (account === null || market === 'unknown') return NOTHING;
    const { clientOrderId } = filter;
    const status = filter.status === null ? null : STATUS_CODES[filter.status];
    const before = filter.before ?? LAST;
    const isWanted = (row: OrderRow): boolean =>
      (status === null || row.status === status) && (market === null || row.market === market);
    const page =
      clientOrderId === null
        ? await scan<OrderRow, number>({
            pages: (firstMax, pages) => this.#combined.pages('order', account, firstMax, pages),
            firstMax: before - 1,
            entries: (page) => this.#combined.ordersOf(page),
            cursorOf: (row) => row.orderId,
            isAfter: (row) => row.orderId < before,
            isWanted,
            limit,
            turns: this.#combined.turns,
          })
        : await this.#ordersNamed(account, clientOrderId, before, isWanted, limit);
    return { rows: page.rows.map((row) => this.#pastOrder(row)), next: page.next };
  }

  /** Few orders of an account bear the same name. */
  async #ordersNamed(
    account: number,
    name: string,
    before: number,
    isWanted: (row: OrderRow) => boolean,
    limit: number,
  ): Promise<CursorPage<OrderRow, number>> {
    const ids = await this.#combined.ordersNamed(account, name);
    const rows: OrderRow[] = [];
    for (const orderId of ids) {
      if (orderId >= before) continue;
      const row = await this.#combined.order(account, orderId);
      if (row === null || row.clientOrderId !== name || !isWanted(row)) continue;
      // One more than asked for shows that there is another page.
      if (rows.length === limit) return { rows, next: rows[limit - 1]!.orderId };
      rows.push(row);
    }
    return { rows, next: null };
  }

  async trades(filter: TradeFilter, limit: number): Promise<CursorPage<PastTrade, number>> {
    await this.#projector.ready();
    const market = this.#store.find('market', filter.marketId);
    if (market === null) return NOTHING;
    const before = filter.before ?? LAST;
    const page = await scan<TradeRow, number>({
      pages: (firstMax, pages) => this.#combined.pages('trade', market, firstMax, pages),
      firstMax: before - 1,
      entries: async (page) => readTrades(page),
      cursorOf: (row) => row.tradeId,
      isAfter: (row) => row.tradeId < before,
      isWanted: (row) => filter.outcome === null || row.outcome === filter.outcome,
      limit,
      turns: this.#combined.turns,
    });
    const rows = page.rows.map(({ outcome, ...rest }) => ({
      ...rest,
      outcomeId: this.#projector.outcomeId(market, outcome),
    }));
    return { rows, next: page.next };
  }

  async fills(filter: FillFilter, limit: number): Promise<CursorPage<PastFill, FillCursor>> {
    await this.#projector.ready();
    const account = this.#store.find('account', filter.accountId);
    const market = this.#marketOf(filter.marketId);
    if (account === null || market === 'unknown') return NOTHING;
    const fromMs = filter.fromMs ?? 0;
    const page = await scan<FillRow, FillCursor>({
      pages: (firstMax, pages) => this.#combined.pages('fill', account, firstMax, pages),
      firstMax: filter.before?.tradeId ?? LAST,
      entries: async (page) => readFills(page),
      cursorOf: ({ tradeId, orderId }) => ({ tradeId, orderId }),
      isAfter: afterFill(filter.before),
      isWanted: (row) => market === null || row.market === market,
      isPast: (row) => row.atMs < fromMs,
      limit,
      turns: this.#combined.turns,
    });
    const orders = await this.#combined.orders(
      account,
      page.rows.map(({ orderId }) => orderId),
    );
    const rows = page.rows.map((row) => this.#pastFill(row, orders.get(row.orderId)));
    return { rows, next: page.next };
  }

  async statement(
    filter: StatementFilter,
    limit: number,
  ): Promise<CursorPage<StatementEntry, StatementCursor>> {
    await this.#projector.ready();
    const account = this.#store.find('account', filter.accountId);
    const market = this.#marketOf(filter.marketId);
    if (account === null || market === 'unknown') return NOTHING;
    const { reason, before } = filter;
    const code = reason === null ? null : STATEMENT_REASON_CODES[reason];
    const fromMs = filter.fromMs ?? 0;
    const toMs = filter.toMs ?? LAST;
    const query: Scan<StatementRow, StatementCursor> = {
      pages: (firstMax, pages) => this.#combined.pages('statement', account, firstMax, pages),
      firstMax: before?.seq ?? LAST,
      entries: async (page) => readStatements(page),
      cursorOf: ({ seq, number }) => ({ seq, number }),
      isAfter: ({ seq, number }) =>
        before === null || seq < before.seq || (seq === before.seq && number < before.number),
      isWanted: (row) =>
        (code === null || row.reason === code) &&
        (market === null || row.market === market) &&
        row.atMs < toMs &&
        row.atMs >= fromMs,
      isPast: (row) => row.atMs < fromMs,
      limit,
      turns: this.#combined.turns,
    };
    const page = await scan(query);
    return { rows: page.rows.map((row) => this.#statementEntry(row)), next: page.next };
  }

  async candles(range: CandleRange): Promise<readonly PastCandle[]> {
    await this.#projector.ready();
    const market = this.#store.find('market', range.marketId);
    if (market === null) return [];
    const { outcome, intervalMs, fromMs, toMs } = range;
    const interval = storedInterval(intervalMs);
    const rows = await this.#combined.candles({ market, outcome, interval, fromMs, toMs });
    await this.#combined.turns.pause();
    const candles: PastCandle[] = [];
    for (const row of rows) {
      const startMs = row.startMs - (row.startMs % intervalMs);
      const last = candles.at(-1);
      if (last?.startMs === startMs) candles[candles.length - 1] = joinCandles(last, row);
      else candles.push({ ...row, startMs });
    }
    return candles;
  }

  async closeBefore(marketId: string, outcome: number, beforeMs: number): Promise<number | null> {
    await this.#projector.ready();
    const market = this.#store.find('market', marketId);
    if (market === null) return null;
    return this.#combined.closeBefore({ market, outcome, interval: MINUTE_MS, toMs: beforeMs });
  }

  async dayVolumes(marketId: string, outcomes: number, nowMs: number): Promise<readonly bigint[]> {
    await this.#projector.ready();
    const market = this.#store.find('market', marketId);
    const volumes: bigint[] = [];
    const fromMs = nowMs - (nowMs % MINUTE_MS) - DAY_MS + MINUTE_MS;
    for (let outcome = 0; outcome < outcomes; outcome += 1) {
      volumes.push(market === null ? 0n : await this.#dayVolume(market, outcome, fromMs));
      await this.#combined.turns.pause();
    }
    return volumes;
  }

  async keyVolume(keyId: string, firstDay: number, lastDay: number): Promise<bigint> {
    await this.#projector.ready();
    const key = this.#store.find('key', keyId);
    return key === null ? 0n : this.#combined.keyVolume(key, firstDay, lastDay);
  }

  async settlement(marketId: string): Promise<Settlement> {
    await this.#projector.ready();
    const market = this.#store.find('market', marketId);
    return market === null ? { accounts: 0, total: 0n } : this.#combined.settlement(market);
  }

  async chainData(tradeIds: readonly number[]): Promise<ReadonlyMap<number, string>> {
    await this.#projector.ready();
    return this.#combined.chainData(tradeIds);
  }

  async published(): Promise<ReadonlyMap<string, number>> {
    await this.#projector.ready();
    return this.#combined.published();
  }

  /** Writes what is left and lets go of the store. */
  async close(): Promise<void> {
    await this.dropRetired();
    await this.#projector.close();
  }

  #dayVolume(market: number, outcome: number, fromMs: number): Promise<bigint> {
    return this.#combined.consistent(
      () => this.#dayVolumes.stored(market, outcome, fromMs),
      (stored) => stored + this.#combined.unflushedVolume(market, outcome, fromMs),
    );
  }

  #marketOf(marketId: string | null): number | null | 'unknown' {
    return marketId === null ? null : (this.#store.find('market', marketId) ?? 'unknown');
  }

  #pastOrder(row: OrderRow): PastOrder {
    const { account, market, outcome } = row;
    return pastOrder(
      row,
      this.#store.name('account', account),
      this.#store.name('market', market),
      this.#projector.outcomeId(market, outcome),
      ...this.#wayOf(row),
    );
  }

  #pastFill(row: FillRow, order: OrderRow | undefined): PastFill {
    const { market, outcome, ...rest } = row;
    const [keyId, builderAppId] = this.#wayOf(order);
    return {
      ...rest,
      marketId: this.#store.name('market', market),
      outcomeId: this.#projector.outcomeId(market, outcome),
      clientOrderId: order?.clientOrderId ?? null,
      keyId,
      builderAppId,
    };
  }

  /** The key and the app that an order came by. */
  #wayOf({ key, app }: Pick<OrderRow, 'key' | 'app'> = NO_WAY): [string | null, string | null] {
    const keyId = key === null ? null : this.#store.name('key', key);
    const earner = app === null ? null : this.#store.name('earner', app);
    return [keyId, earner?.slice('builder:'.length) ?? null];
  }

  #statementEntry(row: StatementRow): StatementEntry {
    const { reason, market, asset } = row;
    const assetIndex = asset >> 1;
    return {
      seq: row.seq,
      atMs: row.atMs,
      number: row.number,
      amount: row.amount,
      balanceAfter: row.balanceAfter,
      reference: this.#referenceOf(row),
      reason: STATEMENT_REASONS[reason]!,
      bucket: (asset & 1) === 0 ? 'free' : 'reserved',
      shares: assetIndex === 0 ? null : this.#sharesOf(market, assetIndex - 1),
    };
  }

  /** As it stood in the engine's ledger. */
  #referenceOf({ referenceKind, reference, text }: StatementRow): string {
    switch (referenceKind) {
      case 'order':
      case 'trade':
        return `${referenceKind}:${reference}`;
      case 'market':
        return this.#store.name('market', reference);
      case 'account':
        return `account:${this.#store.name('account', reference)}`;
      case 'text':
        return text ?? '';
    }
  }

  #sharesOf(market: number, outcome: number): StatementEntry['shares'] {
    const outcomeId = this.#projector.outcomeId(market, outcome);
    return { marketId: this.#store.name('market', market), outcomeId };
  }
}

const NOTHING: CursorPage<never, never> = { rows: [], next: null };
const NO_WAY = { key: null, app: null };
