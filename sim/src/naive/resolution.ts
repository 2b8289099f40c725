// Proposals, disputes, automatic readings, and the timers that wait for them.
import { checkAccount, checkOperator } from './authority.ts';
import { bondName, returnBonds } from './bonds.ts';
import { graceEndMs } from './clock.ts';
import {
  beginLock,
  beginSettlement,
  beginVoid,
  changeStatus,
  endOrMoveWindow,
  settleAfterProposal,
} from './closing.ts';
import { Entry } from './entry.ts';
import { fairPayout } from './fair-value.ts';
import { ceilDiv } from './fixed.ts';
import { agree, payoutOf, readingPayout } from './payout.ts';
import type { CommandOf, PlainAnswer } from './plain.ts';
import type { NaiveCancellation } from './proposal.ts';
import { DONE, Refusals } from './refusal.ts';
import {
  balance,
  escrowName,
  findMarket,
  freeName,
  isFinal,
  type NaiveMarket,
  needMarket,
  reservedName,
  type World,
} from './world.ts';

function bondMinimum(world: World, market: NaiveMarket): bigint {
  return market.template.oracleConfig.bond ?? world.parameters.resolution.bondMin;
}

/** A proposer answers for the market as it is, a challenger for the least that a template asks. */
function proposerBond(world: World, market: NaiveMarket): bigint {
  const least = bondMinimum(world, market);
  const bps = BigInt(world.parameters.resolution.bondEscrowBps);
  const part = ceilDiv(balance(world, escrowName(market.id)) * bps, 10_000n);
  if (part <= least) return least;
  return part;
}

export function areTexts(evidence: readonly string[]): boolean {
  return evidence.length <= 16 && evidence.every((each) => each.length <= 1024);
}

function checkEvidence(evidence: readonly string[], refusals: Refusals): void {
  if (!areTexts(evidence)) refusals.field('evidence', 'short texts');
  if (evidence.every((each) => each === '')) refusals.add('RESOLUTION_EVIDENCE_MISSING');
}

function checkBond(
  world: World,
  accountId: string,
  offered: bigint,
  required: bigint,
  taken: bigint,
  refusals: Refusals,
): void {
  if (offered < required) refusals.add('ORACLE_BOND_INSUFFICIENT', { required });
  const free = balance(world, freeName(accountId));
  const reserved = balance(world, reservedName(accountId));
  if (free < taken) refusals.add('BALANCE_INSUFFICIENT', { required: taken, free, reserved });
}

export function proposeResolution(
  world: World,
  command: CommandOf<'propose_resolution'>,
): PlainAnswer {
  const { proposerId, evidence } = command;
  const refusals = new Refusals(world);
  const market = findMarket(world, command.marketId);
  const payout = market === undefined ? undefined : payoutOf(market, command.result);
  const isVoid = command.result.kind === 'void' && proposerId === null;
  if (market !== undefined && payout === undefined) refusals.field('result', 'one that fits');
  if (isVoid) refusals.field('result', 'not void by operators');
  if (command.bond < 0n) refusals.field('bond', 'not negative');
  checkEvidence(evidence, refusals);
  if (proposerId === null) checkOperator(command.actor, refusals);
  else checkAccount(world, command.actor, proposerId, refusals);
  if (market === undefined) refusals.add('MARKET_NOT_FOUND');
  else {
    const early = market.status === 'active' && proposerId !== null;
    if (market.closing !== null || market.status === 'scheduled' || early)
      refusals.add('STATE_CONFLICT');
    else if (isFinal(market)) refusals.add('RESOLUTION_LOCKED');
    else if (market.status === 'settling') {
      const disputed = market.proposal?.state === 'disputed';
      refusals.add(disputed ? 'RESOLUTION_CHALLENGE_OPEN' : 'PROPOSAL_STATE_INVALID');
    }
    if (proposerId !== null) {
      const required = proposerBond(world, market);
      checkBond(world, proposerId, command.bond, required, command.bond, refusals);
    }
  }
  if (refusals.any || market === undefined || payout === undefined) return refusals.answer();
  const { challengeSec } = market.template.oracleConfig;
  const { challengeMs, accountChallengeMs } = world.parameters.resolution;
  let window = challengeSec === null ? challengeMs : challengeSec * 1000;
  if (proposerId !== null) window = Math.max(window, accountChallengeMs);
  const bond = proposerId === null ? 0n : command.bond;
  propose(world, market, { proposerId, payout, evidence, bond, window });
  return DONE;
}

