// The end of a gtd order's time.
import { present } from '../kit/assert.ts';
import type { OrderId } from '../kit/identity.ts';
import { cancelOpenOrder } from '../state/orders/close.ts';
import type { Turn } from '../state/turn.ts';

export function orderExpired(turn: Turn, orderId: OrderId): void {
  const order = present(turn.state.orders.get(orderId), 'an order that expires');
  // A market that is being closed chunk by chunk releases this order itself.
  if (order.holding.market.closing !== null) return;
  cancelOpenOrder(turn, order, 'expired');
  turn.timerUnits += 1;
}
