// Everything decided about an order before anything changes: its checks in order of precedence, then its walk.
import { formatMoney, LOT_MICRO, type Lots, PIPS_ONE, type Pips, usdt } from '@sibyl/money';
import { frozen } from '../account/money.ts';
import { checkExcluded } from '../compliance/own-limits.ts';
import type { Side } from '../kit/identity.ts';
import { micro } from '../kit/micro.ts';
import { bandOf, boundedLimit, NO_BAND, type OtherBands, otherBands } from '../market/band.ts';
import { freeShares } from '../position/holdings.ts';
import { checkDistance, givenAway } from '../risk/given.ts';
import { checkExpiry, checkGrantCap } from '../risk/grant.ts';
import { checkLimits } from '../risk/limits.ts';
import { checkTier } from '../risk/tier.ts';
import { planMid } from '../route/mid.ts';
import {
  countedCost,
  endAtBand,
  type Intent,
  type Plan,
  quartersOf,
  UNBOUNDED,
} from '../route/plan.ts';
import { planWalk } from '../route/walk.ts';
import type { Account } from '../state/account.ts';
import { mayAct } from '../state/authority.ts';
import type { Credential } from '../state/cap-use.ts';
import type { Actor, BuilderFee, PlaceOrder, StpMode } from '../state/command.ts';
import type { RejectReason } from '../state/event.ts';
import type { Holding } from '../state/holding.ts';
import { type Market, outcomeIndex } from '../state/market.ts';
import type { FeeParameters } from '../state/parameters.ts';
import { invalid, type Rejection, reject } from '../state/reject.ts';
import type { State } from '../state/state.ts';
import { checkMoney } from './funds.ts';
import {
  checkFields,
  checkLargestBet,
  checkLeastBet,
  checkMinimum,
  checkTick,
  rests,
} from './validate.ts';

/** The ends of the range, which bound market orders. */
const HIGHEST = (PIPS_ONE - 1) as Pips;
const LOWEST = 1 as Pips;

/** An order that passed its checks: what walks, and what will become of it. Like the plan it is used again. */
export class Placement implements Intent {
  command!: PlaceOrder;
  market!: Market;
  account!: Account;
  holding: Holding | undefined = undefined;
  outcome = 0;
  side: Side = 'buy';
  limit = LOWEST;
  bound = LOWEST;
  bandFromFill = NO_BAND;
  otherBands: OtherBands | null = null;
  quarters = 0;
  /** Before the walk the size entered, then capped by reduce_only. */
  lots = 0 as Lots;
  stpMode: StpMode = 'cancel_resting';
  grantId: string | null = null;
  budget = UNBOUNDED;
  builderBps = 0;
  fees!: FeeParameters;
  credential: Credential | null = null;
  /** What a sell gives away, if anything counts it. */
  given = 0;
  /** Null when it was rejected. */
  plan: Plan | null = null;
  rejectReason: RejectReason | null = null;

  begin(
    state: State,
    command: PlaceOrder,
    market: Market,
    account: Account,
    holding: Holding | undefined,
    outcome: number,
  ): void {
    const { side, price, maxCost, builder } = command;
    this.command = command;
    this.market = market;
    this.account = account;
    this.holding = holding;
    this.outcome = outcome;
    this.side = side;
    this.limit = price ?? (side === 'buy' ? HIGHEST : LOWEST);
    this.lots = command.lots;
    this.stpMode = command.stpMode;
    this.grantId = command.grant === null ? null : command.grant.grantId;
    this.budget = maxCost === null ? UNBOUNDED : budgetOf(maxCost);
    this.builderBps = builder === null ? 0 : builder.feeBps;
    this.fees = state.parameters.fee;
    this.bound = boundedLimit(state, market, outcome, side, this.limit);
    this.otherBands = otherBands(state, market);
    this.quarters = quartersOf(command.timeInForce);
    this.bandFromFill = market.pool === null && price === null ? bandOf(state, market) : NO_BAND;
    this.credential = credentialOf(state, command, account);
    this.given = 0;
    this.plan = null;
    this.rejectReason = null;
  }
}

const PLACEMENT = new Placement();

