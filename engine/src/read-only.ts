// Read-only mode: whether the lane takes commands of accounts.
import { isOperator } from './account/authority.ts';
import type { Actor, SetReadOnly } from './command.ts';
import { type Answer, DONE } from './outcome.ts';
import { reject } from './reject.ts';
import { accept, refuse, type Turn } from './turn.ts';

export function setReadOnly({ state, events }: Turn, actor: Actor, command: SetReadOnly): Answer {
  const { readOnly, reason } = command;
  if (!isOperator(actor)) return refuse(reject('NOT_FOUND'));
  if (state.readOnly === readOnly) return accept(DONE);
  state.readOnly = readOnly;
  events.push({ type: 'read_only_changed', readOnly, reason });
  return accept(DONE);
}
