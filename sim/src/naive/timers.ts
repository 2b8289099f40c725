// What rings by itself: in which order, for what reason, and how much work it was (CM3, CM11).
import { expiryRings, heartbeatRings } from './cancel.ts';
import { passTime } from './clock.ts';
import { chunkRings } from './closing.ts';
import { lockRings, openRings, resumeRings } from './markets.ts';
import { ownLimitsRing } from './own-limits.ts';
import { sampleRings } from './quality.ts';
import { deadlineRings, overdueRings, windowRings } from './resolution.ts';
import { findMarket, isFinal, type NaiveMarket, type NaiveTimer, type World } from './world.ts';

/** In the order in which timers of one moment ring. */
const KINDS = [
  'order_expiry',
  'heartbeat',
  'sample',
  'market_open',
  'market_resume',
  'market_lock',
  'market_chunk',
  'resolution_window',
  'proposal_deadline',
  'ruling_overdue',
  'own_limits',
];

/** Rings what is due, up to so many units; false when it stopped before everything had rung. */
export function runTimers(world: World, untilMs: number, mostUnits: number): boolean {
  for (;;) {
    const next = takeNext(world, untilMs);
    if (next === null) return true;
    if (world.timerUnits >= mostUnits) {
      world.timers.push(next);
      return false;
    }
    passTime(world, next.dueMs);
    world.timerUnits += next.kind === 'sample' ? 4 : 1;
    ring(world, next);
  }
}

/** The next timer that is due; those whose reason has gone are passed over. */
function takeNext(world: World, untilMs: number): NaiveTimer | null {
  world.timers.sort(compareTimers);
  for (;;) {
    const next = world.timers[0];
    if (next === undefined || next.dueMs > untilMs) return null;
    // What was asked for twice rings once.
    world.timers = world.timers.filter((timer) => compareTimers(timer, next) !== 0);
    if (hasReason(world, next)) return next;
  }
}

function compareTimers(x: NaiveTimer, y: NaiveTimer): number {
  if (x.dueMs !== y.dueMs) return x.dueMs - y.dueMs;
  if (x.kind !== y.kind) return KINDS.indexOf(x.kind) - KINDS.indexOf(y.kind);
  if (x.subject === y.subject) return 0;
  return x.subject < y.subject ? -1 : 1;
}

function hasReason(world: World, timer: NaiveTimer): boolean {
  const { kind, subject, dueMs } = timer;
  if (kind === 'order_expiry') {
    return world.orders.some((order) => order.id === subject && order.expiresAtMs === dueMs);
  }
  if (kind === 'heartbeat') return world.heartbeats.get(String(subject)) === dueMs;
  if (kind === 'own_limits') return world.ownLimits.get(String(subject))?.rollsAtMs === dueMs;
  const market = findMarket(world, String(subject));
  return market !== undefined && marketWaitsFor(market, kind, dueMs);
}

function marketWaitsFor(market: NaiveMarket, kind: string, dueMs: number): boolean {
  const { status, proposal } = market;
  switch (kind) {
    case 'sample':
      return status === 'active' && market.sampleAtMs === dueMs && hasBooks(market);
    case 'market_open':
      return status === 'scheduled' && hasBooks(market);
    case 'market_resume':
      return market.halted && market.haltedUntilMs === dueMs;
    case 'market_lock':
      return (status === 'scheduled' || status === 'active') && hasBooks(market);
    case 'market_chunk':
      return market.closing !== null && market.chunkAtMs === dueMs;
    case 'resolution_window':
      return proposal?.state === 'proposed' && proposal.windowEndsAtMs === dueMs;
    case 'proposal_deadline':
      return proposal === null && !isFinal(market) && market.deadlineMs === dueMs;
    default:
      return proposal?.overdueAtMs === dueMs && !isFinal(market);
  }
}

/** Once the orders of a market that closes are gone, there is nobody to look at. */
function hasBooks({ closing }: NaiveMarket): boolean {
  return closing === null || closing.kind === 'lock' || closing.kind === 'void_orders';
}

function ring(world: World, timer: NaiveTimer): void {
  const subject = String(timer.subject);
  switch (timer.kind) {
    case 'order_expiry':
      expiryRings(world, Number(timer.subject));
      break;
    case 'heartbeat':
      heartbeatRings(world, subject);
      break;
    case 'sample':
      sampleRings(world, subject);
      break;
    case 'market_open':
      openRings(world, subject);
      break;
    case 'market_resume':
      resumeRings(world, subject);
      break;
    case 'market_lock':
      lockRings(world, subject);
      break;
    case 'market_chunk':
      chunkRings(world, subject);
      break;
    case 'resolution_window':
      windowRings(world, subject);
      break;
    case 'proposal_deadline':
      deadlineRings(world, subject);
      break;
    case 'own_limits':
      ownLimitsRing(world, subject);
      break;
    default:
      overdueRings(world, subject);
  }
}
