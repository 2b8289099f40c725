// Proposals, disputes, rulings, automatic readings and the mock oracle.
import { checkAccount, checkOperator, isWhole } from './authority.ts';
import { award, bondName, giveBack } from './bonds.ts';
import {
  beginLock,
  beginSettlement,
  beginVoid,
  finishWindow,
  settleAfterProposal,
} from './closing.ts';
import { aligned, decimalOf, isLess, longPips } from './decimal.ts';
import type { CommandOf, PlainAnswer } from './plain.ts';
import { DONE, Refusals } from './refusal.ts';
import {
  balance,
  Entry,
  findMarket,
  freeName,
  isFinal,
  type NaiveMarket,
  needMarket,
  reservedName,
  type World,
} from './world.ts';

type PlainResolution = CommandOf<'propose_resolution'>['result'];

/** The payout of a result: null when void, undefined when it does not fit the market. */
function payoutOf(
  market: NaiveMarket,
  result: PlainResolution,
): readonly number[] | null | undefined {
  const count = market.outcomes.length;
  if (result.kind === 'void') return null;
  if (result.kind === 'outcome') return winner(market, result.outcomeId);
  if (result.kind === 'payout') {
    const fits =
      result.payout.length === count &&
      result.payout.every((each) => isWhole(each) && each >= 0 && each <= 10000) &&
      result.payout.reduce((sum, each) => sum + each, 0) === 10000;
    return fits ? result.payout : undefined;
  }
  return market.template.outcomeSchema === 'scalar'
    ? scalarPayout(market, result.value)
    : undefined;
}

function winner(market: NaiveMarket, outcomeId: string): readonly number[] | undefined {
  if (!market.outcomes.some((outcome) => outcome.id === outcomeId)) return undefined;
  return market.outcomes.map((outcome) => (outcome.id === outcomeId ? 10000 : 0));
}

function scalarPayout(market: NaiveMarket, value: string): readonly number[] | undefined {
  const x = decimalOf(value);
  const lower = decimalOf(market.params.lower);
  const upper = decimalOf(market.params.upper);
  if (x === null || lower === null || upper === null) return undefined;
  const long = longPips(x, lower, upper);
  return [long, 10000 - long];
}

function bondMinimum(world: World, market: NaiveMarket): bigint {
  return market.template.oracleConfig.bond ?? world.parameters.resolution.bondMin;
}

function checkEvidence(evidence: readonly string[], refusals: Refusals): void {
  if (evidence.length > 16 || evidence.some((each) => each.length > 1024))
    refusals.field('evidence', 'short texts');
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
  if (command.bond < 0n) refusals.field('bond', 'not negative');
  if (market !== undefined && payout === undefined) refusals.field('result', 'one that fits');
  checkEvidence(evidence, refusals);
  if (proposerId === null) checkOperator(command.actor, refusals);
  else checkAccount(world, command.actor, proposerId, refusals);
  if (market === undefined) refusals.add('MARKET_NOT_FOUND');
  else {
    if (market.closing !== null || market.status === 'scheduled') refusals.add('STATE_CONFLICT');
    else if (isFinal(market)) refusals.add('RESOLUTION_LOCKED');
    else if (market.status === 'settling') {
      const disputed = market.proposal?.state === 'disputed';
      refusals.add(disputed ? 'RESOLUTION_CHALLENGE_OPEN' : 'PROPOSAL_STATE_INVALID');
    }
    if (proposerId !== null) {
      checkBond(
        world,
        proposerId,
        command.bond,
        bondMinimum(world, market),
        command.bond,
        refusals,
      );
    }
  }
  if (refusals.any || market === undefined || payout === undefined) return refusals.answer();
  const { challengeSec } = market.template.oracleConfig;
  let window =
    challengeSec === null ? world.parameters.resolution.challengeMs : challengeSec * 1000;
  if (proposerId !== null && window === 0) window = world.parameters.resolution.challengeMs;
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
}

/** Records the proposal, takes the bond, locks if need be, and settles at once without a window. */
function propose(world: World, market: NaiveMarket, proposing: Proposing): void {
  const { proposerId, payout, evidence, bond, window } = proposing;
  const windowEndsAtMs = world.nowMs + window;
  market.proposal = {
    proposerId,
    payout,
    bond,
    windowEndsAtMs,
    state: 'proposed',
    challengerId: null,
    challengerBond: 0n,
  };
  world.events.push({
    type: 'resolution_proposed',
    marketId: market.id,
    proposerId,
    payout: payout ?? [],
    evidence,
    bond,
    windowEndsAtMs,
  });
  if (proposerId !== null) {
    const entry = new Entry(world).move(
      freeName(proposerId),
      bondName(market.id, 'proposer'),
      bond,
    );
    entry.commit('bond', market.id);
  }
  if (window > 0)
    world.timers.push({ dueMs: windowEndsAtMs, kind: 'resolution_window', subject: market.id });
  if (market.status === 'active') beginLock(world, market, true);
  else settleAfterProposal(world, market);
}

