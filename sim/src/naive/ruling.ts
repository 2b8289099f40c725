// Rulings on disputes, and the one that gives a market back because nothing was decided yet.
import { checkOperator } from './authority.ts';
import { startBand } from './band.ts';
import { award, giveBack } from './bonds.ts';
import { awaitOperators, beginSettlement, beginVoid, changeStatus } from './closing.ts';
import { payoutOf } from './payout.ts';
import type { CommandOf, PlainAnswer } from './plain.ts';
import { awaitSample } from './quality.ts';
import { DONE, Refusals } from './refusal.ts';
import { awaitDeadline, dropProposal } from './resolution.ts';
import { findMarket, isFinal, type NaiveMarket, type World } from './world.ts';

export function ruleResolution(world: World, command: CommandOf<'rule_resolution'>): PlainAnswer {
  const { ruling, result } = command;
  const refusals = new Refusals(world);
  const market = findMarket(world, command.marketId);
  if (!['upheld', 'overturned', 'void', 'too_early'].includes(ruling))
    refusals.field('ruling', 'a ruling');
  if ((ruling === 'overturned') !== (result !== null))
    refusals.field('result', 'with an overturned proposal');
  const changed = market === undefined || result === null ? null : payoutOf(market, result);
  if (market !== undefined && result !== null && (changed === null || changed === undefined)) {
    refusals.field('result', 'one that fits');
  }
  checkOperator(command.actor, refusals);
  const proposal = market?.proposal ?? null;
  if (market === undefined) refusals.add('MARKET_NOT_FOUND');
  else if (market.closing !== null) refusals.add('STATE_CONFLICT');
  else if (isFinal(market)) refusals.add('RESOLUTION_LOCKED');
  else if (!mayRule(market, ruling)) refusals.add('PROPOSAL_STATE_INVALID');
  else if (ruling === 'upheld' && !mayConfirm(world, market, command))
    refusals.add('STATE_CONFLICT');
  if (refusals.any || market === undefined || proposal === null) return refusals.answer();
  const payout = ruling === 'upheld' ? proposal.payout : (changed ?? null);
  const decided = ruling === 'upheld' || ruling === 'overturned';
  const shown = decided ? (payout ?? []) : null;
  world.events.push({ type: 'resolution_ruled', marketId: market.id, ruling, payout: shown });
  if (ruling === 'too_early') giveBackMarket(world, market);
  else if (proposal.cancellation !== null && payout !== null)
    beginVoid(world, market, payout, proposal.cancellation);
  else if (payout === null) {
    if (ruling === 'upheld') award(world, market, 'challenger');
    awaitOperators(world, market);
  } else {
    const loser = ruling === 'upheld' ? 'challenger' : 'proposer';
    award(world, market, loser);
    giveBack(world, market, loser === 'proposer' ? 'challenger' : 'proposer');
    proposal.state = 'final';
    beginSettlement(world, market, payout);
  }
  return DONE;
}

/** An undisputed proposal may only be ruled too early; a cancellation may also be upheld. */
function mayRule(market: NaiveMarket, ruling: string): boolean {
  const { proposal } = market;
  if (market.status !== 'settling' || proposal === null) return false;
  const isConfirmed = ruling === 'upheld' && proposal.cancellation !== null;
  return proposal.state === 'disputed' || ruling === 'too_early' || isConfirmed;
}

/** After the notice of a cancellation, by another operator than the one who proposed it. */
function mayConfirm(
  world: World,
  { proposal }: NaiveMarket,
  { actor, alone = false }: CommandOf<'rule_resolution'>,
): boolean {
  if (proposal === null || proposal.cancellation === null) return true;
  const isOther = actor.kind !== 'operator' || actor.name !== proposal.operator;
  return world.windowClockMs >= proposal.windowClockEnd && (isOther || alone);
}

/** The market is as it was before the proposal, but for its orders; the proposer loses the bond. */
function giveBackMarket(world: World, market: NaiveMarket): void {
  award(world, market, 'proposer');
  giveBack(world, market, 'challenger');
  market.proposal = null;
  const { proposalDeadlineMs } = world.parameters.resolution;
  if (market.locksAtMs > world.nowMs) {
    changeStatus(world, market, 'active');
    awaitDeadline(world, market, market.closesAtMs + proposalDeadlineMs);
    startBand(world, market);
    awaitSample(world, market);
  } else {
    dropProposal(world, market);
  }
}
