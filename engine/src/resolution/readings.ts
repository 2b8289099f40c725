// Readings of automatic sources: when they agree, they are the result.
import type { Pips, Usdt } from '@sibyl/money';
import { readDecimal } from '../market/exact-decimal.ts';
import { conflict, governed } from '../market/lifecycle.ts';
import type { Actor, ReportReadings } from '../state/command.ts';
import { isFinal, type Market, outcomeIndex } from '../state/market.ts';
import { type Answer, DONE } from '../state/outcome.ts';
import { invalid, type Rejection, reject } from '../state/reject.ts';
import { accept, refuse, type Turn } from '../state/turn.ts';
import { paramOf } from '../template/params.ts';
import { isRecord } from '../template/schema.ts';
import { scalarPayout, winnerTakesAll } from './payout.ts';
import { propose } from './propose.ts';

export function reportReadings(turn: Turn, actor: Actor, command: ReportReadings): Answer {
  const { state } = turn;
  const { readings } = command;
  const fault = checkReadings(state.markets.get(command.marketId), readings);
  if (fault !== null) return refuse(fault);
  const market = governed(state, actor, command.marketId);
  if ('code' in market) return refuse(market);
  const obstacle = checkState(market);
  if (obstacle !== null) return refuse(obstacle);
  const payout = agreedPayout(market, readings);
  if (payout === null) return refuse(reject('ORACLE_DISAGREEMENT', { market_id: market.id }));
  const { challengeSec } = market.template.definition.oracleConfig;
  propose(turn, market, {
    proposer: null,
    payout,
    evidence: readings.map(({ source, value }) => `${source}=${value}`),
    bond: 0n as Usdt,
    windowMs: (challengeSec ?? 0) * 1000,
  });
  return accept(DONE);
}

type Readings = ReportReadings['readings'];

const READINGS_MAX = 16;
const SOURCE_LENGTH_MAX = 64;

function checkReadings(market: Market | undefined, readings: Readings): Rejection | null {
  const isList = Array.isArray(readings) && readings.length > 0 && readings.length <= READINGS_MAX;
  if (!isList) return invalid('readings', '1 to 16 readings');
  const sources = new Set<string>();
  for (const reading of readings) {
    if (!isRecord(reading) || !isSource(reading.source) || typeof reading.value !== 'string') {
      return invalid('readings', 'a source and a value each');
    }
    if (sources.has(reading.source)) return invalid('readings', 'one reading of each source');
    sources.add(reading.source);
    if (market !== undefined && meaningOf(market, reading.value) === null) {
      return invalid('readings', 'values that the market can be resolved by');
    }
  }
  return null;
}

function isSource(source: unknown): source is string {
  return typeof source === 'string' && source.length > 0 && source.length <= SOURCE_LENGTH_MAX;
}

function checkState(market: Market): Rejection | null {
  if (market.closing !== null) return conflict(market);
  if (isFinal(market)) return reject('RESOLUTION_LOCKED', { market_id: market.id });
  const isAutomatic = market.template.definition.oracleConfig.source !== 'manual';
  return market.status === 'locked' && isAutomatic ? null : conflict(market);
}

/** What a value says of the market: a number where it is resolved by one, else a winning outcome's index. */
function meaningOf(market: Market, value: string): bigint | null {
  if (isNumeric(market)) return readDecimal(value);
  const index = outcomeIndex(market, value);
  return index < 0 ? null : BigInt(index);
}

function isNumeric(market: Market): boolean {
  const { outcomeSchema } = market.template.definition;
  return outcomeSchema === 'scalar' || (outcomeSchema === 'binary' && strikeOf(market) !== null);
}

function strikeOf(market: Market): bigint | null {
  return readDecimal(paramOf(market.params, 'strike'));
}

/** Null when the readings disagree. */
function agreedPayout(market: Market, readings: Readings): readonly Pips[] | null {
  const meanings = readings.map(({ value }) => meaningOf(market, value));
  const [first] = meanings;
  if (first === undefined || first === null) return null;
  if (meanings.some((meaning) => meaning !== first)) return null;
  if (market.template.definition.outcomeSchema === 'scalar') return scalarPayout(market, first);
  const strike = isNumeric(market) ? strikeOf(market) : null;
  // exact: without a strike the meaning is an outcome's index
  const winner = strike === null ? Number(first) : first >= strike ? 0 : 1;
  return winnerTakesAll(market, winner);
}
