// Disputes: an account posts a bond against a proposal. Without a ruling a dispute ends after a deadline.

import { checkFree, frozen } from '../account/money.ts';
import { present } from '../kit/assert.ts';
import type { MarketId } from '../kit/identity.ts';
import { carryOut } from '../market/closing.ts';
import { conflict, lockAgain, marketUnknown } from '../market/lifecycle.ts';
import { actingAccount, isRejection } from '../state/authority.ts';
import type { Actor, DisputeResolution } from '../state/command.ts';
import { isFinal, type Market, type Proposal } from '../state/market.ts';
import { type Answer, DONE } from '../state/outcome.ts';
import { invalid, type Rejection, reject } from '../state/reject.ts';
import { graceEndMs } from '../state/time.ts';
import { accept, refuse, type Turn } from '../state/turn.ts';
import { openBond, postBond, returnBonds } from './bonds.ts';
import { checkEvidence, hasEvidence, isBond } from './evidence.ts';
import { bondMinOf } from './propose.ts';
import { awaitRuling, stopWaiting } from './window.ts';

export function disputeResolution(turn: Turn, actor: Actor, command: DisputeResolution): Answer {
  const { state, events } = turn;
  const { marketId, evidence } = command;
  if (!isBond(command.bond)) return refuse(invalid('bond', 'an amount of at least 0'));
  const fault = checkEvidence(evidence);
  if (fault !== null) return refuse(fault);
  const account = actingAccount(state, actor, command.accountId);
  if (isRejection(account)) return refuse(account);
  if (account.frozen) return refuse(frozen(account));
  const market = state.markets.get(marketId);
  if (market === undefined) return refuse(marketUnknown(marketId));
  const proposal = challengeable(market, command);
  if ('code' in proposal) return refuse(proposal);
  const bond = bondMinOf(state, market);
  if (command.bond < bond) return refuse(reject('ORACLE_BOND_INSUFFICIENT', { required: bond }));
  const lacking = checkFree(state, account, bond);
  if (lacking !== null) return refuse(lacking);
  const bondAccount = openBond(state, market, 'challenger');
  proposal.state = 'disputed';
  proposal.dispute = {
    accountId: account.id,
    evidence,
    bond,
    bondAccount,
    disputedAtMs: state.nowMs,
  };
  events.push({ type: 'resolution_disputed', marketId, accountId: account.id, evidence, bond });
  postBond(turn, market, account, bondAccount, bond);
  state.timers.clear('resolution_window', marketId);
  awaitRuling(state, market, state.nowMs + state.parameters.resolution.rulingAlarmMs);
  return accept(DONE);
}

/** Operators have not decided: an alarm, or the end of what waits for them (VD10 to VD12). */
export function rulingOverdue(turn: Turn, marketId: MarketId, dueMs: number): void {
  const { state } = turn;
  const market = present(state.markets.get(marketId), 'market of a dispute');
  const proposal = present(market.proposal, 'proposal without a ruling');
  const { rulingAlarmMs, rulingDeadlineMs, alarmEveryMs } = state.parameters.resolution;
  if (market.closing !== null) {
    awaitRuling(state, market, state.commandMs + 1);
    return;
  }
  const { cancellation, proposedAtMs, dispute, proposerId } = proposal;
  if (cancellation !== null) {
    turn.events.push({ type: 'ruling_overdue', marketId, sinceMs: proposedAtMs });
    awaitRuling(state, market, dueMs + alarmEveryMs);
    return;
  }
  const sinceMs = dispute === null ? null : dispute.disputedAtMs;
  if (proposal.state === 'disputed' && sinceMs !== null && dueMs === sinceMs + rulingAlarmMs) {
    turn.events.push({ type: 'ruling_overdue', marketId, sinceMs });
    awaitRuling(state, market, sinceMs + rulingDeadlineMs);
    return;
  }
  const graceMs = graceEndMs(state);
  if (dueMs < graceMs) awaitRuling(state, market, graceMs);
  else if (proposal.state === 'disputed' && proposerId === null) carryOut(turn, market);
  else drop(turn, market);
}

/** The proposal lapses: bonds return, and the market is locked again. */
function drop(turn: Turn, market: Market): void {
  returnBonds(turn, market);
  stopWaiting(turn.state, market);
  market.proposal = null;
  lockAgain(turn, market);
}

function challengeable(market: Market, command: DisputeResolution): Proposal | Rejection {
  if (market.closing !== null) return conflict(market);
  if (isFinal(market)) return reject('RESOLUTION_LOCKED', { market_id: market.id });
  const { proposal } = market;
  // What waits for operators to cancel the market is theirs to decide (VD10, VD11).
  const isOpen = proposal !== null && proposal.state !== 'void' && proposal.cancellation === null;
  if (market.status !== 'settling' || !isOpen) {
    return reject('PROPOSAL_STATE_INVALID', { market_id: market.id });
  }
  if (!hasEvidence(command.evidence)) return reject('RESOLUTION_EVIDENCE_MISSING');
  if (proposal.dispute !== null) return reject('DISPUTE_ALREADY_OPEN', { market_id: market.id });
  return proposal;
}
