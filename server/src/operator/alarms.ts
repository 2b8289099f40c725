// What an operator must hear of without asking: said in the log, where alerts are made from.
import type { LaneName } from '@sibyl/engine';
import type { CommitListener } from '@sibyl/lane';
import type { Log } from '../gateway/log.ts';

/** A dispute on which nobody rules ends in a cancellation: whoever answers for it is told days before. */
export function raiseAlarms(lane: LaneName, log: Log): CommitListener {
  return (commands) => {
    for (const { command, outcome } of commands) {
      // Whatever rings in a serving lane rings in its own commands: those of others need not be looked through.
      if (command.type !== 'tick' && command.type !== 'recover') continue;
      for (const event of outcome.events) {
        if (event.type !== 'ruling_overdue') continue;
        const reason = `disputed since ${new Date(event.sinceMs).toISOString()}`;
        log.write('warn', 'a dispute waits for a ruling', { lane, market: event.marketId, reason });
      }
    }
  };
}
