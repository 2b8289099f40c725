// When makers are checked, computed apart from the engine.
import { createHmac } from 'node:crypto';
import type { Market } from '../src/state/market.ts';
import type { Outcome } from '../src/state/outcome.ts';
import type { World } from './world.ts';

const MINUTE = 60_000;

/** The second of QS4, by the platform's own HMAC. */
export function checkSecond(marketId: string, mark: number, secret: string): number {
  return createHmac('sha256', secret).update(`${marketId}|${mark}`).digest().readUInt32BE(0) % 60;
}

/** The moment of a market's check in the minute of its given mark, counted from the first. */
export function checkTime(world: World, market: Market, count: number): number {
  const mark = Math.floor(market.activeSinceMs! / MINUTE) + count;
  const { lookSecret } = world.state.parameters.quality;
  return mark * MINUTE + checkSecond(market.id, mark, lookSecret) * 1000;
}

/** Lets time pass until that check. */
export function passToCheck(world: World, market: Market, count: number): Outcome {
  return world.pass(checkTime(world, market, count) - world.nowMs);
}

/** All checks up to that one, each in its time. */
export function passChecks(world: World, market: Market, from: number, to: number): void {
  for (let count = from; count <= to; count += 1) passToCheck(world, market, count);
}
