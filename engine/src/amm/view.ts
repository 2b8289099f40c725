// The quantities a pool has sold, with cached exponentials: what a planner copies, quotes on and moves.

import { assert, present } from '../kit/assert.ts';
import { costOf, largest, OUTCOMES_MAX, weightRelativeTo } from './cost.ts';
import { estimateLog, exponentFactor, LOG_ERROR, WIDE_ONE, weight } from './estimate.ts';
import { Group } from './group.ts';

/** The quantity an outcome is to have. */
export interface Move {
  readonly outcome: number;
  readonly q: bigint;
}

/**
 * Weights e^((q - reference)/b) and their sum are kept so that a quote costs one exponential and one logarithm
 * whatever the number of outcomes. The reference is any quantity near the largest: moving it changes no answer,
 * because every answer is the definition's (see estimate.ts).
 */
export class PoolView {
  readonly b: bigint;
  readonly outcomes: number;
  readonly #factor: bigint;
  readonly #spread: bigint;
  readonly #q: bigint[];
  #reference = 0n;
  #weights: bigint[] = [];
  #sum = 0n;
  #cost: bigint | undefined;
  #probe: Probe | undefined;
  #rest: Rest | undefined;
  #defined: DefinedWeights | undefined;
  #displayed: readonly bigint[] | undefined;

  constructor(b: bigint, q: readonly bigint[], source?: PoolView) {
    assert(q.length >= 2 && q.length <= OUTCOMES_MAX, 'a pool has 2 to 64 outcomes');
    this.b = b;
    this.outcomes = q.length;
    this.#q = q.slice();
    this.#factor = source === undefined ? exponentFactor(b) : source.#factor;
    this.#spread = b * LOG_ERROR;
    if (source === undefined) {
      this.#rebase();
    } else {
      this.#reference = source.#reference;
      this.#weights = source.#weights.slice();
      this.#sum = source.#sum;
      this.#cost = source.#cost;
      this.#defined = source.#defined;
    }
  }