export function windowRings(world: World, marketId: string): void {
  const market = needMarket(world, marketId);
  const { proposal } = market;
  if (market.status !== 'settling' || market.closing !== null || proposal === null) return;
  if (proposal.state === 'proposed' && proposal.windowEndsAtMs === world.nowMs)
    finishWindow(world, market);
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
    bond = proposal.proposerId === null ? bondMinimum(world, market) : proposal.bond;
    checkBond(world, accountId, command.bond, bond, bond, refusals);
  }
  if (refusals.any || market === undefined || proposal === null) return refusals.answer();
  proposal.state = 'disputed';
  proposal.challengerId = accountId;
  proposal.challengerBond = bond;
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

export function ruleResolution(world: World, command: CommandOf<'rule_resolution'>): PlainAnswer {
  const { ruling, result } = command;
  const refusals = new Refusals(world);
  const market = findMarket(world, command.marketId);
  if (!['upheld', 'overturned', 'void'].includes(ruling)) refusals.field('ruling', 'a ruling');
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
  else if (proposal?.state !== 'disputed') refusals.add('PROPOSAL_STATE_INVALID');
  if (refusals.any || market === undefined || proposal === null) return refusals.answer();
  const payout =
    ruling === 'upheld' ? proposal.payout : ruling === 'overturned' ? (changed ?? null) : null;
  const shown = ruling === 'void' ? null : (payout ?? []);
  world.events.push({ type: 'resolution_ruled', marketId: market.id, ruling, payout: shown });
  if (ruling !== 'void') {
    const loser = ruling === 'upheld' ? 'challenger' : 'proposer';
    award(world, market, loser);
    giveBack(world, market, loser === 'proposer' ? 'challenger' : 'proposer');
    proposal.state = 'final';
  }
  if (payout === null) beginVoid(world, market, 'void');
  else beginSettlement(world, market, payout);
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

function readingPayout(market: NaiveMarket, value: string): readonly number[] | undefined {
  if (market.template.outcomeSchema === 'scalar') return scalarPayout(market, value);
  const strike = strikeOf(market);
  if (strike === null) return winner(market, value);
  const x = decimalOf(value);
  if (x === null) return undefined;
  return isLess(x, strike) ? [0, 10000] : [10000, 0];
}

function strikeOf(market: NaiveMarket) {
  return market.template.outcomeSchema === 'binary' ? decimalOf(market.params.strike) : null;
}

function agree(market: NaiveMarket, readings: CommandOf<'report_readings'>['readings']): boolean {
  const first = readings[0];
  if (first === undefined) return true;
  const decimal = market.template.outcomeSchema === 'scalar' || strikeOf(market) !== null;
  return readings.every(({ value }) => {
    if (!decimal) return value === first.value;
    const x = decimalOf(value);
    const y = decimalOf(first.value);
    if (x === null || y === null) return true;
    const [left, right] = aligned(x, y);
    return left === right;
  });
}

export function mockOracle(world: World, command: CommandOf<'mock_oracle'>): PlainAnswer {
  const refusals = new Refusals(world);
  const market = findMarket(world, command.marketId);
  const payout = market === undefined ? undefined : winner(market, command.winningOutcomeId);
  if (market !== undefined && payout === undefined)
    refusals.field('winning_outcome_id', 'an outcome');
  if (world.lane === 'live') refusals.add('SANDBOX_ONLY');
  checkAccount(world, command.actor, command.accountId, refusals);
  if (market === undefined || market.template.oracleConfig.source !== 'sandbox_mock') {
    refusals.add('MARKET_NOT_FOUND');
  } else if (
    (market.status !== 'active' && market.status !== 'locked') ||
    market.closing !== null
  ) {
    refusals.add('STATE_CONFLICT');
  }
  if (refusals.any || market === undefined || payout === undefined) return refusals.answer();
  propose(world, market, {
    proposerId: null,
    payout,
    evidence: ['mock_oracle'],
    bond: 0n,
    window: 0,
  });
  return DONE;
}

/** A market locked without a proposal is cancelled, but not soon after a recovery. */
export function deadlineRings(world: World, marketId: string): void {
  const market = needMarket(world, marketId);
  if (market.status !== 'locked' || market.closing !== null) return;
  const graceMs = (world.recoveredAtMs ?? -Infinity) + world.parameters.resolution.recoveryGraceMs;
  if (world.nowMs < graceMs) {
    world.timers.push({ dueMs: graceMs, kind: 'proposal_deadline', subject: marketId });
    return;
  }
  beginVoid(world, market, 'no_proposal');
}
