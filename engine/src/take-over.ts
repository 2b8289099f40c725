// The first command of an engine that goes on where another one ended.
import { assert } from './kit/assert.ts';
import { ENGINE_LOGIC } from './logic.ts';
import type { Actor, UpgradeEngine } from './state/command.ts';
import { type Answer, DONE } from './state/outcome.ts';
import { accept, type Turn } from './state/turn.ts';

/** The state is this engine's already: nothing is left to do, and a command that says otherwise is not for it. */
export function takeOver(_turn: Turn, actor: Actor, { fromLogic, toLogic }: UpgradeEngine): Answer {
  const isOurs = toLogic === ENGINE_LOGIC && fromLogic === toLogic - 1;
  assert(isOurs && actor.kind === 'system', `no upgrade from engine logic ${fromLogic}`);
  return accept(DONE);
}
