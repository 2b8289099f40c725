// Storage of the read model of one lane: history in few, wide rows, disposable and rebuilt from the journal.
import type { EarningQuery, EarningRow } from './earnings.ts';
import type { FlatRows, OwnedRows } from './flat-rows.ts';

/** Accounts, markets, keys and earners stand in rows as numbers that the store gives out. */
export type NameKind = 'account' | 'market' | 'key' | 'earner';

/** Orders, fills and statements are kept by account, trades by market, what fills brought by earner. */
export const PAGE_KINDS = ['order', 'trade', 'fill', 'statement', 'earning'] as const;
export type PageKind = (typeof PAGE_KINDS)[number];

/**
 * Entries that one owner came to within one flush, oldest first, packed. A row for each would cost more than the order
 * that caused it. Some may be in this machine's byte order: the read model stays where it is.
 */
export interface PageRow {
  readonly kind: PageKind;
  /** Number of the account, market or earner. */
  readonly owner: number;
  /** Id of the first entry: of the order or trade, or the seq of a statement's command. Pages never overlap. */
  readonly first: number;
  readonly cells: Uint8Array;
  /** See CutPage. */
  readonly texts: Uint8Array | null;
}

/** What became of an order after the flush that holds its page; the latest word on it. */
export interface OrderStateRow {
  readonly account: number;
  readonly orderId: number;
  readonly filledLots: number;
  readonly status: number;
  readonly reason: number;
  readonly updatedAtMs: number;
  /** JSON of what an amendment set; null keeps an earlier one. */
  readonly amended: string | null;
}

/** `60000`, `3600000` and `86400000` are stored; the other intervals are made of them. */
export type StoredInterval = 60_000 | 3_600_000 | 86_400_000;

export const STORED_INTERVALS = [
  60_000, 3_600_000, 86_400_000,
] as const satisfies readonly StoredInterval[];

export interface CandleRow {
  readonly market: number;
  readonly outcome: number;
  readonly interval: StoredInterval;
  readonly startMs: number;
  /** Prices in micro-USDT. */
  open: number;
  high: number;
  low: number;
  close: number;
  /** Taker notional. */
  volume: bigint;
}

/** What a market paid out when it ended. */
export interface SettlementRow {
  readonly market: number;
  /** Accounts that were paid anything. */
  accounts: number;
  total: bigint;
}

export interface TemplateRow {
  readonly templateId: string;
  readonly version: number;
  readonly publishedAtMs: number;
}

/** What was attached to a trade; null takes it off again. */
export interface ChainDataRow {
  readonly tradeId: number;
  readonly data: string | null;
}

/** Columns of the rows of a batch; their texts, if any, are amendments. */
export const ORDER_STATE = {
  account: 0,
  orderId: 1,
  filledLots: 2,
  status: 3,
  reason: 4,
  updatedAtMs: 5,
  width: 6,
} as const;

/** Of a minute; `volume` is an amount. */
export const CANDLE = {
  market: 0,
  outcome: 1,
  startMs: 2,
  open: 3,
  high: 4,
  low: 5,
  close: 6,
  volume: 7,
  width: 8,
} as const;

/** What was traded under a key on one day, which is the number of whole UTC days since 1970; `volume` is an amount. */
export const KEY_VOLUME = { key: 0, day: 1, volume: 2, width: 3 } as const;

/**
 * What one flush brings; candles, volumes, earnings and settlements are added to what the store has of them. It can be handed to
 * another thread, and must not change until it is stored.
 */
export interface ReadBatch {
  /** The last command that the batch covers. */
  readonly seq: number;
  readonly entries: readonly { readonly kind: PageKind; readonly rows: OwnedRows }[];
  readonly orderStates: FlatRows;
  /** Minutes, those of one outcome in their order. */
  readonly candles: FlatRows;
  readonly keyVolumes: FlatRows;
  readonly earnings: FlatRows;
  readonly settlements: readonly SettlementRow[];
  readonly templates: readonly TemplateRow[];
  readonly chainData: readonly ChainDataRow[];
}

export interface PageQuery {
  readonly kind: PageKind;
  readonly owner: number;
  /** Only pages that begin at or before this id. */
  readonly firstMax: number;
  readonly limit: number;
}

export interface CandleQuery {
  readonly market: number;
  readonly outcome: number;
  readonly interval: StoredInterval;
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
}

export interface ReadStore {
  /** The last command whose rows are in the store; 0 for an empty one. */
  cursor(): Promise<number>;
  /** Everything or nothing, the cursor with it; `committed` is called at the moment when it becomes readable. */
  write(batch: ReadBatch, committed: () => void): Promise<void>;

  /** Gives the number of a name, a new one on first use, kept with the next batch. */
  numbering(kind: NameKind): (name: string) => number;
  /** The number of a name that is known, without giving one out. */
  find(kind: NameKind, name: string): number | null;
  name(kind: NameKind, number: number): string;

  /** Newest first. */
  pages(query: PageQuery): Promise<readonly PageRow[]>;
  /** From the first to the last id, both included. */
  orderStates(account: number, fromId: number, toId: number): Promise<readonly OrderStateRow[]>;
  /** Orders that a client may have given the name, newest first; some of them may have another. */
  ordersNamed(account: number, name: string): Promise<readonly number[]>;
  /** Oldest first. */
  candles(query: CandleQuery): Promise<readonly CandleRow[]>;
  /** The latest candle of an outcome that begins before the given time. */
  candleBefore(query: Omit<CandleQuery, 'fromMs'>): Promise<CandleRow | null>;
  /** Sum of the volumes of the candles in the range. */
  volumeIn(query: CandleQuery): Promise<bigint>;
  /** Sum over the days, first and last included. */
  keyVolume(key: number, firstDay: number, lastDay: number): Promise<bigint>;
  /** In no particular order; one for each day and market. */
  earnings(query: EarningQuery): Promise<readonly EarningRow[]>;
  settlement(market: number): Promise<SettlementRow | null>;
  templates(): Promise<readonly TemplateRow[]>;
  /** Of those of the trades that have any, or had. */
  chainData(tradeIds: readonly number[]): Promise<readonly ChainDataRow[]>;

  close(): Promise<void>;
}

/** The stores of one lane: the one that serves, and one that may take its place. */
export interface ReadStores {
  /** Told when a store turns out to be damaged while it is read. */
  damaged: (error: Error) => void;
  /** The one that serves; one that does not open, or is of another version, is thrown away. */
  current(): ReadStore;
  /** An empty one instead of it, which must not be open any more. */
  anew(): ReadStore;
  /** An empty one beside it. */
  next(): NextStore;
}

export interface NextStore {
  readonly store: ReadStore;
  /** From the next start on it is the current one. */
  adopt(): void;
  /** Its predecessor, or it itself if it was not adopted, is closed and can go. */
  tidy(): void;
}
