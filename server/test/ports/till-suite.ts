// What the books of a local custody must do, whatever they are kept in.
import { describe, expect, it } from 'vitest';
import { stageOf } from './platform-stage.ts';
import type { PlatformHarness } from './platform-suite.ts';

const entry = (entryId: string, amount: bigint) => ({ entryId, amount, note: 'DE89 ☃', atMs: 5 });

export function describeTill(name: string, create: () => Promise<PlatformHarness>): void {
  describe(`till: ${name}`, () => {
    const stage = stageOf(create);

    it('[CU4] an entry counts once, and the balance is the sum of all, to the unit', async () => {
      const { till } = stage.store;
      expect(await till.balance()).toBeNull();
      // More than a number holds.
      const large = 288_230_376_151_711_743n;
      expect(await till.enter(entry('received a', large))).toBe(true);
      expect(await till.enter(entry('received b', large - 1n))).toBe(true);
      expect(await till.enter(entry('paid wd_1', -3n))).toBe(true);
      expect(await till.enter(entry('paid wd_1', -3n))).toBe(false);
      expect(await till.balance()).toBe(2n * large - 4n);
      expect(await till.enter(entry('paid wd_3', 0n))).toBe(true);
      const asked = ['paid wd_2', 'paid wd_1', 'paid wd_3'];
      const found = [...(await till.entries(asked))];
      found.sort((one, other) => one.entryId.localeCompare(other.entryId));
      expect(found).toEqual([entry('paid wd_1', -3n), entry('paid wd_3', 0n)]);
      expect(await till.entries([])).toEqual([]);
      const told = { ...entry('paid wd_4', -1n), note: 'transfer 4', by: 'opr_tom' };
      expect(await till.enter(told)).toBe(true);
      expect(await till.enter({ ...told, by: 'opr_ann' })).toBe(false);
      expect(await till.noted('transfer 4')).toEqual([told]);
      expect(await till.noted('transfer')).toEqual([]);
      if (!(await stage.reopen())) return;
      expect(await stage.store.till.entries(['paid wd_4'])).toEqual([told]);
      expect(await stage.store.till.balance()).toBe(2n * large - 5n);
    });
  });
}
