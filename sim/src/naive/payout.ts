// What a result says of a market: how a complete set is shared among its outcomes.
import { isWhole } from './authority.ts';
import { aligned, decimalOf, isLess, longPips } from './decimal.ts';
import type { CommandOf } from './plain.ts';
import type { NaiveMarket } from './world.ts';

type PlainResolution = CommandOf<'propose_resolution'>['result'];

/** The payout of a result: null when void, undefined when it does not fit the market. */
export function payoutOf(
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

export function readingPayout(market: NaiveMarket, value: string): readonly number[] | undefined {
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

export function agree(
  market: NaiveMarket,
  readings: CommandOf<'report_readings'>['readings'],
): boolean {
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
