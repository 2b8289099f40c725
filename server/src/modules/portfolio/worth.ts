// What an account is worth now, from the engine's state alone: the figures add up to the last unit.
import {
  type Account,
  basisOf,
  freeShares,
  type Holding,
  reservedShares,
  type State,
} from '@sibyl/engine';
import { floorDiv } from '@sibyl/money';
import { pricesOf } from '../../wire/market-view.ts';

const MICRO = 1_000_000n;

export interface Worth {
  readonly free: bigint;
  readonly reserved: bigint;
  readonly staked: bigint;
  readonly netDeposits: bigint;
  readonly realized: bigint;
  readonly unrealized: bigint;
  readonly equity: bigint;
  readonly held: readonly Held[];
}

/** One outcome held. */
export interface Held {
  readonly marketId: string;
  readonly outcomeId: string;
  readonly category: string;
  readonly size: bigint;
  readonly value: bigint;
  readonly cost: bigint;
}

export function worthOf(state: State, account: Account): Worth {
  const held = account.holdings.values().flatMap((holding) => heldIn(state, holding));
  const free = state.ledger.balance(account.free);
  const reserved =
    state.ledger.balance(account.reserved) + state.ledger.balance(account.withdrawing);
  const { staked, netDeposits, realized } = account;
  const value = held.reduce((sum, one) => sum + one.value, 0n);
  const cost = held.reduce((sum, one) => sum + one.cost, 0n);
  return {
    free,
    reserved,
    staked,
    netDeposits,
    realized,
    unrealized: value - cost,
    equity: free + reserved + staked + value,
    held,
  };
}

/** Value of shares at a price, both in millionths. */
export function sharesValue(size: bigint, price: bigint): bigint {
  return floorDiv(size * price, MICRO);
}

function heldIn(state: State, holding: Holding): readonly Held[] {
  const { market } = holding;
  const { category } = market.template.definition;
  const prices = pricesOf(market);
  const held: Held[] = [];
  for (const [outcome, { id }] of market.outcomes.entries()) {
    const size = freeShares(state, holding, outcome) + reservedShares(state, holding, outcome);
    if (size === 0n) continue;
    const value = sharesValue(size, prices[outcome]!);
    const cost = basisOf(holding, outcome);
    held.push({ marketId: market.id, outcomeId: id, category, size, value, cost });
  }
  return held;
}
