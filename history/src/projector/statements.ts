// The statement of every account: credits and debits out of balanced entries, each with the balance after it.
import type { LedgerPosted, LedgerReason, State, TradeExecuted } from '@sibyl/engine';
import { STATEMENT_REASON_CODES, type StatementReason } from '../store/history.ts';
import type { NameKind } from '../store/read-store.ts';
import type { RowTable } from './row-table.ts';
import { addStatement, REFERENCE_KINDS, type ReferenceKind } from './statement-table.ts';
import { TraderSlots } from './trader-slots.ts';

/** The number of a name, given out on first use. */
export type Numbering = Readonly<Record<NameKind, (name: string) => number>>;

const FREE_MONEY = 0;
const INITIAL_MOVED = 16;

export class Statements {
  readonly #number: Numbering;
  readonly #slots: TraderSlots;
  /** The slots of traders that the entry being written moves, and by how much. */
  #moved = new Int32Array(INITIAL_MOVED);
  #sums = new BigInt64Array(INITIAL_MOVED);
  #movedCount = 0;
  #table: RowTable;
  #seq = 0;
  #atMs = 0;
  #entries = 0;
  /** Of the entry that is being written. */
  #referenceKind = 0;
  #reference = 0;
  #text: string | null = null;
  #market = 0;

  constructor(number: Numbering, table: RowTable) {
    this.#number = number;
    this.#slots = new TraderSlots(number);
    this.#table = table;
  }

  /** Takes the balances of a state, from which the events that follow are reckoned on. */
  begin(state: State): void {
    this.#slots.begin(state.ledger);
  }

  /** From now on entries go to this table. */
  turnTo(table: RowTable): void {
    this.#table = table;
  }

  /** The entries that follow belong to this command. */
  enter(seq: number, atMs: number): void {
    this.#seq = seq;
    this.#atMs = atMs;
    this.#entries = 0;
  }

  /**
   * `trade` is what a fill belongs to, and `taker` the number of its taker; `market` that of the market of the event
   * before, for entries that name an order.
   */
  post(entry: LedgerPosted, trade: TradeExecuted | null, taker: number, market: number): void {
    this.#slots.turnTo(entry.names);
    this.#sum(entry);
    const count = this.#movedCount;
    if (count === 0) return;
    this.#refer(entry, market);
    const fill = entry.reason === 'fill' ? trade : null;
    const reason = REASONS[entry.reason];
    for (let index = 0; index < count; index += 1) {
      const slot = this.#moved[index]!;
      const sum = this.#sums[index]!;
      if (sum === 0n) continue;
      if (fill === null || this.#slots.assetOf(slot) !== FREE_MONEY) this.#write(slot, sum, reason);
      else if (this.#slots.accountOf(slot) === taker) this.#writeTaker(slot, sum, fill);
      else this.#writeOther(slot, sum, fill);
    }
  }

  /** An entry may touch an account twice: a statement shows the sum. */
  #sum(entry: LedgerPosted): void {
    const { count } = entry;
    if (count > this.#moved.length) this.#growMoved(count);
    const moved = this.#moved;
    const sums = this.#sums;
    let movedCount = 0;
    for (let index = 0; index < count; index += 1) {
      const slot = entry.slotAt(index);
      if (this.#slots.assetOf(slot) < 0) continue;
      let found = 0;
      while (found < movedCount && moved[found] !== slot) found += 1;
      if (found === movedCount) {
        moved[found] = slot;
        sums[found] = entry.amountAt(index);
        movedCount += 1;
      } else {
        sums[found] = BigInt.asIntN(64, sums[found]! + entry.amountAt(index));
      }
    }
    this.#movedCount = movedCount;
  }

  #growMoved(count: number): void {
    this.#moved = new Int32Array(2 * count);
    this.#sums = new BigInt64Array(2 * count);
  }

  /** Entries that name an order or a trade belong to the market of the event before. */
  #refer(entry: LedgerPosted, market: number): void {
    this.#text = null;
    if (entry.referenceKind === 'text') {
      this.#referElsewhere(entry.reference);
      return;
    }
    this.#referenceKind = entry.referenceKind === 'order' ? ORDER : TRADE;
    this.#reference = entry.referenceNumber;
    this.#market = market;
  }

  #referElsewhere(reference: string): void {
    this.#market = 0;
    if (reference.startsWith('m_')) {
      this.#referenceKind = MARKET;
      this.#market = this.#number.market(reference);
      this.#reference = this.#market;
    } else if (reference.startsWith('account:')) {
      this.#referenceKind = ACCOUNT;
      this.#reference = this.#number.account(reference.slice('account:'.length));
    } else {
      this.#referenceKind = TEXT;
      this.#reference = 0;
      this.#text = reference;
    }
  }

