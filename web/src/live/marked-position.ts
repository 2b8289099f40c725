// A position at the price of now: its value and its profit, with the one definition of profit that all pages share.
import { addAmounts, formatAmount, type Position, parseAmount, subtractAmounts } from '@sibyl/sdk';

const ONE = parseAmount('1');

export interface MarkedPosition {
  readonly position: Position;
  readonly mark: string;
  readonly value: string;
  /** Its value and what its sales brought, less what its shares cost and all fees. */
  readonly profit: string;
}

/** A position at another price than the one it was sent with; cost, sales and fees stay the same. */
export function markedAt(position: Position, mark: string): MarkedPosition {
  const cost = subtractAmounts(worth(position.size, position.mark_price), position.unrealized_pnl);
  const value = worth(position.size, mark);
  const profit = addAmounts(subtractAmounts(value, cost), position.realized_pnl);
  return { position, mark, value, profit };
}

/** Cut to the micro-unit, as the exchange does. */
function worth(size: string, price: string): string {
  return formatAmount((parseAmount(size) * parseAmount(price)) / ONE);
}
