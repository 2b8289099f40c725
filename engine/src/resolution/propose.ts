// Proposals: what the result is said to be, the bond behind it, and the window in which to challenge it.
import type { Pips, Usdt } from '@sibyl/money';
import type { Account } from '../account/account.ts';
import { actingAccount, isOperator, isRejection } from '../account/authority.ts';
import { checkFree, frozen } from '../account/money.ts';
import type { Actor, ProposeResolution } from '../command.ts';
import type { MarketId } from '../identity.ts';
import { NO_ACCOUNT } from '../ledger/ledger.ts';
import { carryOut, startLock, startVoid } from '../market/closing.ts';
import { conflict, marketUnknown } from '../market/life.ts';
import { isFinal, type Market } from '../market/market.ts';
import { type Answer, DONE } from '../outcome.ts';
import { invalid, type Rejection, reject } from '../reject.ts';
import type { State } from '../state.ts';
import { accept, refuse, type Turn } from '../turn.ts';
import { openBond, postBond } from './bonds.ts';
import { checkEvidence, hasEvidence, isBond } from './evidence.ts';
import { payoutOf } from './payout.ts';

export function proposeResolution(turn: Turn, actor: Actor, command: ProposeResolution): Answer {
  const { state } = turn;
  const { marketId, evidence } = command;
  const market = state.markets.get(marketId);
  const fault = checkFields(market, command);
  if (fault !== null) return refuse(fault);
  const proposer = proposerOf(state, actor, command);
  if (proposer !== null && isRejection(proposer)) return refuse(proposer);
  if (proposer?.frozen) return refuse(frozen(proposer));
  if (market === undefined) return refuse(marketUnknown(marketId));
  const obstacle = checkState(market, command) ?? checkBond(state, market, proposer, command.bond);
  if (obstacle !== null) return refuse(obstacle);
  propose(turn, market, {
    proposer,
    payout: payoutOf(market, command.result) ?? [],
    evidence,
    bond: proposer === null ? NO_BOND : command.bond,
    windowMs: windowMsOf(state, market, proposer),
  });
  return accept(DONE);
}

export interface ProposalTerms {
  readonly proposer: Account | null;
  readonly payout: readonly Pips[];
  readonly evidence: readonly string[];
  readonly bond: Usdt;
  readonly windowMs: number;
}

/** Recorded before the lock: a lock may take several steps, and the bond must not be spent meanwhile. */
export function propose(turn: Turn, market: Market, terms: ProposalTerms): void {
  const { state } = turn;
  const { proposer, payout, evidence, bond, windowMs } = terms;
  const proposerId = proposer === null ? null : proposer.id;
  const windowEndsAtMs = state.nowMs + windowMs;
  const bondAccount = bond > 0n ? openBond(state, market, 'proposer') : NO_ACCOUNT;
  market.proposal = {
    proposerId,
    payout,
    evidence,
    bond,
    bondAccount,
    proposedAtMs: state.nowMs,
    windowEndsAtMs,
    state: 'proposed',
    dispute: null,
  };
  turn.events.push({
    type: 'resolution_proposed',
    marketId: market.id,
    proposerId,
    payout,
    evidence,
    bond,
    windowEndsAtMs,
  });
  if (proposer !== null && bond > 0n) postBond(turn, market, proposer, bondAccount, bond);
  if (windowMs > 0) {
    state.timers.add({ dueMs: windowEndsAtMs, kind: 'resolution_window', subject: market.id });
  }
  startLock(turn, market, { kind: 'propose' });
}

export function windowEnds(turn: Turn, marketId: MarketId, dueMs: number): void {
  const market = turn.state.markets.get(marketId);
  if (market === undefined || market.status !== 'settling' || market.closing !== null) return;
  const { proposal } = market;
  if (proposal === null || proposal.state !== 'proposed') return;
  if (proposal.windowEndsAtMs <= dueMs) carryOut(turn, market);
}

/** Nobody proposed a result in time. After a recovery there is an hour in which it still can be. */
export function deadlinePasses(turn: Turn, marketId: MarketId, dueMs: number): void {
  const { state } = turn;
  const market = state.markets.get(marketId);
  if (market === undefined || market.status !== 'locked' || market.closing !== null) return;
  const graceEndsMs = state.recoveredAtMs + state.parameters.resolution.recoveryGraceMs;
  if (state.recoveredAtMs > 0 && dueMs < graceEndsMs) {
    state.timers.add({ dueMs: graceEndsMs, kind: 'proposal_deadline', subject: marketId });
    return;
  }
  startVoid(turn, market, 'no_proposal');
}

/** The least bond of a proposal in this market. */
export function bondMinOf(state: State, market: Market): Usdt {
  return market.template.definition.oracleConfig.bond ?? state.parameters.resolution.bondMin;
}

const NO_BOND = 0n as Usdt;

function checkFields(market: Market | undefined, command: ProposeResolution): Rejection | null {
  if (market !== undefined && payoutOf(market, command.result) === null) {
    return invalid('result', 'an outcome, payout or value of this market, or void');
  }
  if (!isBond(command.bond)) return invalid('bond', 'an amount of at least 0');
  return checkEvidence(command.evidence);
}

function proposerOf(
  state: State,
  actor: Actor,
  command: ProposeResolution,
): Account | Rejection | null {
  if (command.proposerId !== null) return actingAccount(state, actor, command.proposerId);
  return isOperator(actor) ? null : reject('NOT_FOUND', { account_id: null });
}

function checkState(market: Market, command: ProposeResolution): Rejection | null {
  if (market.closing !== null) return conflict(market);
  if (isFinal(market)) return reject('RESOLUTION_LOCKED', { market_id: market.id });
  const proposalState = market.status === 'settling' ? market.proposal?.state : undefined;
  if (proposalState === 'proposed') {
    return reject('PROPOSAL_STATE_INVALID', { market_id: market.id, state: proposalState });
  }
  if (market.status === 'scheduled') return conflict(market);
  if (!hasEvidence(command.evidence)) return reject('RESOLUTION_EVIDENCE_MISSING');
  if (proposalState === 'disputed') {
    return reject('RESOLUTION_CHALLENGE_OPEN', { market_id: market.id });
  }
  return null;
}

function checkBond(
  state: State,
  market: Market,
  proposer: Account | null,
  bond: Usdt,
): Rejection | null {
  if (proposer === null) return null;
  const required = bondMinOf(state, market);
  if (bond < required) return reject('ORACLE_BOND_INSUFFICIENT', { required });
  return checkFree(state, proposer, bond);
}

/** Whoever is not the operator can always be challenged, whatever the template says. */
function windowMsOf(state: State, market: Market, proposer: Account | null): number {
  const { challengeSec } = market.template.definition.oracleConfig;
  const { challengeMs } = state.parameters.resolution;
  if (challengeSec === null || (challengeSec === 0 && proposer !== null)) return challengeMs;
  return challengeSec * 1000;
}
