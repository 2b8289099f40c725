// What positions come to at the prices of now, in whole micro-units.
import { addAmounts, formatAmount, type Position, parseAmount, subtractAmounts } from '@sibyl/sdk';

const ONE = parseAmount('1');

export interface MarkedPosition {
  readonly position: Position;
  readonly mark: string;
  readonly value: string;
  readonly profit: string;
}

/** A position at another price than the one it was told with; what it cost stays the same. */
export function markedAt(position: Position, mark: string): MarkedPosition {
  const cost = subtractAmounts(worth(position.size, position.mark_price), position.unrealized_pnl);
  const value = worth(position.size, mark);
  return { position, mark, value, profit: subtractAmounts(value, cost) };
}

export function sumOf(amounts: readonly string[]): string {
  return addAmounts('0', ...amounts);
}

/** The shares that no open order holds back. */
export function freeSize(position: Position): string {
  return subtractAmounts(position.size, position.reserved_size);
}

/** Cut to the micro-unit, as the exchange does. */
function worth(size: string, price: string): string {
  return formatAmount((parseAmount(size) * parseAmount(price)) / ONE);
}
