// Pays a market out: holders by the payout vector, the pool's part to its creator, fees to whom they vest.
import { floorDiv, LOT_MICRO, type Lots, PIPS_ONE, type Pips, type Usdt, usdt } from '@sibyl/money';
import { assert } from '../kit/assert.ts';
import { vestedAccount } from '../ledger/chart.ts';
import { NO_ACCOUNT } from '../ledger/ledger.ts';
import { closeHolding, freeShares, recordResult } from '../position/holdings.ts';
import { addCost, basisOf, freeSlot, type Holding, keptOf, realizedOf } from '../state/holding.ts';
import {
  type Cancellation,
  createFeeSlots,
  type Market,
  type UnvestedFee,
  type VoidClosing,
} from '../state/market.ts';
import type { State } from '../state/state.ts';
import { type Turn, takePostings } from '../state/turn.ts';

/**
 * Pays holders by the payout, in the order in which they first traded, as far as postings go; false when some are left. A
 * cancellation charges no fee and returns those that the market kept.
 */
export function settleHolders(
  turn: Turn,
  market: Market,
  payout: readonly Pips[],
  isVoid: boolean,
): boolean {
  const { holders } = market;
  for (; market.nextHolder < holders.length; market.nextHolder += 1) {
    const holding = holders[market.nextHolder];
    if (holding === null || holding === undefined) continue;
    if (!takePostings(turn, postingsOf(turn.state, holding))) return false;
    settleHolder(turn, holding, payout, isVoid);
  }
  return true;
}

/** What closing a holding counts for: the outcomes that it has shares of, at least one. */
function postingsOf(state: State, holding: Holding): number {
  let held = 0;
  for (let outcome = 0; outcome < holding.market.outcomes.length; outcome += 1) {
    if (freeShares(state, holding, outcome) > 0n) held += 1;
  }
  return held === 0 ? 1 : held;
}

/** One entry for the holder, then one event per outcome held. */
function settleHolder(
  turn: Turn,
  holding: Holding,
  payout: readonly Pips[],
  isVoid: boolean,
): void {
  const { state, events } = turn;
  const { account, market } = holding;
  const isCharged = account !== state.house && !isVoid;
  const returned = isVoid ? keptOf(holding) : 0n;
  const settleBps = isCharged ? market.template.definition.feeSchedule.settleBps : 0;
  const lines = takeShares(state, holding).map(({ outcome, shares }) => {
    const gross = floorDiv(shares * BigInt(payout[outcome]!), PIP_UNIT);
    return { outcome, shares, gross, fee: floorDiv(gross * BigInt(settleBps), BPS_UNIT) };
  });
  const gross = lines.reduce((sum, line) => sum + line.gross, 0n);
  const fee = lines.reduce((sum, line) => sum + line.fee, 0n);
  state.ledger.post(market.escrow, -gross - returned);
  state.ledger.post(account.free, gross - fee + returned);
  if (fee > 0n) state.ledger.post(vestedAccount(state, 'treasury', ''), fee);
  state.ledger.commit(events, 'settlement', market.id);
  if (lines.length === 0) recordResult(holding, 0, returned);
  for (const [index, line] of lines.entries()) {
    closePosition(turn, holding, line, index === 0 ? returned : 0n);
  }
  closeHolding(state, holding);
}

interface HeldShares {
  readonly outcome: number;
  readonly shares: bigint;
}

/** Posts all shares of the holding back against the issue; the entry stays open for the money. */
function takeShares(state: State, holding: Holding): readonly HeldShares[] {
  const { market } = holding;
  const held: HeldShares[] = [];
  for (let outcome = 0; outcome < market.outcomes.length; outcome += 1) {
    const shares = freeShares(state, holding, outcome);
    if (shares === 0n) continue;
    state.ledger.post(freeSlot(holding, outcome), -shares);
    state.ledger.post(market.issue[outcome]!, shares);
    held.push({ outcome, shares });
  }
  return held;
}

interface PaidShares extends HeldShares {
  readonly gross: bigint;
  readonly fee: bigint;
}

function closePosition(
  turn: Turn,
  holding: Holding,
  { outcome, shares, gross, fee }: PaidShares,
  returned: bigint,
): void {
  const { account, market } = holding;
  recordResult(holding, outcome, gross - fee + returned - basisOf(holding, outcome));
  addCost(holding, outcome, -basisOf(holding, outcome));
  turn.events.push({
    type: 'position_settled',
    accountId: account.id,
    marketId: market.id,
    outcomeId: market.outcomes[outcome]!.id,
    lots: lotsOf(shares),
    payout: gross as Usdt,
    settleFee: fee as Usdt,
    feesReturned: returned as Usdt,
    realizedPnl: usdt(realizedOf(holding, outcome)),
  });
}

export interface PoolPart {
  /** What the creator gets for the pool's inventory. */
  readonly returned: bigint;
  /** The rest of the escrow, to insurance. */
  readonly dust: bigint;
}

