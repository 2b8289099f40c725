// Volume that is shown, ranked and rewarded: fills near zero or one move much of it for next to no fee (MK14).

/** The cost of a fill as it counts for volume: 0 outside of 100 to 9,900 pips. */
export function publicVolume(costMicro: number, lots: number): number {
  return costMicro < lots * LEAST_PIPS || costMicro > lots * MOST_PIPS ? 0 : costMicro;
}

const LEAST_PIPS = 100;
const MOST_PIPS = 9_900;
