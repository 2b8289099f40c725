// Cancellation at fair value: proposed by one operator, confirmed by another (VD9 to VD17).
import type { Actor, ProposeVoid, ProposeVoidRounds } from '../command.ts';
import type { Answer } from '../outcome.ts';
import { reject } from '../reject.ts';
import { refuse, type Turn } from '../turn.ts';

export function proposeVoid(_turn: Turn, _actor: Actor, command: ProposeVoid): Answer {
  return refuse(reject('STATE_CONFLICT', { market_id: command.marketId }));
}

export function proposeVoidRounds(_turn: Turn, _actor: Actor, _command: ProposeVoidRounds): Answer {
  return refuse(reject('STATE_CONFLICT'));
}
