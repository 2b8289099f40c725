// Cancellation at fair value: operators propose it, and others confirm it (VD9 to VD17).
import type { Pips, Usdt } from '@sibyl/money';
import type { MarketId, OutcomeId } from '../kit/identity.ts';
import { conflict, marketUnknown } from '../market/lifecycle.ts';
import type {
  Actor,
  ProposeVoid,
  ProposeVoidRounds,
  TimeWindow,
  VoidCause,
} from '../state/command.ts';
import { type Cancellation, isFinal, type Market, outcomeIndex } from '../state/market.ts';
import { type Answer, DONE } from '../state/outcome.ts';
import { invalid, type Rejection, reject } from '../state/reject.ts';
import type { State } from '../state/state.ts';
import { accept, refuse, type Turn } from '../state/turn.ts';
import { returnBonds } from './bonds.ts';
import { checkEvidence, hasEvidence } from './evidence.ts';
import {
  type FairValue,
  fairValue,
  isMoved,
  isShallow,
  lastDayValue,
  roundValue,
  thirdOf,
  tradingTimeMs,
} from './fair-value.ts';
import { propose } from './propose.ts';
import { stopWaiting } from './window.ts';

export function proposeVoid(turn: Turn, actor: Actor, command: ProposeVoid): Answer {
  const { state } = turn;
  const { marketId, window, excluded, expected } = command;
  const fault = checkTerms(command) ?? checkForm(command);
  if (fault !== null) return refuse(fault);
  const market = state.markets.get(marketId);
  const value = market === undefined ? null : proposedValue(state, market, window, excluded);
  if (value !== null && 'code' in value) return refuse(value);
  if (actor.kind !== 'operator') return refuse(reject('NOT_FOUND', { market_id: marketId }));
  if (market === undefined) return refuse(marketUnknown(marketId));
  const obstacle =
    checkState(market) ??
    checkExpected(market, value, expected) ??
    checkProposed(market, command.evidence);
  if (obstacle !== null) return refuse(obstacle);
  takeUp(turn, market, actor.name, command, { window, excluded, payout: expected });
  return accept(DONE);
}

/** All rounds or none: a payout that is not as expected changes nothing. */
export function proposeVoidRounds(turn: Turn, actor: Actor, command: ProposeVoidRounds): Answer {
  const { state } = turn;
  const { rounds, toMs } = command;
  const fault = checkTerms(command) ?? checkRounds(state, command);
  if (fault !== null) return refuse(fault);
  if (actor.kind !== 'operator') return refuse(reject('NOT_FOUND'));
  const taken: { readonly market: Market; readonly terms: VoidTerms }[] = [];
  for (const { marketId, expected } of rounds) {
    const market = state.markets.get(marketId);
    if (market === undefined) return refuse(marketUnknown(marketId));
    const obstacle = checkState(market);
    if (obstacle !== null) return refuse(obstacle);
    if (market.status === 'active' && !market.halted) return refuse(conflict(market));
    const window = windowOfRound(state, market, toMs);
    const value = roundValue(state, market, window);
    if ('code' in value) return refuse(value);
    const changed =
      checkExpected(market, value, expected) ?? checkProposed(market, command.evidence);
    if (changed !== null) return refuse(changed);
    taken.push({ market, terms: { window, excluded: [], payout: expected } });
  }
  for (const { market, terms } of taken) takeUp(turn, market, actor.name, command, terms);
  return accept(DONE);
}

/** What operators propose of a market besides why. */
interface VoidTerms {
  readonly window: TimeWindow | null;
  readonly excluded: readonly OutcomeId[];
  readonly payout: readonly Pips[];
}

/** An account's proposal that waited for this is over: its bonds return. */
function takeUp(
  turn: Turn,
  market: Market,
  operator: string,
  { cause, reason, evidence }: Pick<ProposeVoid, 'cause' | 'reason' | 'evidence'>,
  { window, excluded, payout }: VoidTerms,
): void {
  const { state } = turn;
  returnBonds(turn, market);
  stopWaiting(state, market);
  const cancellation: Cancellation = { cause, reason, window, excluded };
  propose(turn, market, {
    proposer: null,
    payout,
    evidence,
    bond: 0n as Usdt,
    windowMs: state.parameters.resolution.voidNoticeMs,
    confirms: { operator, cancellation },
  });
}

