import { describe, expect, it } from 'vitest';
import { cut, type RecordingOptions, record } from './power-cuts.ts';
import { findStrace } from './strace.ts';

const strace = findStrace();

describe('power cuts', () => {
  if (strace.program === null && process.platform !== 'linux') {
    it(`[P1] could not be tried: ${strace.missing}`, () => {
      console.warn(`power cuts were NOT tested: ${strace.missing}`);
    });
    return;
  }

  const recorded = (changes: Partial<RecordingOptions>) => {
    expect(strace.missing).toBeNull();
    return record({ strace: strace.program!, commands: 250, seed: 1, ...changes });
  };

  it('[P1] no cut loses what was acknowledged, and every image opens', async () => {
    const report = await cut(await recorded({}), 60, 2);
    console.log({ ...report, lost: report.lost.length, refused: report.refused.length });
    expect(report.lost).toEqual([]);
    expect(report.refused).toEqual([]);
    expect(report.images).toBe(180);
    expect(report.acknowledged).toBeGreaterThan(250);
    expect(report.snapshotsUsed).toBeGreaterThan(10);
  });

  it('[P1] the same cuts catch a journal that does not sync its commits', async () => {
    const report = await cut(await recorded({ isWeak: true }), 40, 2);
    expect(report.lost.length).toBeGreaterThan(10);
  });

  it('[P6] a restart after a failed sync builds nothing on what the disk never got', async () => {
    const report = await cut(await recorded({ failingSync: 14, commands: 100 }), 60, 3);
    expect(report.lost).toEqual([]);
    expect(report.refused).toEqual([]);
  });
});
