// The workload's clock: mostly small steps, often to the very edge of something, sometimes days, sometimes back.

import type { PlainParameters } from '../naive/plain.ts';
import type { Prng } from '../prng.ts';
import type { KnownMarket, View } from './view.ts';

const START_MS = 1_767_571_200_000;

export class WorkloadClock {
  nowMs: number;
  readonly #random: Prng;
  readonly #resolution: PlainParameters['resolution'];
  #highMs = 0;

  constructor(random: Prng, resolution: PlainParameters['resolution']) {
    this.#random = random;
    this.#resolution = resolution;
    this.nowMs = START_MS + random.between(0, 86_400_000);
  }

  advance(view: View): void {
    const random = this.#random;
    const toMinute = 60_000 - (this.nowMs % 60_000);
    const toSecond = 1000 - (this.nowMs % 1000);
    this.nowMs += random.weighted([
      [300, 0],
      [400, random.between(0, 300)],
      [200, random.between(0, 3000)],
      [30, random.between(0, 30_000)],
      [12, toMinute],
      [4, toMinute - 1],
      [12, toSecond],
      [4, toSecond - 1],
      [2, random.between(0, 900_000)],
      [4, -random.between(0, 5_000)],
      [1, -random.between(0, 3 * 86_400_000)],
    ]);
    if (random.chance(1, 2000)) this.skip(7_200_000);
    if (random.chance(1, 9000)) this.nowMs += random.pick([1, 3, 9]) * 86_400_000;
    if (random.chance(1, 60)) this.#awaitSome(view, 600_000, marketTimes);
    // Windows and rulings take hours or days; in read-only mode it matters most that they do.
    if (random.chance(1, view.readOnly ? 30 : 500))
      this.#awaitSome(view, 10 * 86_400_000, (market) => this.#rulingTimes(market));
    // The engine's clock never goes back, so this one catches up again after a jump.
    this.#highMs = Math.max(this.#highMs, this.nowMs);
    if (random.chance(1, 3)) this.nowMs = this.#highMs;
  }

  /** Nothing happens for a while. */
  skip(mostMs: number): void {
    this.nowMs += this.#random.between(0, mostMs);
  }

  /** Goes on to a moment at which something is due, at most so far ahead. */
  #awaitSome(view: View, withinMs: number, timesOf: (market: KnownMarket) => number[]): void {
    const soon = [...view.markets.values()]
      .flatMap(timesOf)
      .filter((ms) => ms > this.nowMs && ms < this.nowMs + withinMs);
    if (soon.length > 0) this.nowMs = this.#random.pick(soon) + this.#random.pick([-1, 0, 0, 1]);
  }

  #rulingTimes(market: KnownMarket): number[] {
    const { rulingAlarmMs, rulingDeadlineMs, proposalDeadlineMs } = this.#resolution;
    if (market.status === 'locked') return [market.closesAtMs + proposalDeadlineMs];
    const { windowEndsAtMs, proposedAtMs } = market;
    const sinceMs = market.disputedAtMs ?? proposedAtMs;
    if (windowEndsAtMs === null || sinceMs === null) return [];
    const rulings = [sinceMs + rulingAlarmMs, sinceMs + rulingDeadlineMs];
    return market.disputedAtMs === null ? [windowEndsAtMs, ...rulings] : rulings;
  }
}

const marketTimes = (market: KnownMarket): number[] => [market.opensAtMs, market.locksAtMs];
