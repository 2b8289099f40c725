// What a cancelled market pays and to whom, rank by rank (RF2).

/** The four ranks once all claims are counted: what each needs, and what is there for it. */
export interface Ranks {
  readonly creatorFirst: Rank;
  readonly valued: Rank;
  readonly creatorRest: Rank;
  readonly rest: Rank;
}

interface Rank {
  readonly claims: bigint;
  readonly left: bigint;
}

/** What a holder may claim: in the second rank, and in the last. */
export interface Claim {
  readonly valued: bigint;
  readonly rest: bigint;
}

/** Of what a holder has put in and not taken out, the worth of its shares goes first. */
export function claimOf(net: bigint, value: bigint): Claim {
  const owed = net > 0n ? net : 0n;
  const valued = owed < value ? owed : value;
  return { valued, rest: owed - valued };
}

/** `money` is the escrow with the unvested fees in it; `claims` those of all holders together. */
export function ranksOf(money: bigint, deposit: bigint, claims: Claim): Ranks {
  const first = (49n * deposit) / 50n;
  const creatorFirst = { claims: first, left: money };
  const valued = { claims: claims.valued, left: after(creatorFirst) };
  const creatorRest = { claims: deposit - first, left: after(valued) };
  const rest = { claims: claims.rest, left: after(creatorRest) };
  return { creatorFirst, valued, creatorRest, rest };
}

/** What a rank leaves for the next: nothing when it was not covered. */
function after(rank: Rank): bigint {
  return rank.left > rank.claims ? rank.left - rank.claims : 0n;
}

function part(claim: bigint, rank: Rank): bigint {
  return rank.left >= rank.claims ? claim : (claim * rank.left) / rank.claims;
}

export function holderPart(claim: Claim, ranks: Ranks): bigint {
  return part(claim.valued, ranks.valued) + part(claim.rest, ranks.rest);
}

export function creatorPart(ranks: Ranks): bigint {
  const { creatorFirst, creatorRest } = ranks;
  return part(creatorFirst.claims, creatorFirst) + part(creatorRest.claims, creatorRest);
}
