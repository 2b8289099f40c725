// A trading account: its money accounts, its open orders and the counters that limits need.
import type { AccountId, MarketId } from '../identity.ts';
import { moneyName } from '../ledger/chart.ts';
import type { AccountIndex, Ledger } from '../ledger/ledger.ts';
import { OrderList } from '../order/order-list.ts';
import type { Holding } from '../position/holding.ts';

export interface Account {
  readonly id: AccountId;
  readonly mode: 'live' | 'sandbox' | 'demo';
  readonly parentId: AccountId | null;
  readonly referrerId: AccountId | null;
  /** The owner's id for a subaccount, else its own: self-trade prevention compares these. */
  readonly familyId: AccountId;
  readonly openedAtMs: number;
  frozen: boolean;
  readonly free: AccountIndex;
  readonly reserved: AccountIndex;
  readonly orders: OrderList;
  readonly holdings: Map<MarketId, Holding>;
  /** The holding last used: most commands of an account follow another in the same market. Not part of the state. */
  latest: Holding | null;
  /** Deposits, faucet and transfers in, less withdrawals, resets and transfers out. */
  netDeposits: bigint;
  /** Trading result so far, fees and rebates included. */
  realized: bigint;
  /** Deposits tied up in pools this account seeded, and bonds posted. */
  staked: bigint;
}

/** The account that funds and owns platform markets. */
export const PLATFORM_ACCOUNT = 'acc_platform';

export interface AccountIdentity {
  readonly id: AccountId;
  readonly mode: 'live' | 'sandbox' | 'demo';
  readonly parentId?: AccountId | null;
  readonly referrerId?: AccountId | null;
  readonly openedAtMs?: number;
}

export function createAccount(ledger: Ledger, identity: AccountIdentity): Account {
  const parentId = identity.parentId ?? null;
  // What orders touch comes first, so that it shares a cache line or two.
  return {
    id: identity.id,
    familyId: parentId ?? identity.id,
    frozen: false,
    free: ledger.openUsdt(moneyName(identity.id, 'free')),
    reserved: ledger.openUsdt(moneyName(identity.id, 'reserved')),
    latest: null,
    orders: new OrderList(),
    realized: 0n,
    referrerId: identity.referrerId ?? null,
    parentId,
    mode: identity.mode,
    openedAtMs: identity.openedAtMs ?? 0,
    holdings: new Map(),
    netDeposits: 0n,
    staked: 0n,
  };
}
