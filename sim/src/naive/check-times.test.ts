// Seconds of the checks of makers as OpenSSL's HMAC gives them.
import { describe, expect, it } from 'vitest';
import { checkMs, lastCheckMs, nextCheckMs } from './check-times.ts';

const CLOCK = { sampleMs: 60_000, lookSecret: 'secret' };
const ID = 'm_0123456789abcdef';
const MARK = 29_459_520;
/** 92ea30bf… and 9bcdbca0… of the two marks, mod 60. */
const FIRST = MARK * 60_000 + (0x92ea30bf % 60) * 1000;
const SECOND = (MARK + 1) * 60_000 + (0x9bcdbca0 % 60) * 1000;

describe('checks of makers', () => {
  it('[QS4] come at the second that the secret draws for market and mark', () => {
    expect(checkMs(CLOCK, ID, MARK)).toBe(FIRST);
    expect(checkMs(CLOCK, ID, MARK + 1)).toBe(SECOND);
    expect(checkMs({ ...CLOCK, sampleMs: 6_001 }, ID, 0)).toBeLessThan(6_001);
  });

  it('[QS1] follow one another, one in every minute', () => {
    expect(nextCheckMs(CLOCK, ID, FIRST - 1, 0)).toBe(FIRST);
    expect(nextCheckMs(CLOCK, ID, FIRST, 0)).toBe(SECOND);
    expect(nextCheckMs(CLOCK, ID, FIRST - 1, MARK + 1)).toBe(SECOND);
    expect(lastCheckMs(CLOCK, ID, SECOND - 1)).toBe(FIRST);
    expect(lastCheckMs(CLOCK, ID, SECOND)).toBe(SECOND);
  });
});
