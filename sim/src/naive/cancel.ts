// Cancelling: one order, by filter, by a heartbeat that ran out, and batches of everything.
import { type AmendFields, amendOrder } from './amend.ts';
import { actingOn, checkAccount, isWhole, type PlainActor } from './authority.ts';
import { closeOrder } from './order-state.ts';
import { placeOrder } from './place.ts';
import type { CommandOf, PlainAnswer } from './plain.ts';
import { accepted, Refusals } from './refusal.ts';
import { findMarket, type NaiveOrder, needMarket, type World } from './world.ts';

type CancelFields = Omit<CommandOf<'cancel_order'>, 'seq' | 'atMs' | 'actor' | 'key'>;

export function cancelOrder(
  world: World,
  actor: PlainActor,
  fields: CancelFields,
  dryRun = false,
): PlainAnswer {
  const { grantId } = fields;
  const refusals = new Refusals(world);
  if (grantId !== undefined && (grantId.length < 1 || grantId.length > 64))
    refusals.field('grant_id', '1 to 64 characters');
  if (actingOn(world, actor, fields.accountId) === undefined) refusals.add('NOT_FOUND');
  const order = world.orders.find(
    (each) => each.id === fields.orderId && each.accountId === fields.accountId,
  );
  if (order === undefined) {
    const closed = world.closed.get(fields.orderId);
    if (closed !== undefined && closed.accountId === fields.accountId) {
      refusals.add('STATE_CONFLICT', { status: closed.status });
    } else refusals.add('NOT_FOUND');
  } else if (grantId !== undefined && order.grantId !== grantId) refusals.add('NOT_FOUND');
  else if (isClosing(world, order)) refusals.add('STATE_CONFLICT', { status: order.status });
  if (refusals.any || order === undefined) return refusals.answer();
  if (dryRun) return accepted({ kind: 'done' });
  closeOrder(world, order, actor.kind === 'operator' ? 'admin' : 'user');
  return accepted({ kind: 'cancelled', cancelled: [order.id], notCancelled: [] });
}

export function cancelOrders(world: World, command: CommandOf<'cancel_orders'>): PlainAnswer {
  const { accountId, marketId, outcomeId, side, orderIds, reason, grantId } = command;
  const refusals = new Refusals(world);
  if (side !== null && side !== 'buy' && side !== 'sell') refusals.field('side', 'buy or sell');
  if (grantId !== undefined && (grantId.length < 1 || grantId.length > 64))
    refusals.field('grant_id', '1 to 64 characters');
  if (
    ![undefined, 'disconnect', ...(grantId === undefined ? [] : ['grant_ended'])].includes(reason)
  )
    refusals.field('reason', 'disconnect, or grant_ended of a grant');
  if (outcomeId !== null && marketId === null) refusals.field('outcome_id', 'with a market');
  if (actingOn(world, command.actor, accountId) === undefined) refusals.add('NOT_FOUND');
  const market = marketId === null ? null : findMarket(world, marketId);
  if (market === undefined) refusals.add('MARKET_NOT_FOUND');
  if (market && outcomeId !== null && !market.outcomes.some((each) => each.id === outcomeId)) {
    refusals.field('outcome_id', 'an outcome of the market');
  }
  if (refusals.any || market === undefined) return refusals.answer();
  const outcome =
    outcomeId === null ? null : (market?.outcomes.findIndex((each) => each.id === outcomeId) ?? -1);
  const matching = openOf(world, accountId, marketId).filter(
    (order) =>
      (outcome === null || order.outcome === outcome) &&
      (side === null || order.side === side) &&
      (grantId === undefined || order.grantId === grantId) &&
      (orderIds === null || orderIds.includes(order.id)) &&
      !isClosing(world, order),
  );
  const notCancelled: { orderId: number; code: 'NOT_FOUND' | 'STATE_CONFLICT' }[] = [];
  for (const orderId of orderIds ?? []) {
    const open = world.orders.find((each) => each.id === orderId && each.accountId === accountId);
    const isForeign = open !== undefined && grantId !== undefined && open.grantId !== grantId;
    if (open !== undefined && !isForeign && !isClosing(world, open)) continue;
    const known = open ?? world.closed.get(orderId);
    const own = known !== undefined && known.accountId === accountId && !isForeign;
    notCancelled.push({ orderId, code: own ? 'STATE_CONFLICT' : 'NOT_FOUND' });
  }
  const byWhom = command.actor.kind === 'operator' ? 'admin' : 'user';
  for (const order of matching) closeOrder(world, order, reason ?? byWhom);
  return accepted({
    kind: 'cancelled',
    cancelled: matching.map((order) => order.id),
    notCancelled,
  });
}

