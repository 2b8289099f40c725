// Trades by market and fills by account: how they lie in their tables, and how pages of them are read.
import type { MakerFill, Side, TradeExecuted } from '@sibyl/engine';
import type { FillCursor } from '../store/history.ts';
import type { PageRow } from '../store/read-store.ts';
import { ID } from './chained-table.ts';
import { PageCells, RowTable } from './row-table.ts';

export interface TradeRow {
  readonly tradeId: number;
  readonly outcome: number;
  readonly side: Side;
  readonly lots: number;
  readonly cost: bigint;
  readonly atMs: number;
}

export interface FillRow extends TradeRow {
  readonly orderId: number;
  readonly market: number;
  readonly fee: bigint;
  readonly rebate: bigint;
  readonly isMaker: boolean;
  readonly venue: 'amm' | 'clob';
}

const TRAITS = 1;
const LOTS = 2;
const COST = 3;
const AT_MS = 4;
const TRADE_WIDTH = 5;

const ORDER_ID = 5;
const MARKET = 6;
const FEE = 7;
const REBATE = 8;
const FILL_WIDTH = 9;

const TRADE_SHAPE = { width: TRADE_WIDTH, amounts: [COST] };
const FILL_SHAPE = { width: FILL_WIDTH, amounts: [COST, FEE, REBATE] };

const SELLS = 1;
const MAKER = 2;
const CLOB = 4;
const OUTCOME_SHIFT = 3;

export function createTrades(): RowTable {
  return new RowTable('trade', TRADE_SHAPE);
}

export function createFills(): RowTable {
  return new RowTable('fill', FILL_SHAPE);
}

export function addTrade(
  table: RowTable,
  market: number,
  { tradeId, side, lots, cost }: TradeExecuted,
  outcome: number,
  atMs: number,
): void {
  const row = table.add(market, tradeId);
  const { numbers, amounts } = table;
  const at = row * TRADE_WIDTH;
  numbers[at + TRAITS] = (outcome << OUTCOME_SHIFT) | (side === 'sell' ? SELLS : 0);
  numbers[at + LOTS] = lots;
  amounts[at + COST] = cost;
  numbers[at + AT_MS] = atMs;
}

/** The taker's part of a trade. */
export function addTakerFill(
  table: RowTable,
  account: number,
  trade: TradeExecuted,
  market: number,
  outcome: number,
  atMs: number,
): void {
  const row = table.add(account, trade.tradeId);
  const traits =
    (outcome << OUTCOME_SHIFT) |
    (trade.side === 'sell' ? SELLS : 0) |
    (trade.source === 'book' ? CLOB : 0);
  const { numbers, amounts } = table;
  const at = row * FILL_WIDTH;
  numbers[at + TRAITS] = traits;
  numbers[at + LOTS] = trade.lots;
  amounts[at + COST] = trade.cost;
  numbers[at + AT_MS] = atMs;
  numbers[at + ORDER_ID] = trade.takerOrderId;
  numbers[at + MARKET] = market;
  amounts[at + FEE] = trade.fee + trade.builderFee;
  amounts[at + REBATE] = 0n;
}

/** The part of a resting order. */
export function addMakerFill(
  table: RowTable,
  account: number,
  tradeId: number,
  maker: MakerFill,
  cost: bigint,
  market: number,
  outcome: number,
  atMs: number,
): void {
  const row = table.add(account, tradeId);
  const traits = (outcome << OUTCOME_SHIFT) | (maker.side === 'sell' ? SELLS : 0) | MAKER | CLOB;
  const { numbers, amounts } = table;
  const at = row * FILL_WIDTH;
  numbers[at + TRAITS] = traits;
  numbers[at + LOTS] = maker.lots;
  amounts[at + COST] = cost;
  numbers[at + AT_MS] = atMs;
  numbers[at + ORDER_ID] = maker.orderId;
  numbers[at + MARKET] = market;
  amounts[at + FEE] = 0n;
  amounts[at + REBATE] = maker.rebate;
}

export function readTrades(page: PageRow): TradeRow[] {
  const cells = new PageCells(page, TRADE_SHAPE);
  const trades: TradeRow[] = [];
  for (let row = 0; row < cells.length; row += 1) trades.push(tradeAt(cells, row));
  return trades;
}

export function readFills(page: PageRow): FillRow[] {
  const cells = new PageCells(page, FILL_SHAPE);
  const fills: FillRow[] = [];
  for (let row = 0; row < cells.length; row += 1) {
    const traits = cells.get(row, TRAITS);
    fills.push({
      ...tradeAt(cells, row),
      orderId: cells.get(row, ORDER_ID),
      market: cells.get(row, MARKET),
      fee: cells.amount(row, FEE),
      rebate: cells.amount(row, REBATE),
      isMaker: (traits & MAKER) !== 0,
      venue: (traits & CLOB) === 0 ? 'amm' : 'clob',
    });
  }
  return fills;
}

function tradeAt(cells: PageCells, row: number): TradeRow {
  const traits = cells.get(row, TRAITS);
  return {
    tradeId: cells.get(row, ID),
    outcome: traits >> OUTCOME_SHIFT,
    side: (traits & SELLS) === 0 ? 'buy' : 'sell',
    lots: cells.get(row, LOTS),
    cost: cells.amount(row, COST),
    atMs: cells.get(row, AT_MS),
  };
}

/** Fills of one trade stand in no particular order: the cursor is found again by its order. */
export function afterFill(before: FillCursor | null): (row: FillRow) => boolean {
  let isPassed = before === null;
  return ({ tradeId, orderId }) => {
    if (isPassed || before === null) return true;
    if (tradeId < before.tradeId) isPassed = true;
    else if (tradeId === before.tradeId && orderId === before.orderId) {
      isPassed = true;
      return false;
    }
    return isPassed;
  };
}
