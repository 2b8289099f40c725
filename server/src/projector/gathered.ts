// What came since the last flush: readable in memory, written to the store as one batch.
import type {
  KeyVolumeRow,
  PageKind,
  PageRow,
  ReadBatch,
  SettlementRow,
  TemplateRow,
} from '../ports/read-store.ts';
import { Candles } from './candles.ts';
import { OrderTable } from './order-table.ts';
import { createStatements } from './statement-table.ts';
import { createFills, createTrades } from './trade-tables.ts';

/** Days until the year 2500: keys and days together stay far inside the safe integers. */
const DAYS_MAX = 200_000;

export class Gathered {
  seq = 0;
  commands = 0;
  readonly orders = new OrderTable();
  readonly trades = createTrades();
  readonly fills = createFills();
  readonly statements = createStatements();
  readonly candles = new Candles();
  readonly templates: TemplateRow[] = [];
  readonly #settlements = new Map<number, SettlementRow>();
  readonly #keyVolumes = new Map<number, KeyVolumeRow>();

  addVolume(key: number, day: number, cost: bigint): void {
    const place = key * DAYS_MAX + day;
    const known = this.#keyVolumes.get(place);
    if (known === undefined) this.#keyVolumes.set(place, { key, day, volume: cost });
    else known.volume += cost;
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
    let sum = 0n;
    for (const row of this.#keyVolumes.values()) {
      if (row.key === key && row.day >= firstDay && row.day <= lastDay) sum += row.volume;
    }
    return sum;
  }

  /** Newest first. */
  pagesOf(kind: PageKind, owner: number, firstMax: number): PageRow[] {
    return [...this.#table(kind).pagesOf(owner)].filter(({ first }) => first <= firstMax).reverse();
  }

  batch(): ReadBatch {
    const { seq, orders, candles, templates } = this;
    return {
      seq,
      pages: this.#pages(),
      orderStates: orders.states(),
      candles: candles.rows(),
      keyVolumes: this.#keyVolumes.values(),
      settlements: this.#settlements.values(),
      templates,
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
    this.templates.length = 0;
    this.#keyVolumes.clear();
    this.#settlements.clear();
  }

  *#pages(): Generator<PageRow> {
    yield* this.orders.pages();
    yield* this.trades.pages();
    yield* this.fills.pages();
    yield* this.statements.pages();
  }

  #table(kind: PageKind): { pagesOf(owner: number): Iterable<PageRow> } {
    switch (kind) {
      case 'order':
        return this.orders;
      case 'trade':
        return this.trades;
      case 'fill':
        return this.fills;
      case 'statement':
        return this.statements;
    }
  }
}
