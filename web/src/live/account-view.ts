// The account of whoever is at the page, exactly as its stream tells it: nothing is guessed ahead of the exchange.
import type { Account, FrameOn, Order, Position } from '@sibyl/sdk';

export interface AccountView {
  readonly account: Account;
  readonly free: string;
  readonly reserved: string;
  /** Open orders by id, newest last. */
  readonly orders: ReadonlyMap<string, Order>;
  /** By market and outcome. */
  readonly positions: ReadonlyMap<string, Position>;
}

export type AccountFrame = FrameOn<'account'>;

/** The view after a frame; null before the first snapshot. */
export function afterFrame(view: AccountView | null, frame: AccountFrame): AccountView | null {
  if (frame.type === 'account') return snapshot(frame.data);
  if (view === null) return null;
  switch (frame.type) {
    case 'order_accepted':
    case 'order_updated':
    case 'order_cancelled':
      return { ...view, orders: withOrder(view.orders, frame.data.order) };
    case 'balance_updated':
      return { ...view, free: frame.data.balance_free, reserved: frame.data.balance_reserved };
    case 'position_updated':
      return { ...view, positions: withPosition(view.positions, frame.data.position) };
    case 'position_settled': {
      const positions = new Map(view.positions);
      positions.delete(positionKey(frame.data));
      return { ...view, positions };
    }
    default:
      return view;
  }
}

export function positionKey(of: {
  readonly market_id: string;
  readonly outcome_id: string;
}): string {
  return `${of.market_id} ${of.outcome_id}`;
}

function snapshot(data: Extract<AccountFrame, { type: 'account' }>['data']): AccountView {
  const { account, orders, positions } = data;
  return {
    account,
    free: account.balance_free,
    reserved: account.balance_reserved,
    orders: new Map(orders.map((order) => [order.order_id, order])),
    positions: new Map(positions.map((position) => [positionKey(position), position])),
  };
}

function withOrder(orders: AccountView['orders'], order: Order): AccountView['orders'] {
  const next = new Map(orders);
  if (order.status === 'pending' || order.status === 'partially_filled') {
    next.set(order.order_id, order);
  } else {
    next.delete(order.order_id);
  }
  return next;
}

function withPosition(
  positions: AccountView['positions'],
  position: Position,
): AccountView['positions'] {
  const next = new Map(positions);
  if (/^0(\.0*)?$/.test(position.size)) next.delete(positionKey(position));
  else next.set(positionKey(position), position);
  return next;
}
