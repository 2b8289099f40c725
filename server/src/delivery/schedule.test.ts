import { describe, expect, it } from 'vitest';
import type { Random } from '../ports/random.ts';
import { retryDelayMs } from './schedule.ts';

function random(byte: number): Random {
  return { bytes: (length) => new Uint8Array(length).fill(byte), token: () => '' };
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

describe('[IF3c] the retry schedule', () => {
  it('has eight attempts, 27 hours and a half apart from first to last', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7].map((attempts) => retryDelayMs(attempts, random(0)));
    expect(waits).toEqual([
      5 * SECOND,
      5 * MINUTE,
      30 * MINUTE,
      2 * HOUR,
      5 * HOUR,
      10 * HOUR,
      10 * HOUR,
    ]);
    expect(retryDelayMs(8, random(0))).toBeNull();
  });

  it('waits at least as long as it says, and at most a fifth longer', () => {
    for (const byte of [0, 1, 77, 128, 255]) {
      const waitMs = retryDelayMs(4, random(byte)) ?? 0;
      expect(waitMs).toBeGreaterThanOrEqual(2 * HOUR);
      expect(waitMs).toBeLessThanOrEqual(2.4 * HOUR);
    }
    expect(retryDelayMs(4, random(255))).not.toBe(retryDelayMs(4, random(1)));
  });
});
