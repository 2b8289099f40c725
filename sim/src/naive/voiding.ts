// Cancellations: operators propose them, others confirm them, and until then nothing is paid (VD9 to VD17).
import { checkOperator, isWhole } from './authority.ts';
import { returnBonds } from './bonds.ts';
import { fairPayout, mustName, type NaiveValue, roundPayout } from './fair-value.ts';
import type { CommandOf, PlainAnswer } from './plain.ts';
import type { NaiveCancellation } from './proposal.ts';
import { DONE, Refusals } from './refusal.ts';
import { checkEvidence, propose } from './resolution.ts';
import { findMarket, isFinal, type NaiveMarket, type World } from './world.ts';

type ProposeVoid = CommandOf<'propose_void'>;
type ProposeRounds = CommandOf<'propose_void_rounds'>;

const TIME_MAX = 253_402_300_799_999;

export function proposeVoid(world: World, command: ProposeVoid): PlainAnswer {
  const { cause, reason, window, excluded, expected } = command;
  const refusals = new Refusals(world);
  const market = findMarket(world, command.marketId);
  checkReasons(command, refusals);
  if (
    window !== null &&
    !(isTime(window.fromMs) && isTime(window.toMs) && window.fromMs < window.toMs)
  )
    refusals.field('window', 'a span of time');
  const indexes = market === undefined ? [] : indexesOf(market, excluded);
  if (indexes === null) refusals.field('excluded', 'outcomes of the market');
  if (market === undefined) refusals.add('MARKET_NOT_FOUND');
  else checkState(market, refusals);
  if (refusals.any || market === undefined || indexes === null) return refusals.answer();
  const payout = fairPayout(world, market, window, indexes);
  const isVague = window === null && mustName(world, market, indexes);
  checkPayout(isVague ? 'window' : payout, expected, refusals);
  if (refusals.any || typeof payout === 'string') return refusals.answer();
  takeUp(world, market, command, payout, { cause, reason, window, excluded });
  return DONE;
}

/** For every round or for none. */
export function proposeVoidRounds(world: World, command: ProposeRounds): PlainAnswer {
  const { rounds, cause, reason, toMs } = command;
  const refusals = new Refusals(world);
  checkReasons(command, refusals);
  const ids = new Set(rounds.map(({ marketId }) => marketId));
  if (rounds.length < 1 || rounds.length > 100 || ids.size < rounds.length)
    refusals.field('rounds', '1 to 100 markets');
  if (!isTime(toMs)) refusals.field('to_ms', 'a time');
  const found: { market: NaiveMarket; payout: readonly number[]; window: Window }[] = [];
  const [first] = rounds.map(({ marketId }) => findMarket(world, marketId));
  for (const { marketId, expected } of rounds) {
    const market = findMarket(world, marketId);
    if (market === undefined) {
      refusals.add('MARKET_NOT_FOUND');
      continue;
    }
    checkState(market, refusals);
    const isWaiting = market.status === 'locked' || market.halted;
    if (!isWaiting || market.template !== first?.template) refusals.add('STATE_CONFLICT');
    if (refusals.any) continue;
    const window = { fromMs: toMs - Math.floor(market.tradedMs / 3), toMs };
    const payout = roundPayout(world, market, window);
    checkPayout(payout, expected, refusals);
    if (typeof payout !== 'string') found.push({ market, payout, window });
  }
  if (refusals.any) return refusals.answer();
  for (const { market, payout, window } of found)
    takeUp(world, market, command, payout, { cause, reason, window, excluded: [] });
  return DONE;
}

type Window = NonNullable<NaiveCancellation['window']>;

const isTime = (ms: unknown): boolean => isWhole(ms) && ms >= 0 && ms <= TIME_MAX;

function checkReasons(command: ProposeVoid | ProposeRounds, refusals: Refusals): void {
  const { cause, reason, evidence, actor } = command;
  if (!['event', 'question', 'source', 'other'].includes(cause))
    refusals.field('cause', 'event, question, source or other');
  if (reason.length < 1 || reason.length > 1000) refusals.field('reason', '1 to 1000 characters');
  checkEvidence(evidence, refusals);
  checkOperator(actor, refusals);
}

/** Null unless they are outcomes of the market, each named once. */
function indexesOf(market: NaiveMarket, ids: readonly string[]): readonly number[] | null {
  const indexes = ids.map((id) => market.outcomes.findIndex((outcome) => outcome.id === id));
  return indexes.includes(-1) || new Set(indexes).size < indexes.length ? null : indexes;
}

function checkState(market: NaiveMarket, refusals: Refusals): void {
  const { status, closing, proposal } = market;
  if (closing !== null || status === 'scheduled') refusals.add('STATE_CONFLICT');
  else if (isFinal(market)) refusals.add('RESOLUTION_LOCKED');
  else if (proposal?.state === 'disputed') refusals.add('RESOLUTION_CHALLENGE_OPEN');
  else if (proposal?.state === 'proposed') refusals.add('PROPOSAL_STATE_INVALID');
}

function checkPayout(payout: NaiveValue, expected: readonly number[], refusals: Refusals): void {
  if (typeof payout === 'string') refusals.field(payout, 'one that fits');
  else if (
    payout.length !== expected.length ||
    payout.some((pips, outcome) => pips !== expected[outcome])
  )
    refusals.add('STATE_CONFLICT', { reason: 'payout_changed' });
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
