import { describe, expect, it } from 'vitest';
import { factsOf } from './facts.ts';

describe('a record in words', () => {
  it('[CT34] has labels instead of names, and words instead of what programs read', () => {
    expect(
      factsOf({ winning_outcome_id: 'yes', demo: false, roles: ['admin', 'support'] }),
    ).toEqual([
      { label: 'Winning outcome id', value: 'yes' },
      { label: 'Demo', value: 'no' },
      { label: 'Roles', value: 'admin, support' },
    ]);
  });

  it('[CT34] tells a time once and with its date, and nothing that is not there', () => {
    const asked = { opens_at_ms: 1_800_000_000_000, note: null, roles: [] };
    const answered = { opens_at: '2027-01-15T08:00:00.000Z', ...asked };
    for (const record of [asked, answered]) {
      expect(factsOf(record)).toEqual([
        { label: 'Opens at', value: '2027-01-15T08:00:00.000Z' },
        { label: 'Roles', value: 'none' },
      ]);
    }
  });

  it('[CT34] says of what was never used that it was not', () => {
    const factor = { kind: 'totp', last_used_at: null, last_used_at_ms: null };
    expect(factsOf(factor)).toEqual([
      { label: 'Kind', value: 'totp' },
      { label: 'Last used at', value: 'never' },
    ]);
  });

  it('[CT34] keeps records inside it together', () => {
    const rule = [{ label: 'Tier', value: '2' }];
    expect(factsOf({ cap: { tier: 2 }, caps: [{ tier: 2 }, 'rest'], other: {} })).toEqual([
      { label: 'Cap', value: { facts: rule } },
      { label: 'Caps', value: { list: [{ facts: rule }, 'rest'] } },
      { label: 'Other', value: 'none' },
    ]);
  });
});
