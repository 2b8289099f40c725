// How long an invitation is remembered, and whose.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { forgetReferral, invitingAddress, keepReferral, keptReferral } from './referral.ts';

const NOW_MS = 1_800_000_000_000;
const DAY_MS = 86_400_000;
let stored: Map<string, string>;

// What a browser has and Node has not.
beforeEach(() => {
  stored = new Map();
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => stored.set(name, value),
    removeItem: (name: string) => stored.delete(name),
  });
});
afterEach(() => vi.unstubAllGlobals());

describe('[WA16] an invitation', () => {
  it('is the first that came, for 30 days and not a moment longer', () => {
    keepReferral('?state=active&ref=first', NOW_MS);
    keepReferral('?ref=second', NOW_MS + 29 * DAY_MS);
    expect(keptReferral(NOW_MS + 30 * DAY_MS - 1)).toBe('first');
    expect(keptReferral(NOW_MS + 30 * DAY_MS)).toBe(null);
    keepReferral('?ref=third', NOW_MS + 30 * DAY_MS);
    expect(keptReferral(NOW_MS + 30 * DAY_MS)).toBe('third');
    forgetReferral();
    expect(keptReferral(NOW_MS + 30 * DAY_MS)).toBe(null);
  });

  it.each(['', '?ref=', '?ref=a%20b', `?ref=${'a'.repeat(65)}`, '?ref=%3Cb%3E', '?reference=a'])(
    'is none where the address says %j',
    (search) => {
      keepReferral(search, NOW_MS);
      expect([keptReferral(NOW_MS), stored.size]).toEqual([null, 0]);
    },
  );

  it.each(['no JSON', '7', '{}', '{"code":7,"keptAtMs":1}', '{"code":"<b>","keptAtMs":1}'])(
    'is none where the browser keeps %j',
    (kept) => {
      stored.set('sibyl.referral', kept);
      expect(keptReferral(1)).toBe(null);
    },
  );

  it('is forgotten where a browser keeps nothing, and nothing else fails', () => {
    vi.stubGlobal('localStorage', undefined);
    keepReferral('?ref=first', NOW_MS);
    forgetReferral();
    expect(keptReferral(NOW_MS)).toBe(null);
  });

  it('stands in an address that somebody shares, once', () => {
    const address = 'https://sibyl.example/m/m_1?ref=other';
    expect(invitingAddress(address, 'mine')).toBe('https://sibyl.example/m/m_1?ref=mine');
    expect(invitingAddress('https://sibyl.example/', null)).toBe('https://sibyl.example/');
  });
});
