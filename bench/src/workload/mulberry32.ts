// The pseudo-random generator of every workload: 32 bits of state, the same numbers on every machine.

const INCREMENT = 0x6d2b79f5;

/** Gives unsigned 32-bit integers; a number below n is `next() % n`. */
export function mulberry32(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + INCREMENT) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}
