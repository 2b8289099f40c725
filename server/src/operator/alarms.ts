// What an operator must hear of without asking: alarms in force, and reminders in the log.
import { alarmActions } from '@sibyl/contract';
import type { LaneName } from '@sibyl/engine';
import type { CommitListener } from '@sibyl/lane';
import type { Log } from '../gateway/log.ts';
import { isoTime } from '../wire/times.ts';
import type { OperatorHandlers, OperatorParts } from './parts.ts';

export function alarmActs({ alarms }: OperatorParts): Pick<OperatorHandlers, 'listAlarms'> {
  return {
    listAlarms: () => ({
      data: {
        alarms: alarms.current.map(({ name, lane, detail, sinceMs }) => ({
          name,
          lane,
          detail,
          action: alarmActions[name],
          since_at: isoTime(sinceMs),
          since_at_ms: sinceMs,
        })),
      },
    }),
  };
}

/** Disputes, proposed cancellations and locked markets that have waited for an operator for days. */
export function raiseAlarms(lane: LaneName, log: Log): CommitListener {
  return (commands) => {
    for (const { command, outcome } of commands) {
      // These events come from timers alone, so the other commands need not be read.
      if (command.type !== 'tick' && command.type !== 'recover') continue;
      for (const event of outcome.events) {
        if (event.type === 'ruling_overdue') {
          const reason = `since ${new Date(event.sinceMs).toISOString()}`;
          const words = 'a dispute or a cancellation waits for a ruling';
          log.write('warn', words, { lane, market: event.marketId, reason });
        } else if (event.type === 'proposal_overdue') {
          log.write('warn', 'a locked market waits for an answer', {
            lane,
            market: event.marketId,
          });
        }
      }
    }
  };
}
