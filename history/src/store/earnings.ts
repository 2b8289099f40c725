// What creators, builders and referrers earned by the trades of others, as it is stored and as it is read.

/** Columns of the rows of a batch; those from `volume` on are amounts. */
export const EARNING = {
  earner: 0,
  day: 1,
  market: 2,
  fills: 3,
  volume: 4,
  accrued: 5,
  returned: 6,
  credited: 7,
  width: 8,
} as const;

/** What one earner came to in some time, in one market or in all. */
export interface Earned {
  readonly fills: number;
  /** Taker notional of those fills. */
  readonly volume: bigint;
  /** Its share of fees, and a builder's own. */
  readonly accrued: bigint;
  /** What cancelled markets gave back of it. */
  readonly returned: bigint;
  /** What was paid of it. */
  readonly credited: bigint;
}

export const NOTHING_EARNED: Earned = Object.freeze({
  fills: 0,
  volume: 0n,
  accrued: 0n,
  returned: 0n,
  credited: 0n,
});

export function addEarned(one: Earned, other: Earned): Earned {
  return {
    fills: one.fills + other.fills,
    volume: one.volume + other.volume,
    accrued: one.accrued + other.accrued,
    returned: one.returned + other.returned,
    credited: one.credited + other.credited,
  };
}

/** The days, both included, are whole UTC days since 1970. */
export interface EarningQuery {
  readonly earner: number;
  readonly firstDay: number;
  readonly lastDay: number;
}

export interface EarningRow extends Earned {
  readonly day: number;
  /** 0 for what belongs to none, as credits do. */
  readonly market: number;
}
