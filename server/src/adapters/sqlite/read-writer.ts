// Writes one batch of the read model; the caller holds the transaction.
import type { Database, Statement } from 'better-sqlite3';
import type {
  CandleRow,
  KeyVolumeRow,
  OrderStateRow,
  PageKind,
  PageRow,
  ReadBatch,
  SettlementRow,
  TemplateRow,
} from '../../ports/read-store.ts';

/** Places in this list stand for the kinds. */
const PAGE_KINDS: readonly PageKind[] = ['order', 'trade', 'fill', 'statement'];

export function kindCode(kind: PageKind): number {
  return PAGE_KINDS.indexOf(kind);
}

type PageBinding = [
  kind: number,
  owner: number,
  first: number,
  cells: Uint8Array,
  texts: string | null,
];

/** Rows between two looks at the clock. */
const ROWS_AT_ONCE = 64;

export class ReadWriter {
  readonly #page: Statement<PageBinding>;
  readonly #orderState: Statement<[number, number, number, number, number, number, string | null]>;
  readonly #candle: Statement<
    [number, number, number, number, number, number, number, number, bigint]
  >;
  readonly #keyVolume: Statement<[number, number, bigint]>;
  readonly #settlement: Statement<[number, number, bigint]>;
  readonly #template: Statement<[string, number, number]>;
  readonly #cursor: Statement<[number]>;

  constructor(database: Database) {
    this.#page = database.prepare('INSERT INTO page VALUES (?, ?, ?, ?, ?)');
    this.#orderState = database.prepare(
      `INSERT INTO order_state VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET filled_lots = excluded.filled_lots, status = excluded.status,
         reason = excluded.reason, updated_ms = excluded.updated_ms,
         amended = coalesce(excluded.amended, amended)`,
    );
    this.#candle = database.prepare(
      `INSERT INTO candle VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET high = max(high, excluded.high), low = min(low, excluded.low),
         close = excluded.close, volume = volume + excluded.volume`,
    );
    this.#keyVolume = database.prepare(
      'INSERT INTO key_volume VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET volume = volume + excluded.volume',
    );
    this.#settlement = database.prepare(
      `INSERT INTO settlement VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET accounts = accounts + excluded.accounts, total = total + excluded.total`,
    );
    this.#template = database.prepare('INSERT OR REPLACE INTO template VALUES (?, ?, ?)');
    this.#cursor = database.prepare('UPDATE cursor SET last_seq = ?');
  }

  /** Yields now and then, so that the caller can let others have a turn. */
  *write(batch: ReadBatch): Generator<void> {
    let rows = 0;
    for (const page of batch.pages) {
      this.#writePage(page);
      if (++rows % ROWS_AT_ONCE === 0) yield;
    }
    for (const state of batch.orderStates) {
      this.#writeOrderState(state);
      if (++rows % ROWS_AT_ONCE === 0) yield;
    }
    for (const candle of batch.candles) {
      this.#writeCandle(candle);
      if (++rows % ROWS_AT_ONCE === 0) yield;
    }
    for (const volume of batch.keyVolumes) {
      this.#writeKeyVolume(volume);
      if (++rows % ROWS_AT_ONCE === 0) yield;
    }
    for (const settlement of batch.settlements) this.#writeSettlement(settlement);
    for (const template of batch.templates) this.#writeTemplate(template);
    this.#cursor.run(batch.seq);
  }

  #writePage({ kind, owner, first, cells, texts }: PageRow): void {
    this.#page.run(kindCode(kind), owner, first, cells, texts);
  }

  #writeOrderState(row: OrderStateRow): void {
    const { account, orderId, filledLots, status, reason, updatedAtMs, amended } = row;
    this.#orderState.run(account, orderId, filledLots, status, reason, updatedAtMs, amended);
  }

  #writeCandle(row: CandleRow): void {
    const { market, outcome, interval, startMs, open, high, low, close, volume } = row;
    this.#candle.run(market, outcome, interval, startMs, open, high, low, close, volume);
  }

  #writeKeyVolume({ day, key, volume }: KeyVolumeRow): void {
    this.#keyVolume.run(day, key, volume);
  }

  #writeSettlement({ market, accounts, total }: SettlementRow): void {
    this.#settlement.run(market, accounts, total);
  }

  #writeTemplate({ templateId, version, publishedAtMs }: TemplateRow): void {
    this.#template.run(templateId, version, publishedAtMs);
  }
}