export function preparePlacement(
  state: State,
  actor: Actor,
  command: PlaceOrder,
  isMinted = false,
): Placement | Rejection {
  const fault = checkFields(command, state.nowMs);
  if (fault !== null) return fault;
  const market = state.markets.get(command.marketId);
  const account = state.accounts.get(command.accountId);
  const outcome = market === undefined ? -1 : outcomeIndex(market, command.outcomeId);
  const holding =
    market === undefined || account === undefined
      ? undefined
      : state.holdings.find(account, market);
  if (market !== undefined) {
    const unfit = checkAgainstMarket(state, command, market, holding, outcome);
    if (unfit !== null) return unfit;
  }
  if (command.execution === 'mid' && state.lane !== 'sandbox') return reject('SANDBOX_ONLY');
  if (account === undefined || !mayAct(state, actor, command.accountId)) {
    return reject('NOT_FOUND', { account_id: String(command.accountId) });
  }
  // One that is closed is not there, which comes first.
  if (command.grant !== null && account.closedAtMs === null) {
    const expired = checkExpiry(state, command.grant);
    if (expired !== null) return expired;
  }
  if (account.frozen) return frozen(account);
  if (!account.isPlain && account.family.limits !== null && command.side === 'buy') {
    const excluded = checkExcluded(state, account);
    if (excluded !== null) return excluded;
  }
  if (market === undefined) {
    return reject('MARKET_NOT_FOUND', { market_id: String(command.marketId) });
  }
  const closed = checkDuplicate(state, account, command) ?? checkOpen(market);
  if (closed !== null) return closed;
  const capped = command.builder === null ? null : checkBuilder(state, command.builder);
  if (capped !== null) return capped;
  PLACEMENT.begin(state, command, market, account, holding, outcome);
  return walk(state, PLACEMENT, isMinted);
}

/** Whether the market takes orders now. */
export function checkOpen(market: Market): Rejection | null {
  if (!market.approved) return reject('MARKET_NOT_APPROVED', { market_id: market.id });
  if (market.status !== 'active' || market.closing !== null) {
    return reject('MARKET_CLOSED', { market_id: market.id, status: market.status });
  }
  return market.halted ? reject('MARKET_HALTED', { market_id: market.id }) : null;
}

function checkAgainstMarket(
  state: State,
  command: PlaceOrder,
  market: Market,
  holding: Holding | undefined,
  outcome: number,
): Rejection | null {
  const { price, lots, reduceOnly } = command;
  if (outcome < 0) return invalid('outcome_id', 'an outcome of the market');
  if (reduceOnly && command.side === 'buy' && market.outcomes.length > 2) {
    return invalid('reduce_only', 'sells only in a market of more than two outcomes');
  }
  if (price !== null) {
    const untidy = checkTick(market, price);
    if (untidy !== null) return untidy;
  }
  const fault =
    checkMinimum(market, lots) ??
    (price === null || reduceOnly ? null : checkLeastBet(market, price * lots));
  if (fault === null || closesPosition(state, command, holding, outcome)) return null;
  return fault;
}

/** A sell of all free shares, or a reduce_only order of at least what it can close. */
function closesPosition(
  state: State,
  command: PlaceOrder,
  holding: Holding | undefined,
  outcome: number,
): boolean {
  const { lots, reduceOnly, side } = command;
  const closable = closableLots(state, holding, outcome, side);
  if (closable === 0) return false;
  return reduceOnly ? lots >= closable : side === 'sell' && lots === closable;
}

/** Free shares that an order of this kind would close: the same outcome's for a sell, the other's for a buy. */
function closableLots(
  state: State,
  holding: Holding | undefined,
  outcome: number,
  side: PlaceOrder['side'],
): number {
  if (holding === undefined) return 0;
  // Among more than two outcomes a buy closes nothing.
  if (side === 'buy' && holding.market.outcomes.length > 2) return 0;
  const held = freeShares(state, holding, side === 'sell' ? outcome : 1 - outcome);
  return Number(held / LOT_MICRO); // exact: users hold whole lots
}

function checkDuplicate(state: State, account: Account, command: PlaceOrder): Rejection | null {
  if (command.clientOrderId === null) return null;
  const known = state.clientOrderIds.get(account, command.clientOrderId);
  return known === undefined ? null : reject('ALREADY_EXISTS', { order_id: known });
}

function checkBuilder(state: State, builder: BuilderFee): Rejection | null {
  const { builderFeeBpsMax } = state.parameters.fee;
  const cap = builder.capBps < builderFeeBpsMax ? builder.capBps : builderFeeBpsMax;
  return builder.feeBps <= cap ? null : reject('BUILDER_FEE_ABOVE_CAP', { cap_bps: cap });
}