interface Proposing {
  readonly proposerId: string | null;
  readonly payout: readonly number[] | null;
  readonly evidence: readonly string[];
  readonly bond: bigint;
  readonly window: number;
  readonly cancellation?: NaiveCancellation;
  readonly operator?: string | null;
}

/** Records the proposal, takes the bond, locks if need be, and settles at once without a window. */
export function propose(world: World, market: NaiveMarket, proposing: Proposing): void {
  const { proposerId, payout, evidence, bond, window } = proposing;
  const { cancellation = null, operator = null } = proposing;
  const windowEndsAtMs = world.nowMs + window;
  market.proposal = {
    proposerId,
    payout,
    bond,
    windowEndsAtMs,
    windowClockEnd: world.windowClockMs + window,
    state: 'proposed',
    cancellation,
    operator,
    proposedAtMs: world.nowMs,
    challengerId: null,
    challengerBond: 0n,
    disputedAtMs: null,
    overdueAtMs: null,
  };
  world.events.push({
    type: 'resolution_proposed',
    marketId: market.id,
    proposerId,
    payout: payout ?? [],
    evidence,
    bond,
    windowEndsAtMs,
    cancellation,
  });
  if (proposerId !== null) {
    const entry = new Entry(world).move(
      freeName(proposerId),
      bondName(market.id, 'proposer'),
      bond,
    );
    entry.commit('bond', market.id);
  }
  if (cancellation !== null)
    awaitRuling(world, market, world.nowMs + world.parameters.resolution.rulingAlarmMs);
  if (window > 0)
    world.timers.push({ dueMs: windowEndsAtMs, kind: 'resolution_window', subject: market.id });
  if (market.status === 'active') beginLock(world, market, true);
  else if (market.status === 'locked') settleAfterProposal(world, market);
}

export function windowRings(world: World, marketId: string): void {
  const market = needMarket(world, marketId);
  if (market.status === 'settling' && market.closing === null) endOrMoveWindow(world, market);
}

export function disputeResolution(
  world: World,
  command: CommandOf<'dispute_resolution'>,
): PlainAnswer {
  const { accountId, evidence } = command;
  const refusals = new Refusals(world);
  const market = findMarket(world, command.marketId);
  if (command.bond < 0n) refusals.field('bond', 'not negative');
  checkEvidence(evidence, refusals);
  checkAccount(world, command.actor, accountId, refusals);
  const proposal = market?.proposal ?? null;
  let bond = 0n;
  if (market === undefined) refusals.add('MARKET_NOT_FOUND');
  else if (market.closing !== null) refusals.add('STATE_CONFLICT');
  else if (isFinal(market)) refusals.add('RESOLUTION_LOCKED');
  else if (market.status !== 'settling' || proposal === null)
    refusals.add('PROPOSAL_STATE_INVALID');
  else {
    if (proposal.state === 'disputed') refusals.add('DISPUTE_ALREADY_OPEN');
    else if (proposal.state === 'waiting' || proposal.cancellation !== null)
      refusals.add('PROPOSAL_STATE_INVALID');
    bond = bondMinimum(world, market);
    checkBond(world, accountId, command.bond, bond, bond, refusals);
  }
  if (refusals.any || market === undefined || proposal === null) return refusals.answer();
  proposal.state = 'disputed';
  proposal.challengerId = accountId;
  proposal.challengerBond = bond;
  proposal.disputedAtMs = world.nowMs;
  awaitRuling(world, market, world.nowMs + world.parameters.resolution.rulingAlarmMs);
  world.events.push({
    type: 'resolution_disputed',
    marketId: market.id,
    accountId,
    evidence,
    bond,
  });
  const entry = new Entry(world).move(freeName(accountId), bondName(market.id, 'challenger'), bond);
  entry.commit('bond', market.id);
  return DONE;
}

