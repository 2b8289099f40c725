// The reference's whole state in plain arrays and maps, and the questions everybody asks of it.

import type {
  CancelReason,
  MarketStatus,
  PlainAnswer,
  PlainEvent,
  PlainOrderView,
  PlainParameters,
  PlainSide,
  PlainTemplate,
} from './plain.ts';
import type { NaivePool } from './pool.ts';
import { at, LOT } from './pool.ts';

export const HOUSE = 'sandbox:house';
export const PLATFORM = 'acc_platform';

export interface NaiveAccount {
  readonly id: string;
  readonly mode: 'live' | 'sandbox' | 'demo';
  readonly parentId: string | null;
  readonly referrerId: string | null;
  frozen: boolean;
}

export interface NaiveTemplate {
  readonly definition: PlainTemplate;
  readonly version: number;
  deprecated: boolean;
}

/** What one account has in one market besides its ledger balances. */
export interface NaiveHolder {
  readonly accountId: string;
  readonly cost: bigint[];
  readonly realized: bigint[];
  net: bigint;
  quality: number;
  /** Scores above zero by sample index. */
  readonly scores: Map<number, number>;
}

export interface NaiveProposal {
  readonly proposerId: string | null;
  payout: readonly number[] | null;
  readonly bond: bigint;
  readonly windowEndsAtMs: number;
  state: 'proposed' | 'disputed' | 'final' | 'void';
  challengerId: string | null;
  challengerBond: bigint;
}

/** What a market that closes over several turns is at. */
export type NaiveClosing =
  | { readonly kind: 'lock'; readonly propose: boolean }
  | { readonly kind: 'settle'; readonly payout: readonly number[] }
  | { readonly kind: 'void_orders'; readonly reason: string }
  | { readonly kind: 'void'; readonly reason: string; readonly payout: readonly number[] | null };

export interface NaiveMarket {
  readonly id: string;
  readonly template: PlainTemplate;
  readonly params: Readonly<Record<string, string | number | boolean>>;
  readonly creatorId: string;
  readonly outcomes: readonly { readonly id: string; readonly label: string }[];
  readonly opensAtMs: number;
  readonly locksAtMs: number;
  readonly closesAtMs: number;
  readonly deposit: bigint;
  readonly pool: NaivePool | null;
  /** In the order of their first holding. */
  holders: NaiveHolder[];
  status: MarketStatus;
  approved: boolean;
  halted: boolean;
  haltedUntilMs: number | null;
  closing: NaiveClosing | null;
  lastPrices: (bigint | null)[];
  /** Runs of minute marks with the displayed prices then standing, oldest first. */
  marks: { readonly count: number; readonly prices: readonly bigint[] }[];
  /** The last whole minute that is in the runs, as a time. */
  lastMarkMs: number;
  readonly lookSecond: number;
  /** Displayed prices lately seen, for the breaker. */
  seen: { readonly atMs: number; readonly prices: readonly bigint[] }[];
  proposal: NaiveProposal | null;
}

export interface NaiveOrder {
  readonly id: number;
  readonly accountId: string;
  readonly marketId: string;
  readonly outcome: number;
  readonly side: PlainSide;
  readonly orderType: 'market' | 'limit';
  price: number;
  lots: number;
  filledLots: number;
  filledCost: bigint;
  feesPaid: bigint;
  status: PlainOrderView['status'];
  readonly timeInForce: PlainOrderView['timeInForce'];
  readonly postOnly: boolean;
  readonly reduceOnly: boolean;
  readonly stpMode: PlainOrderView['stpMode'];
  readonly expiresAtMs: number | null;
  readonly clientOrderId: string | null;
  readonly keyId: string | null;
  readonly builder: {
    readonly appId: string;
    readonly feeBps: number;
    readonly capBps: number;
  } | null;
  readonly execution: 'hybrid' | 'mid';
  readonly createdAtMs: number;
  restingSinceMs: number;
  priority: number;
  rejectReason: PlainOrderView['rejectReason'];
  cancelReason: CancelReason | null;
}

export interface NaiveTimer {
  readonly dueMs: number;
  readonly kind: string;
  readonly subject: string | number;
}

export interface RecordedAnswer {
  readonly atMs: number;
  readonly bodyHash: string;
  readonly answer: PlainAnswer;
}

export interface World {
  readonly lane: 'live' | 'sandbox';
  readonly parameters: PlainParameters;
  seq: number;
  nowMs: number;
  readOnly: boolean;
  /** The command at hand is refused by read-only mode. */
  refusing: boolean;
  recoveredAtMs: number | null;
  readonly ledger: Map<string, bigint>;
  accounts: NaiveAccount[];
  templates: NaiveTemplate[];
  markets: NaiveMarket[];
  /** Open orders only. */
  orders: NaiveOrder[];
  /** Latest closed orders, oldest first. */
  readonly closed: Map<number, NaiveOrder>;
  orderCount: number;
  tradeCount: number;
  priorityCount: number;
  timers: NaiveTimer[];
  readonly answers: Map<string, RecordedAnswer>;
  readonly clientOrders: Map<string, { readonly atMs: number; readonly orderId: number }>;
  readonly faucetUses: Map<string, number>;
  /** Taker notional by day and by account or key. */
  readonly daily: Map<string, bigint>;
  /** Expiry by account and scope. */
  readonly heartbeats: Map<string, number>;
  /** Orders and holders that the present command or timer may still close. */
  closingsLeft: number;
  events: PlainEvent[];
}

