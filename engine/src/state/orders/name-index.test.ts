import fc from 'fast-check';
import { expect, it } from 'vitest';
import { NameIndex } from './name-index.ts';

/** All positions filed under a hash. */
function positionsOf(index: NameIndex, hash: number): number[] {
  const positions: number[] = [];
  for (let step = index.search(hash, 0); step >= 0; step = index.search(hash, step + 1)) {
    positions.push(index.positionAt(hash, step));
  }
  return positions.sort((a, b) => a - b);
}

it('[OR10] the index finds what was filed and not removed, whatever the hashes', () => {
  // Few values, so that hashes are often equal or neighbours, in two tables.
  const hash = fc.oneof(
    fc.integer({ min: -24, max: 24 }),
    fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  );
  const act = fc.record({ hash, removes: fc.nat(2) });
  let crowded = 0;
  fc.assert(
    fc.property(fc.array(act, { minLength: 1, maxLength: 400 }), (acts) => {
      const index = new NameIndex();
      const filed = new Map<number, number[]>();
      for (const [position, { hash: at, removes }] of acts.entries()) {
        const there = filed.get(at) ?? [];
        if (removes === 0 && there.length > 0) {
          expect(index.remove(at, there.shift()!)).toBe(true);
          expect(index.remove(at, acts.length)).toBe(false);
        } else if (index.add(at, position)) {
          there.push(position);
        } else {
          crowded += 1;
        }
        filed.set(at, there);
      }
      for (const [at, there] of filed) expect(positionsOf(index, at)).toEqual(there);
    }),
    { numRuns: 300 },
  );
  expect(crowded).toBe(0);
});

it('[OR10] the index turns away what would make searches long, and keeps the rest as it grows', () => {
  const index = new NameIndex();
  const kept: number[] = [];
  for (let position = 0; position < 1000; position += 1)
    if (index.add(7, position)) kept.push(position);
  expect(kept.length).toBeGreaterThan(7);
  expect(kept.length).toBeLessThanOrEqual(64);
  // Others make the table grow, in which the crowd stays together.
  const others: number[] = [];
  for (let position = 1000; position < 9000; position += 1) {
    if (index.add(64 + 5 * position, position)) others.push(position);
  }
  expect(others.length).toBeGreaterThan(7500);
  expect(positionsOf(index, 7)).toEqual(kept);
  for (const position of kept) expect(index.remove(7, position)).toBe(true);
  expect(positionsOf(index, 7)).toEqual([]);
  for (const position of others) expect(positionsOf(index, 64 + 5 * position)).toEqual([position]);
});
