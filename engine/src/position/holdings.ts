// Keeps holdings: opens their share accounts when first needed and books what trades do to cost and result.
import { floorDiv, type Lots, sharesOf } from '@sibyl/money';
import type { Account } from '../account/account.ts';
import { assert, Defect } from '../assert.ts';
import { sharesName } from '../ledger/chart.ts';
import { type AccountIndex, NO_ACCOUNT } from '../ledger/ledger.ts';
import type { Market } from '../market/market.ts';
import type { State } from '../state.ts';
import type { Holding } from './holding.ts';

/** What the account has in the market, if anything. */
export function findHolding(account: Account, market: Market): Holding | undefined {
  const { latest } = account;
  if (latest !== null && latest.market === market) return latest;
  const known = market.holdings.get(account.id);
  if (known !== undefined) account.latest = known;
  return known;
}

export function holdingOf(account: Account, market: Market): Holding {
  const known = findHolding(account, market);
  if (known !== undefined) return known;
  const outcomes = market.outcomes.length;
  const holding: Holding = {
    market,
    account,
    openOrders: 0,
    quality: 0,
    free: filled(outcomes, NO_ACCOUNT),
    cost: zeros(outcomes),
    net: 0n,
    realized: zeros(outcomes),
    reserved: filled(outcomes, NO_ACCOUNT),
    samples: [],
  };
  market.holdings.set(account.id, holding);
  account.holdings.set(market.id, holding);
  account.latest = holding;
  return holding;
}

export function freeShares(state: State, holding: Holding, outcome: number): bigint {
  return state.ledger.balance(holding.free[outcome]!);
}

export function reservedShares(state: State, holding: Holding, outcome: number): bigint {
  return state.ledger.balance(holding.reserved[outcome]!);
}

export function freeSharesAccount(state: State, holding: Holding, outcome: number): AccountIndex {
  const known = holding.free[outcome]!;
  if (known !== NO_ACCOUNT) return known;
  const opened = openShares(state, holding, outcome, 'free');
  holding.free[outcome] = opened;
  return opened;
}

export function reservedSharesAccount(
  state: State,
  holding: Holding,
  outcome: number,
): AccountIndex {
  const known = holding.reserved[outcome]!;
  if (known !== NO_ACCOUNT) return known;
  const opened = openShares(state, holding, outcome, 'reserved');
  holding.reserved[outcome] = opened;
  return opened;
}

/** Before the first amount is booked: until then holdings share their zeros, and most orders never trade. */
export function ownAmounts(holding: Holding): void {
  const outcomes = holding.free.length;
  if (holding.cost !== ZEROS[outcomes]) return;
  holding.cost = new BigInt64Array(outcomes);
  holding.realized = new BigInt64Array(outcomes);
}

export function recordBought(holding: Holding, outcome: number, cost: bigint): void {
  ownAmounts(holding);
  holding.cost[outcome] = BigInt.asIntN(64, holding.cost[outcome]! + cost);
  holding.net += cost;
}

/** Must run before the shares are posted out: the basis taken is the sold part of what is still held. */
export function recordSold(
  state: State,
  holding: Holding,
  outcome: number,
  lots: Lots,
  proceeds: bigint,
): void {
  const held = freeShares(state, holding, outcome) + reservedShares(state, holding, outcome);
  const sold = sharesOf(lots);
  if (sold > held) throw new Defect(`${holding.account.id} sells more than it holds`);
  const basis = holding.cost[outcome]!;
  const taken = sold === held ? basis : floorDiv(basis * sold, held);
  holding.cost[outcome] = basis - taken;
  holding.net -= proceeds;
  recordResult(holding, outcome, proceeds - taken);
}

/** `kept` is what of the payment stays in the market and is given back if it is cancelled. */
export function recordFee(holding: Holding, outcome: number, paid: bigint, kept: bigint): void {
  holding.net += kept;
  recordResult(holding, outcome, -paid);
}

export function recordResult(holding: Holding, outcome: number, amount: bigint): void {
  ownAmounts(holding);
  holding.realized[outcome] = BigInt.asIntN(64, holding.realized[outcome]! + amount);
  holding.account.realized += amount;
}

/** Says nothing: no shares, no claim, no result, no order. Such a holding is not stored, and must not matter. */
export function isBlank(state: State, holding: Holding): boolean {
  if (holding.openOrders > 0 || holding.net !== 0n) return false;
  if (holding.quality !== 0 || holding.samples.length > 0) return false;
  for (let outcome = 0; outcome < holding.cost.length; outcome += 1) {
    if (holding.cost[outcome] !== 0n || holding.realized[outcome] !== 0n) return false;
    if (freeShares(state, holding, outcome) !== 0n) return false;
  }
  return true;
}

/** Forgets an empty holding of a market that has ended. */
export function closeHolding(state: State, holding: Holding): void {
  assert(holding.openOrders === 0, `closing a holding of ${holding.account.id} with open orders`);
  for (const account of holding.free) if (account !== NO_ACCOUNT) state.ledger.close(account);
  for (const account of holding.reserved) if (account !== NO_ACCOUNT) state.ledger.close(account);
  holding.market.holdings.delete(holding.account.id);
  holding.account.holdings.delete(holding.market.id);
  if (holding.account.latest === holding) holding.account.latest = null;
}

function openShares(
  state: State,
  holding: Holding,
  outcome: number,
  part: 'free' | 'reserved',
): AccountIndex {
  const { account, market } = holding;
  const name = sharesName(account.id, part, market.id, outcome);
  return state.ledger.openShares(name, state.ledger.marketNumber(market.issue[0]!), outcome);
}

function filled<T>(length: number, value: T): T[] {
  const values: T[] = [];
  for (let index = 0; index < length; index += 1) values.push(value);
  return values;
}

/** By number of outcomes; never written to. */
const ZEROS: BigInt64Array[] = [];

function zeros(outcomes: number): BigInt64Array {
  while (ZEROS.length <= outcomes) ZEROS.push(new BigInt64Array(ZEROS.length));
  return ZEROS[outcomes]!;
}
