// Challenge windows run in window time: one that has not run its time goes on when its timer rings (RS9).
import { graceEndMs } from './clock.ts';
import type { NaiveMarket, World } from './world.ts';

const HOUR_MS = 3_600_000;

/** Sets the timer anew if the window has time left; false when it is over. */
export function moveWindow(world: World, market: NaiveMarket): boolean {
  const { proposal } = market;
  if (proposal === null) throw new Error('reference: a window without a proposal');
  const leftMs = proposal.windowClockEnd - world.windowClockMs;
  if (leftMs <= 0) return false;
  const dueMs = world.readOnly
    ? world.nowMs + Math.max(leftMs, HOUR_MS)
    : Math.max(world.nowMs, graceEndMs(world)) + leftMs;
  proposal.windowEndsAtMs = dueMs;
  world.timers.push({ dueMs, kind: 'resolution_window', subject: market.id });
  world.events.push({
    type: 'resolution_window_moved',
    marketId: market.id,
    windowEndsAtMs: dueMs,
  });
  return true;
}
