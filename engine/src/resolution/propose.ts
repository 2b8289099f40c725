// Proposals: what the result is said to be, the bond behind it, and the window in which to challenge it.
import { ceilDiv, type Pips, type Usdt, usdt } from '@sibyl/money';
import { checkFree, frozen } from '../account/money.ts';
import { Defect, present } from '../kit/assert.ts';
import type { MarketId } from '../kit/identity.ts';
import { NO_ACCOUNT } from '../ledger/ledger.ts';
import { carryOut, startLock, startVoid } from '../market/closing.ts';
import { conflict, marketUnknown } from '../market/lifecycle.ts';
import type { Account } from '../state/account.ts';
import { actingAccount, isOperator, isRejection } from '../state/authority.ts';
import type { Actor, ProposeResolution } from '../state/command.ts';
import { type Cancellation, isFinal, type Market } from '../state/market.ts';
import { type Answer, DONE } from '../state/outcome.ts';
import { invalid, type Rejection, reject } from '../state/reject.ts';
import type { State } from '../state/state.ts';
import { graceEndMs, windowTime } from '../state/time.ts';
import { accept, refuse, type Turn } from '../state/turn.ts';
import { openBond, postBond } from './bonds.ts';
import { checkEvidence, hasEvidence, isBond } from './evidence.ts';
import { fairValue } from './fair-value.ts';
import { payoutOf } from './payout.ts';
import { awaitRuling, awaitWindow, isWindowOver } from './window.ts';

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
  const obstacle =
    checkState(market, proposer, command) ?? checkBond(state, market, proposer, command.bond);
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
  /** Of a cancellation that operators propose. */
  readonly confirms?: { readonly operator: string; readonly cancellation: Cancellation };
}

/** Recorded before the lock: a lock may take several steps, and the bond must not be spent meanwhile. */
export function propose(turn: Turn, market: Market, terms: ProposalTerms): void {
  const { state } = turn;
  const { proposer, payout, evidence, bond, windowMs, confirms } = terms;
  const cancellation = confirms?.cancellation ?? null;
  const proposerId = proposer === null ? null : proposer.id;
  const windowEndsAtMs = state.nowMs + windowMs;
  const bondAccount = bond > 0n ? openBond(state, market, 'proposer') : NO_ACCOUNT;
  market.proposal = {
    proposerId,
    payout,
    evidence,
    bond,
    bondAccount,
    cancellation,
    operator: confirms?.operator ?? null,
    proposedAtMs: state.nowMs,
    windowEndsAtMs,
    windowEnd: windowTime(state) + windowMs,
    state: 'proposed',
    rulingDueMs: 0,
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
    cancellation,
  });
  if (proposer !== null && bond > 0n) postBond(turn, market, proposer, bondAccount, bond);
  state.timers.clear('proposal_deadline', market.id);
  if (windowMs > 0) {
    state.timers.set({ dueMs: windowEndsAtMs, kind: 'resolution_window', subject: market.id });
  }
  if (cancellation !== null) {
    awaitRuling(state, market, state.nowMs + state.parameters.resolution.rulingAlarmMs);
  }
  startLock(turn, market, { kind: 'propose' });
}

/** While the market is still being locked, the end of the lock asks whether the window is over. */
export function windowEnds(turn: Turn, marketId: MarketId): void {
  const market = present(turn.state.markets.get(marketId), 'market of a window');
  if (market.closing !== null) return;
  const proposal = present(market.proposal, 'proposal of a window');
  // After the notice of a cancellation nothing happens by itself (VD10).
  const isOver = isWindowOver(turn.state, proposal);
  if (isOver && proposal.cancellation === null) carryOut(turn, market);
  else if (!isOver) awaitWindow(turn, market, proposal);
}

/** A market without a proposal stays locked, with an alarm every day; a sandbox may cancel it (VD12). */
export function deadlinePasses(turn: Turn, marketId: MarketId, dueMs: number): void {
  const { state } = turn;
  const market = present(state.markets.get(marketId), 'market of a deadline');
  const graceMs = graceEndMs(state);
  if (market.closing !== null) awaitProposal(state, market, state.commandMs + 1);
  else if (dueMs < graceMs) awaitProposal(state, market, graceMs);
  else if (state.lane === 'sandbox' && state.parameters.resolution.autoVoid)
    cancelUnproposed(turn, market);
  else {
    turn.events.push({ type: 'proposal_overdue', marketId });
    awaitProposal(state, market, dueMs + state.parameters.resolution.alarmEveryMs);
  }
}

/** By the default window, thin or not. */
function cancelUnproposed(turn: Turn, market: Market): void {
  const value = fairValue(turn.state, market, null);
  if ('code' in value) throw new Defect(`${market.id} has no price`);
  const terms = { reason: 'no_proposal', window: null, excluded: [] };
  startVoid(turn, market, value.payout, { cause: 'no_proposal', ...terms });
}

/** Until when the market may wait for a proposal. */
function awaitProposal(state: State, market: Market, dueMs: number): void {
  market.deadlineMs = dueMs;
  state.timers.set({ dueMs, kind: 'proposal_deadline', subject: market.id });
}

/** The least bond of an account that proposes: with more at stake, more. */
function proposalBond(state: State, market: Market): Usdt {
  const escrow = state.ledger.balance(market.escrow);
  const part = ceilDiv(escrow * BigInt(state.parameters.resolution.bondEscrowBps), BPS_ONE);
  const least = bondMinOf(state, market);
  return part > least ? usdt(part) : least;
}

const BPS_ONE = 10_000n;

/** The least bond of a dispute in this market: small holders can object. */
export function bondMinOf(state: State, market: Market): Usdt {
  return market.template.definition.oracleConfig.bond ?? state.parameters.resolution.bondMin;
}

const NO_BOND = 0n as Usdt;

function checkFields(market: Market | undefined, command: ProposeResolution): Rejection | null {
  if (market !== undefined && payoutOf(market, command.result) === null) {
    return invalid('result', 'an outcome, payout or value of this market, or void');
  }
  if (command.proposerId === null && command.result.kind === 'void') {
    return invalid('result', 'a result: operators cancel a market by propose_void');
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

function checkState(
  market: Market,
  proposer: Account | null,
  command: ProposeResolution,
): Rejection | null {
  if (market.closing !== null) return conflict(market);
  if (isFinal(market)) return reject('RESOLUTION_LOCKED', { market_id: market.id });
  const proposalState = market.status === 'settling' ? market.proposal?.state : undefined;
  // One to cancel the market that waits for operators still has its bond (VD11).
  if (proposalState === 'proposed' || proposalState === 'void') {
    return reject('PROPOSAL_STATE_INVALID', { market_id: market.id, state: proposalState });
  }
  // Who is not the operator cannot stop a market that trades.
  const isTooSoon = proposer !== null && market.status === 'active';
  if (market.status === 'scheduled' || isTooSoon) return conflict(market);
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
  const required = proposalBond(state, market);
  if (bond < required) return reject('ORACLE_BOND_INSUFFICIENT', { required });
  return checkFree(state, proposer, bond);
}

/** Whoever is not the operator can be challenged for a day, whatever the template says. */
function windowMsOf(state: State, market: Market, proposer: Account | null): number {
  const { challengeSec } = market.template.definition.oracleConfig;
  const { challengeMs, accountChallengeMs } = state.parameters.resolution;
  const windowMs = challengeSec === null ? challengeMs : challengeSec * 1000;
  return proposer !== null && windowMs < accountChallengeMs ? accountChallengeMs : windowMs;
}
