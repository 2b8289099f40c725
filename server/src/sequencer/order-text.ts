// The short text of commands that place orders: they are nearly all that a journal holds, so every byte counts.
import type { Actor, BatchItem, Command, CommandKey, PlaceOrder, TierCaps } from '@sibyl/engine';
import { JournalCorrupt, type JournalRecord } from '../ports/journal.ts';

/** The version of a body in this form. */
export const SHORT = 2;

/**
 * Null for a command that has no short text. What the record says beside its body (place, time, type and actor) is not
 * said again, nor is what an order leaves at its usual value.
 */
export function shortText(command: Command): string | null {
  if (command.type !== 'place_order' && command.type !== 'batch') return null;
  const { actor } = command;
  if (actor.kind !== 'account' || actor.accountId !== command.accountId) return null;
  if (!isPlainName(actor.accountId)) return null;
  const key = command.key === undefined ? '' : `,${keyText(command.key)}`;
  if (command.type === 'place_order') {
    return command.builder === null ? `[${orderText(command)}${key}]` : null;
  }
  const { items, accountId } = command;
  let orders = '';
  for (let index = 0; index < items.length; index += 1) {
    const item = items[index]!;
    if (item.type !== 'place_order' || item.builder !== null || item.accountId !== accountId)
      return null;
    orders += index === 0 ? orderText(item) : `,${orderText(item)}`;
  }
  return `[[${orders}],${command.allOrNone}${key}]`;
}

/** The command of a record whose body is a short text. */
export function readShortText(record: JournalRecord): Command {
  const { seq, tsMs: atMs, type, body } = record;
  const actor = actorOf(record.actor);
  const { accountId } = actor;
  const parsed: unknown = JSON.parse(body);
  if (!Array.isArray(parsed)) throw new JournalCorrupt(`record ${seq} has no short text`);
  if (type === 'place_order') {
    const [order, key] = parsed as [OrderFields, KeyFields?];
    return { ...headerOf(seq, atMs, actor, key), ...orderOf(accountId, order) };
  }
  if (type !== 'batch') throw new JournalCorrupt(`record ${seq} cannot have a short text`);
  const [orders, allOrNone, key] = parsed as [OrderFields[], boolean, KeyFields?];
  const items: BatchItem[] = orders.map((order) => orderOf(accountId, order));
  return { ...headerOf(seq, atMs, actor, key), type: 'batch', accountId, items, allOrNone };
}

type KeyFields = readonly [scope: string, key: string, bodyHash: string];
type CapFields = readonly [
  tier: TierCaps['tier'],
  keyId: TierCaps['keyId'],
  orderMax: string | null,
  dayMax: string | null,
];

type UsualFields = readonly [
  marketId: PlaceOrder['marketId'],
  outcomeId: PlaceOrder['outcomeId'],
  side: PlaceOrder['side'],
  orderType: PlaceOrder['orderType'],
  price: PlaceOrder['price'],
  lots: PlaceOrder['lots'],
  clientOrderId: string | null,
];

type OrderFields =
  | UsualFields
  | readonly [
      ...UsualFields,
      timeInForce: PlaceOrder['timeInForce'],
      expiresAtMs: number | null,
      postOnly: boolean,
      reduceOnly: boolean,
      stpMode: PlaceOrder['stpMode'],
      maxCost: string | null,
      validUntilMs: number | null,
      caps: CapFields | null,
      execution: PlaceOrder['execution'],
    ];

function orderText(order: PlaceOrder): string {
  const { clientOrderId } = order;
  const name = clientOrderId === null ? 'null' : quoted(clientOrderId);
  const usual = `[${quoted(order.marketId)},${quoted(order.outcomeId)},"${order.side}","${order.orderType}",${order.price},${order.lots},${name}`;
  if (isUsual(order)) return `${usual}]`;
  const maxCost = order.maxCost === null ? 'null' : `"${order.maxCost}"`;
  return `${usual},"${order.timeInForce}",${order.expiresAtMs},${order.postOnly},${order.reduceOnly},"${order.stpMode}",${maxCost},${order.validUntilMs},${capsText(order.caps)},"${order.execution}"]`;
}

/** A limit order of which nothing was said but what it is. */
function isUsual(order: PlaceOrder): boolean {
  return (
    order.timeInForce === 'gtc' &&
    order.stpMode === 'cancel_resting' &&
    order.execution === 'hybrid' &&
    order.expiresAtMs === null &&
    order.validUntilMs === null &&
    order.maxCost === null &&
    order.caps === null &&
    !order.postOnly &&
    !order.reduceOnly
  );
}

function orderOf(accountId: PlaceOrder['accountId'], fields: OrderFields): PlaceOrder {
  const [marketId, outcomeId, side, orderType, price, lots, clientOrderId] = fields;
  const [, , , , , , , timeInForce = 'gtc', expiresAtMs = null, postOnly = false] = fields;
  const [, , , , , , , , , , reduceOnly = false, stpMode = 'cancel_resting'] = fields;
  const [, , , , , , , , , , , , maxCost = null, validUntilMs = null] = fields;
  const [, , , , , , , , , , , , , , caps = null, execution = 'hybrid'] = fields;
  return {
    type: 'place_order',
    accountId,
    marketId,
    outcomeId,
    side,
    orderType,
    price,
    lots,
    timeInForce,
    expiresAtMs,
    postOnly,
    reduceOnly,
    stpMode,
    maxCost: amountOf(maxCost),
    validUntilMs,
    clientOrderId,
    builder: null,
    caps: caps === null ? null : capsOf(caps),
    execution,
  };
}

function capsText(caps: TierCaps | null): string {
  if (caps === null) return 'null';
  const { tier, keyId, orderMax, dayMax } = caps;
  return JSON.stringify([tier, keyId, orderMax?.toString() ?? null, dayMax?.toString() ?? null]);
}

function capsOf([tier, keyId, orderMax, dayMax]: CapFields): TierCaps {
  return { tier, keyId, orderMax: amountOf(orderMax), dayMax: amountOf(dayMax) };
}

function amountOf(text: string | null): PlaceOrder['maxCost'] {
  return text === null ? null : (BigInt(text) as PlaceOrder['maxCost']);
}

function keyText({ scope, key, bodyHash }: CommandKey): string {
  return JSON.stringify([scope, key, bodyHash]);
}

type AccountActor = Extract<Actor, { readonly kind: 'account' }>;

function headerOf(seq: number, atMs: number, actor: AccountActor, fields: KeyFields | undefined) {
  if (fields === undefined) return { seq, atMs, actor };
  const [scope, key, bodyHash] = fields;
  return { seq, atMs, actor, key: { scope, key, bodyHash } };
}

/** As the record names it: the account, and after a space the key. */
function actorOf(text: string): AccountActor {
  const space = text.indexOf(' ');
  const accountId = (space === -1 ? text : text.slice(0, space)) as AccountActor['accountId'];
  return { kind: 'account', accountId, keyId: space === -1 ? null : text.slice(space + 1) };
}

/** Nothing that could be taken for another actor, or end where the key begins. */
function isPlainName(accountId: string): boolean {
  return accountId.startsWith('acc_') && !accountId.includes(' ');
}

const PLAIN = /^[\w .:-]*$/;

function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}
