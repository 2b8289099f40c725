// Lots that an account filled in a market as a maker: so many that it converts have the discount of its quality (FE8).
import { dayOf } from './cap-use.ts';
import type { Holding } from './holding.ts';
import type { State } from './state.ts';

/** Of one UTC day and of the day before, less what conversions have used. */
export interface Made {
  day: number;
  today: number;
  before: number;
}

/** Counts a fill of a resting order. */
export function countMade(state: State, holding: Holding, lots: number): void {
  const made = madeOn(dayOf(state.nowMs), holding);
  holding.made = made;
  made.today = made.today + lots < MADE_MAX ? made.today + lots : MADE_MAX;
}

/** As of today, without a change of what the holding has. */
export function madeOf(state: State, holding: Holding): Made {
  const day = dayOf(state.nowMs);
  return { ...madeOn(day, holding) };
}

/** So many lots of a conversion may have the discount. */
export function discounted(state: State, holding: Holding | undefined, lots: number): number {
  if (holding === undefined || holding.quality === 0) return 0;
  const { today, before } = madeOf(state, holding);
  return today + before < lots ? today + before : lots;
}

/** Takes them off, those of yesterday first. */
export function useMade(state: State, holding: Holding, lots: number): void {
  const made = madeOn(dayOf(state.nowMs), holding);
  holding.made = made;
  const old = lots < made.before ? lots : made.before;
  made.before -= old;
  made.today -= lots - old;
}

function madeOn(day: number, { made }: Holding): Made {
  if (made === null) return { day, today: 0, before: 0 };
  if (made.day === day) return made;
  return { day, today: 0, before: made.day === day - 1 ? made.today : 0 };
}

/** The sum of two is still a safe integer. */
const MADE_MAX = 1_000_000_000_000_000;
