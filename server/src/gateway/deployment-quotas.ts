// Quotas as they hold in a deployment: those that operators set, times RATE_MULTIPLIER.
import type { CredentialClass, RateCategory } from '@sibyl/contract';
import type { Quotas } from '../handling/quotas.ts';
import type { RateQuotas } from './rate-quotas.ts';

export class DeploymentQuotas {
  readonly #quotas: RateQuotas;
  readonly #multiplier: number;
  /** Worked out once for each that the operators' own are. */
  readonly #scaled = new WeakMap<Quotas, Quotas>();

  /** Where the multiplier is 0 nothing is limited, and the quotas that would hold are told. */
  constructor(quotas: RateQuotas, multiplier: number) {
    this.#quotas = quotas;
    this.#multiplier = multiplier === 0 ? 1 : multiplier;
  }

  of(holder: CredentialClass, nowMs: number): Quotas {
    const set = this.#quotas.of(holder, nowMs);
    const known = this.#scaled.get(set) ?? scaled(set, this.#multiplier);
    this.#scaled.set(set, known);
    return known;
  }

  onChange(listener: () => void): () => void {
    return this.#quotas.onChange(listener);
  }
}

function scaled({ perMinute, announced, untilMs }: Quotas, multiplier: number): Quotas {
  const entries = Object.entries(perMinute).map(([category, each]) => [
    category,
    each * multiplier,
  ]);
  return Object.freeze({
    // The same categories as before.
    perMinute: Object.freeze(Object.fromEntries(entries) as Record<RateCategory, number>),
    announced: announced.map((each) => ({ ...each, perMinute: each.perMinute * multiplier })),
    untilMs,
  });
}