/** What is sold out of sets minted for it need not be there yet. */
function walk(state: State, placement: Placement, isMinted: boolean): Placement | Rejection {
  const { command } = placement;
  const { validUntilMs, timeInForce } = command;
  if (validUntilMs !== null && state.nowMs > validUntilMs) return rejected(placement, 'late');
  if (command.reduceOnly) {
    const { holding, outcome, side } = placement;
    const closable = closableLots(state, holding, outcome, side);
    if (closable === 0) return rejected(placement, 'nothing_to_reduce');
    if (closable < placement.lots) placement.lots = closable as Lots;
  }
  const plan = planOf(state, placement, command.execution, command.postOnly);
  const small = rests(timeInForce) ? endTooSmall(state, plan) : null;
  if (small !== null) return small;
  const resting = plan.stopReason === null && rests(timeInForce) ? plan.remaining : 0;
  const refused =
    checkNotional(state, placement, plan, resting) ??
    checkDistance(state, plan, resting, command) ??
    checkLimits(state, plan, resting, null);
  if (refused !== null) return refused;
  if (command.postOnly && plan.remaining < placement.lots) {
    return rejected(placement, 'post_only_would_take');
  }
  if (timeInForce === 'fok' && plan.remaining > 0) return rejected(placement, 'fok_unfilled');
  const lacking = isMinted ? null : checkMoney(state, plan, resting, null);
  if (lacking !== null) return lacking;
  placement.plan = plan;
  return placement;
}

/** A post_only order is held against all that it would take at its own limit, before its band cuts it short. */
export function planOf(
  state: State,
  intent: Intent,
  execution: PlaceOrder['execution'],
  postOnly: boolean,
): Plan {
  if (execution === 'mid') return planMid(state, intent);
  const hasBand = intent.bound !== intent.limit || intent.otherBands !== null;
  if (!postOnly || !hasBand) return planWalk(intent);
  const plan = planWalk({ ...intent, bound: intent.limit, otherBands: null });
  plan.intent = intent;
  endAtBand(plan);
  return plan;
}

/** Bids of many outcomes hold prices: what would rest of one too small to do so is cancelled, or refused if nothing filled. */
export function endTooSmall(state: State, plan: Plan): Rejection | null {
  const { market, side, limit } = plan.intent;
  if (market.hasOneBook || side === 'sell') return null;
  if (plan.remaining === 0 || plan.stopReason !== null) return null;
  const least = state.parameters.risk.bidReserveMin;
  if (micro(plan.remaining * limit) >= least) return null;
  if (plan.cost === 0) return tooSmall(least);
  plan.stopReason = 'too_small';
  return null;
}

export function tooSmall(least: bigint): Rejection {
  return invalid('size', `a resting bid of at least ${formatMoney(usdt(least), 'USDT')}`);
}

function rejected(placement: Placement, reason: RejectReason): Placement {
  placement.rejectReason = reason;
  return placement;
}

/** A budget beyond what any order can cost is none. */
function budgetOf(maxCost: bigint): number {
  const bound = micro(UNBOUNDED);
  return maxCost >= bound ? UNBOUNDED : Number(maxCost); // exact: below 2⁵³
}

/** Bets and caps, known only once the order has been planned (OR2, RK1). */
function checkNotional(
  state: State,
  placement: Placement,
  plan: Plan,
  resting: number,
): Rejection | null {
  const { command, market, holding, outcome, credential } = placement;
  const { price, side, caps, grant } = command;
  if (price === null && plan.cost > 0 && !command.reduceOnly) {
    const small = checkLeastBet(market, plan.cost);
    if (small !== null && !closesPosition(state, command, holding, outcome)) return small;
  }
  const asked = side === 'buy' && price !== null ? price * command.lots : null;
  const notional = asked ?? plan.cost + resting * placement.limit;
  const large = checkLargestBet(market, notional);
  if (large !== null || credential === null) return large;
  placement.given = givenAway(state, plan, resting);
  const given = micro(placement.given);
  const filled = countedCost(plan);
  const counted = asked === null ? filled + resting * placement.limit : larger(asked, filled);
  const more = micro(counted) + given;
  const demand = { notional: more, day: dayDemand(plan, more, given), more, given };
  return (
    checkTier(state, caps, credential, demand) ?? checkGrantCap(state, grant, credential, demand)
  );
}

/** A sell is held against the cap of the day for what it gives away alone, unless its fill is simulated. */
export function dayDemand({ intent, first }: Plan, more: bigint, given: bigint): bigint | null {
  if (intent.side === 'buy' || first?.kind === 'house') return more;
  return given > 0n ? given : null;
}

export function larger(one: number, other: number): number {
  return one > other ? one : other;
}

/** Most orders have none: they are asked no further. */
function credentialOf(
  state: State,
  { caps, grant }: PlaceOrder,
  account: Account,
): Credential | null {
  if (caps === null && grant === null) return null;
  return state.capUses.credentialOf(account, caps, grant);
}
