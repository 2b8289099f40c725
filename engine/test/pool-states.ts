// Random pools for properties: any number of outcomes, any liquidity in range, quantities spread over many b.
import fc from 'fast-check';

export interface PoolState {
  readonly b: bigint;
  readonly q: readonly bigint[];
}

/** Log-uniform from 1 USDT to 2^50 µ. */
export const liquidity: fc.Arbitrary<bigint> = fc
  .tuple(fc.integer({ min: 20, max: 49 }), fc.bigInt({ min: 0n, max: 2n ** 49n }))
  .map(([bits, low]) => {
    const b = 2n ** BigInt(bits) + (low & (2n ** BigInt(bits) - 1n));
    return b < 1_000_000n ? 1_000_000n : b;
  });

export function poolState(outcomesMax: number, spread = 20): fc.Arbitrary<PoolState> {
  return liquidity.chain((b) => {
    const near = fc.bigInt({ min: -b, max: b });
    const far = fc.bigInt({ min: -b * BigInt(spread), max: b * BigInt(spread) });
    const one = fc.oneof(near, far, fc.constant(0n));
    return fc.array(one, { minLength: 2, maxLength: outcomesMax }).map((q) => ({ b, q }));
  });
}

/** Prices between about 1 % and 99 % for few outcomes. */
export function calmState(outcomesMax: number): fc.Arbitrary<PoolState> {
  return liquidity.chain((b) =>
    fc
      .array(fc.bigInt({ min: -2n * b, max: 2n * b }), { minLength: 2, maxLength: outcomesMax })
      .map((q) => ({ b, q })),
  );
}

/** Spreads small integers over large ones; the published digests are taken over points made with it. */
export function mix(i: bigint): bigint {
  return i ** 5n * 0x9e3779b97f4a7c15n + i;
}
