// Steps of a limit price along the market's grid.
import { compareAmounts, formatAmount, type Market, parseAmount, roundPrice } from '@sibyl/sdk';

/**
 * So many ticks above the price, or below it. A price between two ticks goes to the next one first, and no price leaves the
 * grid at either end.
 */
export function steppedPrice(market: Market, price: string, ticks: number): string {
  const isUp = ticks > 0;
  const onGrid = roundPrice(market, price, isUp ? 'ceil' : 'floor');
  const wholeSteps = compareAmounts(onGrid, price) === 0 ? ticks : ticks - Math.sign(ticks);
  const moved = parseAmount(onGrid) + parseAmount(market.tick_size) * BigInt(wholeSteps);
  const lowest = parseAmount(market.tick_size);
  return roundPrice(market, formatAmount(moved < lowest ? lowest : moved));
}

/** Ticks of a step with Shift. */
const LONG_STEP = 10;

/** The ticks that an arrow key means in a field for a price; null for any other key. */
export function ticksOf(key: string, isLong: boolean): number | null {
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return null;
  return (key === 'ArrowUp' ? 1 : -1) * (isLong ? LONG_STEP : 1);
}
