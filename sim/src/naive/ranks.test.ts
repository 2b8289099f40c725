// The ranks of a cancelled market computed by hand: a deposit of 1000, of which 980 come first and 20 third.
import { describe, expect, it } from 'vitest';
import { claimOf, creatorPart, holderPart, ranksOf } from './ranks.ts';

describe('the ranks of a cancelled market', () => {
  it('[RF2] claims what was put in, first up to what the shares are worth', () => {
    expect(claimOf(300n, 250n)).toEqual({ valued: 250n, rest: 50n });
    expect(claimOf(300n, 400n)).toEqual({ valued: 300n, rest: 0n });
    expect(claimOf(-7n, 400n)).toEqual({ valued: 0n, rest: 0n });
  });

  it('[RF2] refunds everybody in full when nobody has taken a profit', () => {
    const claim = { valued: 100n, rest: 50n };
    const ranks = ranksOf(1150n, 1000n, claim);
    expect(creatorPart(ranks)).toBe(1000n);
    expect(holderPart(claim, ranks)).toBe(150n);
  });

  it('[RF2] shares out the first rank that is not covered, and pays nothing of later ones', () => {
    // 1100 − 980 leave 120 for claims of 151: 79 and 40, and the creator none of the last 20; one is left over.
    const ranks = ranksOf(1100n, 1000n, { valued: 151n, rest: 60n });
    expect(creatorPart(ranks)).toBe(980n);
    expect(holderPart({ valued: 100n, rest: 60n }, ranks)).toBe(79n);
    expect(holderPart({ valued: 51n, rest: 0n }, ranks)).toBe(40n);
  });

  it('[RF2] pays the last rank of what is left', () => {
    // 1160 − 980 − 100 − 20 leave 60 for claims of 90.
    const ranks = ranksOf(1160n, 1000n, { valued: 100n, rest: 90n });
    expect(creatorPart(ranks)).toBe(1000n);
    expect(holderPart({ valued: 100n, rest: 60n }, ranks)).toBe(140n);
    expect(holderPart({ valued: 0n, rest: 30n }, ranks)).toBe(20n);
  });

  it('[RF2] gives the creator what there is when not even the first rank is covered', () => {
    const ranks = ranksOf(500n, 1000n, { valued: 100n, rest: 0n });
    expect(creatorPart(ranks)).toBe(500n);
    expect(holderPart({ valued: 100n, rest: 0n }, ranks)).toBe(0n);
  });
});
