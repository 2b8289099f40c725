// Finds orders by their id or by the name that the client gave them.
import type { Order as WireOrder } from '@sibyl/contract';
import { type AccountId, asOrderId, type OrderId, type State } from '@sibyl/engine';
import type { History, PastOrder } from '../../ports/history.ts';
import type { Lane } from '../../sequencer/lane.ts';
import { parseOrderId } from '../../wire/ids.ts';
import { pastOrderView } from '../../wire/order-view.ts';

const CLIENT_PREFIX = 'coid:';
/** A number that no order has: the engine refuses it as unknown, and remembers that under the key of the request. */
export const NO_ORDER = asOrderId(0);
/** How far back a name is searched that the engine no longer knows: so many pieces of history. */
const PIECES_MAX = 50;

/** The number of an order that a request names; null if nothing of that name is known. */
export async function findOrderId(
  lane: Lane,
  history: History,
  accountId: AccountId,
  reference: string,
): Promise<OrderId | null> {
  if (!reference.startsWith(CLIENT_PREFIX)) return orderIdOf(reference);
  const clientOrderId = reference.slice(CLIENT_PREFIX.length);
  const recent = await lane.read((state) => rememberedId(state, accountId, clientOrderId));
  if (recent !== null) return recent;
  const order = await searchByName(history, accountId, clientOrderId);
  return order === null ? null : asOrderId(order.orderId);
}

/** All of them at once; the engine's memory of names only, which is that of a day. */
export function findOrderIds(
  lane: Lane,
  accountId: AccountId,
  references: readonly string[],
): Promise<readonly (OrderId | null)[]> {
  if (references.every((reference) => !reference.startsWith(CLIENT_PREFIX))) {
    return Promise.resolve(references.map(orderIdOf));
  }
  return lane.read((state) =>
    references.map((reference) =>
      reference.startsWith(CLIENT_PREFIX)
        ? rememberedId(state, accountId, reference.slice(CLIENT_PREFIX.length))
        : orderIdOf(reference),
    ),
  );
}

export async function readOrder(
  history: History,
  accountId: AccountId,
  orderId: OrderId,
): Promise<WireOrder | null> {
  const order = await history.order(accountId, orderId);
  return order === null ? null : pastOrderView(order);
}

function orderIdOf(reference: string): OrderId | null {
  const orderId = parseOrderId(reference);
  return orderId === null ? null : asOrderId(orderId);
}

function rememberedId(state: State, accountId: AccountId, clientOrderId: string): OrderId | null {
  const account = state.accounts.get(accountId);
  return account === undefined ? null : (state.clientOrderIds.get(account, clientOrderId) ?? null);
}

async function searchByName(
  history: History,
  accountId: AccountId,
  clientOrderId: string,
): Promise<PastOrder | null> {
  let before: number | null = null;
  for (let piece = 0; piece < PIECES_MAX; piece += 1) {
    const filter = { accountId, before, status: null, marketId: null, clientOrderId };
    const { rows, next } = await history.orders(filter, 1);
    if (rows[0] !== undefined) return rows[0];
    if (next === null) return null;
    before = next;
  }
  return null;
}
