// A cancelled market: what is there is paid in ranks, so that nobody lives on profits that others manufactured (RF2).
import { floorDiv, type Usdt } from '@sibyl/money';
import { assert } from '../assert.ts';
import type { AccountId } from '../identity.ts';
import type { Market, RefundCount, RefundRanks } from '../market/market.ts';
import { type AveragePrices, averagePrices, averagePricesNow } from '../market/price-memory.ts';
import { type Holding, netOf } from '../position/holding.ts';
import { closeHolding, freeShares, recordResult } from '../position/holdings.ts';
import type { State } from '../state.ts';
import { type Turn, takePostings } from '../turn.ts';
import {
  closePosition,
  collectFees,
  type PoolPart,
  passHolders,
  postingsOf,
  returnStake,
  takeInventory,
  takeShares,
} from './settle.ts';

/** All but one part in so many of the deposit is paid before any holder. */
const JUNIOR_PART = 50n;

export function startCount(market: Market, reason: string): void {
  keepOrder(market);
  market.closing = { kind: 'count', reason, counted: 0, backed: 0n, rest: 0n, net: 0n };
}

/** The first pass: what all holders together may claim. False when postings ran out before its end. */
export function countHolders(turn: Turn, market: Market, count: RefundCount): boolean {
  const { state } = turn;
  // Fees join the escrow: what was put in and has not been taken out.
  if (!collectFees(turn, market)) return false;
  const average = averagePrices(state, market);
  while (count.counted < market.holders.length) {
    const holding = market.holders[count.counted]!;
    if (!takePostings(turn, postingsOf(state, holding))) return false;
    const claim = claimOf(state, holding, average);
    count.backed += claim.backed;
    count.rest += claim.rest;
    count.net += netOf(holding);
    count.counted += 1;
  }
  const money = state.ledger.balance(market.escrow);
  const expected = market.deposit + count.net;
  assert(money === expected, `${market.id} holds ${money} where ${expected} was put in`);
  const ranks = ranksOf(money, market.deposit, count.backed, count.rest);
  market.closing = { kind: 'refund', reason: count.reason, ranks };
  return true;
}

/** The second pass: every holder is paid its part of each rank. */
export function refundHolders(turn: Turn, market: Market, ranks: RefundRanks): boolean {
  const average = averagePrices(turn.state, market);
  return passHolders(turn, market, (holding) =>
    refundHolder(turn, holding, paidOf(claimOf(turn.state, holding, average), ranks)),
  );
}

/** The creator's part of what the holders left, and to insurance what rounding left of that. */
export function refundPool(turn: Turn, market: Market, ranks: RefundRanks): PoolPart {
  const { state } = turn;
  const { creator: returned } = ranks;
  takeInventory(state, market);
  const left = state.ledger.balance(market.escrow);
  const dust = left - returned;
  assert(dust >= 0n, `${market.id} paid more than its ranks`);
  state.ledger.post(market.escrow, -left);
  state.ledger.post(market.creator.free, returned);
  state.ledger.post(state.insurance, dust);
  state.ledger.commit(turn.events, 'refund', market.id);
  returnStake(market, returned);
  return { returned, dust };
}

export interface RefundPreview {
  /** Escrow and unvested fees. */
  readonly money: Usdt;
  readonly deposit: Usdt;
  readonly returned: Usdt;
  /** Whether everybody would get back all that he put in. */
  readonly isInFull: boolean;
  readonly holders: number;
  /** Those that the market paid most beyond what they put in, largest first. */
  readonly gainers: readonly RefundPart[];
}

export interface RefundPart {
  readonly accountId: AccountId;
  readonly net: Usdt;
  readonly paid: Usdt;
  /** All that he takes out of the market less all that he put in. */
  readonly gain: Usdt;
}

/** Holders that a preview reckons before it lets others go first. */
const PREVIEWED_AT_ONCE = 1000;

/**
 * What a cancellation of the market would pay now, for whoever must decide on it. A market may have any number of
 * holders, so it is reckoned in portions: what is traded between two of them may or may not be in it.
 */
