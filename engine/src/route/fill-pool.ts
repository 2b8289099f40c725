// A fill against the pool, with or without cross legs: money becomes sets, the pool gives or takes inventory.
import { floorDiv, type Lots } from '@sibyl/money';
import { rebateOfSafe } from '../fee/rebate.ts';
import type { Order } from '../state/order.ts';
import { fillResting } from '../state/orders/close.ts';
import type { State } from '../state/state.ts';
import type { Turn } from '../state/turn.ts';
import { postFees, splitOf } from './charge.ts';
import type { Leg, Step } from './plan.ts';
import { emitTrade, postMaker, postTaker } from './trade.ts';
import { MakerFill } from './trade-executed.ts';

export function fillPool(turn: Turn, taker: Order, step: Step): void {
  const { state } = turn;
  const { legs } = step;
  const rebates = rebatesOf(state, taker, step);
  let rebate = 0;
  for (const part of rebates) rebate += part;
  const split = splitOf(state, taker, step, rebate);
  const makers = makersOf(legs, rebates);
  const tradeId = emitTrade(turn, taker, step, 'pool', null, split, makers);
  postTaker(state, taker, step, rebate);
  postLegs(state, legs, rebates);
  if (legs.length === 0) payOwner(state, taker, rebate);
  postInventory(state, taker, step);
  postFees(state, taker, split, step.builderFee);
  state.ledger.commitTrade(turn.events, 'fill', tradeId);
  for (const leg of legs) {
    fillResting(state, leg.order, leg.lots as Lots);
  }
}

/** The first of the makers' parts, which are in the order of the legs. */
function makersOf(legs: readonly Leg[], rebates: readonly number[]): MakerFill | null {
  let first: MakerFill | null = null;
  for (let index = legs.length - 1; index >= 0; index -= 1) {
    const { order, lots } = legs[index]!;
    first = new MakerFill(order, lots as Lots, rebates[index]!, first);
  }
  return first;
}

/** One rebate per leg, its share of the base by notional; without legs one, of the pool's owner. */
function rebatesOf(state: State, taker: Order, step: Step): number[] {
  const { makerBps } = taker.holding.market.template.definition.feeSchedule;
  const { fee } = state.parameters;
  const { legs, cost } = step;
  if (legs.length === 0) return [rebateOfSafe(cost, 0, makerBps, fee)];
  const bases: number[] = [];
  const total = BigInt(step.sets - cost);
  let rest = cost;
  for (const leg of legs) {
    const notional = BigInt(leg.lots * leg.order.price);
    const base = Number(floorDiv(BigInt(cost) * notional, total)); // exact: at most the cost
    bases.push(base);
    rest -= base;
  }
  bases[0] = bases[0]! + rest;
  const rebates: number[] = [];
  for (let index = 0; index < legs.length; index += 1) {
    const { quality } = legs[index]!.order.holding;
    rebates.push(rebateOfSafe(bases[index]!, quality, makerBps, fee));
  }
  return rebates;
}

function postLegs(state: State, legs: readonly Leg[], rebates: readonly number[]): void {
  for (let index = 0; index < legs.length; index += 1) {
    const { order, lots } = legs[index]!;
    postMaker(state, order, lots as Lots, rebates[index]!);
  }
}

function payOwner(state: State, taker: Order, rebate: number): void {
  if (rebate === 0) return;
  const { creator } = taker.holding.market;
  state.ledger.post(creator.free, BigInt(rebate));
  creator.addRealized(BigInt(rebate));
}

/** The money mints sets into the pool, which gives the shares sold; selling is the mirror image. */
function postInventory(state: State, taker: Order, step: Step): void {
  const { ledger } = state;
  const { escrow, issue, inventory } = taker.holding.market;
  const buys = taker.side === 'buy';
  const minted = BigInt(buys ? step.sets : -step.sets);
  ledger.post(escrow, minted);
  for (let outcome = 0; outcome < issue.length; outcome += 1) {
    const sold = soldLots(taker, step, outcome) * 10_000;
    ledger.post(issue[outcome]!, -minted);
    ledger.post(inventory[outcome]!, BigInt(buys ? step.sets - sold : sold - step.sets));
  }
}

function soldLots(taker: Order, step: Step, outcome: number): number {
  if (outcome === taker.outcome) return step.lots;
  for (const leg of step.legs) if (leg.order.outcome === outcome) return leg.lots;
  return 0;
}