export function reportReadings(world: World, command: CommandOf<'report_readings'>): PlainAnswer {
  const { readings } = command;
  const refusals = new Refusals(world);
  const market = findMarket(world, command.marketId);
  const sources = new Set(readings.map((reading) => reading.source));
  const proper = readings.every(({ source }) => source.length >= 1 && source.length <= 64);
  if (readings.length < 1 || readings.length > 16 || sources.size !== readings.length || !proper) {
    refusals.field('readings', '1 to 16 of distinct sources');
  }
  const payouts =
    market === undefined ? [] : readings.map(({ value }) => readingPayout(market, value));
  if (payouts.some((payout) => payout === undefined)) refusals.field('readings', 'values that fit');
  checkOperator(command.actor, refusals);
  if (market === undefined) refusals.add('MARKET_NOT_FOUND');
  else if (market.closing !== null) refusals.add('STATE_CONFLICT');
  else if (isFinal(market)) refusals.add('RESOLUTION_LOCKED');
  else if (market.status !== 'locked' || market.template.oracleConfig.source === 'manual') {
    refusals.add('STATE_CONFLICT');
  }
  if (market !== undefined && !agree(market, readings)) refusals.add('ORACLE_DISAGREEMENT');
  const payout = payouts[0];
  if (refusals.any || market === undefined || payout === undefined) return refusals.answer();
  const { challengeSec } = market.template.oracleConfig;
  const evidence = readings.map(({ source, value }) => `${source}=${value}`);
  propose(world, market, {
    proposerId: null,
    payout,
    evidence,
    bond: 0n,
    window: (challengeSec ?? 0) * 1000,
  });
  return DONE;
}

/** Operators are told of a market without a proposal, daily; in some sandboxes it is cancelled at once. */
export function deadlineRings(world: World, marketId: string): void {
  const market = needMarket(world, marketId);
  const { autoVoid, alarmEveryMs } = world.parameters.resolution;
  if (market.closing !== null) awaitDeadline(world, market, world.commandMs + 1);
  else if (world.nowMs < graceEndMs(world)) awaitDeadline(world, market, graceEndMs(world));
  else if (autoVoid && world.lane === 'sandbox') {
    const payout = fairPayout(world, market, null, []);
    if (typeof payout === 'string') throw new Error('reference: no default value');
    const reason = 'no_proposal';
    beginVoid(world, market, payout, { cause: 'no_proposal', reason, window: null, excluded: [] });
  } else {
    world.events.push({ type: 'proposal_overdue', marketId });
    awaitDeadline(world, market, world.nowMs + alarmEveryMs);
  }
}

export function awaitDeadline(world: World, market: NaiveMarket, dueMs: number): void {
  market.deadlineMs = dueMs;
  world.timers.push({ dueMs, kind: 'proposal_deadline', subject: market.id });
}

function awaitRuling(world: World, market: NaiveMarket, dueMs: number): void {
  if (market.proposal !== null) market.proposal.overdueAtMs = dueMs;
  world.timers.push({ dueMs, kind: 'ruling_overdue', subject: market.id });
}

/** A dispute or a cancellation without a ruling is announced. A dispute ends after 7 days, and so does a proposal that operators do not take up. */
export function overdueRings(world: World, marketId: string): void {
  const market = needMarket(world, marketId);
  const { proposal } = market;
  if (proposal === null) return;
  const { rulingAlarmMs, rulingDeadlineMs, alarmEveryMs } = world.parameters.resolution;
  const { cancellation, disputedAtMs, proposedAtMs } = proposal;
  const sinceMs = disputedAtMs ?? proposedAtMs;
  if (market.closing !== null) awaitRuling(world, market, world.commandMs + 1);
  else if (cancellation !== null) {
    world.events.push({ type: 'ruling_overdue', marketId, sinceMs });
    awaitRuling(world, market, world.nowMs + alarmEveryMs);
  } else if (proposal.state === 'disputed' && world.nowMs === sinceMs + rulingAlarmMs) {
    world.events.push({ type: 'ruling_overdue', marketId, sinceMs });
    awaitRuling(world, market, sinceMs + rulingDeadlineMs);
  } else if (world.nowMs < graceEndMs(world)) awaitRuling(world, market, graceEndMs(world));
  else endUnruled(world, market);
}

/** An operator's proposal stands, an account's is dropped; bonds go back in both cases. */
function endUnruled(world: World, market: NaiveMarket): void {
  const { proposal } = market;
  const stands = proposal?.state === 'disputed' && proposal.proposerId === null;
  const payout = stands ? proposal.payout : null;
  returnBonds(world, market);
  if (payout === null) dropProposal(world, market);
  else beginSettlement(world, market, payout);
}

/** The market is locked and waits for another proposal. */
export function dropProposal(world: World, market: NaiveMarket): void {
  market.proposal = null;
  changeStatus(world, market, 'locked');
  awaitDeadline(world, market, world.nowMs + world.parameters.resolution.proposalDeadlineMs);
}
