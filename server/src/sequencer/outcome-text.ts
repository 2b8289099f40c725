// The text of an outcome that its hash is taken over: every decision of the engine, written as cheaply as can be.
import type { Event, LedgerPosted, OrderView, Outcome, Result, TradeExecuted } from '@sibyl/engine';

type BatchResult = Extract<Result, { readonly kind: 'batch' }>;

/**
 * Different outcomes give different texts. The events of the order path are spelled out field by field, because this
 * runs for every order; everything else is walked. The order of an answer, or of an item of a batch, is skipped where it
 * is the very object that an event carries.
 */
export function outcomeText(outcome: Outcome): string {
  const { events, answer } = outcome;
  let text = `${outcome.seq} ${outcome.atMs} ${outcome.replayed}\n`;
  let placed: OrderView | null = null;
  for (const event of events) {
    if (event.type === 'order_placed') placed = event.order;
    text += eventText(event);
  }
  if (answer.ok && answer.result.kind === 'batch') return text + batchText(answer.result, events);
  if (answer.ok && answer.result.kind === 'order' && answer.result.order === placed) {
    return `${text}placed ${answer.result.fillVenue}`;
  }
  return text + walk(answer);
}

/** An item whose order comes next among the events that placed one says so; any other is walked. */
function batchText({ items }: BatchResult, events: readonly Event[]): string {
  let text = `batch ${items.length}`;
  let at = 0;
  for (const item of items) {
    const order = item.ok && item.result.kind === 'order' ? item.result.order : null;
    const found = order === null ? -1 : placedAfter(events, at, order);
    if (found === -1 || !item.ok || item.result.kind !== 'order') {
      text += ` walked ${walk(item)}`;
      continue;
    }
    text += ` placed ${found} ${item.result.fillVenue}`;
    at = found + 1;
  }
  return text;
}

/** The place of the next event that placed an order, if it placed this one; -1 if not. */
function placedAfter(events: readonly Event[], from: number, order: OrderView): number {
  for (let at = from; at < events.length; at += 1) {
    const event = events[at]!;
    if (event.type === 'order_placed') return event.order === order ? at : -1;
  }
  return -1;
}

function eventText(event: Event): string {
  switch (event.type) {
    case 'order_placed':
      return `placed ${event.fillVenue} ${orderText(event.order)}`;
    case 'ledger_posted':
      return ledgerText(event);
    case 'trade_executed':
      return tradeText(event);
    default:
      return walk(event);
  }
}

function ledgerText({ reason, reference, accounts, amounts }: LedgerPosted): string {
  let text = `posted ${reason} ${reference.length}:${reference}`;
  for (let index = 0; index < accounts.length; index += 1) {
    text += ` ${accounts[index]}=${amounts[index]}`;
  }
  return `${text}\n`;
}

/** Free text stands behind its length; all else has no spaces. */
function orderText(order: OrderView): string {
  const { clientOrderId } = order;
  return `${order.orderId} ${order.accountId} ${order.marketId} ${order.outcomeId} ${order.side} ${order.orderType} ${order.price} ${order.lots} ${order.filledLots} ${order.filledCost} ${order.feesPaid} ${order.status} ${order.timeInForce} ${order.postOnly} ${order.reduceOnly} ${order.stpMode} ${order.expiresAtMs} ${order.keyId} ${order.builderAppId} ${order.createdAtMs} ${order.rejectReason} ${order.cancelReason} ${clientOrderId === null ? '-' : clientOrderId.length}:${clientOrderId}\n`;
}

function tradeText(trade: TradeExecuted): string {
  const { split } = trade;
  let text = `trade ${trade.tradeId} ${trade.marketId} ${trade.outcomeId} ${trade.side} ${trade.lots} ${trade.cost} ${trade.source} ${trade.matching} ${trade.takerOrderId} ${trade.takerId} ${trade.takerKeyId} ${trade.fee} ${trade.builderFee} ${trade.builderAppId} ${split.maker} ${split.creator} ${split.builder} ${split.referrer} ${split.oracle} ${split.insurance} ${split.treasury}`;
  for (const maker of trade.makers) {
    text += ` maker ${maker.orderId} ${maker.accountId} ${maker.outcomeId} ${maker.side} ${maker.price} ${maker.lots} ${maker.rebate} ${maker.remainingLots} ${maker.filledLots}`;
  }
  return `${text}\n`;
}

/** Any value of plain data: names and values, strings behind their length, so that nothing can pass for another. */
function walk(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return `${value.length}:${value}`;
    case 'bigint':
      return `${value}n`;
    case 'object':
      break;
    default:
      return `${String(value)};`;
  }
  if (value === null) return '-';
  if (Array.isArray(value)) return `[${value.map(walk).join('')}]`;
  let text = '{';
  for (const [name, field] of Object.entries(value)) text += `${name}=${walk(field)}`;
  return `${text}}`;
}
