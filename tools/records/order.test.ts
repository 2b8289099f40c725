// What every stored order relies on: no two fields share bits, and no code means two words.
import { expect, it } from 'vitest';
import { type Field, ORDER } from './order.ts';

/** Fields that share their bits on purpose: no order has both, or both say the same. */
const SHARED = [
  ['rejectReason', 'cancelReason'],
  ['builder', 'builderAppId'],
];

function bitsOf({ bits }: Field): number[] {
  return bits === undefined ? [] : Array.from({ length: bits.width }, (_, bit) => bits.at + bit);
}

it('[RC1] no two fields of an order lie upon each other in its traits', () => {
  const owners = new Map<number, string>();
  for (const field of ORDER) {
    for (const bit of bitsOf(field)) {
      const owner = owners.get(bit);
      const isShared = SHARED.some(([first, second]) => owner === first && field.name === second);
      if (!isShared) expect(owner, `bit ${bit}, of ${field.name} too`).toBeUndefined();
      owners.set(bit, field.name);
      expect(bit).toBeLessThan(31);
    }
  }
});

it('[RC2] every word has a code of its own that its bits can hold', () => {
  for (const { name, codes, bits, isOptional } of ORDER) {
    const taken = Object.values(codes ?? {});
    expect(new Set(taken).size, name).toBe(taken.length);
    for (const code of taken) expect(code, name).toBeLessThan(2 ** (bits?.width ?? 0));
    // Zero says that there is none.
    if (isOptional) expect(taken, name).not.toContain(0);
  }
  const reasons = ORDER.filter(({ name }) => SHARED[0]!.includes(name));
  const codes = reasons.flatMap((field) => Object.values(field.codes ?? {}));
  expect(new Set(codes).size).toBe(codes.length);
});

it('[RC1] every optional field that the journal keeps has a bit that says if it is given', () => {
  for (const field of ORDER) {
    if (field.isOptional && field.in.includes('placed'))
      expect(field.bits, field.name).toBeDefined();
  }
});