/** The last of the escrow: the pool's inventory at the payout vector, and what rounding left to insurance. */
export function settlePool(turn: Turn, market: Market, payout: readonly Pips[]): PoolPart {
  let returned = 0n;
  for (const { outcome, shares } of takeInventory(turn.state, market)) {
    returned += floorDiv(shares * BigInt(payout[outcome]!), PIP_UNIT);
  }
  return payPool(turn, market, returned, BigInt(market.outcomes.length) - 1n);
}

/** The same of a cancellation: all of the rest, which is the inventory's worth exactly, up to a cap (VD15). */
export function voidPool(
  turn: Turn,
  market: Market,
  payout: readonly Pips[],
  cause: Cancellation['cause'],
): PoolPart {
  const rest = turn.state.ledger.balance(market.escrow);
  let worth = 0n;
  for (const { outcome, shares } of takeInventory(turn.state, market)) {
    worth += shares * BigInt(payout[outcome]!);
  }
  assert(worth === rest * PIP_UNIT, `${market.id} has fees of its holders left, or too little`);
  const cap = poolCapOf(market, cause);
  return payPool(turn, market, cap !== null && cap < rest ? cap : rest, rest);
}

/** A creator makes no profit on a cancellation that the creator's own wording caused; null: no cap. */
export function poolCapOf({ deposit }: Market, cause: Cancellation['cause']): bigint | null {
  return cause === 'question' ? deposit : null;
}

function payPool(turn: Turn, market: Market, returned: bigint, dustMax: bigint): PoolPart {
  const { state } = turn;
  const rest = state.ledger.balance(market.escrow);
  const dust = rest - returned;
  assert(dust >= 0n, `the escrow of ${market.id} does not cover its payouts`);
  assert(dust <= dustMax, `the dust of ${market.id} is more than rounding`);
  state.ledger.post(market.escrow, -rest);
  state.ledger.post(market.creator.free, returned);
  state.ledger.post(state.insurance, dust);
  state.ledger.commit(turn.events, 'settlement', market.id);
  returnStake(market, returned);
  return { returned, dust };
}

/** Posts the pool's inventory back against the issue; the entry stays open for the money. */
function takeInventory(state: State, market: Market): readonly HeldShares[] {
  const held: HeldShares[] = [];
  for (const [outcome, account] of market.inventory.entries()) {
    const shares = state.ledger.balance(account);
    if (shares === 0n) continue;
    state.ledger.post(account, -shares);
    state.ledger.post(market.issue[outcome]!, shares);
    held.push({ outcome, shares });
  }
  return held;
}

/** The creator's deposit is no longer staked: what it returned less or more is the creator's result. */
function returnStake(market: Market, returned: bigint): void {
  market.creator.staked -= market.deposit;
  market.creator.realized += returned - market.deposit;
}

/** Releases what was kept in the market, as far as postings go; false when some is left. */
export function vestFees(turn: Turn, market: Market): boolean {
  const { state } = turn;
  const isDone = passFees(turn, market, ({ actor, id }, amount) => {
    state.ledger.post(vestedAccount(state, actor, id), amount);
  });
  state.ledger.commit(turn.events, 'vesting', market.id);
  return isDone;
}

/** Moves the unvested fees of a market that is cancelled into its escrow; false when some are left. */
export function collectFees(turn: Turn, market: Market, closing: VoidClosing): boolean {
  const { ledger } = turn.state;
  let sum = 0n;
  const isDone = passFees(turn, market, (_, amount) => {
    sum += amount;
  });
  ledger.post(market.escrow, sum);
  ledger.commit(turn.events, 'refund', market.id);
  closing.feesReturned += sum;
  return isDone;
}

/** In the order in which they were first used, which a restored state keeps; each is a posting of MK11. */
function passFees(
  turn: Turn,
  market: Market,
  take: (fee: UnvestedFee, amount: bigint) => void,
): boolean {
  const { ledger } = turn.state;
  for (const [key, fee] of market.unvested) {
    if (!takePostings(turn, 1)) return false;
    const amount = ledger.balance(fee.account);
    ledger.post(fee.account, -amount);
    take(fee, amount);
    ledger.close(fee.account);
    market.unvested.delete(key);
  }
  return true;
}

/** The market's ledger accounts are empty now and are given up. */
export function closeMarketAccounts(state: State, market: Market): void {
  assert(
    market.holders.every((holding) => holding === null),
    `${market.id} ends with holders`,
  );
  assert(market.openOrders === 0, `${market.id} ends with open orders`);
  assert(market.unvested.size === 0, `${market.id} ends with unvested fees`);
  Object.assign(market.feeSlots, createFeeSlots());
  for (const account of market.inventory) state.ledger.close(account);
  for (const account of market.issue) state.ledger.close(account);
  state.ledger.close(market.escrow);
  market.escrow = NO_ACCOUNT;
  market.issue = market.issue.map(() => NO_ACCOUNT);
  market.inventory = market.inventory.map(() => NO_ACCOUNT);
}

const PIP_UNIT = BigInt(PIPS_ONE);
const BPS_UNIT = 10_000n;

function lotsOf(shares: bigint): Lots {
  assert(shares % LOT_MICRO === 0n, 'holders hold whole lots');
  return Number(floorDiv(shares, LOT_MICRO)) as Lots; // exact: holdings are below 2^53 lots
}
