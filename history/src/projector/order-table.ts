// Orders placed since the last flush, and what became of earlier ones.
import type { OrderView } from '@sibyl/engine';
import { type FlatRows, NONE, type OwnedRows } from '../store/flat-rows.ts';
import { ORDER_STATUSES, type Side } from '../store/history.ts';
import { ORDER_STATE, type OrderStateRow, type PageRow } from '../store/read-store.ts';
import { ID } from './chained-table.ts';
import { type EndReason, reasonCode, reasonOf } from './end-reasons.ts';
import { FlatTable } from './flat-table.ts';
import { placeIn } from './place-in.ts';
import { PageCells, RowTable } from './row-table.ts';

/** An order as it is read back: names as numbers. */
export interface OrderRow {
  readonly account: number;
  readonly orderId: number;
  readonly market: number;
  readonly outcome: number;
  readonly side: Side;
  readonly orderType: 'market' | 'limit';
  price: number | null;
  lots: number;
  filledLots: number;
  filledCost: bigint;
  feesPaid: bigint;
  /** Place in ORDER_STATUSES. */
  status: number;
  reason: EndReason | null;
  readonly timeInForce: 'gtc' | 'gtd' | 'ioc' | 'fok';
  readonly postOnly: boolean;
  readonly reduceOnly: boolean;
  readonly stpMode: 'cancel_resting' | 'cancel_incoming';
  readonly expiresAtMs: number | null;
  readonly validUntilMs: number | null;
  readonly maxCost: bigint | null;
  readonly clientOrderId: string | null;
  readonly key: number | null;
  readonly createdAtMs: number;
  updatedAtMs: number;
}

const MARKET = 1;
const TRAITS = 2;
const PRICE = 3;
const LOTS = 4;
const FILLED_LOTS = 5;
const FILLED_COST = 6;
const FEES_PAID = 7;
const STATUS = 8;
const REASON = 9;
const EXPIRES = 10;
const VALID_UNTIL = 11;
const MAX_COST = 12;
const KEY = 13;
const CREATED = 14;
const UPDATED = 15;
const WIDTH = 16;
const SHAPE = { width: WIDTH, amounts: [FILLED_COST, FEES_PAID, MAX_COST] };

/** Stands where there is no number; none of these is ever negative. */
const ABSENT = -1;

export class OrderTable {
  readonly #rows = new RowTable('order', SHAPE);
  /** Orders have consecutive ids, so that the id of the first tells the row of each. */
  #firstId = 0;
  readonly #states = new FlatTable(ORDER_STATE.width);
  /** By the order's id. */
  readonly #stateRows = new Map<number, number>();

  get length(): number {
    return this.#rows.length;
  }

