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
  // What happens to a subaccount is told too, and is not this account's.
  return subaccountOf(frame) === null ? changed(view, frame) : view;
}

/** The view of one of the subaccounts after a frame of its owner's stream. */
export function afterFrameOf(
  id: string,
  view: AccountView | null,
  frame: AccountFrame,
): AccountView | null {
  return view !== null && subaccountOf(frame) === id ? changed(view, frame) : view;
}

/** Null for what is the account's own. */
export function subaccountOf({ data }: AccountFrame): string | null {
  return 'subaccount_id' in data ? (data.subaccount_id ?? null) : null;
}

function changed(view: AccountView, frame: AccountFrame): AccountView {
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

/** A subaccount as three reads give it; it is of the kind that its owner's account is. */
export function viewOf(
  owner: Account,
  { free, reserved }: { readonly free: string; readonly reserved: string },
  orders: readonly Order[],
  positions: readonly Position[],
): AccountView {
  return {
    account: { ...owner, balance_free: free, balance_reserved: reserved },
    free,
    reserved,
    orders: new Map(orders.map((order) => [order.order_id, order])),
    positions: new Map(positions.map((position) => [positionKey(position), position])),
  };
}

function snapshot(data: Extract<AccountFrame, { type: 'account' }>['data']): AccountView {
  const { account, orders, positions } = data;
  const money = { free: account.balance_free, reserved: account.balance_reserved };
  return viewOf(account, money, orders, positions);
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
