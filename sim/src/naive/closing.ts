// How a market ends: orders go first, then the holders one by one, then pool and fees; large ones over several turns.
import { endWindow, returnBonds } from './bonds.ts';
import { shownPrices } from './mid.ts';
import { closeOrder } from './order-state.ts';
import { at, shareOut } from './pool.ts';
import {
  payHolder,
  payPool,
  refundHolder,
  refundPool,
  returnFees,
  unvestedOf,
  vestFees,
} from './settlement.ts';
import {
  balance,
  escrowName,
  freeShares,
  isFinal,
  type NaiveClosing,
  type NaiveHolder,
  type NaiveMarket,
  needMarket,
  ordersOf,
  type World,
} from './world.ts';

/** Active → locked, and on to the proposal when there is one. */
export function beginLock(world: World, market: NaiveMarket, propose: boolean): void {
  market.closing = { kind: 'lock', propose };
  advance(world, market);
}

export function beginSettlement(
  world: World,
  market: NaiveMarket,
  payout: readonly number[],
): void {
  market.closing = { kind: 'settle', payout };
  advance(world, market);
}

export function beginVoid(world: World, market: NaiveMarket, reason: string): void {
  returnBonds(world, market);
  market.closing = { kind: 'void_orders', reason };
  advance(world, market);
}

export function chunkRings(world: World, marketId: string): void {
  const market = needMarket(world, marketId);
  if (market.closing !== null) advance(world, market);
}

/** As much of the closing as one turn may do. */
function advance(world: World, market: NaiveMarket): void {
  for (;;) {
    const closing = market.closing;
    if (closing === null) return;
    if (closing.kind === 'lock' || closing.kind === 'void_orders') {
      const left = ordersOf(world, market.id).sort((x, y) => x.id - y.id);
      for (const order of left.slice(0, world.closingsLeft)) {
        closeOrder(world, order, closing.kind === 'lock' ? 'market_locked' : 'market_cancelled');
      }
      if (left.length > world.closingsLeft) {
        world.closingsLeft = 0;
        later(world, market);
        return;
      }
      world.closingsLeft -= left.length;
      if (closing.kind === 'lock') {
        finishLock(world, market, closing.propose);
        return;
      }
      startVoid(world, market, closing.reason);
    } else {
      const holders = [...market.holders].sort((x, y) => (x.accountId < y.accountId ? -1 : 1));
      for (const holder of holders) {
        const counts = isOwed(world, market, holder, closing);
        if (counts && world.closingsLeft === 0) {
          later(world, market);
          return;
        }
        if (counts) world.closingsLeft -= 1;
        if (closing.kind === 'settle')
          payHolder(world, market, holder, closing.payout, 'settlement');
        else if (closing.payout !== null)
          payHolder(world, market, holder, closing.payout, 'refund');
        else refundHolder(world, market, holder);
        market.holders = market.holders.filter((each) => each !== holder);
      }
      finish(world, market);
      return;
    }
  }
}

/** Holders without shares to whom nothing is owed are closed in passing. */
function isOwed(
  world: World,
  market: NaiveMarket,
  holder: NaiveHolder,
  closing: NaiveClosing,
): boolean {
  const refunds = closing.kind === 'void' && closing.payout === null;
  if (refunds && holder.net > 0n) return true;
  return market.outcomes.some(
    (_, index) => freeShares(world, holder.accountId, market.id, index) > 0n,
  );
}

function later(world: World, market: NaiveMarket): void {
  world.timers.push({ dueMs: world.nowMs + 1, kind: 'market_chunk', subject: market.id });
}

function changeStatus(world: World, market: NaiveMarket, to: NaiveMarket['status']): void {
  world.events.push({
    type: 'market_status_changed',
    marketId: market.id,
    from: market.status,
    to,
  });
  market.status = to;
}

function finishLock(world: World, market: NaiveMarket, propose: boolean): void {
  market.closing = null;
  market.halted = false;
  market.haltedUntilMs = null;
  changeStatus(world, market, 'locked');
  if (propose) settleAfterProposal(world, market);
}

/** Locked → settling; a window that is over already ends at once. */
export function settleAfterProposal(world: World, market: NaiveMarket): void {
  changeStatus(world, market, 'settling');
  const { proposal } = market;
  if (
    proposal !== null &&
    proposal.state === 'proposed' &&
    proposal.windowEndsAtMs <= world.nowMs
  ) {
    finishWindow(world, market);
  }
}

/** The window ended without a dispute. */
export function finishWindow(world: World, market: NaiveMarket): void {
  const payout = endWindow(world, market);
  if (payout === null) beginVoid(world, market, 'void');
  else beginSettlement(world, market, payout);
}

/** Chooses the rule of a cancellation once no order is left. */
function startVoid(world: World, market: NaiveMarket, reason: string): void {
  let payout: readonly number[] | null = null;
  if (market.status !== 'scheduled') {
    if (market.template.voidRule === 'last_price') payout = toPips(shownPrices(world, market), 1n);
    else {
      let money = balance(world, escrowName(market.id));
      for (const { amount } of unvestedOf(world, market)) money += amount;
      let claims = 0n;
      for (const holder of market.holders) if (holder.net > 0n) claims += holder.net;
      if (claims > money) payout = averagePrices(world, market);
    }
  }
  market.closing = { kind: 'void', reason, payout };
  if (payout === null) returnFees(world, market, escrowName(market.id));
}

/** Mean of the displayed prices at the last day's minute marks, in pips that sum to 10000. */
function averagePrices(world: World, market: NaiveMarket): readonly number[] {
  let wanted = world.parameters.quality.windowSamples;
  const sums = market.outcomes.map(() => 0n);
  let count = 0n;
  for (const run of [...market.marks].reverse()) {
    const taken = Math.min(wanted, run.count);
    for (let index = 0; index < sums.length; index += 1) {
      sums[index] = at(sums, index) + BigInt(taken) * at(run.prices, index);
    }
    count += BigInt(taken);
    wanted -= taken;
  }
  return count === 0n ? toPips(shownPrices(world, market), 1n) : toPips(sums, count);
}

function toPips(sums: readonly bigint[], count: bigint): readonly number[] {
  const unit = count * 100n;
  return shareOut(
    sums.map((sum) => sum / unit),
    sums.map((sum) => sum % unit),
    10000n,
  ).map(Number);
}

/** Pool, fees and the last events once no holder is left. */
function finish(world: World, market: NaiveMarket): void {
  const { closing } = market;
  if (closing === null || isFinal(market)) throw new Error('reference: nothing to finish');
  const marketId = market.id;
  if (closing.kind === 'settle') {
    const { poolPayout, dust } = payPool(world, market, closing.payout, 'settlement');
    vestFees(world, market);
    world.events.push({
      type: 'market_resolved',
      marketId,
      payout: closing.payout,
      poolPayout,
      dust,
    });
    end(world, market, 'resolved');
  } else if (closing.kind === 'void') {
    let returned: bigint;
    if (closing.payout === null) returned = refundPool(world, market);
    else {
      returned = payPool(world, market, closing.payout, 'refund').poolPayout;
      returnFees(world, market, 'insurance');
    }
    const rule = closing.payout === null ? 'refund' : 'prices';
    const { reason, payout } = closing;
    world.events.push({ type: 'market_cancelled', marketId, reason, rule, payout, returned });
    end(world, market, 'cancelled');
  }
}

function end(world: World, market: NaiveMarket, status: 'resolved' | 'cancelled'): void {
  market.closing = null;
  market.halted = false;
  market.haltedUntilMs = null;
  changeStatus(world, market, status);
}
