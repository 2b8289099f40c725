// One turn of the engine: the state being changed and the events collected while it is.
import type { Event } from './event.ts';
import type { Answer, Result } from './outcome.ts';
import type { Rejection } from './reject.ts';
import type { State } from './state.ts';

export interface Turn {
  readonly state: State;
  readonly events: Event[];
}

export function accept(result: Result): Answer {
  return { ok: true, result };
}

export function refuse(rejection: Rejection): Answer {
  return { ok: false, rejection };
}
