// Lines of statements by account: how they lie in their table, and how pages of them are read.
import { STATEMENT_REASON_CODES, type StatementReason } from '../store/history.ts';
import type { PageRow } from '../store/read-store.ts';
import { ID } from './chained-table.ts';
import { PageCells, RowTable } from './row-table.ts';

/** What a line refers to: a record of the engine by its number, or text from outside. */
export const REFERENCE_KINDS = ['order', 'trade', 'market', 'account', 'text'] as const;
export type ReferenceKind = (typeof REFERENCE_KINDS)[number];

/** By code. */
export const STATEMENT_REASONS: StatementReason[] = [];
for (const [reason, code] of Object.entries(STATEMENT_REASON_CODES)) {
  STATEMENT_REASONS[code] = reason as StatementReason;
}

export interface StatementRow {
  readonly seq: number;
  readonly atMs: number;
  /** Counts the entries of one command over all accounts. */
  readonly number: number;
  /** One of STATEMENT_REASON_CODES. */
  readonly reason: number;
  /** Twice the index of the asset, and one more for the reserved part; index 0 is money, 1 the first outcome. */
  readonly asset: number;
  readonly referenceKind: ReferenceKind;
  readonly reference: number;
  readonly text: string | null;
  /** Number of the market that the line belongs to; 0 for none. */
  readonly market: number;
  readonly amount: bigint;
  readonly balanceAfter: bigint;
}

const AT_MS = 1;
const TRAITS = 2;
const REFERENCE = 3;
const MARKET = 4;
const AMOUNT = 5;
const BALANCE = 6;
const WIDTH = 7;
const SHAPE = { width: WIDTH, amounts: [AMOUNT, BALANCE] };

/** Reason, asset and kind of reference take few bits; the count of a command's entries has all the others. */
const REASON_SPAN = 32;
const ASSET_SPAN = 256;
const KIND_SPAN = 8;

export function createStatements(): RowTable {
  return new RowTable('statement', SHAPE);
}

/** As loose values, because a line is written for every movement of money: an object each would be the dearer part. */
export function addStatement(
  table: RowTable,
  account: number,
  seq: number,
  atMs: number,
  number: number,
  reason: number,
  asset: number,
  referenceKind: number,
  reference: number,
  market: number,
  amount: bigint,
  balance: bigint,
): number {
  const row = table.add(account, seq);
  const traits = ((number * KIND_SPAN + referenceKind) * ASSET_SPAN + asset) * REASON_SPAN + reason;
  const { numbers, amounts } = table;
  const at = row * WIDTH;
  numbers[at + AT_MS] = atMs;
  numbers[at + TRAITS] = traits;
  numbers[at + REFERENCE] = reference;
  numbers[at + MARKET] = market;
  amounts[at + AMOUNT] = amount;
  amounts[at + BALANCE] = balance;
  return row;
}

export function readStatements(page: PageRow): StatementRow[] {
  const cells = new PageCells(page, SHAPE);
  const lines: StatementRow[] = [];
  for (let row = 0; row < cells.length; row += 1) lines.push(statementAt(cells, row));
  return lines;
}

function statementAt(cells: PageCells, row: number): StatementRow {
  let traits = cells.get(row, TRAITS);
  const take = (span: number): number => {
    const part = traits % span;
    traits = (traits - part) / span;
    return part;
  };
  const reason = take(REASON_SPAN);
  const asset = take(ASSET_SPAN);
  const referenceKind = REFERENCE_KINDS[take(KIND_SPAN)]!;
  return {
    seq: cells.get(row, ID),
    atMs: cells.get(row, AT_MS),
    number: traits,
    reason,
    asset,
    referenceKind,
    reference: cells.get(row, REFERENCE),
    text: cells.text(row),
    market: cells.get(row, MARKET),
    amount: cells.amount(row, AMOUNT),
    balanceAfter: cells.amount(row, BALANCE),
  };
}
