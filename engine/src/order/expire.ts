// The end of a gtd order's time.
import type { OrderId } from '../identity.ts';
import type { Turn } from '../turn.ts';
import { cancelOpenOrder } from './close.ts';

export function orderExpired(turn: Turn, orderId: OrderId, dueMs: number): void {
  const order = turn.state.orders.get(orderId);
  if (order === undefined || order.expiresAtMs !== dueMs) return;
  // A market that is being closed chunk by chunk releases this order itself.
  if (order.holding.market.closing === null) cancelOpenOrder(turn, order, 'expired');
}