export function heartbeat(world: World, command: CommandOf<'heartbeat'>): PlainAnswer {
  const { accountId, marketId, timeoutMs } = command;
  const refusals = new Refusals(world);
  const armed = isWhole(timeoutMs) && timeoutMs >= 5_000 && timeoutMs <= 300_000;
  if (timeoutMs !== 0 && !armed) refusals.field('timeout_ms', '0 or 5000 to 300000');
  checkAccount(world, command.actor, accountId, refusals);
  if (marketId !== null && findMarket(world, marketId) === undefined)
    refusals.add('MARKET_NOT_FOUND');
  if (refusals.any) return refusals.answer();
  const scope = `${accountId}|${marketId ?? '*'}`;
  const expiresAtMs = timeoutMs === 0 ? null : world.nowMs + timeoutMs;
  if (expiresAtMs === null) world.heartbeats.delete(scope);
  else {
    world.heartbeats.set(scope, expiresAtMs);
    world.timers.push({ dueMs: expiresAtMs, kind: 'heartbeat', subject: scope });
  }
  world.events.push({ type: 'heartbeat_armed', accountId, marketId, expiresAtMs });
  return accepted({ kind: 'done' });
}

export function heartbeatRings(world: World, scope: string): void {
  if (world.heartbeats.get(scope) !== world.nowMs) return;
  world.heartbeats.delete(scope);
  const bar = scope.lastIndexOf('|');
  const accountId = scope.slice(0, bar);
  const rest = scope.slice(bar + 1);
  const marketId = rest === '*' ? null : rest;
  const orders = openOf(world, accountId, marketId).filter((order) => !isClosing(world, order));
  for (const order of orders) closeOrder(world, order, 'dead_man');
  world.timerUnits += orders.length;
  world.events.push({
    type: 'dead_man_triggered',
    accountId,
    marketId,
    cancelledCount: orders.length,
  });
}

export function expiryRings(world: World, orderId: number): void {
  const order = world.orders.find((each) => each.id === orderId);
  if (order === undefined || order.expiresAtMs !== world.nowMs || isClosing(world, order)) return;
  closeOrder(world, order, 'expired');
  world.timerUnits += 1;
}

export function runBatch(world: World, command: CommandOf<'batch'>): PlainAnswer {
  const { accountId, items, actor } = command;
  const refusals = new Refusals(world);
  if (items.length < 1 || items.length > 20 || items.some((item) => item.accountId !== accountId)) {
    refusals.field('items', '1 to 20 of the account');
  }
  if (actingOn(world, actor, accountId) === undefined) refusals.add('NOT_FOUND');
  if (refusals.any) return refusals.answer();
  if (command.allOrNone) {
    for (const item of items) {
      const asked = runItem(world, actor, item, true);
      if (!asked.ok) return asked;
    }
    world.walkUnitsLeft = world.parameters.walkUnits;
  }
  return accepted({
    kind: 'batch',
    items: items.map((item) => runItem(world, actor, item, false)),
  });
}

function runItem(
  world: World,
  actor: PlainActor,
  item: CommandOf<'batch'>['items'][number],
  dryRun: boolean,
): PlainAnswer {
  if (item.type === 'place_order') return placeOrder(world, actor, item, dryRun);
  if (item.type === 'amend_order') {
    const fields: AmendFields = item;
    return amendOrder(world, actor, fields, dryRun);
  }
  return cancelOrder(world, actor, item, dryRun);
}

/** Open orders of an account, oldest first. */
export function openOf(world: World, accountId: string, marketId: string | null): NaiveOrder[] {
  return world.orders
    .filter(
      (order) =>
        order.accountId === accountId && (marketId === null || order.marketId === marketId),
    )
    .sort((x, y) => x.id - y.id);
}

/** Orders of a market that is being closed are left to the closing. */
export function isClosing(world: World, order: NaiveOrder): boolean {
  return needMarket(world, order.marketId).closing !== null;
}
