// Orders placed since the last flush, and what became of earlier ones.
import { type OrderView, STATUS_CODES } from '@sibyl/engine';
import {
  fillOrder,
  ORDER,
  ORDER_SHAPE,
  type OrderRow,
  readOrder,
  reasonCode,
} from '../generated/order.ts';
import { type FlatRows, NONE, type OwnedRows } from '../store/flat-rows.ts';
import { ORDER_STATE, type OrderStateRow, type PageRow } from '../store/read-store.ts';
import { ID } from './chained-table.ts';
import { FlatTable } from './flat-table.ts';
import { PageCells, RowTable } from './row-table.ts';

export class UnflushedOrders {
  readonly #rows = new RowTable('order', ORDER_SHAPE);
  /** Orders have consecutive ids, so that the id of the first tells the row of each. */
  #firstId = 0;
  readonly #states = new FlatTable(ORDER_STATE.width);
  /** By the order's id. */
  readonly #stateRows = new Map<number, number>();

  get length(): number {
    return this.#rows.length;
  }

  /** 0 is no key, and no app. */
  place(
    view: OrderView,
    account: number,
    market: number,
    outcome: number,
    key: number,
    app: number,
  ): void {
    const rows = this.#rows;
    const { orderId } = view;
    const row = rows.add(account, orderId);
    if (row === 0) this.#firstId = orderId;
    if (orderId !== this.#firstId + row) throw new Error(`order ${orderId} is out of its turn`);
    const at = row * ORDER_SHAPE.width;
    fillOrder(rows.numbers, rows.amounts, at, view, market, outcome, key, app);
    if (view.clientOrderId !== null) rows.setText(row, view.clientOrderId);
  }

  /** What became of an order: `filledLots` of it are filled by now. */
  change(
    account: number,
    orderId: number,
    filledLots: number,
    status: number,
    reason: number,
    atMs: number,
  ): void {
    const row = orderId - this.#firstId;
    if (row < 0 || row >= this.#rows.length) {
      this.#changeState(account, orderId, filledLots, status, reason, atMs);
      return;
    }
    const rows = this.#rows;
    const added = filledLots - rows.get(row, ORDER.filledLots);
    if (added !== 0) {
      rows.addAmount(row, ORDER.filledCost, BigInt(added * rows.get(row, ORDER.price)));
      rows.set(row, ORDER.filledLots, filledLots);
    }
    rows.set(row, ORDER.status, status);
    rows.set(row, ORDER.reason, reason);
    rows.set(row, ORDER.updatedAtMs, atMs);
  }

  amend(account: number, view: OrderView, atMs: number): void {
    const { orderId, filledLots } = view;
    const status = STATUS_CODES[view.status];
    const reason = reasonCode(view.rejectReason, view.cancelReason);
    const row = orderId - this.#firstId;
    if (row < 0 || row >= this.#rows.length) {
      const state = this.#changeState(account, orderId, filledLots, status, reason, atMs);
      this.#states.setText(state, encodeAmendment(view));
      return;
    }
    const rows = this.#rows;
    rows.set(row, ORDER.price, view.price ?? 0);
    rows.set(row, ORDER.lots, view.lots);
    rows.set(row, ORDER.filledLots, filledLots);
    rows.setAmount(row, ORDER.filledCost, view.filledCost);
    rows.setAmount(row, ORDER.feesPaid, view.feesPaid);
    rows.set(row, ORDER.status, status);
    rows.set(row, ORDER.reason, reason);
    rows.set(row, ORDER.updatedAtMs, atMs);
  }

  /** Of an order that was placed before the last flush. */
  state(orderId: number): OrderStateRow | null {
    const row = this.#stateRows.get(orderId);
    if (row === undefined) return null;
    const states = this.#states;
    return {
      account: states.get(row, ORDER_STATE.account),
      orderId,
      filledLots: states.get(row, ORDER_STATE.filledLots),
      status: states.get(row, ORDER_STATE.status),
      reason: states.get(row, ORDER_STATE.reason),
      updatedAtMs: states.get(row, ORDER_STATE.updatedAtMs),
      amended: states.getText(row),
    };
  }

  states(): FlatRows {
    return this.#states.rows();
  }

  rows(): OwnedRows {
    return this.#rows.rows();
  }

  /** Newest first, of orders up to the given id. */
  pagesOf(owner: number, idMax: number, limit: number): PageRow[] {
    return this.#rows.pagesOf(owner, idMax, limit);
  }

  /** Ids of the orders that the account gave the name, newest first. */
  named(account: number, name: string): number[] {
    const rows = this.#rows;
    const bytes = Buffer.from(name);
    const ids: number[] = [];
    for (let row = rows.newestOf(account); row !== NONE; row = rows.previousOf(row)) {
      if (rows.hasText(row, bytes)) ids.push(rows.get(row, ID));
    }
    return ids;
  }

  clear(): void {
    this.#rows.clear();
    this.#states.clear();
    this.#stateRows.clear();
  }

  /** The latest word on an order stands in one row; an earlier amendment stays. */
  #changeState(
    account: number,
    orderId: number,
    filledLots: number,
    status: number,
    reason: number,
    atMs: number,
  ): number {
    const states = this.#states;
    let row = this.#stateRows.get(orderId);
    if (row === undefined) {
      row = states.append();
      this.#stateRows.set(orderId, row);
      states.set(row, ORDER_STATE.account, account);
      states.set(row, ORDER_STATE.orderId, orderId);
    }
    states.set(row, ORDER_STATE.filledLots, filledLots);
    states.set(row, ORDER_STATE.status, status);
    states.set(row, ORDER_STATE.reason, reason);
    states.set(row, ORDER_STATE.updatedAtMs, atMs);
    return row;
  }
}

/** Oldest first; with ids, those of the page's orders that are among them. */
export function readOrders(page: PageRow, ids: ReadonlySet<number> | null): OrderRow[] {
  const cells = new PageCells(page, ORDER_SHAPE);
  const orders: OrderRow[] = [];
  for (let row = 0; row < cells.length; row += 1) {
    if (ids !== null && !ids.has(cells.get(row, ID))) continue;
    orders.push(readOrder(cells, row, page.owner));
  }
  return orders;
}

/** Brings a row up to date. A resting order fills at its own limit, where lots times pips are micro-USDT. */
export function updateOrder(row: OrderRow, state: OrderStateRow): void {
  if (state.amended !== null) Object.assign(row, decodeAmendment(state.amended));
  row.filledCost += BigInt((state.filledLots - row.filledLots) * (row.price ?? 0));
  row.filledLots = state.filledLots;
  row.status = state.status;
  row.reason = state.reason;
  row.updatedAtMs = state.updatedAtMs;
}

type Amended = Pick<OrderRow, 'price' | 'lots' | 'filledLots' | 'filledCost' | 'feesPaid'>;

function encodeAmendment({ price, lots, filledLots, filledCost, feesPaid }: Amended): string {
  return JSON.stringify([price, lots, filledLots, String(filledCost), String(feesPaid)]);
}

function decodeAmendment(text: string): Amended {
  const [price, lots, filledLots, filledCost, feesPaid] = JSON.parse(text);
  return {
    price: price === null ? null : Number(price),
    lots: Number(lots),
    filledLots: Number(filledLots),
    filledCost: BigInt(filledCost),
    feesPaid: BigInt(feesPaid),
  };
}
