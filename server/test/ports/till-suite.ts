// What the books of a local custody must do, whatever they are kept in.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PlatformStore } from '../../src/ports/platform.ts';
import type { PlatformHarness } from './platform-suite.ts';

const entry = (entryId: string, amount: bigint) => ({ entryId, amount, note: 'DE89 ☃', atMs: 5 });

export function describeTill(name: string, create: () => Promise<PlatformHarness>): void {
  describe(`till: ${name}`, () => {
    let harness: PlatformHarness;
    let store: PlatformStore;

    beforeEach(async () => {
      harness = await create();
      store = await harness.open();
    });
    afterEach(async () => {
      await store.close();
      await harness.dispose();
    });

    it('[CU4] an entry counts once, and the balance is the sum of all, to the unit', async () => {
      const { till } = store;
      expect(await till.balance()).toBeNull();
      // More than a number holds.
      const large = 288_230_376_151_711_743n;
      expect(await till.enter(entry('received a', large))).toBe(true);
      expect(await till.enter(entry('received b', large - 1n))).toBe(true);
      expect(await till.enter(entry('paid wd_1', -3n))).toBe(true);
      expect(await till.enter(entry('paid wd_1', -3n))).toBe(false);
      expect(await till.balance()).toBe(2n * large - 4n);
      expect(await till.known(['paid wd_2', 'paid wd_1'])).toEqual(['paid wd_1']);
      expect(await till.known([])).toEqual([]);
      if (!harness.isDurable) return;
      await store.close();
      store = await harness.open();
      expect(await store.till.balance()).toBe(2n * large - 4n);
    });
  });
}
