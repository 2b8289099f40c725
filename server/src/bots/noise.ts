// Reproducible chance: a small generator, and curves that wander smoothly as pure functions of time.

/** A 32-bit hash of a text: the same everywhere, so that a seeded sandbox is the same everywhere. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return mix(hash);
}

export class Chance {
  #state: number;

  constructor(seed: string) {
    this.#state = hashText(seed);
  }

  /** A whole number from 0 to below the limit. */
  below(limit: number): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    return Math.floor((mix(this.#state) / 0x1_0000_0000) * limit);
  }

  /** A whole number between both ends, these included. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  percent(chance: number): boolean {
    return this.below(100) < chance;
  }

  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.below(choices.length)] ?? choices[0];
  }
}

/** Between -1 and 1: a slow swing with ever faster and smaller ones on top. */
export function wander(seed: string, atMs: number): number {
  let height = 0;
  for (const [periodMs, amplitude] of OCTAVES) {
    const position = atMs / periodMs;
    const step = Math.floor(position);
    const along = position - step;
    const ease = along * along * (3 - 2 * along);
    const from = lattice(seed, periodMs, step);
    height += amplitude * (from + (lattice(seed, periodMs, step + 1) - from) * ease);
  }
  return height;
}

const MINUTE_MS = 60_000;
const OCTAVES: readonly (readonly [periodMs: number, amplitude: number])[] = [
  [10_000 * MINUTE_MS, 0.5],
  [1_440 * MINUTE_MS, 0.25],
  [180 * MINUTE_MS, 0.15],
  [23 * MINUTE_MS, 0.07],
  [2 * MINUTE_MS, 0.03],
];

function lattice(seed: string, periodMs: number, step: number): number {
  return hashText(`${seed}|${periodMs}|${step}`) / 0x8000_0000 - 1;
}

function mix(value: number): number {
  let mixed = value;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