export function createWorld(lane: 'live' | 'sandbox', parameters: PlainParameters): World {
  return {
    lane,
    parameters,
    seq: 0,
    nowMs: 0,
    readOnly: false,
    refusing: false,
    recoveredAtMs: null,
    ledger: new Map(),
    accounts: [
      {
        id: PLATFORM,
        mode: lane === 'live' ? 'live' : 'sandbox',
        parentId: null,
        referrerId: null,
        frozen: false,
      },
    ],
    templates: [],
    markets: [],
    orders: [],
    closed: new Map(),
    orderCount: 0,
    tradeCount: 0,
    priorityCount: 0,
    timers: [],
    answers: new Map(),
    clientOrders: new Map(),
    faucetUses: new Map(),
    daily: new Map(),
    heartbeats: new Map(),
    closingsLeft: 0,
    events: [],
  };
}

export function findAccount(world: World, id: string): NaiveAccount | undefined {
  return world.accounts.find((account) => account.id === id);
}

export function findMarket(world: World, id: string): NaiveMarket | undefined {
  return world.markets.find((market) => market.id === id);
}

export function needMarket(world: World, id: string): NaiveMarket {
  const market = findMarket(world, id);
  if (market === undefined) throw new Error(`no market ${id}`);
  return market;
}

export function familyOf(world: World, accountId: string): string {
  return findAccount(world, accountId)?.parentId ?? accountId;
}

export function isFinal(market: NaiveMarket): boolean {
  return market.status === 'resolved' || market.status === 'cancelled';
}

export function holderOf(market: NaiveMarket, accountId: string): NaiveHolder {
  const known = market.holders.find((holder) => holder.accountId === accountId);
  if (known !== undefined) return known;
  const holder: NaiveHolder = {
    accountId,
    cost: market.outcomes.map(() => 0n),
    realized: market.outcomes.map(() => 0n),
    net: 0n,
    quality: 0,
    scores: new Map(),
  };
  market.holders.push(holder);
  return holder;
}

export function ordersOf(world: World, marketId: string): NaiveOrder[] {
  return world.orders.filter((order) => order.marketId === marketId);
}

export function balance(world: World, name: string): bigint {
  return world.ledger.get(name) ?? 0n;
}

export const freeName = (accountId: string): string =>
  accountId === HOUSE ? HOUSE : `user:${accountId}:free`;
export const reservedName = (accountId: string): string => `user:${accountId}:reserved`;
export const freeSharesName = (accountId: string, marketId: string, outcome: number): string =>
  `${freeName(accountId)}:${marketId}.${outcome}`;
export const reservedSharesName = (accountId: string, marketId: string, outcome: number): string =>
  `${reservedName(accountId)}:${marketId}.${outcome}`;
export const escrowName = (marketId: string): string => `market:${marketId}:escrow`;
export const issueName = (marketId: string, outcome: number): string =>
  `market:${marketId}:issue:${marketId}.${outcome}`;
export const ammName = (marketId: string, outcome: number): string =>
  `amm:${marketId}:${marketId}.${outcome}`;
export const contraName = (world: World): string =>
  world.lane === 'live' ? 'external:bank' : 'external:faucet';

export function freeShares(
  world: World,
  accountId: string,
  marketId: string,
  outcome: number,
): bigint {
  return balance(world, freeSharesName(accountId, marketId, outcome));
}

export function heldShares(
  world: World,
  accountId: string,
  marketId: string,
  outcome: number,
): bigint {
  return (
    freeShares(world, accountId, marketId, outcome) +
    (accountId === HOUSE ? 0n : balance(world, reservedSharesName(accountId, marketId, outcome)))
  );
}

/** One balanced entry under construction. */
export class Entry {
  readonly #world: World;
  readonly #amounts = new Map<string, bigint>();

  constructor(world: World) {
    this.#world = world;
  }

  add(name: string, amount: bigint): this {
    this.#amounts.set(name, (this.#amounts.get(name) ?? 0n) + amount);
    return this;
  }

  move(from: string, to: string, amount: bigint): this {
    return this.add(from, -amount).add(to, amount);
  }

  /** Mints complete sets against the escrow: the shares must be added elsewhere in the same entry. */
  mint(market: NaiveMarket, amount: bigint): this {
    this.add(escrowName(market.id), amount);
    for (let index = 0; index < market.outcomes.length; index += 1)
      this.add(issueName(market.id, index), -amount);
    return this;
  }

  commit(
    reason: Extract<PlainEvent, { type: 'ledger_posted' }>['reason'],
    reference: string,
  ): void {
    const postings = [...this.#amounts]
      .filter(([, amount]) => amount !== 0n)
      .map(([account, amount]) => ({ account, amount }));
    if (postings.length === 0) return;
    const sums = new Map<string, bigint>();
    for (const { account, amount } of postings) {
      const asset = assetOf(account);
      sums.set(asset, (sums.get(asset) ?? 0n) + amount);
      this.#world.ledger.set(account, balance(this.#world, account) + amount);
      const after = balance(this.#world, account);
      const contra = account.startsWith('external:') || account.includes(':issue:');
      if (contra ? after > 0n : after < 0n)
        throw new Error(`reference: ${account} would be ${after}`);
    }
    for (const [asset, sum] of sums) {
      if (sum !== 0n)
        throw new Error(`reference: ${reason} ${reference} is off by ${sum} ${asset}`);
    }
    const accounts = postings.map(({ account }) => account);
    const amounts = postings.map(({ amount }) => amount);
    this.#world.events.push({ type: 'ledger_posted', reason, reference, accounts, amounts });
  }
}

/** Shares end in `{market}.{index}`; everything else is money. */
function assetOf(name: string): string {
  const last = at(name.split(':').slice(-1), 0);
  return /^m_[0-9a-f]{16}\.\d+$/.test(last) ? last : 'USDT';
}

export const sharesOf = (lots: number): bigint => BigInt(lots) * LOT;
/** One lot at one pip is one µ. */
export const notionalOf = (lots: number, pips: number): bigint => BigInt(lots) * BigInt(pips);
