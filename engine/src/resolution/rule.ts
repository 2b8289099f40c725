// The ruling on a proposal: who was right, what happens to the bonds, how the market ends or goes on.
import type { Pips } from '@sibyl/money';
import { carryOut } from '../market/closing.ts';
import { conflict, governed, reopen } from '../market/lifecycle.ts';
import type { Actor, RuleResolution, Ruling } from '../state/command.ts';
import { isFinal, type Market, type Proposal } from '../state/market.ts';
import { type Answer, DONE } from '../state/outcome.ts';
import { invalid, type Rejection, reject } from '../state/reject.ts';
import type { State } from '../state/state.ts';
import { accept, refuse, type Turn } from '../state/turn.ts';
import { awardBond, returnBonds } from './bonds.ts';
import { payoutOf } from './payout.ts';
import { awaitTakeUp, isWindowOver, stopWaiting } from './window.ts';

export function ruleResolution(turn: Turn, actor: Actor, command: RuleResolution): Answer {
  const { state } = turn;
  const fault = checkFields(state.markets.get(command.marketId), command);
  if (fault !== null) return refuse(fault);
  const market = governed(state, actor, command.marketId);
  if ('code' in market) return refuse(market);
  const proposal = ruledOn(market, command.ruling);
  if ('code' in proposal) return refuse(proposal);
  const early = checkConfirmation(state, actor, market, proposal, command);
  if (early !== null) return refuse(early);
  const payout = ruledPayout(market, proposal, command);
  const { ruling } = command;
  turn.events.push({ type: 'resolution_ruled', marketId: market.id, ruling, payout });
  if (ruling === 'too_early') giveBack(turn, market, proposal);
  else if (payout === null) awaitTakeUp(state, market, proposal);
  else decide(turn, market, proposal, ruling, payout);
  return accept(DONE);
}

function decide(
  turn: Turn,
  market: Market,
  proposal: Proposal,
  ruling: Ruling,
  payout: readonly Pips[],
): void {
  const { dispute, proposerId } = proposal;
  proposal.payout = payout;
  if (dispute !== null && ruling === 'upheld') {
    awardBond(turn, market, dispute.accountId, dispute, proposerId);
  } else if (dispute !== null) {
    awardBond(turn, market, proposerId, proposal, dispute.accountId);
  }
  carryOut(turn, market);
}

/** Nothing was decided yet: the proposal is lost with its bond, and the market waits or trades again (RS7). */
function giveBack(turn: Turn, market: Market, proposal: Proposal): void {
  const { dispute } = proposal;
  const challengerId = dispute === null ? null : dispute.accountId;
  awardBond(turn, market, proposal.proposerId, proposal, challengerId);
  returnBonds(turn, market);
  stopWaiting(turn.state, market);
  market.proposal = null;
  reopen(turn, market);
}

/** A new result comes with an overturned proposal and only with one; cancelling is a ruling of its own. */
function checkFields(market: Market | undefined, command: RuleResolution): Rejection | null {
  const { ruling, result } = command;
  if (!RULINGS.includes(ruling)) {
    return invalid('ruling', 'upheld, overturned, void or too_early');
  }
  if ((ruling === 'overturned') !== (result !== null)) {
    return invalid('result', 'the new result of an overturned proposal, else none');
  }
  if (market === undefined || result === null) return null;
  const payout = payoutOf(market, result);
  if (payout !== null && payout.length > 0) return null;
  return invalid('result', 'an outcome, payout or value of this market');
}

const RULINGS: readonly Ruling[] = ['upheld', 'overturned', 'void', 'too_early'];

/** Too early may be any proposal; the others need a dispute, or confirm a cancellation. */
function ruledOn(market: Market, ruling: Ruling): Proposal | Rejection {
  if (market.closing !== null) return conflict(market);
  if (isFinal(market)) return reject('RESOLUTION_LOCKED', { market_id: market.id });
  const { proposal } = market;
  const isOpen = market.status === 'settling' && proposal !== null;
  if (isOpen && ruling === 'too_early') return proposal;
  if (isOpen && (proposal.state === 'disputed' || isConfirmed(proposal, ruling))) return proposal;
  return reject('PROPOSAL_STATE_INVALID', { market_id: market.id });
}

function isConfirmed({ cancellation }: Proposal, ruling: Ruling): boolean {
  return cancellation !== null && ruling === 'upheld';
}

/** A cancellation is confirmed after its notice, by another operator (VD10). */
function checkConfirmation(
  state: State,
  actor: Actor,
  market: Market,
  proposal: Proposal,
  { ruling, alone = false }: RuleResolution,
): Rejection | null {
  const { operator, windowEndsAtMs } = proposal;
  if (!isConfirmed(proposal, ruling)) return null;
  const details = { market_id: market.id, status: market.status };
  if (!isWindowOver(state, proposal)) {
    const ends = { window_ends_at_ms: windowEndsAtMs };
    return reject('STATE_CONFLICT', { ...details, reason: 'notice', ...ends });
  }
  const isSame = actor.kind !== 'operator' || actor.name === operator;
  return isSame && !alone
    ? reject('STATE_CONFLICT', { ...details, reason: 'same_operator' })
    : null;
}

/** Null where nothing is paid by the ruling itself. */
function ruledPayout(
  market: Market,
  proposal: Proposal,
  command: RuleResolution,
): readonly Pips[] | null {
  if (command.ruling === 'void' || command.ruling === 'too_early') return null;
  return command.result === null ? proposal.payout : payoutOf(market, command.result);
}
