// The ruling on a proposal: who was right, what happens to the bonds, how the market ends or goes on.
import type { Pips } from '@sibyl/money';
import { present } from '../assert.ts';
import type { Actor, RuleResolution, Ruling } from '../command.ts';
import { carryOut, startVoid, VOID_REASON } from '../market/closing.ts';
import { conflict, governed, reopen } from '../market/lifecycle.ts';
import { isFinal, type Market, type Proposal } from '../market/market.ts';
import { type Answer, DONE } from '../outcome.ts';
import { invalid, type Rejection, reject } from '../reject.ts';
import { accept, refuse, type Turn } from '../turn.ts';
import { awardBond, returnBonds } from './bonds.ts';
import { payoutOf } from './payout.ts';
import { stopWaiting } from './window.ts';

export function ruleResolution(turn: Turn, actor: Actor, command: RuleResolution): Answer {
  const { state } = turn;
  const fault = checkFields(state.markets.get(command.marketId), command);
  if (fault !== null) return refuse(fault);
  const market = governed(state, actor, command.marketId);
  if ('code' in market) return refuse(market);
  const proposal = ruledOn(market, command.ruling);
  if ('code' in proposal) return refuse(proposal);
  const payout = ruledPayout(market, proposal, command);
  const { ruling } = command;
  turn.events.push({ type: 'resolution_ruled', marketId: market.id, ruling, payout });
  if (ruling === 'too_early') {
    giveBack(turn, market, proposal);
    return accept(DONE);
  }
  if (payout === null) {
    startVoid(turn, market, VOID_REASON);
    return accept(DONE);
  }
  proposal.payout = payout;
  const dispute = present(proposal.dispute, 'the dispute ruled on');
  if (ruling === 'upheld') {
    awardBond(turn, market, dispute.accountId, dispute, proposal.proposerId);
  } else {
    awardBond(turn, market, proposal.proposerId, proposal, dispute.accountId);
  }
  carryOut(turn, market);
  return accept(DONE);
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

/** A proposal that came too soon may be ruled on before anybody disputes it. */
function ruledOn(market: Market, ruling: Ruling): Proposal | Rejection {
  if (market.closing !== null) return conflict(market);
  if (isFinal(market)) return reject('RESOLUTION_LOCKED', { market_id: market.id });
  const { proposal } = market;
  const isOpen = market.status === 'settling' && proposal !== null;
  if (isOpen && (proposal.state === 'disputed' || ruling === 'too_early')) return proposal;
  return reject('PROPOSAL_STATE_INVALID', { market_id: market.id });
}

/** Null when the market is to be cancelled by the ruling itself. */
function ruledPayout(
  market: Market,
  proposal: Proposal,
  command: RuleResolution,
): readonly Pips[] | null {
  if (command.ruling === 'void' || command.ruling === 'too_early') return null;
  return command.result === null ? proposal.payout : payoutOf(market, command.result);
}
