// What is kept of the limits that users set themselves.

/** A limit that was asked for, and from when on it holds. */
export interface NaiveWish {
  readonly amount: bigint | null;
  readonly fromMs: number;
}

export interface NaiveMovement {
  readonly name: string;
  readonly amount: bigint;
  readonly reason: string;
}

/** Of a family, by its owner. */
export interface NaiveOwnLimits {
  /** What was asked for by kind and period; the last that has come into force holds. */
  readonly wishes: Map<string, NaiveWish[]>;
  excludedUntilMs: number;
  /** Everything that moved the family's money since its first limit. */
  readonly movements: NaiveMovement[];
  /** How many of the movements were before the day, the week and the month that is counted. */
  readonly starts: Map<string, number>;
  rollsAtMs: number;
}
