import fc from 'fast-check';
import { expect, it } from 'vitest';
import { OpenKeys } from './open-keys.ts';

it('[RM9] an order has the key it was placed under for as long as it is open, whichever ends first', () => {
  const step = fc.record({
    /** How many orders without a key come in between. */
    gap: fc.oneof(fc.nat(3), fc.nat(700)),
    key: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
    ending: fc.option(fc.nat(), { nil: null }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), fc.nat(2 ** 40), (steps, first) => {
      const keys = new OpenKeys();
      const expected = new Map<number, number>();
      const seen: number[] = [];
      let orderId = first;
      for (const { gap, key, ending } of steps) {
        orderId += 1 + gap;
        keys.set(orderId, key);
        expected.set(orderId, key);
        seen.push(orderId, orderId + 1, orderId + 256);
        if (ending === null) continue;
        const ended = seen[ending % seen.length]!;
        keys.delete(ended);
        expected.delete(ended);
      }
      for (const id of seen) expect(keys.get(id)).toBe(expected.get(id) ?? 0);
    }),
  );
});
