// What must be remembered of a lane between commands: open orders, balances, and whose account is whose.
import {
  type LedgerPosted,
  type MakerFill,
  type OrderCancelled,
  type OrderView,
  type SlotNames,
  type State,
  viewOrder,
} from '@sibyl/engine';
import { lots, usdt } from '@sibyl/money';

export interface KnownOrder {
  readonly view: OrderView;
  readonly updatedAtMs: number;
}

export interface Money {
  readonly free: bigint;
  readonly reserved: bigint;
}

/** One of the two money accounts of a trading account. */
interface Purse {
  readonly accountId: string;
  readonly isFree: boolean;
  balance: bigint;
}

/** As of the last command seen; an event of a resting order names its fill, not the whole order. */
export class LaneMemory {
  #orders = new Map<number, KnownOrder>();
  #parents = new Map<string, string>();
  /** By their names in the ledger. */
  #purses = new Map<string, Purse>();
  /** The same by slot, as far as entries under these names came by them; null for accounts that are none. */
  #bySlot: (Purse | null | undefined)[] = [];
  #slotNames: SlotNames = [];
  #outcomes = new Map<string, readonly string[]>();
  #tripped = new Set<string>();

  /** Starts over from a state of the lane. */
  begin(state: State): void {
    this.#orders = new Map();
    this.#parents = new Map();
    this.#purses = new Map();
    this.#bySlot = [];
    this.#outcomes = new Map();
    this.#tripped = new Set();
    for (const { id, outcomes, haltReason } of state.markets.values()) {
      this.addMarket(id, outcomes);
      if (haltReason === BREAKER_REASON) this.#tripped.add(id);
    }
    for (const order of state.orders.values()) {
      const view = viewOrder(order);
      this.#orders.set(order.id, { view, updatedAtMs: view.createdAtMs });
    }
    for (const { id, parentId, free, reserved, withdrawing } of state.accounts.values()) {
      const [now, ordered, leaving] = [free, reserved, withdrawing].map((part) =>
        state.ledger.balance(part),
      );
      this.addAccount(id, parentId, now, ordered, leaving);
    }
  }

  addAccount(
    accountId: string,
    parentId: string | null,
    free = 0n,
    reserved = 0n,
    withdrawing = 0n,
  ): void {
    if (parentId !== null) this.#parents.set(accountId, parentId);
    this.#purses.set(freeName(accountId), { accountId, isFree: true, balance: free });
    this.#purses.set(reservedName(accountId), { accountId, isFree: false, balance: reserved });
    const leaving = { accountId, isFree: false, balance: withdrawing };
    this.#purses.set(withdrawalsName(accountId), leaving);
  }

  removeAccount(accountId: string): void {
    this.#parents.delete(accountId);
    this.#purses.delete(freeName(accountId));
    this.#purses.delete(reservedName(accountId));
    this.#purses.delete(withdrawalsName(accountId));
  }