/** Null where the market has no prices any more, or where these are still being counted. */
function proposedValue(
  state: State,
  market: Market,
  window: TimeWindow | null,
  excluded: readonly OutcomeId[],
): FairValue | Rejection | null {
  const known = excluded.map((id) => outcomeIndex(market, id));
  if (known.includes(-1) || new Set(known).size < known.length) {
    return invalid('excluded', 'distinct outcomes of the market');
  }
  if (isFinal(market) || market.closing !== null) return null;
  const value = fairValue(state, market, window, known);
  if ('code' in value || window !== null) return value;
  const day = lastDayValue(state, market, known);
  const isUnclear = isShallow(market, value) || ('payout' in day && isMoved(state, value, day));
  return isUnclear ? invalid('window', 'a window: the default one says too little') : value;
}

const REASON_LENGTH_MAX = 1000;
const ROUNDS_MAX = 100;
const CAUSES: readonly VoidCause[] = ['event', 'question', 'source', 'other'];

function checkTerms({
  cause,
  reason,
  evidence,
}: Pick<ProposeVoid, 'cause' | 'reason' | 'evidence'>): Rejection | null {
  if (!CAUSES.includes(cause)) return invalid('cause', CAUSES.join(', '));
  const isText =
    typeof reason === 'string' && reason.length >= 1 && reason.length <= REASON_LENGTH_MAX;
  if (!isText) return invalid('reason', `1 to ${REASON_LENGTH_MAX} characters`);
  return checkEvidence(evidence);
}

function checkForm({ window, excluded, expected }: ProposeVoid): Rejection | null {
  const isSpan =
    window === null ||
    (isTime(window.fromMs) && isTime(window.toMs) && window.fromMs < window.toMs);
  if (!isSpan) return invalid('window', 'a span of journal time, or none');
  if (!Array.isArray(excluded)) return invalid('excluded', 'distinct outcomes of the market');
  return Array.isArray(expected) ? null : invalid('expected', EXPECTED);
}

const EXPECTED = 'pips of each outcome';

function checkRounds(state: State, { rounds, toMs }: ProposeVoidRounds): Rejection | null {
  if (!isTime(toMs)) return invalid('to_ms', 'a journal time');
  const isList = Array.isArray(rounds) && rounds.length >= 1 && rounds.length <= ROUNDS_MAX;
  const ids = new Set<MarketId>();
  if (isList) for (const { marketId } of rounds) ids.add(marketId);
  if (!isList || ids.size < rounds.length) return invalid('rounds', `1 to ${ROUNDS_MAX} markets`);
  const templates = new Set<string>();
  for (const { marketId, expected } of rounds) {
    if (!Array.isArray(expected)) return invalid('rounds', EXPECTED);
    const market = state.markets.get(marketId);
    if (market === undefined) continue;
    templates.add(market.template.definition.id);
    if (market.template.definition.roundConfig === null) return invalid('rounds', 'rounds');
  }
  return templates.size > 1 ? invalid('rounds', 'rounds of one template') : null;
}

function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

export function windowOfRound(state: State, market: Market, toMs: number): TimeWindow {
  const thirdMs = thirdOf(tradingTimeMs(state, market));
  return { fromMs: toMs < thirdMs ? 0 : toMs - thirdMs, toMs };
}

/** A market that trades or is locked; or an account's proposal to cancel it waits. */
function checkState(market: Market): Rejection | null {
  const { proposal, status } = market;
  if (market.closing !== null) return conflict(market);
  if (isFinal(market)) return reject('RESOLUTION_LOCKED', { market_id: market.id });
  const isPending = status === 'settling' && proposal !== null && proposal.state === 'proposed';
  if (isPending && proposal.payout.length > 0) {
    return reject('PROPOSAL_STATE_INVALID', { market_id: market.id, state: proposal.state });
  }
  return status === 'scheduled' ? conflict(market) : null;
}

function checkProposed(market: Market, evidence: readonly string[]): Rejection | null {
  if (!hasEvidence(evidence)) return reject('RESOLUTION_EVIDENCE_MISSING');
  const isDisputed = market.proposal !== null && market.proposal.state === 'disputed';
  return isDisputed ? reject('RESOLUTION_CHALLENGE_OPEN', { market_id: market.id }) : null;
}

function checkExpected(
  market: Market,
  value: FairValue | null,
  expected: readonly Pips[],
): Rejection | null {
  const isSame =
    value !== null &&
    expected.length === value.payout.length &&
    expected.every((pips, outcome) => pips === value.payout[outcome]);
  if (isSame) return null;
  return reject('STATE_CONFLICT', { market_id: market.id, reason: 'payout_changed' });
}
