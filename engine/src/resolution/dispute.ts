// A dispute: someone stakes a bond that the proposal is wrong. Without a ruling it does not wait for ever.
import { actingAccount, isRejection } from '../account/authority.ts';
import { checkFree, frozen } from '../account/money.ts';
import { present } from '../assert.ts';
import type { Actor, DisputeResolution } from '../command.ts';
import type { MarketId } from '../identity.ts';
import { startVoid } from '../market/closing.ts';
import { conflict, marketUnknown } from '../market/lifecycle.ts';
import { isFinal, type Market, type Proposal } from '../market/market.ts';
import { type Answer, DONE } from '../outcome.ts';
import { invalid, type Rejection, reject } from '../reject.ts';
import type { State } from '../state.ts';
import { graceEndMs } from '../time.ts';
import { accept, refuse, type Turn } from '../turn.ts';
import { openBond, postBond } from './bonds.ts';
import { checkEvidence, hasEvidence, isBond } from './evidence.ts';
import { bondMinOf } from './propose.ts';

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
    rulingDueMs: 0,
  };
  events.push({ type: 'resolution_disputed', marketId, accountId: account.id, evidence, bond });
  postBond(turn, market, account, bondAccount, bond);
  state.timers.clear('resolution_window', marketId);
  awaitRuling(state, market, state.nowMs + state.parameters.resolution.rulingAlarmMs);
  return accept(DONE);
}

/** Rings when somebody must be told that nobody rules, and when the market ends for want of it (RS8). */
export function rulingOverdue(turn: Turn, marketId: MarketId, dueMs: number): void {
  const { state } = turn;
  const market = present(state.markets.get(marketId), 'market of a dispute');
  const { disputedAtMs } = present(market.proposal?.dispute, 'dispute without a ruling');
  const { rulingAlarmMs, rulingDeadlineMs } = state.parameters.resolution;
  if (dueMs === disputedAtMs + rulingAlarmMs) {
    turn.events.push({ type: 'ruling_overdue', marketId, sinceMs: disputedAtMs });
    awaitRuling(state, market, disputedAtMs + rulingDeadlineMs);
    return;
  }
  const graceMs = graceEndMs(state);
  if (dueMs < graceMs) awaitRuling(state, market, graceMs);
  else startVoid(turn, market, 'no_ruling');
}

function awaitRuling(state: State, market: Market, dueMs: number): void {
  present(market.proposal?.dispute, 'dispute to rule on').rulingDueMs = dueMs;
  state.timers.set({ dueMs, kind: 'ruling_overdue', subject: market.id });
}

function challengeable(market: Market, command: DisputeResolution): Proposal | Rejection {
  if (market.closing !== null) return conflict(market);
  if (isFinal(market)) return reject('RESOLUTION_LOCKED', { market_id: market.id });
  const { proposal } = market;
  if (market.status !== 'settling' || proposal === null) {
    return reject('PROPOSAL_STATE_INVALID', { market_id: market.id });
  }
  if (!hasEvidence(command.evidence)) return reject('RESOLUTION_EVIDENCE_MISSING');
  if (proposal.dispute !== null) return reject('DISPUTE_ALREADY_OPEN', { market_id: market.id });
  return proposal;
}
