// The pool as a holder: its deposit, the complete sets it put in, its inventory and surplus.

import { assert, present } from '../kit/assert.ts';
import {
  isFunded,
  LIQUIDITY_MAX,
  LIQUIDITY_MIN,
  OUTCOMES_MAX,
  type PoolParameters,
  priorParameters,
  uniformParameters,
} from './cost.ts';
import { PoolView } from './view.ts';

/** Everything a pool is, as plain values, for snapshots and hashes. */
export interface PoolRecord {
  readonly b: bigint;
  readonly deposit: bigint;
  readonly initial: readonly bigint[];
  readonly q: readonly bigint[];
  readonly sets: bigint;
  readonly surplus: bigint;
}

export type PoolRefusal = 'deposit_too_small' | 'deposit_too_large' | 'prior_invalid';

export type PoolResult =
  | { readonly ok: true; readonly pool: Pool }
  | { readonly ok: false; readonly reason: PoolRefusal };

/** A pool of equal prices, or of prices in proportion to the prior's integer weights, each at least 1 %. */
export function createPool(
  deposit: bigint,
  outcomes: number,
  prior?: readonly bigint[],
): PoolResult {
  assert(outcomes >= 2 && outcomes <= OUTCOMES_MAX, 'a market has 2 to 64 outcomes');
  if (prior !== undefined && !isPrior(prior, outcomes)) return refuse('prior_invalid');
  const parameters =
    prior === undefined ? uniformParameters(deposit, outcomes) : priorParameters(deposit, prior);
  if (parameters.b < LIQUIDITY_MIN) return refuse('deposit_too_small');
  if (parameters.b > LIQUIDITY_MAX) return refuse('deposit_too_large');
  return fundPool(deposit, parameters);
}

/** Accepts a deposit exactly when it covers the largest loss of these parameters. */
export function fundPool(deposit: bigint, parameters: PoolParameters): PoolResult {
  if (!isFunded(deposit, parameters)) return refuse('deposit_too_small');
  const { b, initial } = parameters;
  const record = { b, deposit, initial, q: initial, sets: deposit, surplus: 0n };
  return { ok: true, pool: new Pool(record) };
}

export function restorePool(record: PoolRecord): Pool {
  return new Pool(record);
}

export class Pool {
  readonly b: bigint;
  readonly deposit: bigint;
  readonly initial: readonly bigint[];
  #view: PoolView;
  #opening: PoolView | undefined;
  #sets: bigint;
  #surplus: bigint;

  constructor(record: PoolRecord) {
    assert(record.initial.length === record.q.length, 'as many quantities as outcomes');
    assert(record.b >= LIQUIDITY_MIN, 'liquidity in range');
    assert(record.b <= LIQUIDITY_MAX, 'liquidity in range');
    this.b = record.b;
    this.deposit = record.deposit;
    this.initial = record.initial.slice();
    this.#view = new PoolView(record.b, record.q);
    this.#sets = record.sets;
    this.#surplus = record.surplus;
  }

  /** The live quantities. Read them; plan on a copy. */
  get view(): PoolView {
    return this.#view;
  }

  /** As it was before anybody traded; made when first asked for. */
  get opening(): PoolView {
    this.#opening ??= new PoolView(this.b, this.initial);
    return this.#opening;
  }

  /** Complete sets the pool has put in, net: minted with money received, merged to pay. */
  get sets(): bigint {
    return this.#sets;
  }

  /** What buyers paid above the cost function. It never falls. */
  get surplus(): bigint {
    return this.#surplus;
  }

  /** Shares of the outcome the pool holds. */
  inventory(outcome: number): bigint {
    const sold = this.#view.q(outcome) - present(this.initial[outcome], 'outcome of the pool');
    return this.#sets - sold;
  }

  /**
   * Takes over a planned view for the money the pool received, negative if it paid. Receiving less than the change
   * of the cost function would leave payouts uncovered, so it is a defect.
   */
  adopt(planned: PoolView, received: bigint): void {
    assert(planned.b === this.b, 'planned on this pool');
    assert(planned.outcomes === this.#view.outcomes, 'planned on this pool');
    const excess = received - (planned.cost() - this.#view.cost());
    assert(excess >= 0n, 'the pool receives at least the change of its cost function');
    this.#view = planned;
    this.#sets += received;
    this.#surplus += excess;
    for (let outcome = 0; outcome < planned.outcomes; outcome++) {
      assert(this.inventory(outcome) >= 0n, 'the pool holds no negative inventory');
    }
  }

  record(): PoolRecord {
    return {
      b: this.b,
      deposit: this.deposit,
      initial: this.initial,
      q: this.#view.quantities().slice(),
      sets: this.#sets,
      surplus: this.#surplus,
    };
  }
}

function isPrior(weights: readonly bigint[], outcomes: number): boolean {
  if (weights.length !== outcomes) return false;
  const total = weights.reduce((sum, weight) => sum + weight, 0n);
  return weights.every((weight) => weight > 0n && weight * 100n >= total);
}

function refuse(reason: PoolRefusal): PoolResult {
  return { ok: false, reason };
}
