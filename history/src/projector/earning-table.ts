// Earnings since the last flush: sums by earner, day and market, and the fills that they came from.
import type { LedgerPosted, TradeExecuted } from '@sibyl/engine';
import { EARNING, type EarningQuery, type EarningRow } from '../store/earnings.ts';
import { type FlatRows, NONE } from '../store/flat-rows.ts';
import type { PageRow } from '../store/read-store.ts';
import { ChainedTable, ID } from './chained-table.ts';
import { PageCells, RowTable } from './row-table.ts';

/** Amounts of a row that something is added to. */
export type EarnedAmount = 'accrued' | 'returned' | 'credited';

/** More markets than a lane can number. */
const MARKETS = 2 ** 24;

export class Earnings {
  /** By earner. */
  readonly #sums = new ChainedTable(EARNING.width);
  /** The newest row of an earner in a market. */
  readonly #newest = new Map<number, number>();

  add(earner: number, day: number, market: number, what: EarnedAmount, amount: bigint): void {
    this.#sums.addAmount(this.#row(earner, day, market), EARNING[what], amount);
  }

  addFill(earner: number, day: number, market: number, cost: bigint, accrued: bigint): void {
    const sums = this.#sums;
    const row = this.#row(earner, day, market);
    sums.set(row, EARNING.fills, sums.get(row, EARNING.fills) + 1);
    sums.addAmount(row, EARNING.volume, cost);
    sums.addAmount(row, EARNING.accrued, accrued);
  }

  of({ earner, firstDay, lastDay }: EarningQuery): readonly EarningRow[] {
    const sums = this.#sums;
    const rows: EarningRow[] = [];
    for (let row = sums.newestOf(earner); row !== NONE; row = sums.previousOf(row)) {
      const day = sums.get(row, EARNING.day);
      if (day < firstDay || day > lastDay) continue;
      rows.push({
        day,
        market: sums.get(row, EARNING.market),
        fills: sums.get(row, EARNING.fills),
        volume: sums.getAmount(row, EARNING.volume),
        accrued: sums.getAmount(row, EARNING.accrued),
        returned: sums.getAmount(row, EARNING.returned),
        credited: sums.getAmount(row, EARNING.credited),
      });
    }
    return rows;
  }

  rows(): FlatRows {
    return this.#sums.rows();
  }

  clear(): void {
    this.#sums.clear();
    this.#newest.clear();
  }

  #row(earner: number, day: number, market: number): number {
    const sums = this.#sums;
    const place = earner * MARKETS + market;
    const known = this.#newest.get(place);
    if (known !== undefined && sums.get(known, EARNING.day) === day) return known;
    const row = sums.add(earner, earner);
    sums.set(row, EARNING.day, day);
    sums.set(row, EARNING.market, market);
    sums.set(row, EARNING.fills, 0);
    sums.setAmount(row, EARNING.volume, 0n);
    sums.setAmount(row, EARNING.accrued, 0n);
    sums.setAmount(row, EARNING.returned, 0n);
    sums.setAmount(row, EARNING.credited, 0n);
    this.#newest.set(place, row);
    return row;
  }
}

const AT_MS = 1;
const MARKET = 2;
const COST = 3;
const ACCRUED = 4;
const WIDTH = 5;
const SHAPE = { width: WIDTH, amounts: [COST, ACCRUED] };

export interface EarningFillRow {
  readonly tradeId: number;
  readonly atMs: number;
  readonly market: number;
  readonly cost: bigint;
  readonly accrued: bigint;
}

export function createEarningFills(): RowTable {
  return new RowTable('earning', SHAPE);
}

export function addEarningFill(
  table: RowTable,
  earner: number,
  { tradeId, cost }: Pick<TradeExecuted, 'tradeId' | 'cost'>,
  market: number,
  accrued: bigint,
  atMs: number,
): void {
  const row = table.add(earner, tradeId);
  const { numbers, amounts } = table;
  const at = row * WIDTH;
  numbers[at + AT_MS] = atMs;
  numbers[at + MARKET] = market;
  amounts[at + COST] = cost;
  amounts[at + ACCRUED] = accrued;
}

export function readEarningFills(page: PageRow): EarningFillRow[] {
  const cells = new PageCells(page, SHAPE);
  const fills: EarningFillRow[] = [];
  for (let row = 0; row < cells.length; row += 1) {
    fills.push({
      tradeId: cells.get(row, ID),
      atMs: cells.get(row, AT_MS),
      market: cells.get(row, MARKET),
      cost: cells.amount(row, COST),
      accrued: cells.amount(row, ACCRUED),
    });
  }
  return fills;
}

/** Whose unvested fees an entry moves, and by how much; those of the platform are left out. */
export function* unvestedIn(entry: LedgerPosted): Generator<readonly [string, bigint]> {
  for (let index = 0; index < entry.count; index += 1) {
    const [, earner] = UNVESTED.exec(entry.accountAt(index)) ?? [];
    if (earner !== undefined) yield [earner, entry.amountAt(index)];
  }
}

const UNVESTED = /^market:[^:]+:fees:((?:creator|builder|referrer):.+)$/;
