// The statement of every account: credits and debits out of balanced entries, each with the balance after it.
import type { LedgerPosted, LedgerReason, MarketId, State, TradeExecuted } from '@sibyl/engine';
import { STATEMENT_REASONS, type StatementReason } from '../ports/history.ts';
import type { NameKind } from '../ports/read-store.ts';
import type { RowTable } from './row-table.ts';
import { addStatement, REFERENCE_KINDS, type ReferenceKind } from './statement-table.ts';

/** A ledger account of a trader. */
interface Slot {
  readonly account: number;
  /** Of the shares; 0 for money. */
  readonly market: number;
  /** See StatementRow. */
  readonly asset: number;
  /** Place of the balance. */
  readonly index: number;
}

export type Numbering = (kind: NameKind, name: string) => number;

const FREE_MONEY = 0;
const INITIAL_SLOTS = 1024;

export class Statements {
  readonly #number: Numbering;
  readonly #slots = new Map<string, Slot>();
  /** Apart from the slots: a balance that changes with every entry would otherwise be a new object each time. */
  #balances = new BigInt64Array(INITIAL_SLOTS);
  readonly #vacant: number[] = [];
  #slotCount = 0;
  readonly #moved: Slot[] = [];
  readonly #sums: bigint[] = [];
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
    this.#table = table;
  }

  /** Takes the balances of a state, from which the events that follow are reckoned on. */
  begin(state: State): void {
    for (const { name, balance } of state.ledger.accounts()) {
      if (balance !== 0n && isTrader(name)) this.#balances[this.#slotOf(name).index] = balance;
    }
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

  /** `trade` is what a fill belongs to; `marketId` the market of the event before, for entries that name an order. */
  post(entry: LedgerPosted, trade: TradeExecuted | null, marketId: MarketId | null): void {
    this.#sum(entry);
    if (this.#moved.length === 0) return;
    this.#refer(entry.reference, marketId);
    for (let index = 0; index < this.#moved.length; index += 1) {
      const slot = this.#moved[index]!;
      const sum = this.#sums[index]!;
      if (sum === 0n) continue;
      if (entry.reason === 'fill' && trade !== null && slot.asset === FREE_MONEY) {
        this.#writeFill(slot, sum, trade);
      } else {
        this.#write(slot, sum, REASONS[entry.reason]);
      }
      if (slot.market !== 0 && this.#balances[slot.index] === 0n) this.#forget(entry, slot);
    }
  }

  /** An entry may touch an account twice: a statement shows the sum. */
  #sum(entry: LedgerPosted): void {
    this.#moved.length = 0;
    this.#sums.length = 0;
    const { accounts, amounts } = entry;
    for (let index = 0; index < accounts.length; index += 1) {
      const account = accounts[index]!;
      const amount = amounts[index]!;
      if (!isTrader(account)) continue;
      const slot = this.#slotOf(account);
      const place = this.#moved.indexOf(slot);
      if (place >= 0) {
        this.#sums[place] = this.#sums[place]! + amount;
      } else {
        this.#moved.push(slot);
        this.#sums.push(amount);
      }
    }
  }

  /** Entries that name an order or a trade belong to the market of the event before. */
  #refer(reference: string, marketId: MarketId | null): void {
    this.#text = null;
    if (reference.startsWith('order:') || reference.startsWith('trade:')) {
      this.#referenceKind = reference.startsWith('order:') ? ORDER : TRADE;
      this.#reference = Number(reference.slice(ID_START));
      this.#market = marketId === null ? 0 : this.#number('market', marketId);
    } else if (reference.startsWith('m_')) {
      this.#referenceKind = MARKET;
      this.#market = this.#number('market', reference);
      this.#reference = this.#market;
    } else {
      this.#market = 0;
      this.#referElsewhere(reference);
    }
  }

  #referElsewhere(reference: string): void {
    if (reference.startsWith('account:')) {
      this.#referenceKind = ACCOUNT;
      this.#reference = this.#number('account', reference.slice('account:'.length));
    } else {
      this.#referenceKind = TEXT;
      this.#reference = 0;
      this.#text = reference;
    }
  }

  /** Free money of a fill is what the trade itself moved, then fees and rebate apart from it. */
  #writeFill(slot: Slot, sum: bigint, trade: TradeExecuted): void {
    if (this.#number('account', trade.takerId) !== slot.account) {
      // An account that is no maker has a credit only because it owns the pool.
      const rebate = this.#rebateOf(slot.account, trade) ?? sum;
      if (sum !== rebate) this.#write(slot, sum - rebate, TRADED);
      if (rebate !== 0n) this.#write(slot, rebate, REBATE);
      return;
    }
    const { cost, fee, builderFee, side } = trade;
    const moved = side === 'buy' ? -cost : cost;
    const rebate = sum - (moved - fee - builderFee);
    this.#write(slot, moved, TRADED);
    if (fee !== 0n) this.#write(slot, -fee, TAKER_FEE);
    if (builderFee !== 0n) this.#write(slot, -builderFee, BUILDER_FEE);
    if (rebate !== 0n) this.#write(slot, rebate, REBATE);
  }

  #rebateOf(account: number, trade: TradeExecuted): bigint | null {
    let rebate: bigint | null = null;
    for (const maker of trade.makers) {
      if (this.#number('account', maker.accountId) === account) {
        rebate = (rebate ?? 0n) + maker.rebate;
      }
    }
    return rebate;
  }

  #write(slot: Slot, amount: bigint, reason: number): void {
    const balance = this.#balances[slot.index]! + amount;
    this.#balances[slot.index] = balance;
    const row = addStatement(
      this.#table,
      slot.account,
      this.#seq,
      this.#atMs,
      this.#entries,
      reason,
      slot.asset,
      this.#referenceKind,
      this.#reference,
      slot.market === 0 ? this.#market : slot.market,
      amount,
      balance,
    );
    if (this.#text !== null) this.#table.setText(row, this.#text);
    this.#entries += 1;
  }

  #slotOf(name: string): Slot {
    const known = this.#slots.get(name);
    if (known !== undefined) return known;
    const colon = name.indexOf(':', ACCOUNT_START);
    const isFree = name.charCodeAt(colon + 1) === LETTER_F;
    const part = isFree ? FREE_LENGTH : RESERVED_LENGTH;
    const shares = colon + 1 + part < name.length ? name.slice(colon + 2 + part) : '';
    const dot = shares.lastIndexOf('.');
    const place = shares === '' ? 0 : Number(shares.slice(dot + 1)) + 1;
    const slot: Slot = {
      account: this.#number('account', name.slice(ACCOUNT_START, colon)),
      market: shares === '' ? 0 : this.#number('market', shares.slice(0, dot)),
      asset: place * 2 + (isFree ? 0 : 1),
      index: this.#openBalance(),
    };
    this.#slots.set(name, slot);
    return slot;
  }

  #openBalance(): number {
    const vacant = this.#vacant.pop();
    if (vacant !== undefined) return vacant;
    if (this.#slotCount === this.#balances.length) {
      const balances = new BigInt64Array(this.#balances.length * 2);
      balances.set(this.#balances);
      this.#balances = balances;
    }
    this.#slotCount += 1;
    return this.#slotCount - 1;
  }

  /** Positions come and go for ever; only those that are held are kept in mind. */
  #forget(entry: LedgerPosted, slot: Slot): void {
    for (const account of entry.accounts) {
      if (this.#slots.get(account) !== slot) continue;
      this.#slots.delete(account);
      this.#vacant.push(slot.index);
      return;
    }
  }
}

function codeOf(reason: StatementReason): number {
  return STATEMENT_REASONS.indexOf(reason);
}

function kindOf(kind: ReferenceKind): number {
  return REFERENCE_KINDS.indexOf(kind);
}

const REASONS: Readonly<Record<LedgerReason, number>> = {
  deposit: codeOf('deposit'),
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
/** `order:` and `trade:` are equally long. */
const ID_START = 'order:'.length;

/** `user:` begins like no other name of the chart: a look at two characters is much cheaper than a comparison. */
function isTrader(name: string): boolean {
  return name.charCodeAt(0) === LETTER_U && name.charCodeAt(4) === COLON;
}

const LETTER_F = 0x66;
const LETTER_U = 0x75;
const COLON = 0x3a;
const ACCOUNT_START = 'user:'.length;
const FREE_LENGTH = 'free'.length;
const RESERVED_LENGTH = 'reserved'.length;
