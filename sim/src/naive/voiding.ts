// Cancellations: operators propose them, others confirm them, and until then nothing is paid (VD9 to VD17).
import { isWhole } from './authority.ts';
import { returnBonds } from './bonds.ts';
import { fairPayout, mustName, type NaiveValue, roundPayout } from './fair-value.ts';
import type { CommandOf, PlainAnswer } from './plain.ts';
import type { NaiveCancellation } from './proposal.ts';
import { DONE, Refusals } from './refusal.ts';
import { areTexts, propose } from './resolution.ts';
import { findMarket, isFinal, type NaiveMarket, type World } from './world.ts';

type ProposeVoid = CommandOf<'propose_void'>;
type ProposeRounds = CommandOf<'propose_void_rounds'>;

export function proposeVoid(world: World, command: ProposeVoid): PlainAnswer {
  const { cause, reason, evidence, window, excluded, expected } = command;
  const refusals = new Refusals(world);
  const market = findMarket(world, command.marketId);
  checkReasons(command, refusals);
  const isSpan =
    window === null ||
    (isTime(window.fromMs) && isTime(window.toMs) && window.fromMs < window.toMs);
  if (!isSpan) refusals.field('window', 'a span of time');
  if (!Array.isArray(expected)) refusals.field('expected', 'a price of each outcome');
  if (market === undefined) refusals.add('MARKET_NOT_FOUND');
  else {
    const payout = isSpan ? checkedPayout(world, market, window, excluded) : 'window';
    if (typeof payout === 'string') refusals.field(payout, 'one that fits');
    checkState(market, refusals);
    checkProposed(market, payout, expected, evidence, refusals);
  }
  if (refusals.any || market === undefined) return refusals.answer();
  takeUp(world, market, command, expected, { cause, reason, window, excluded });
  return DONE;
}

/** Null where there are no prices any more, or not yet. */
function checkedPayout(
  world: World,
  market: NaiveMarket,
  window: Window | null,
  excluded: readonly string[],
): NaiveValue | null {
  const indexes = indexesOf(market, excluded);
  if (indexes === null) return 'excluded';
  if (isFinal(market) || market.closing !== null) return null;
  const payout = fairPayout(world, market, window, indexes);
  const isVague = window === null && mustName(world, market, indexes);
  return typeof payout !== 'string' && isVague ? 'window' : payout;
}

/** For every round or for none. */
export function proposeVoidRounds(world: World, command: ProposeRounds): PlainAnswer {
  const { rounds, cause, reason, toMs } = command;
  const refusals = new Refusals(world);
  checkReasons(command, refusals);
  if (!isTime(toMs)) refusals.field('to_ms', 'a time');
  checkRounds(world, rounds, refusals);
  if (refusals.any) return refusals.answer();
  const found: { market: NaiveMarket; payout: readonly number[]; window: Window }[] = [];
  for (const { marketId, expected } of rounds) {
    const market = findMarket(world, marketId);
    if (market === undefined) {
      refusals.add('MARKET_NOT_FOUND');
      return refusals.answer();
    }
    const window = { fromMs: Math.max(0, toMs - Math.floor(market.tradedMs / 3)), toMs };
    checkState(market, refusals);
    if (market.status === 'active' && !market.halted) refusals.add('STATE_CONFLICT');
    if (refusals.any) return refusals.answer();
    const payout = roundPayout(world, market, window);
    if (typeof payout === 'string') refusals.field('to_ms', 'a time with prices');
    else checkProposed(market, payout, expected, command.evidence, refusals);
    if (refusals.any) return refusals.answer();
    found.push({ market, payout: expected, window });
  }
  for (const { market, payout, window } of found)
    takeUp(world, market, command, payout, { cause, reason, window, excluded: [] });
  return DONE;
}

function checkRounds(world: World, rounds: ProposeRounds['rounds'], refusals: Refusals): void {
  const ids = new Set(rounds.map(({ marketId }) => marketId));
  if (rounds.length < 1 || rounds.length > 100 || ids.size < rounds.length)
    refusals.field('rounds', '1 to 100 markets');
  const templates = [...ids].flatMap((id) => findMarket(world, id)?.template ?? []);
  if (templates.some(({ roundConfig }) => roundConfig === null)) refusals.field('rounds', 'rounds');
  if (new Set(templates.map(({ id }) => id)).size > 1)
    refusals.field('rounds', 'rounds of one template');
}

type Window = NonNullable<NaiveCancellation['window']>;

const isTime = (ms: unknown): boolean => isWhole(ms) && ms >= 0;

function checkReasons(command: ProposeVoid | ProposeRounds, refusals: Refusals): void {
  const { cause, reason, evidence, actor } = command;
  if (!['event', 'question', 'source', 'other'].includes(cause))
    refusals.field('cause', 'event, question, source or other');
  if (reason.length < 1 || reason.length > 1000) refusals.field('reason', '1 to 1000 characters');
  if (!areTexts(evidence)) refusals.field('evidence', 'short texts');
  if (actor.kind !== 'operator') refusals.add('NOT_FOUND');
}

/** Null unless they are outcomes of the market, each named once. */
function indexesOf(market: NaiveMarket, ids: readonly string[]): readonly number[] | null {
  const indexes = ids.map((id) => market.outcomes.findIndex((outcome) => outcome.id === id));
  return indexes.includes(-1) || new Set(indexes).size < indexes.length ? null : indexes;
}

function checkState(market: NaiveMarket, refusals: Refusals): void {
  const { status, closing, proposal } = market;
  if (closing !== null) refusals.add('STATE_CONFLICT');
  else if (isFinal(market)) refusals.add('RESOLUTION_LOCKED');
  else if (proposal?.state === 'proposed' && proposal.payout !== null)
    refusals.add('PROPOSAL_STATE_INVALID');
  else if (status === 'scheduled') refusals.add('STATE_CONFLICT');
}

function checkProposed(
  market: NaiveMarket,
  payout: NaiveValue | null,
  expected: readonly number[],
  evidence: readonly string[],
  refusals: Refusals,
): void {
  const isSame =
    payout !== null &&
    payout.length === expected.length &&
    expected.every((pips, outcome) => pips === payout[outcome]);
  if (!isSame) refusals.add('STATE_CONFLICT', { reason: 'payout_changed' });
  if (evidence.every((each) => each === '')) refusals.add('RESOLUTION_EVIDENCE_MISSING');
  if (market.proposal?.state === 'disputed') refusals.add('RESOLUTION_CHALLENGE_OPEN');
}

/** In place of an account’s proposal to cancel, whose bond goes back. */
function takeUp(
  world: World,
  market: NaiveMarket,
  { actor, evidence }: ProposeVoid | ProposeRounds,
  payout: readonly number[],
  cancellation: NaiveCancellation,
): void {
  returnBonds(world, market);
  propose(world, market, {
    proposerId: null,
    payout,
    evidence,
    bond: 0n,
    window: world.parameters.resolution.voidNoticeMs,
    cancellation,
    operator: actor.kind === 'operator' ? actor.name : null,
  });
}
