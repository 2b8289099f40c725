import { describe, expect, it } from 'vitest';
import { runFlips } from './flips.ts';

describe('flipped bits', () => {
  it.each(['crashed', 'closed'] as const)(
    '[P5] 80 flips in the files of a lane that was %s',
    async (end) => {
      const report = await runFlips(80, 3, end);
      console.log(end, { ...report, wrong: report.wrong.length });
      expect(report.wrong).toEqual([]);
      expect(report.refused).toBeGreaterThan(10);
      expect(report.fellBack).toBeGreaterThan(5);
    },
  );
});