  addMarket(marketId: string, outcomes: readonly { readonly id: string }[]): void {
    this.#outcomes.set(
      marketId,
      outcomes.map(({ id }) => id),
    );
  }

  outcomesOf(marketId: string): readonly string[] {
    return this.#outcomes.get(marketId) ?? [];
  }

  /** A market was halted; true if its breaker did it. */
  halt(marketId: string, reason: string): boolean {
    if (reason !== BREAKER_REASON) return false;
    this.#tripped.add(marketId);
    return true;
  }

  /** True if its breaker had halted the market. */
  resume(marketId: string): boolean {
    return this.#tripped.delete(marketId);
  }

  /** Whose account it is: a subaccount's events belong to the account above it. */
  ownerOf(accountId: string): string {
    return this.#parents.get(accountId) ?? accountId;
  }

  moneyOf(accountId: string): Money {
    return {
      free: this.#purses.get(freeName(accountId))?.balance ?? 0n,
      reserved:
        (this.#purses.get(reservedName(accountId))?.balance ?? 0n) +
        (this.#purses.get(withdrawalsName(accountId))?.balance ?? 0n),
    };
  }

  /** Books a ledger entry; `spent` is told of free money that gets less, with what there was before. */
  post(event: LedgerPosted, spent: (accountId: string, before: bigint) => void): void {
    for (let index = 0; index < event.count; index += 1) {
      const purse = this.#purseAt(event, index);
      if (purse === null) continue;
      const amount = event.amountAt(index);
      if (amount < 0n && purse.isFree) spent(purse.accountId, purse.balance);
      purse.balance += amount;
    }
  }

  /** Whose money a posting moves; null if it is nobody's, or no money. */
  ownerAt(event: LedgerPosted, index: number): string | null {
    return this.#purseAt(event, index)?.accountId ?? null;
  }

  find(orderId: number): KnownOrder | undefined {
    return this.#orders.get(orderId);
  }

  /** A placement or an amendment: the event has all of it. */
  put(order: KnownOrder): void {
    const { orderId, status } = order.view;
    if (status === 'pending' || status === 'partially_filled') this.#orders.set(orderId, order);
    else this.#orders.delete(orderId);
  }

  /** Makers fill at their own limit, so the cost follows from it. */
  fill(maker: MakerFill, atMs: number): KnownOrder | undefined {
    const known = this.#orders.get(maker.orderId);
    if (known === undefined) return undefined;
    const filledCost = usdt(known.view.filledCost + BigInt(maker.lots * maker.price));
    const { filledLots } = maker;
    const status = maker.remainingLots === 0 ? 'filled' : 'partially_filled';
    return this.#change(
      { ...known, view: { ...known.view, filledLots, filledCost, status } },
      atMs,
    );
  }

  cancel(event: OrderCancelled, atMs: number): KnownOrder | undefined {
    const known = this.#orders.get(event.orderId);
    if (known === undefined) return undefined;
    const { filledLots, reason } = event;
    const view: OrderView = {
      ...known.view,
      filledLots,
      status: 'cancelled',
      cancelReason: reason,
    };
    return this.#change({ ...known, view }, atMs);
  }

  #purseAt(event: LedgerPosted, index: number): Purse | null {
    if (event.names !== this.#slotNames) {
      this.#slotNames = event.names;
      this.#bySlot = [];
    }
    const slot = event.slotAt(index);
    const known = this.#bySlot[slot];
    if (known !== undefined) return known;
    const name = event.accountAt(index);
    const purse = this.#purses.get(name) ?? null;
    // One that is not known yet may become so by a later event of the same command.
    if (purse === null && MONEY_NAME.test(name)) return null;
    while (this.#bySlot.length < slot) this.#bySlot.push(undefined);
    this.#bySlot[slot] = purse;
    return purse;
  }

  #change(order: KnownOrder, atMs: number): KnownOrder {
    const changed = { ...order, updatedAtMs: atMs };
    this.put(changed);
    return changed;
  }
}

/** As the engine calls a halt by its circuit breaker. */
const BREAKER_REASON = 'circuit_breaker';

/** As the engine's chart of accounts has it. */
function freeName(accountId: string): string {
  return `user:${accountId}:free`;
}

function reservedName(accountId: string): string {
  return `user:${accountId}:reserved`;
}

function withdrawalsName(accountId: string): string {
  return `user:${accountId}:withdrawals`;
}

const MONEY_NAME = /^user:[^:]+:(?:free|reserved|withdrawals)$/;

/** The order as it was taken in, before anything filled. */
export function asTakenIn(order: KnownOrder): KnownOrder {
  const nothing = usdt(0n);
  const view: OrderView = {
    ...order.view,
    status: 'pending',
    filledLots: lots(0),
    filledCost: nothing,
    feesPaid: nothing,
    cancelReason: null,
  };
  return { ...order, view };
}
