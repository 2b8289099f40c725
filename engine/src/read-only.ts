// Read-only mode and halts: whether the lane takes commands of accounts, and which (CM8, CM14).
import { isOperator } from './state/authority.ts';
import type { Actor, SetReadOnly } from './state/command.ts';
import { type Answer, DONE } from './state/outcome.ts';
import { invalid, reject } from './state/reject.ts';
import { accept, refuse, type Turn } from './state/turn.ts';

export function setReadOnly({ state, events }: Turn, actor: Actor, command: SetReadOnly): Answer {
  const { readOnly, cancelOnly = false, reason } = command;
  if (cancelOnly && !readOnly) return refuse(invalid('cancel_only', 'only in read-only mode'));
  if (!isOperator(actor)) return refuse(reject('NOT_FOUND'));
  // What an operator has halted the lane itself neither loosens nor takes for running.
  const isHeld = actor.kind === 'system' && state.cancelOnly;
  const isSame = state.readOnly === readOnly && state.cancelOnly === cancelOnly;
  if (isHeld || isSame) return accept(DONE);
  state.readOnly = readOnly;
  state.cancelOnly = cancelOnly;
  events.push({ type: 'read_only_changed', readOnly, cancelOnly, reason });
  return accept(DONE);
}
