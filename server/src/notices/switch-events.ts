// Notices of the dead-man switch: it cancelled the orders of somebody who was not heard of.
import type { StreamData } from '@sibyl/contract';
import type { DeadManTriggered } from '@sibyl/engine';
import { isoTime } from '../wire/times.ts';
import { TURNS } from './notice.ts';
import type { Teller } from './teller.ts';

export function tellDeadMan(
  { say, outcome, takeArmedAtMs }: Teller<'owner', 'dead_man_triggered'>,
  { accountId, marketId, cancelledCount }: DeadManTriggered,
  index: number,
): void {
  const { atMs } = outcome;
  const armedAtMs = takeArmedAtMs(accountId, marketId);
  const data = deadManData('heartbeat', marketId, cancelledCount, armedAtMs, atMs);
  say('dead_man_triggered', { accountId, index, turn: TURNS.switched, data: () => data });
}

export function deadManData(
  trigger: 'heartbeat' | 'disconnect',
  marketId: string | null,
  cancelled: number,
  armedAtMs: number,
  expiredAtMs: number,
): StreamData<'dead_man_triggered'> {
  return {
    trigger,
    scope: marketId === null ? 'account' : 'market',
    market_id: marketId,
    cancelled_count: cancelled,
    armed_at: isoTime(armedAtMs),
    armed_at_ms: armedAtMs,
    expired_at: isoTime(expiredAtMs),
    expired_at_ms: expiredAtMs,
  };
}
