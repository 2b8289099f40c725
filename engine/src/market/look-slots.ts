// When the makers of a market are looked at: the active markets are spread over the time between two marks.
import type { MarketId } from '../identity.ts';
import type { Market } from './market.ts';

/** So many moments between two marks have looks; with a mark a minute these are its seconds. */
export const LOOK_SLOTS = 60;

/** Follows from the id's text alone: numbers of markets differ after a restore. */
export function lookSlotOf(id: MarketId): number {
  let hash = 0;
  for (let index = 0; index < id.length; index += 1) {
    hash = (hash * MULTIPLIER + id.charCodeAt(index)) % MODULUS; // exact: below 2^46
  }
  return hash % LOOK_SLOTS;
}

const MULTIPLIER = 16_807;
const MODULUS = 2_147_483_647;

/** How long after its mark the look of a slot is. */
export function lookDelayMs(slot: number, sampleMs: number): number {
  return (slot * (sampleMs - (sampleMs % LOOK_SLOTS))) / LOOK_SLOTS; // exact: the remainder was taken off
}

/**
 * The active markets by slot, in ascending order of id; no more than a short cut to them. A market enters when it becomes
 * active, which it does once; one that has left is dropped when its slot is next asked for.
 */
export class LookSlots {
  readonly #slots: Market[][] = Array.from({ length: LOOK_SLOTS }, () => []);

  add(market: Market): void {
    const listed = this.#slots[market.lookSlot]!;
    let place = listed.length;
    while (place > 0 && listed[place - 1]!.id > market.id) place -= 1;
    listed.splice(place, 0, market);
  }

  at(slot: number): readonly Market[] {
    const listed = this.#slots[slot]!;
    if (listed.every(isActive)) return listed;
    const active = listed.filter(isActive);
    this.#slots[slot] = active;
    return active;
  }

  /** Whether any active market is of this kind. */
  some(isMeant: (market: Market) => boolean): boolean {
    return this.#slots.some((_, slot) => this.at(slot).some(isMeant));
  }
}

export function isActive(market: Market): boolean {
  return market.status === 'active';
}
