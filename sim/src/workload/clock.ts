// The workload's clock: mostly small steps, often to the very edge of something, sometimes days, sometimes back.
import type { Prng } from '../prng.ts';
import type { View } from './view.ts';

const START_MS = 1_767_571_200_000;

export class WorkloadClock {
  nowMs: number;
  readonly #random: Prng;
  #highMs = 0;

  constructor(random: Prng) {
    this.#random = random;
    this.nowMs = START_MS + random.between(0, 86_400_000);
  }

  pass(view: View): void {
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
    if (random.chance(1, 3000)) this.nowMs += random.between(0, 7_200_000);
    if (random.chance(1, 9000)) this.nowMs += random.pick([1, 3, 9]) * 86_400_000;
    if (random.chance(1, 60)) this.nowMs = Math.max(this.nowMs, this.#someDueTime(view));
    // The engine's clock never goes back, so this one catches up again after a jump.
    this.#highMs = Math.max(this.#highMs, this.nowMs);
    if (random.chance(1, 3)) this.nowMs = this.#highMs;
  }

  /** The moment at which some market opens or locks. */
  #someDueTime(view: View): number {
    const soon = [...view.markets.values()]
      .flatMap((market) => [market.opensAtMs, market.locksAtMs])
      .filter((ms) => ms > this.nowMs && ms < this.nowMs + 600_000);
    return soon.length === 0 ? this.nowMs : this.#random.pick(soon);
  }
}
