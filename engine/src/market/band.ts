// Price bands: how far an order may trade from the price of a moment ago, and the halt of a market that keeps at it.
import { PIPS_ONE, type Pips } from '@sibyl/money';
import type { Side } from '../identity.ts';
import type { State } from '../state.ts';
import type { Turn } from '../turn.ts';
import { halt } from './halt.ts';
import type { Market } from './market.ts';
import { referencePrices } from './price-memory.ts';

/** No band: no order's limit lies beyond it. */
export const NO_BAND = 0;

/** The width of the market's band in pips. */
export function bandOf(state: State, market: Market): number {
  const { marketType, bandPips } = market.template.definition;
  if (marketType === 'fast') return NO_BAND;
  return bandPips ?? state.parameters.band.pips;
}

/** The worst price that an order of this limit may trade at: its limit, or where its band ends (PB1). */
export function boundedLimit(
  state: State,
  market: Market,
  outcome: number,
  side: Side,
  limit: Pips,
): Pips {
  if (market.pool === null) return limit;
  const band = bandOf(state, market);
  if (band === NO_BAND) return limit;
  const reference = Number(referencePrices(state, market)[outcome]!); // exact: at most a million
  return tighter(limit, boundFrom(reference, band, side), side);
}

/**
 * Where the bands of the other outcomes end that an order moves the other way, 0 for one that never gets there; null with
 * two outcomes, whose prices move as one (PB5).
 */
export function otherBounds(state: State, market: Market, side: Side): readonly Pips[] | null {
  if (market.pool === null || market.hasOneBook) return null;
  const band = bandOf(state, market);
  if (band === NO_BAND) return null;
  const way = side === 'buy' ? 'sell' : 'buy';
  return referencePrices(state, market).map((price) => {
    const reference = Number(price); // exact: at most a million
    const isReached =
      way === 'sell'
        ? reference > band * MICRO_PER_PIP
        : reference < (PIPS_ONE - band) * MICRO_PER_PIP;
    return isReached ? boundFrom(reference, band, way) : (0 as Pips);
  });
}

/** Where the band around a price in µUSDT ends, in whole pips inside it. */
export function boundFrom(reference: number, band: number, side: Side): Pips {
  const rest = reference % MICRO_PER_PIP;
  const floor = (reference - rest) / MICRO_PER_PIP; // exact: the remainder was taken off
  if (side === 'buy') return lesser(floor + band, PIPS_ONE - 1);
  const ceiling = rest === 0 ? floor : floor + 1;
  return ceiling - band < 1 ? (1 as Pips) : ((ceiling - band) as Pips);
}

function tighter(limit: Pips, bound: Pips, side: Side): Pips {
  if (side === 'buy') return bound < limit ? bound : limit;
  return bound > limit ? bound : limit;
}

/** An order traded and was cut short by its band: when that goes on, the market is halted (PB4). */
export function noteHit(turn: Turn, market: Market): void {
  const { state } = turn;
  const { memory } = market;
  if (market.pool === null) return;
  const { delayMs, windows, haltMs, haltEveryMs } = state.parameters.band;
  const { nowMs } = state;
  const window = (nowMs - (nowMs % delayMs)) / delayMs; // exact: the remainder was taken off
  if (memory.hits === 0 || window > memory.hitWindow + 1) memory.hits = 1;
  else if (window > memory.hitWindow) memory.hits += 1;
  memory.hitWindow = window;
  if (memory.hits < windows) return;
  if (memory.haltedAtMs !== null && nowMs - memory.haltedAtMs < haltEveryMs) return;
  memory.haltedAtMs = nowMs;
  halt(turn, market, 'circuit_breaker', nowMs + haltMs);
}

const MICRO_PER_PIP = 100;

function lesser(pips: number, most: number): Pips {
  return (pips < most ? pips : most) as Pips;
}
