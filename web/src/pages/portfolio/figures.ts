// Sums of amounts, and what of a position is for sale.
import { addAmounts, type Position, subtractAmounts } from '@sibyl/sdk';

export function sumOf(amounts: readonly string[]): string {
  return addAmounts('0', ...amounts);
}

/** The shares that no open order holds back. */
export function freeSize(position: Position): string {
  return subtractAmounts(position.size, position.reserved_size);
}
