// Bonds of proposers and challengers: who gets what back.

import { Entry } from './entry.ts';
import { findAccount, freeName, type NaiveMarket, type World } from './world.ts';

export const bondName = (marketId: string, party: 'proposer' | 'challenger'): string =>
  `oracle:${marketId}:bond:${party}`;

/** Both bonds back to their owners, when the market is cancelled. */
export function returnBonds(world: World, market: NaiveMarket): void {
  const { proposal } = market;
  if (proposal === null || proposal.state === 'final' || proposal.state === 'void') return;
  giveBack(world, market, 'proposer');
  giveBack(world, market, 'challenger');
  proposal.state = 'void';
}

export function giveBack(
  world: World,
  market: NaiveMarket,
  party: 'proposer' | 'challenger',
): void {
  const { proposal } = market;
  if (proposal === null) return;
  const ownerId = party === 'proposer' ? proposal.proposerId : proposal.challengerId;
  const amount = party === 'proposer' ? proposal.bond : proposal.challengerBond;
  if (ownerId === null) return;
  new Entry(world)
    .move(bondName(market.id, party), freeName(ownerId), amount)
    .commit('bond_return', market.id);
}

/** The loser's bond: half to the winner where there is one, the rest to insurance. */
export function award(world: World, market: NaiveMarket, loser: 'proposer' | 'challenger'): void {
  const { proposal } = market;
  if (proposal === null) return;
  const amount = loser === 'proposer' ? proposal.bond : proposal.challengerBond;
  const otherId = loser === 'proposer' ? proposal.challengerId : proposal.proposerId;
  // An account that was closed gets nothing any more.
  const winnerId = otherId !== null && findAccount(world, otherId) !== undefined ? otherId : null;
  const half = winnerId === null ? 0n : amount / 2n;
  const entry = new Entry(world)
    .add(bondName(market.id, loser), -amount)
    .add('insurance', amount - half);
  if (winnerId !== null) entry.add(freeName(winnerId), half);
  entry.commit('bond_award', market.id);
  if (loser === 'proposer') proposal.bond = 0n;
  else proposal.challengerBond = 0n;
}
