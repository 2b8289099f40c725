// Price bands: how far an order may trade from the price of a moment ago, and the halt of a market that keeps at it.
import { PIPS_ONE, type Pips } from '@sibyl/money';
import type { PoolView } from '../amm/view.ts';
import type { Side } from '../kit/identity.ts';
import type { Market } from '../state/market.ts';
import type { State } from '../state/state.ts';
import type { Turn } from '../state/turn.ts';
import { halt } from './halt.ts';
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

/** The bands of the outcomes that an order does not trade, which its trades move the other way (PB5). */
export interface OtherBands {
  readonly pips: number;
  readonly references: readonly bigint[];
}

/** Null with two outcomes, whose prices move as one. */
export function otherBands(state: State, market: Market): OtherBands | null {
  if (market.pool === null || market.hasOneBook) return null;
  const pips = bandOf(state, market);
  return pips === NO_BAND ? null : { pips, references: referencePrices(state, market) };
}

/** Where the bands end for an order of this side; 0 for an outcome that never gets there. */
export function endsOf({ pips, references }: OtherBands, side: Side): readonly Pips[] {
  const way = side === 'buy' ? 'sell' : 'buy';
  return references.map((price) => {
    const reference = Number(price); // exact: at most a million
    const isReached =
      way === 'sell'
        ? reference > pips * MICRO_PER_PIP
        : reference < (PIPS_ONE - pips) * MICRO_PER_PIP;
    return isReached ? boundFrom(reference, pips, way) : (0 as Pips);
  });
}

/**
 * Whether each price of the pool stays more than a pip away from its band's end if none moves by more than `move` µUSDT:
 * weight / sum, by their leading bits, against the reference.
 */
export function isFarFromEnds(
  { pips, references }: OtherBands,
  view: PoolView,
  side: Side,
  move: number,
): boolean {
  const sum = leading(view.sum);
  const most = (pips - 2) * MICRO_PER_PIP - move;
  if (sum > LEADING_MAX || most < 0) return false;
  for (let outcome = 0; outcome < view.outcomes; outcome += 1) {
    const price = leading(view.weight(outcome)) * MICRO_ONE;
    const reference = Number(references[outcome]!); // exact: at most a million
    if (side === 'buy' && price < (reference - most) * sum) return false;
    if (side === 'sell' && price > (reference + most) * sum) return false;
  }
  return true;
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

/** Of a weight, whose 1 is 2^128. */
function leading(weight: bigint): number {
  return Number(weight >> 104n); // exact: more than LEADING_MAX is refused
}

const MICRO_PER_PIP = 100;
const MICRO_ONE = 1_000_000;
/** A million times as much is a safe integer. */
const LEADING_MAX = 2 ** 32;

function lesser(pips: number, most: number): Pips {
  return (pips < most ? pips : most) as Pips;
}
