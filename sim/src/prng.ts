// Seeded randomness in integers only, so that a seed means the same workload on every machine.

/** xoshiro128** seeded by splitmix32; draws are unsigned 32-bit integers. */
export class Prng {
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  constructor(seed: number) {
    let state = seed >>> 0;
    const next = (): number => {
      state = (state + 0x9e3779b9) >>> 0;
      let z = state;
      z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
      z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
      return (z ^ (z >>> 15)) >>> 0;
    };
    this.#a = next();
    this.#b = next();
    this.#c = next();
    this.#d = next() | 1;
  }

  bits(): number {
    const scrambled = Math.imul(this.#b, 5);
    const result = Math.imul((scrambled << 7) | (scrambled >>> 25), 9) >>> 0;
    const t = this.#b << 9;
    this.#c ^= this.#a;
    this.#d ^= this.#b;
    this.#b ^= this.#c;
    this.#a ^= this.#d;
    this.#c ^= t;
    this.#d = (this.#d << 11) | (this.#d >>> 21);
    return result;
  }

  /** A whole number from low to high, both included. */
  between(low: number, high: number): number {
    const span = high - low + 1;
    if (span <= 1) return low;
    if (span > 0x1_0000_0000) return low + (this.wide() % span);
    return low + (this.bits() % span);
  }

  /** True with a chance of `part` in `whole`. */
  chance(part: number, whole: number): boolean {
    return this.bits() % whole < part;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.bits() % items.length];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  }

  /** One of the values by weight. */
  weighted<T>(choices: readonly (readonly [number, T])[]): T {
    let total = 0;
    for (const [weight] of choices) total += weight;
    let draw = this.bits() % total;
    for (const [weight, value] of choices) {
      if (draw < weight) return value;
      draw -= weight;
    }
    throw new Error('weights do not sum');
  }

  /** A 53-bit whole number. */
  wide(): number {
    return (this.bits() >>> 11) * 0x1_0000_0000 + this.bits();
  }
}
