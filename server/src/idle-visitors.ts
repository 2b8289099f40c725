// Ends demo accounts and anonymous keys that are no longer used: at the start and every hour.
import type { Clock } from '@sibyl/lane';
import { endIdleKeys, type IdleKeyParts } from './modules/keys/idle-keys.ts';
import { closeIdleDemos, type IdleDemoParts } from './modules/sessions/idle-demos.ts';

export interface IdleVisitorParts extends IdleDemoParts, IdleKeyParts {
  readonly clock: Clock;
  readonly notify: (message: string) => void;
}

const EVERY_MS = 3_600_000;

export function scheduleIdleVisitors(parts: IdleVisitorParts): () => Promise<void> {
  const { clock, notify } = parts;
  let isStopped = false;
  let stopAlarm = (): void => undefined;
  let checking = Promise.resolve();
  const ending = async (what: string, end: () => Promise<readonly string[]>): Promise<void> => {
    try {
      const ended = await end();
      if (ended.length > 0) notify(`${ended.length} idle ${what} were closed`);
    } catch (error) {
      notify(`idle ${what} were not closed: ${String(error)}`);
    }
  };
  const check = async (): Promise<void> => {
    await ending('demo accounts', () => closeIdleDemos(parts));
    await ending('sandbox keys', () => endIdleKeys(parts));
    if (!isStopped) stopAlarm = clock.setAlarm(EVERY_MS, wake);
  };
  const wake = (): void => {
    checking = check();
  };
  wake();
  return async () => {
    isStopped = true;
    stopAlarm();
    await checking;
  };
}
