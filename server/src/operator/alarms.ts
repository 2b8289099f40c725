// What an operator must hear of without asking: said in the log, where alerts are made from.
import type { LaneName } from '@sibyl/engine';
import type { CommitListener } from '@sibyl/lane';
import type { Log } from '../gateway/log.ts';

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
