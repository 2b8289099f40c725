// What an attack is: a strategy with numbers to turn, a ledger of what it cost and brought, and the bound it tries to pass.

/** One number of a strategy: what it is by default, and between what it may be varied. Always a whole number. */
export interface Knob {
  readonly usual: number;
  readonly low: number;
  readonly high: number;
}

export type Values<K extends string = string> = Readonly<Record<K, number>>;

/** Money is µUSDT as bigint; anything else a plain number. */
export type Measured = bigint | number;

/** What the value and its bound count: money is in µUSDT. */
export type Unit = 'usdt' | 'markets' | 'events' | 'units' | 'pips' | 'lots' | 'ms' | 'quality';

export interface Report {
  /** What the attackers paid or gave up, in µUSDT. */
  readonly putIn: bigint;
  /** What they got for it. */
  readonly tookOut: bigint;
  readonly measure: Readonly<Record<string, Measured>>;
  readonly unit: Unit;
  /** What the attack makes large. */
  readonly value: bigint;
  /** What the rule promises: the attack succeeds when its value is above this. */
  readonly bound: bigint;
  /** Commands that the engine took for it. */
  readonly commands: number;
  /** How often each refusal came: an attack that fails should fail for the reason that the rule gives. */
  readonly refused: ReadonlyMap<string, number>;
}

export interface Attack<K extends string = string> {
  /** The rule that it tries to break. */
  readonly rule: string;
  readonly name: string;
  readonly knobs: Readonly<Record<K, Knob>>;
  run(values: Values<K>): Report;
}

/** Forgets the names of the knobs, so that attacks of all kinds stand in one list. */
export function attack<K extends string>(strategy: Attack<K>): Attack {
  return strategy;
}

export function knob(usual: number, low: number, high: number): Knob {
  return { usual, low, high };
}

export function usualValues(strategy: Attack): Values {
  const values: Record<string, number> = {};
  for (const [name, { usual }] of Object.entries(strategy.knobs)) values[name] = usual;
  return values;
}

export function succeeds(report: Report): boolean {
  return report.value > report.bound;
}
