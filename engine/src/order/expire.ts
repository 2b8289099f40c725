// The end of a gtd order's time.
import { present } from '../assert.ts';
import type { OrderId } from '../identity.ts';
import type { Turn } from '../turn.ts';
import { cancelOpenOrder } from './close.ts';

export function orderExpired(turn: Turn, orderId: OrderId): void {
  const order = present(turn.state.orders.get(orderId), 'an order that expires');
  // A market that is being closed chunk by chunk releases this order itself.
  if (order.holding.market.closing !== null) return;
  cancelOpenOrder(turn, order, 'expired');
  turn.timerUnits += 1;
}