  /** Free money of a fill is what the trade itself moved, then fees and rebate apart from it. */
  #writeTaker(slot: number, sum: bigint, trade: TradeExecuted): void {
    const { cost, fee, builderFee, side } = trade;
    const moved = side === 'buy' ? -cost : cost;
    const rebate = sum - (moved - fee - builderFee);
    this.#write(slot, moved, TRADED);
    if (fee !== 0n) this.#write(slot, -fee, TAKER_FEE);
    if (builderFee !== 0n) this.#write(slot, -builderFee, BUILDER_FEE);
    if (rebate !== 0n) this.#write(slot, rebate, REBATE);
  }

  /** An account that is no maker has a credit only because it owns the pool. */
  #writeOther(slot: number, sum: bigint, trade: TradeExecuted): void {
    const rebate = this.#rebateOf(this.#slots.accountOf(slot), trade) ?? sum;
    if (sum !== rebate) this.#write(slot, sum - rebate, TRADED);
    if (rebate !== 0n) this.#write(slot, rebate, REBATE);
  }

  #rebateOf(account: number, trade: TradeExecuted): bigint | null {
    let rebate: bigint | null = null;
    for (let maker = trade.firstMaker; maker !== null; maker = maker.next) {
      if (this.#number.account(maker.accountId) === account) {
        rebate = (rebate ?? 0n) + maker.rebate;
      }
    }
    return rebate;
  }

  #write(slot: number, amount: bigint, reason: number): void {
    const slots = this.#slots;
    const market = slots.marketOf(slot);
    slots.add(slot, amount);
    const row = addStatement(
      this.#table,
      slots.accountOf(slot),
      this.#seq,
      this.#atMs,
      this.#entries,
      reason,
      slots.assetOf(slot),
      this.#referenceKind,
      this.#reference,
      market === 0 ? this.#market : market,
      amount,
      slots.balanceOf(slot),
    );
    if (this.#text !== null) this.#table.setText(row, this.#text);
    this.#entries += 1;
  }
}

function codeOf(reason: StatementReason): number {
  return STATEMENT_REASON_CODES[reason];
}

function kindOf(kind: ReferenceKind): number {
  return REFERENCE_KINDS.indexOf(kind);
}

const REASONS: Readonly<Record<LedgerReason, number>> = {
  deposit: codeOf('deposit'),
  correction: codeOf('correction'),
  withdrawal: codeOf('withdrawal'),
  transfer: codeOf('transfer'),
  faucet: codeOf('faucet'),
  reset: codeOf('reset'),
  house_top_up: codeOf('faucet'),
  market_deposit: codeOf('market_deposit'),
  reserve: codeOf('order_reserve'),
  release: codeOf('order_release'),
  fill: codeOf('trade'),
  mint: codeOf('mint'),
  merge: codeOf('merge'),
  settlement: codeOf('settlement'),
  refund: codeOf('refund'),
  vesting: codeOf('fee_credit'),
  revenue: codeOf('fee_credit'),
  bond: codeOf('bond'),
  bond_return: codeOf('bond_return'),
  bond_award: codeOf('reward'),
};

const TRADED = codeOf('trade');
const TAKER_FEE = codeOf('taker_fee');
const BUILDER_FEE = codeOf('builder_fee');
const REBATE = codeOf('maker_rebate');

const ORDER = kindOf('order');
const TRADE = kindOf('trade');
const MARKET = kindOf('market');
const ACCOUNT = kindOf('account');
const TEXT = kindOf('text');