  copy(): PoolView {
    return new PoolView(this.b, this.#q, this);
  }

  q(outcome: number): bigint {
    return present(this.#q[outcome], 'outcome of the pool');
  }

  quantities(): readonly bigint[] {
    return this.#q;
  }

  /** The cost function at the present quantities. */
  cost(): bigint {
    this.#cost ??= this.#decideCost(this.#reference, this.#sum) ?? this.#costFar(this.#q);
    return this.#cost;
  }

  /** The cost function once every named outcome has its new quantity; changes nothing. */
  costAfter(moves: readonly Move[]): bigint {
    if (this.#probe !== undefined && sameMoves(this.#probe.moves, moves)) return this.#probe.cost;
    const weights: bigint[] = [];
    let sum = this.#sum;
    for (const { outcome, q } of moves) {
      const after = this.weightAt(q);
      weights.push(after);
      sum += after - this.weight(outcome);
    }
    const cost =
      this.#decideCost(this.#reference, sum) ?? this.#costFar(this.#quantitiesAfter(moves));
    this.#probe = { moves, weights, sum, cost };
    return cost;
  }

  move(outcome: number, q: bigint): void {
    this.moveAll([{ outcome, q }]);
  }

  /** Outcomes must be distinct. Moving to what was just quoted costs no further arithmetic. */
  moveAll(moves: readonly Move[]): void {
    const cost = this.costAfter(moves);
    const { weights, sum } = present(this.#probe, 'probe of the quoted moves');
    moves.forEach(({ outcome, q }, index) => {
      this.#q[outcome] = q;
      this.#weights[outcome] = present(weights[index], 'weight of a move');
      if (this.#rest?.outcome !== outcome) this.#rest = undefined;
    });
    this.#sum = sum;
    this.#cost = cost;
    this.#probe = undefined;
    this.#displayed = undefined;
    this.#defined = undefined;
    if (sum < REBASE_BELOW || sum > REBASE_ABOVE) this.#rebase();
  }

  /** Adds the amount to every quantity: sets minted or merged through the pool. The cost shifts by exactly it, prices stay. */
  shift(amount: bigint): void {
    const cost = this.cost() + amount;
    for (let i = 0; i < this.#q.length; i++) this.#q[i] = this.q(i) + amount;
    this.#reference += amount;
    this.#cost = cost;
    this.#probe = undefined;
    this.#rest = undefined;
  }

  /** Prices worked out at the present quantities, until one moves: marks ask for them whether anybody traded or not. */
  displayed(work: (view: PoolView) => readonly bigint[]): readonly bigint[] {
    this.#displayed ??= work(this);
    return this.#displayed;
  }

  /** The weights by definition, for a comparison that the cached ones leave open. A shift changes none of them. */
  definedWeights(): DefinedWeights {
    if (this.#defined === undefined) {
      const most = largest(this.#q);
      const weights = this.#q.map((q) => weightRelativeTo(q, this.b, most));
      this.#defined = { weights, sum: weights.reduce((sum, one) => sum + one, 0n) };
    }
    return this.#defined;
  }

  /** The cached weight of an outcome; for this folder only, like everything below. */
  weight(outcome: number): bigint {
    return present(this.#weights[outcome], 'outcome of the pool');
  }

  weightAt(q: bigint): bigint {
    return weight(q - this.#reference, this.#factor);
  }

  /** e^((q - reference)/b) from any reference. */
  weightFrom(reference: bigint, q: bigint): bigint {
    return weight(q - reference, this.#factor);
  }

  /** What the cached weights are relative to. */
  get reference(): bigint {
    return this.#reference;
  }

  get sum(): bigint {
    return this.#sum;
  }

  /** All other outcomes, kept while only this one moves. */
  rest(outcome: number): Group {
    if (this.#rest?.outcome !== outcome) {
      const others: number[] = [];
      for (let other = 0; other < this.outcomes; other++) {
        if (other !== outcome) others.push(other);
      }
      const group = new Group(this, others, this.#sum - this.weight(outcome));
      this.#rest = { outcome, group };
    }
    return this.#rest.group;
  }

  /** reference + floor(b·log), unless the error straddles an integer; `error` widens the usual one. */
  decideTarget(reference: bigint, log: bigint, error = 0n): bigint | undefined {
    const middle = this.b * log;
    const spread = error === 0n ? this.#spread : this.#spread + this.b * error;
    const low = (middle - spread) >> 128n;
    return low === (middle + spread) >> 128n ? reference + low : undefined;
  }

  /** The cost for a sum of weights, unless its estimate straddles an integer. */
  #decideCost(reference: bigint, sum: bigint): bigint | undefined {
    const log = estimateLog(sum);
    if (log === undefined) return undefined;
    const middle = this.b * log + COST_GUARD_AND_CEILING;
    const low = (middle - this.#spread) >> 128n;
    return low === (middle + this.#spread) >> 128n ? reference + low : undefined;
  }

  /** The cost at quantities too far from the reference for cached weights, or one that only the definition decides. */
  #costFar(q: readonly bigint[]): bigint {
    const most = largest(q);
    let sum = 0n;
    for (const one of q) sum += this.weightFrom(most, one);
    return this.#decideCost(most, sum) ?? costOf(q, this.b);
  }

  #quantitiesAfter(moves: readonly Move[]): readonly bigint[] {
    const after = this.#q.slice();
    for (const { outcome, q } of moves) after[outcome] = q;
    return after;
  }

  #rebase(): void {
    this.#reference = largest(this.#q);
    this.#weights = this.#q.map((q) => this.weightAt(q));
    this.#sum = this.#weights.reduce((sum, value) => sum + value, 0n);
    this.#rest = undefined;
  }
}

interface Probe {
  readonly moves: readonly Move[];
  readonly weights: readonly bigint[];
  readonly sum: bigint;
  readonly cost: bigint;
}

interface Rest {
  readonly outcome: number;
  readonly group: Group;
}

interface DefinedWeights {
  readonly weights: readonly bigint[];
  readonly sum: bigint;
}

/** 2^-32, the guard of the cost function, plus what turns a floor into a ceiling. */
const COST_GUARD_AND_CEILING = (1n << 96n) + WIDE_ONE - 1n;

/** Far inside the bounds of estimateLog, so that quotes around the present quantities stay within them. */
const REBASE_BELOW = 1n << 120n;
const REBASE_ABOVE = 1n << 148n;

function sameMoves(a: readonly Move[], b: readonly Move[]): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  return a.every((move, i) => move.outcome === b[i]?.outcome && move.q === b[i]?.q);
}
