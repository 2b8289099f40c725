// Some outcomes of a pool taken together, with what a walk asks of them again and again while the pool stands still.

import { largest, logOf, type RelativeLog, sumRelativeTo } from './cost.ts';
import { estimateLog } from './estimate.ts';
import type { PoolView } from './view.ts';

/** A logarithm with what else was in the sum. */
interface LogWith {
  readonly extra: bigint | undefined;
  readonly value: RelativeLog;
}

interface RelativeSum {
  readonly reference: bigint;
  readonly sum: bigint;
}

/** Made from a view and void once that view moves. At least one outcome. */
export class Group {
  readonly outcomes: readonly number[];
  /** Of the cached weights, which are relative to the view's reference. */
  readonly sum: bigint;
  readonly #view: PoolView;
  #quantities: readonly bigint[] | undefined;
  #estimated: LogWith | undefined;
  #own: RelativeSum | undefined;
  #definedLog: LogWith | undefined;
  #definedSum: RelativeSum | undefined;

  constructor(view: PoolView, outcomes: readonly number[], sum: bigint) {
    this.#view = view;
    this.outcomes = outcomes;
    this.sum = sum;
  }

  /** The largest quantity of the group. */
  get most(): bigint {
    return this.#ownSum().reference;
  }

  /**
   * The group and, if given, one outcome more at quantity `extra`: estimated with LOG_ERROR. Where the view's reference
   * is far from them, which makes their weights vanish or overflow, the largest of them is the reference.
   */
  estimatedLog(extra?: bigint): RelativeLog {
    if (this.#estimated === undefined || this.#estimated.extra !== extra) {
      this.#estimated = { extra, value: this.#estimateLog(extra) };
    }
    return this.#estimated.value;
  }

  /** The same by definition, with 96 fractional bits. */
  definedLog(extra?: bigint): RelativeLog {
    if (this.#definedLog === undefined || this.#definedLog.extra !== extra) {
      const q = extra === undefined ? this.#q() : [...this.#q(), extra];
      this.#definedLog = { extra, value: logOf(q, this.#view.b) };
    }
    return this.#definedLog.value;
  }

  /** The weights' sum relative to a quantity not below the group's largest, within 2^-98 of itself plus 2^8 units. */
  estimatedSum(reference: bigint): bigint {
    const own = this.#ownSum();
    if (reference === own.reference) return own.sum;
    return (own.sum * this.#view.weightFrom(reference, own.reference)) >> 128n;
  }

  /** The same by definition, with 96 fractional bits. */
  definedSum(reference: bigint): bigint {
    if (this.#definedSum === undefined || this.#definedSum.reference !== reference) {
      const sum = sumRelativeTo(this.#q(), this.#view.b, reference);
      this.#definedSum = { reference, sum };
    }
    return this.#definedSum.sum;
  }

  #estimateLog(extra: bigint | undefined): RelativeLog {
    const view = this.#view;
    const sum = extra === undefined ? this.sum : this.sum + view.weightAt(extra);
    const near = estimateLog(sum);
    if (near !== undefined) return { reference: view.reference, log: near };
    const reference = extra === undefined || extra < this.most ? this.most : extra;
    const own = this.estimatedSum(reference);
    const whole = extra === undefined ? own : own + view.weightFrom(reference, extra);
    return { reference, log: estimateLog(whole)! };
  }

  #ownSum(): RelativeSum {
    if (this.#own === undefined) {
      const reference = largest(this.#q());
      let sum = 0n;
      for (const q of this.#q()) sum += this.#view.weightFrom(reference, q);
      this.#own = { reference, sum };
    }
    return this.#own;
  }

  #q(): readonly bigint[] {
    this.#quantities ??= this.outcomes.map((outcome) => this.#view.q(outcome));
    return this.#quantities;
  }
}
