// Finds orders by their id or by the name that the client gave them.
import type { Order as WireOrder } from '@sibyl/contract';
import { type AccountId, asOrderId, type OrderId, type State } from '@sibyl/engine';
import type { History } from '@sibyl/history';
import type { Lane } from '@sibyl/lane';
import type { RequestContext } from '../../handling/handler.ts';
import { wireOrder } from '../../wire/generated/order.ts';
import { parseOrderId } from '../../wire/ids.ts';

const CLIENT_PREFIX = 'coid:';
/** A number that no order has: the engine refuses it as unknown, and remembers that under the key of the request. */
export const NO_ORDER = asOrderId(0);

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
  const filter = { accountId, before: null, status: null, marketId: null, clientOrderId };
  const [newest] = (await history.orders(filter, 1)).rows;
  return newest === undefined ? null : asOrderId(newest.orderId);
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
  return order === null ? null : wireOrder(order, order.updatedAtMs);
}

/** The order as a refusal may show it: null if the caller may not read it. */
export async function readableOrder(
  history: History,
  { readsOrders, actor, credential }: RequestContext,
  accountId: AccountId,
  orderId: OrderId,
): Promise<WireOrder | null> {
  const order = await history.order(accountId, orderId);
  if (order === null) return null;
  const isOwn =
    credential?.kind === 'token'
      ? order.builderAppId === credential.appId
      : actor.kind === 'account' && order.keyId === actor.keyId;
  return readsOrders || isOwn ? wireOrder(order, order.updatedAtMs) : null;
}

function orderIdOf(reference: string): OrderId | null {
  const orderId = parseOrderId(reference);
  return orderId === null ? null : asOrderId(orderId);
}

function rememberedId(state: State, accountId: AccountId, clientOrderId: string): OrderId | null {
  const account = state.accounts.get(accountId);
  return account === undefined ? null : (state.clientOrderIds.get(account, clientOrderId) ?? null);
}
