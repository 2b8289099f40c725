// What a cancellation would pay to whom, for the operators who decide on it (VD19).
import { floorDiv, PIPS_ONE, type Pips, type Usdt } from '@sibyl/money';
import type { AccountId } from '../kit/identity.ts';
import { freeShares, reservedShares } from '../position/holdings.ts';
import type { VoidCause } from '../state/command.ts';
import { basisOf, type Holding, keptOf } from '../state/holding.ts';
import type { Market } from '../state/market.ts';
import type { State } from '../state/state.ts';
import { poolCapOf } from './settle.ts';

export interface VoidPreview {
  readonly holders: number;
  readonly feesReturned: Usdt;
  readonly poolPaid: Usdt;
  readonly excess: Usdt;
  /** Holders with the largest gain and the largest loss on the shares that they hold, largest first. */
  readonly gainers: readonly VoidPart[];
  readonly losers: readonly VoidPart[];
}

export interface VoidPart {
  readonly accountId: AccountId;
  /** µ-shares of each outcome. */
  readonly shares: readonly bigint[];
  /** What the shares cost (PO2). */
  readonly cost: Usdt;
  readonly payout: Usdt;
  readonly feesReturned: Usdt;
  /** The payout less the cost. */
  readonly gain: Usdt;
}

/** Holders that a preview reads before it lets others go first. */
const PREVIEWED_AT_ONCE = 1000;

/** What a cancellation at a payout would pay, in portions of 1,000 holders. Changes nothing. */
export function* previewVoid(
  state: State,
  market: Market,
  payout: readonly Pips[],
  cause: VoidCause,
  most: number,
): Generator<undefined, VoidPreview, undefined> {
  const holders = market.holders.filter((holding) => holding !== null);
  const gainers: VoidPart[] = [];
  const losers: VoidPart[] = [];
  let fees = 0n;
  for (const [index, holding] of holders.entries()) {
    const part = partOf(state, holding, payout);
    fees += part.feesReturned;
    if (part.gain > 0n) enter(gainers, part, most, (a, b) => a.gain > b.gain);
    if (part.gain < 0n) enter(losers, part, most, (a, b) => a.gain < b.gain);
    if (index % PREVIEWED_AT_ONCE === PREVIEWED_AT_ONCE - 1) yield;
  }
  let worth = 0n;
  for (const [outcome, account] of market.inventory.entries()) {
    worth += state.ledger.balance(account) * BigInt(payout[outcome]!);
  }
  const pool = floorDiv(worth, BigInt(PIPS_ONE));
  const cap = poolCapOf(market, cause);
  const poolPaid = cap !== null && cap < pool ? cap : pool;
  return {
    holders: holders.length,
    feesReturned: fees as Usdt,
    poolPaid: poolPaid as Usdt,
    excess: (pool - poolPaid) as Usdt,
    gainers,
    losers,
  };
}

function partOf(state: State, holding: Holding, payout: readonly Pips[]): VoidPart {
  let cost = 0n;
  let worth = 0n;
  const shares = payout.map((pips, outcome) => {
    const held = freeShares(state, holding, outcome) + reservedShares(state, holding, outcome);
    cost += basisOf(holding, outcome);
    worth += held * BigInt(pips);
    return held;
  });
  const paid = floorDiv(worth, BigInt(PIPS_ONE));
  return {
    accountId: holding.account.id,
    shares,
    cost: cost as Usdt,
    payout: paid as Usdt,
    feesReturned: keptOf(holding) as Usdt,
    gain: (paid - cost) as Usdt,
  };
}

/** Puts the part behind those that come before it. */
function enter(
  parts: VoidPart[],
  part: VoidPart,
  most: number,
  isBefore: (one: VoidPart, other: VoidPart) => boolean,
): void {
  const behind = parts.findIndex((other) => isBefore(part, other));
  if (behind >= 0) parts.splice(behind, 0, part);
  else parts.push(part);
  if (parts.length > most) parts.pop();
}
