// An outage of what the server needs, in its log: once when it begins, and once when it is over.
import type { Log } from '../gateway/log.ts';
import type { OutageWatcher } from '../ports/outage.ts';

interface OutageTexts {
  readonly began: string;
  readonly ended: string;
}

export const CUSTODY_OUTAGE: OutageTexts = {
  began: 'the custody gives no clear answer',
  ended: 'the custody answers again',
};

export const DATABASE_OUTAGE: OutageTexts = {
  began: 'the database of users and keys is away',
  ended: 'the database of users and keys answers again',
};

export function outagesInto(log: Pick<Log, 'write'>, texts: OutageTexts): OutageWatcher {
  return {
    began: ({ reason }) => log.write('error', texts.began, { reason }),
    ended: ({ sinceMs }, nowMs) => {
      const seconds = Math.round((nowMs - sinceMs) / 1000);
      log.write('warn', texts.ended, { reason: `after ${seconds} s` });
    },
  };
}
