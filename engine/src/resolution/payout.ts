// From what a source or an arbiter says to a payout vector in pips that sums to 10000.
import { floorDiv, isPips, PIPS_ONE, type Pips } from '@sibyl/money';
import { present } from '../kit/assert.ts';
import { readDecimal } from '../market/exact-decimal.ts';
import type { ResolutionResult } from '../state/command.ts';
import { type Market, outcomeIndex } from '../state/market.ts';
import { paramOf } from '../template/params.ts';

/** The vector, empty for a void result; null when the result says nothing about this market. */
export function payoutOf(market: Market, result: ResolutionResult): readonly Pips[] | null {
  switch (result.kind) {
    case 'outcome':
      return winnerTakesAll(market, outcomeIndex(market, result.outcomeId));
    case 'payout':
      return isPayout(market, result.payout) ? result.payout : null;
    case 'value': {
      const value = readDecimal(result.value);
      const isScalar = market.template.definition.outcomeSchema === 'scalar';
      return isScalar && value !== null ? scalarPayout(market, value) : null;
    }
    case 'void':
      return [];
    default:
      return null;
  }
}

export function winnerTakesAll(market: Market, winner: number): readonly Pips[] | null {
  if (winner < 0) return null;
  return market.outcomes.map((_, index) => (index === winner ? PIPS_ONE : 0) as Pips);
}

/** Long is paid for how far between the bounds the value lies, short the rest. */
export function scalarPayout(market: Market, value: bigint): readonly Pips[] {
  const lower = present(readDecimal(paramOf(market.params, 'lower')), 'the lower bound');
  const upper = present(readDecimal(paramOf(market.params, 'upper')), 'the upper bound');
  const long = longPips(value, lower, upper);
  return [long as Pips, (PIPS_ONE - long) as Pips];
}

export function longPips(value: bigint, lower: bigint, upper: bigint): number {
  if (value <= lower) return 0;
  if (value >= upper) return PIPS_ONE;
  // exact: strictly between the bounds the quotient is below 10000
  return Number(floorDiv((value - lower) * BigInt(PIPS_ONE), upper - lower));
}

function isPayout(market: Market, payout: readonly Pips[]): boolean {
  if (!Array.isArray(payout) || payout.length !== market.outcomes.length) return false;
  let sum = 0;
  for (const part of payout) {
    if (!isPips(part)) return false;
    sum += part;
  }
  return sum === PIPS_ONE;
}
