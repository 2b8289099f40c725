// Seconds of looks as OpenSSL's HMAC gives them.
import { describe, expect, it } from 'vitest';
import { lastLookMs, lookMs, nextLookMs } from './look-times.ts';

const CLOCK = { sampleMs: 60_000, lookSecret: 'secret' };
const ID = 'm_0123456789abcdef';
const MARK = 29_459_520;
/** 92ea30bf… and 9bcdbca0… of the two marks, mod 60. */
const FIRST = MARK * 60_000 + (0x92ea30bf % 60) * 1000;
const SECOND = (MARK + 1) * 60_000 + (0x9bcdbca0 % 60) * 1000;

describe('looks', () => {
  it('[QS4] come at the second that the secret draws for market and mark', () => {
    expect(lookMs(CLOCK, ID, MARK)).toBe(FIRST);
    expect(lookMs(CLOCK, ID, MARK + 1)).toBe(SECOND);
    expect(lookMs({ ...CLOCK, sampleMs: 6_001 }, ID, 0)).toBeLessThan(6_001);
  });

  it('[QS1] follow one another, one in every minute', () => {
    expect(nextLookMs(CLOCK, ID, FIRST - 1, 0)).toBe(FIRST);
    expect(nextLookMs(CLOCK, ID, FIRST, 0)).toBe(SECOND);
    expect(nextLookMs(CLOCK, ID, FIRST - 1, MARK + 1)).toBe(SECOND);
    expect(lastLookMs(CLOCK, ID, SECOND - 1)).toBe(FIRST);
    expect(lastLookMs(CLOCK, ID, SECOND)).toBe(SECOND);
  });
});
