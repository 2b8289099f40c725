// Writes one batch of the read model; the caller holds the transaction.
import type { Database, Statement } from 'better-sqlite3';
import { EARNING } from '../store/earnings.ts';
import { type FlatRows, NONE, type OwnedRows, PageCutter } from '../store/flat-rows.ts';
import {
  CANDLE,
  KEY_VOLUME,
  ORDER_STATE,
  PAGE_KINDS,
  type PageKind,
  type ReadBatch,
  type SettlementRow,
  STORED_INTERVALS,
  type TemplateRow,
} from '../store/read-store.ts';
import { NameWriter } from './name-index.ts';

/** A kind is stored as its index in the list of kinds. */
export function kindCode(kind: PageKind): number {
  return PAGE_KINDS.indexOf(kind);
}

type PageBinding = [
  kind: number,
  owner: number,
  first: number,
  cells: Uint8Array,
  texts: Uint8Array | null,
];

export class ReadWriter {
  readonly #page: Statement<PageBinding>;
  readonly #orderState: Statement<[number, number, number, number, number, number, string | null]>;
  readonly #candle: Statement<
    [number, number, number, number, number, number, number, number, bigint]
  >;
  readonly #keyVolume: Statement<[number, number, bigint]>;
  readonly #earning: Statement<(number | bigint)[]>;
  readonly #settlement: Statement<[number, number, bigint]>;
  readonly #template: Statement<[string, number, number]>;
  readonly #chainData: Statement<[number, string | null]>;
  readonly #cursor: Statement<[number]>;
  readonly #names: NameWriter;

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
    this.#earning = database.prepare(
      `INSERT INTO earning VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET fills = fills + excluded.fills, volume = volume + excluded.volume,
         accrued = accrued + excluded.accrued, returned = returned + excluded.returned,
         credited = credited + excluded.credited`,
    );
    this.#settlement = database.prepare(
      `INSERT INTO settlement VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET accounts = accounts + excluded.accounts, total = total + excluded.total`,
    );
    this.#template = database.prepare('INSERT OR REPLACE INTO template VALUES (?, ?, ?)');
    this.#chainData = database.prepare('INSERT OR REPLACE INTO chain_data VALUES (?, ?)');
    this.#cursor = database.prepare('UPDATE cursor SET last_seq = ?');
    this.#names = new NameWriter(database);
  }

  write(batch: ReadBatch): void {
    for (const { kind, rows } of batch.entries) {
      this.#writePages(kindCode(kind), rows);
      if (kind === 'order') this.#names.add(rows);
    }
    this.#writeOrderStates(batch.orderStates);
    this.#writeCandles(batch.candles);
    this.#writeKeyVolumes(batch.keyVolumes);
    this.#writeEarnings(batch.earnings);
    for (const settlement of batch.settlements) this.#writeSettlement(settlement);
    for (const template of batch.templates) this.#writeTemplate(template);
    for (const { tradeId, data } of batch.chainData) this.#chainData.run(tradeId, data);
    this.#cursor.run(batch.seq);
  }

  #writePages(kind: number, rows: OwnedRows): void {
    const cutter = new PageCutter(rows);
    // In the order of their owners, so that neighbours in the index are written together.
    const owners = rows.owners.slice(0, rows.ownerCount).sort();
    for (const owner of owners) {
      cutter.cut(owner, ({ first, cells, texts }) =>
        this.#page.run(kind, owner, first, cells, texts),
      );
    }
  }

  #writeOrderStates(rows: FlatRows): void {
    const { width, length } = rows;
    const cells = new Float64Array(rows.cells);
    for (let row = 0; row < length; row += 1) {
      const start = row * width;
      this.#orderState.run(
        cells[start + ORDER_STATE.account]!,
        cells[start + ORDER_STATE.orderId]!,
        cells[start + ORDER_STATE.filledLots]!,
        cells[start + ORDER_STATE.status]!,
        cells[start + ORDER_STATE.reason]!,
        cells[start + ORDER_STATE.updatedAtMs]!,
        textOf(rows, row),
      );
    }
  }

  /** A minute goes into the candles of all intervals that are stored. */
  #writeCandles({ width, length, cells }: FlatRows): void {
    const numbers = new Float64Array(cells);
    const amounts = new BigInt64Array(cells);
    for (const interval of STORED_INTERVALS) {
      for (let row = 0; row < length; row += 1) {
        const start = row * width;
        const startMs = numbers[start + CANDLE.startMs]!;
        this.#candle.run(
          numbers[start + CANDLE.market]!,
          numbers[start + CANDLE.outcome]!,
          interval,
          startMs - (startMs % interval),
          numbers[start + CANDLE.open]!,
          numbers[start + CANDLE.high]!,
          numbers[start + CANDLE.low]!,
          numbers[start + CANDLE.close]!,
          amounts[start + CANDLE.volume]!,
        );
      }
    }
  }

  #writeKeyVolumes({ width, length, cells }: FlatRows): void {
    const numbers = new Float64Array(cells);
    const amounts = new BigInt64Array(cells);
    for (let row = 0; row < length; row += 1) {
      const start = row * width;
      const day = numbers[start + KEY_VOLUME.day]!;
      const volume = amounts[start + KEY_VOLUME.volume]!;
      this.#keyVolume.run(day, numbers[start + KEY_VOLUME.key]!, volume);
    }
  }

  #writeEarnings({ width, length, cells }: FlatRows): void {
    const numbers = new Float64Array(cells);
    const amounts = new BigInt64Array(cells);
    for (let row = 0; row < length; row += 1) {
      const start = row * width;
      this.#earning.run(
        numbers[start + EARNING.earner]!,
        numbers[start + EARNING.day]!,
        numbers[start + EARNING.market]!,
        numbers[start + EARNING.fills]!,
        amounts[start + EARNING.volume]!,
        amounts[start + EARNING.accrued]!,
        amounts[start + EARNING.returned]!,
        amounts[start + EARNING.credited]!,
      );
    }
  }

  #writeSettlement({ market, accounts, total }: SettlementRow): void {
    this.#settlement.run(market, accounts, total);
  }

  #writeTemplate({ templateId, version, publishedAtMs }: TemplateRow): void {
    this.#template.run(templateId, version, publishedAtMs);
  }
}

function textOf({ textStarts, textLengths, textBytes }: FlatRows, row: number): string | null {
  const length = textLengths[row]!;
  if (length === NONE) return null;
  const start = textStarts[row]!;
  return Buffer.from(textBytes.subarray(start, start + length)).toString();
}
