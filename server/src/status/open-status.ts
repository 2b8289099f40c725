// The status of the running server: kept by its lanes, its maintenance and its operators.
import { errorFields, type Log } from '../gateway/log.ts';
import type { MaintenanceWindow } from '../gateway/maintenance-window.ts';
import { isoTime } from '../wire/times.ts';
import { StatusKeeper, type StatusOptions } from './status-keeper.ts';

export interface OpenStatus {
  readonly keeper: StatusKeeper;
  /** To be called when something may have changed. */
  readonly changed: () => void;
}

export async function openStatus(
  options: Omit<StatusOptions, 'maintenance' | 'failed' | 'wasKilled'> & {
    readonly maintenance: MaintenanceWindow;
    readonly log: Log;
  },
): Promise<OpenStatus> {
  const { log, maintenance } = options;
  const failed = (error: unknown): void =>
    log.write('warn', 'the status could not be written down', { error: errorFields(error) });
  const wasKilled = (lastMs: number, nowMs: number): void => {
    const seconds = Math.round((nowMs - lastMs) / 1000);
    log.write('warn', 'the last run ended without warning; what it acknowledged is recovered', {
      reason: `last sign of life ${isoTime(lastMs)}, ${seconds} s before this start`,
    });
  };
  const keeper = await StatusKeeper.open({ ...options, failed, wasKilled });
  const changed = (): void => {
    keeper.check().catch(failed);
  };
  maintenance.onNews(changed);
  return { keeper, changed };
}
