// Several orders' commands in one: run in order, each with its own answer (OR15).

import { assertNever } from '../kit/assert.ts';
import { allowWalks } from '../route/plan.ts';
import { actingAccount, isRejection } from '../state/authority.ts';
import type { Actor, Batch, BatchItem } from '../state/command.ts';
import type { Answer } from '../state/outcome.ts';
import { invalid, type Rejection } from '../state/reject.ts';
import type { State } from '../state/state.ts';
import { accept, refuse, type Turn } from '../state/turn.ts';
import { amendOrder, prepareAmendment } from './amend.ts';
import { cancelOrder, findCancellable } from './cancel.ts';
import { placeOrder } from './place.ts';
import { preparePlacement } from './placement.ts';

const ITEMS_MAX = 20;

export function runBatch(turn: Turn, actor: Actor, command: Batch): Answer {
  const fault = checkItems(command);
  if (fault !== null) return refuse(fault);
  const account = actingAccount(turn.state, actor, command.accountId);
  if (isRejection(account)) return refuse(account);
  if (command.allOrNone) {
    for (const item of command.items) {
      const refusal = check(turn.state, actor, item);
      if (refusal !== null) return refuse(refusal);
    }
    allowWalks(turn.state.parameters.walkUnits);
  }
  const items: Answer[] = [];
  for (const item of command.items) items.push(run(turn, actor, item));
  return accept({ kind: 'batch', items });
}

function checkItems(command: Batch): Rejection | null {
  const { items, accountId, allOrNone } = command;
  if (typeof allOrNone !== 'boolean') return invalid('all_or_none', 'true or false');
  if (!Array.isArray(items) || items.length < 1 || items.length > ITEMS_MAX) {
    return invalid('items', `1 to ${ITEMS_MAX} items`);
  }
  for (const item of command.items) {
    if (!isItem(item.type)) return invalid('items', 'place_order, amend_order or cancel_order');
    if (item.accountId !== accountId) return invalid('items', "orders of the batch's account");
  }
  return null;
}

function isItem(type: unknown): boolean {
  return type === 'place_order' || type === 'amend_order' || type === 'cancel_order';
}

/** The refusal that the item would get on the state as it is, or null. */
function check(state: State, actor: Actor, item: BatchItem): Rejection | null {
  switch (item.type) {
    case 'place_order': {
      const placement = preparePlacement(state, actor, item);
      return isRejection(placement) ? placement : null;
    }
    case 'amend_order': {
      const amendment = prepareAmendment(state, actor, item);
      return isRejection(amendment) ? amendment : null;
    }
    case 'cancel_order': {
      const order = findCancellable(state, actor, item);
      return isRejection(order) ? order : null;
    }
    default:
      return assertNever(item);
  }
}

function run(turn: Turn, actor: Actor, item: BatchItem): Answer {
  switch (item.type) {
    case 'place_order':
      return placeOrder(turn, actor, item);
    case 'amend_order':
      return amendOrder(turn, actor, item);
    case 'cancel_order':
      return cancelOrder(turn, actor, item);
    default:
      return assertNever(item);
  }
}
