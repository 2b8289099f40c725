// When makers are looked at, computed apart from the engine.
import { createHmac } from 'node:crypto';
import type { Market } from '../src/market/market.ts';
import type { Outcome } from '../src/outcome.ts';
import type { World } from './world.ts';

const MINUTE = 60_000;

/** The second of QS4, by the platform's own HMAC. */
export function lookSecond(marketId: string, mark: number, secret: string): number {
  return createHmac('sha256', secret).update(`${marketId}|${mark}`).digest().readUInt32BE(0) % 60;
}

/** The moment of a market's look in the minute of its so-and-so-manieth mark. */
export function lookAt(world: World, market: Market, count: number): number {
  const mark = Math.floor(market.activeSinceMs! / MINUTE) + count;
  const { lookSecret } = world.state.parameters.quality;
  return mark * MINUTE + lookSecond(market.id, mark, lookSecret) * 1000;
}

/** Lets time pass until that look. */
export function passToLook(world: World, market: Market, count: number): Outcome {
  return world.pass(lookAt(world, market, count) - world.nowMs);
}

/** All looks up to that one, each in its time. */
export function passLooks(world: World, market: Market, from: number, to: number): void {
  for (let count = from; count <= to; count += 1) passToLook(world, market, count);
}
