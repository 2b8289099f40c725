import fc from 'fast-check';
import { expect, it } from 'vitest';
import { NameIndex } from './name-index.ts';

/** All places filed under a hash. */
function placesOf(index: NameIndex, hash: number): number[] {
  const places: number[] = [];
  for (let step = index.search(hash, 0); step >= 0; step = index.search(hash, step + 1)) {
    places.push(index.placeAt(hash, step));
  }
  return places.sort((a, b) => a - b);
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
      for (const [place, { hash: at, removes }] of acts.entries()) {
        const there = filed.get(at) ?? [];
        if (removes === 0 && there.length > 0) {
          expect(index.remove(at, there.shift()!)).toBe(true);
          expect(index.remove(at, acts.length)).toBe(false);
        } else if (index.add(at, place)) {
          there.push(place);
        } else {
          crowded += 1;
        }
        filed.set(at, there);
      }
      for (const [at, there] of filed) expect(placesOf(index, at)).toEqual(there);
    }),
    { numRuns: 300 },
  );
  expect(crowded).toBe(0);
});

it('[OR10] the index turns away what would make searches long, and keeps the rest as it grows', () => {
  const index = new NameIndex();
  const kept: number[] = [];
  for (let place = 0; place < 1000; place += 1) if (index.add(7, place)) kept.push(place);
  expect(kept.length).toBeGreaterThan(7);
  expect(kept.length).toBeLessThanOrEqual(64);
  // Others make the table grow, in which the crowd stays together.
  const others: number[] = [];
  for (let place = 1000; place < 9000; place += 1) {
    if (index.add(64 + 5 * place, place)) others.push(place);
  }
  expect(others.length).toBeGreaterThan(7500);
  expect(placesOf(index, 7)).toEqual(kept);
  for (const place of kept) expect(index.remove(7, place)).toBe(true);
  expect(placesOf(index, 7)).toEqual([]);
  for (const place of others) expect(placesOf(index, 64 + 5 * place)).toEqual([place]);
});
