// Rows that are not yet flushed: readable in memory, written to the store as one batch.
import { NONE } from '../store/flat-rows.ts';
import {
  type ChainDataRow,
  KEY_VOLUME,
  PAGE_KINDS,
  type PageKind,
  type PageRow,
  type ReadBatch,
  type SettlementRow,
  type TemplateRow,
} from '../store/read-store.ts';
import { Candles } from './candles.ts';
import { ChainedTable } from './chained-table.ts';
import { createEarningFills, Earnings } from './earning-table.ts';
import type { RowTable } from './row-table.ts';
import { createStatements } from './statement-table.ts';
import { createFills, createTrades } from './trade-tables.ts';
import { UnflushedOrders } from './unflushed-orders.ts';

export class UnflushedRows {
  seq = 0;
  commands = 0;
  readonly orders = new UnflushedOrders();
  readonly trades = createTrades();
  readonly fills = createFills();
  readonly statements = createStatements();
  readonly candles = new Candles();
  readonly earnings = new Earnings();
  readonly earningFills = createEarningFills();
  readonly templates: TemplateRow[] = [];
  readonly chainData: ChainDataRow[] = [];
  readonly #settlements = new Map<number, SettlementRow>();
  /** By key, the newest day of each last. */
  readonly #keyVolumes = new ChainedTable(KEY_VOLUME.width);

  /** Orders, fills and lines of statements: nearly all of its memory. */
  get rows(): number {
    return this.orders.length + this.fills.length + this.statements.length;
  }

  addVolume(key: number, day: number, cost: bigint): void {
    const volumes = this.#keyVolumes;
    const newest = volumes.newestOf(key);
    if (newest !== NONE && volumes.get(newest, KEY_VOLUME.day) === day) {
      volumes.addAmount(newest, KEY_VOLUME.volume, cost);
      return;
    }
    const row = volumes.add(key, key);
    volumes.set(row, KEY_VOLUME.day, day);
    volumes.setAmount(row, KEY_VOLUME.volume, cost);
  }

  /** One more account of the market was paid, or one was paid more. */
  addPayout(market: number, isFirst: boolean, amount: bigint): void {
    const row = this.#settlements.get(market) ?? { market, accounts: 0, total: 0n };
    row.accounts += isFirst ? 1 : 0;
    row.total += amount;
    this.#settlements.set(market, row);
  }

  settlement(market: number): SettlementRow | null {
    return this.#settlements.get(market) ?? null;
  }

  keyVolume(key: number, firstDay: number, lastDay: number): bigint {
    const volumes = this.#keyVolumes;
    let sum = 0n;
    for (let row = volumes.newestOf(key); row !== NONE; row = volumes.previousOf(row)) {
      const day = volumes.get(row, KEY_VOLUME.day);
      if (day >= firstDay && day <= lastDay) sum += volumes.getAmount(row, KEY_VOLUME.volume);
    }
    return sum;
  }

  /** Newest first. */
  pagesOf(kind: PageKind, owner: number, idMax: number, limit: number): PageRow[] {
    return this.#table(kind).pagesOf(owner, idMax, limit);
  }

  batch(): ReadBatch {
    const { seq, orders, candles, earnings, templates, chainData } = this;
    return {
      seq,
      entries: PAGE_KINDS.map((kind) => ({ kind, rows: this.#table(kind).rows() })),
      orderStates: orders.states(),
      candles: candles.rows(),
      keyVolumes: this.#keyVolumes.rows(),
      earnings: earnings.rows(),
      settlements: [...this.#settlements.values()],
      templates,
      chainData,
    };
  }

  /** Empties it and keeps its memory for the next round. */
  clear(): void {
    this.commands = 0;
    this.orders.clear();
    this.trades.clear();
    this.fills.clear();
    this.statements.clear();
    this.candles.clear();
    this.earnings.clear();
    this.earningFills.clear();
    this.templates.length = 0;
    this.chainData.length = 0;
    this.#keyVolumes.clear();
    this.#settlements.clear();
  }

  #table(kind: PageKind): Pick<RowTable, 'rows' | 'pagesOf'> {
    switch (kind) {
      case 'order':
        return this.orders;
      case 'trade':
        return this.trades;
      case 'fill':
        return this.fills;
      case 'statement':
        return this.statements;
      case 'earning':
        return this.earningFills;
    }
  }
}