  /** As loose values, what is not in the view: an object for every order would be the dearer part. 0 is no key. */
  place(
    view: OrderView,
    account: number,
    market: number,
    outcome: number,
    key: number,
    validUntilMs: number | null,
    maxCost: bigint | null,
  ): void {
    const rows = this.#rows;
    const { orderId } = view;
    const row = rows.add(account, orderId);
    if (row === 0) this.#firstId = orderId;
    if (orderId !== this.#firstId + row) throw new Error(`order ${orderId} is out of its turn`);
    const { numbers, amounts } = rows;
    const at = row * WIDTH;
    numbers[at + MARKET] = market;
    numbers[at + TRAITS] = traitsOf(view, outcome);
    numbers[at + PRICE] = view.price ?? ABSENT;
    numbers[at + LOTS] = view.lots;
    numbers[at + FILLED_LOTS] = view.filledLots;
    amounts[at + FILLED_COST] = view.filledCost;
    amounts[at + FEES_PAID] = view.feesPaid;
    numbers[at + STATUS] = statusCode(view.status);
    numbers[at + REASON] = reasonCode(view.rejectReason, view.cancelReason);
    numbers[at + EXPIRES] = view.expiresAtMs ?? ABSENT;
    numbers[at + VALID_UNTIL] = validUntilMs ?? ABSENT;
    amounts[at + MAX_COST] = maxCost ?? NO_AMOUNT;
    numbers[at + KEY] = key === 0 ? ABSENT : key;
    numbers[at + CREATED] = view.createdAtMs;
    numbers[at + UPDATED] = view.createdAtMs;
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
    const added = filledLots - rows.get(row, FILLED_LOTS);
    if (added !== 0) {
      rows.addAmount(row, FILLED_COST, BigInt(added * rows.get(row, PRICE)));
      rows.set(row, FILLED_LOTS, filledLots);
    }
    rows.set(row, STATUS, status);
    rows.set(row, REASON, reason);
    rows.set(row, UPDATED, atMs);
  }

  amend(account: number, view: OrderView, atMs: number): void {
    const { orderId, filledLots } = view;
    const status = statusCode(view.status);
    const reason = reasonCode(view.rejectReason, view.cancelReason);
    const row = orderId - this.#firstId;
    if (row < 0 || row >= this.#rows.length) {
      const state = this.#changeState(account, orderId, filledLots, status, reason, atMs);
      this.#states.setText(state, encodeAmendment(view));
      return;
    }
    const rows = this.#rows;
    rows.set(row, PRICE, view.price ?? ABSENT);
    rows.set(row, LOTS, view.lots);
    rows.set(row, FILLED_LOTS, filledLots);
    rows.setAmount(row, FILLED_COST, view.filledCost);
    rows.setAmount(row, FEES_PAID, view.feesPaid);
    rows.set(row, STATUS, status);
    rows.set(row, REASON, reason);
    rows.set(row, UPDATED, atMs);
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
  const cells = new PageCells(page, SHAPE);
  const orders: OrderRow[] = [];
  for (let row = 0; row < cells.length; row += 1) {
    if (ids !== null && !ids.has(cells.get(row, ID))) continue;
    orders.push(orderAt(cells, row, page.owner));
  }
  return orders;
}

/** Brings a row up to date. A resting order fills at its own limit, where lots times pips are micro-USDT. */
export function updateOrder(row: OrderRow, state: OrderStateRow): void {
  if (state.amended !== null) Object.assign(row, decodeAmendment(state.amended));
  row.filledCost += BigInt((state.filledLots - row.filledLots) * (row.price ?? 0));
  row.filledLots = state.filledLots;
  row.status = state.status;
  row.reason = reasonOf(state.reason);
  row.updatedAtMs = state.updatedAtMs;
}

type Amended = Pick<OrderRow, 'price' | 'lots' | 'filledLots' | 'filledCost' | 'feesPaid'>;

function encodeAmendment({ price, lots, filledLots, filledCost, feesPaid }: Amended): string {
  return JSON.stringify([price, lots, filledLots, String(filledCost), String(feesPaid)]);
}

export function statusCode(status: (typeof ORDER_STATUSES)[number]): number {
  return placeIn(ORDER_STATUSES, status);
}

const SELLS = 1;
const LIMIT = 2;
const POST_ONLY = 4;
const REDUCE_ONLY = 8;
const CANCEL_INCOMING = 16;
const TIME_SHIFT = 5;
const TIME_MASK = 3;
const OUTCOME_SHIFT = 7;
const TIMES_IN_FORCE = ['gtc', 'gtd', 'ioc', 'fok'] as const;
const NO_AMOUNT = -1n;

function traitsOf(view: OrderView, outcome: number): number {
  return (
    (view.side === 'sell' ? SELLS : 0) |
    (view.orderType === 'limit' ? LIMIT : 0) |
    (view.postOnly ? POST_ONLY : 0) |
    (view.reduceOnly ? REDUCE_ONLY : 0) |
    (view.stpMode === 'cancel_incoming' ? CANCEL_INCOMING : 0) |
    (placeIn(TIMES_IN_FORCE, view.timeInForce) << TIME_SHIFT) |
    (outcome << OUTCOME_SHIFT)
  );
}

function orderAt(cells: PageCells, row: number, account: number): OrderRow {
  const traits = cells.get(row, TRAITS);
  const maxCost = cells.amount(row, MAX_COST);
  const present = (column: number): number | null => {
    const value = cells.get(row, column);
    return value === ABSENT ? null : value;
  };
  return {
    account,
    orderId: cells.get(row, ID),
    market: cells.get(row, MARKET),
    outcome: traits >> OUTCOME_SHIFT,
    side: (traits & SELLS) === 0 ? 'buy' : 'sell',
    orderType: (traits & LIMIT) === 0 ? 'market' : 'limit',
    price: present(PRICE),
    lots: cells.get(row, LOTS),
    filledLots: cells.get(row, FILLED_LOTS),
    filledCost: cells.amount(row, FILLED_COST),
    feesPaid: cells.amount(row, FEES_PAID),
    status: cells.get(row, STATUS),
    reason: reasonOf(cells.get(row, REASON)),
    timeInForce: TIMES_IN_FORCE[(traits >> TIME_SHIFT) & TIME_MASK]!,
    postOnly: (traits & POST_ONLY) !== 0,
    reduceOnly: (traits & REDUCE_ONLY) !== 0,
    stpMode: (traits & CANCEL_INCOMING) === 0 ? 'cancel_resting' : 'cancel_incoming',
    expiresAtMs: present(EXPIRES),
    validUntilMs: present(VALID_UNTIL),
    maxCost: maxCost === NO_AMOUNT ? null : maxCost,
    clientOrderId: cells.text(row),
    key: present(KEY),
    createdAtMs: cells.get(row, CREATED),
    updatedAtMs: cells.get(row, UPDATED),
  };
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