export function* previewRefund(
  state: State,
  market: Market,
  gainersMax: number,
): Generator<undefined, RefundPreview, undefined> {
  const average = averagePricesNow(state, market);
  const holders = market.holders.filter((holding) => holding !== null);
  const claims: (Claim & { readonly net: Usdt })[] = [];
  let backed = 0n;
  let rest = 0n;
  for (const [index, holding] of holders.entries()) {
    const claim = claimOf(state, holding, average);
    claims.push({ ...claim, net: netOf(holding) as Usdt });
    backed += claim.backed;
    rest += claim.rest;
    if (index % PREVIEWED_AT_ONCE === PREVIEWED_AT_ONCE - 1) yield;
  }
  let money = state.ledger.balance(market.escrow);
  for (const { account } of market.unvested.values()) money += state.ledger.balance(account);
  const ranks = ranksOf(money, market.deposit, backed, rest);
  const gainers: RefundPart[] = [];
  for (const [index, claim] of claims.entries()) {
    const { net } = claim;
    const paid = paidOf(claim, ranks) as Usdt;
    const gain = (paid - net) as Usdt;
    if (gain > 0n) {
      enterGainer(gainers, { accountId: holders[index]!.account.id, net, paid, gain }, gainersMax);
    }
    if (index % PREVIEWED_AT_ONCE === PREVIEWED_AT_ONCE - 1) yield;
  }
  return {
    money: money as Usdt,
    deposit: market.deposit as Usdt,
    returned: ranks.creator as Usdt,
    isInFull: ranks.creator === market.deposit && ranks.restPaid === ranks.rest,
    holders: holders.length,
    gainers,
  };
}

/** Puts him behind those who gain as much or more. */
function enterGainer(gainers: RefundPart[], part: RefundPart, gainersMax: number): void {
  const behind = gainers.findIndex(({ gain }) => gain < part.gain);
  if (behind >= 0) gainers.splice(behind, 0, part);
  else gainers.push(part);
  if (gainers.length > gainersMax) gainers.pop();
}

interface Claim {
  /** What he paid, as far as the shares he still holds are worth it. */
  readonly backed: bigint;
  /** What else he paid. */
  readonly rest: bigint;
}

function claimOf(state: State, holding: Holding, average: AveragePrices): Claim {
  const net = netOf(holding);
  if (net <= 0n) return NO_CLAIM;
  const value = worthOf(state, holding, average);
  return value < net ? { backed: value, rest: net - value } : { backed: net, rest: 0n };
}

const NO_CLAIM: Claim = { backed: 0n, rest: 0n };

function worthOf(state: State, holding: Holding, { totals, whole }: AveragePrices): bigint {
  let value = 0n;
  for (let outcome = 0; outcome < totals.length; outcome += 1) {
    value += freeShares(state, holding, outcome) * totals[outcome]!;
  }
  return floorDiv(value, whole);
}

/** What each rank is paid of the money: in full, until one is not. */
function ranksOf(money: bigint, deposit: bigint, backed: bigint, rest: bigint): RefundRanks {
  const junior = deposit - floorDiv(deposit * (JUNIOR_PART - 1n), JUNIOR_PART);
  let left = money;
  const pay = (claims: bigint): bigint => {
    const paid = claims < left ? claims : left;
    left -= paid;
    return paid;
  };
  const seniorPaid = pay(deposit - junior);
  const backedPaid = pay(backed);
  const juniorPaid = pay(junior);
  const restPaid = pay(rest);
  return { backed, backedPaid, rest, restPaid, creator: seniorPaid + juniorPaid };
}

function paidOf(claim: Claim, { backed, backedPaid, rest, restPaid }: RefundRanks): bigint {
  return partOf(claim.backed, backedPaid, backed) + partOf(claim.rest, restPaid, rest);
}

/** A claim's part of what its rank is paid. */
function partOf(claim: bigint, paid: bigint, claims: bigint): bigint {
  return claim === 0n ? 0n : floorDiv(claim * paid, claims);
}

function refundHolder(turn: Turn, holding: Holding, paid: bigint): void {
  const { state, events } = turn;
  const { account, market } = holding;
  const held = takeShares(state, holding);
  state.ledger.post(market.escrow, -paid);
  state.ledger.post(account.free, paid);
  state.ledger.commit(events, 'refund', market.id);
  if (held.length === 0) recordResult(holding, 0, paid);
  for (const [index, { outcome, shares }] of held.entries()) {
    closePosition(turn, holding, outcome, shares, index === 0 ? paid : 0n, 0n);
  }
  closeHolding(state, holding);
}

/** Closes the gaps that resets left, so that a number of holders is an index among them. */
function keepOrder(market: Market): void {
  const kept = market.holders.filter((holding) => holding !== null);
  for (const [rank, holding] of kept.entries()) {
    holding.rank = rank;
    market.holders[rank] = holding;
  }
  market.holders.length = kept.length;
}
