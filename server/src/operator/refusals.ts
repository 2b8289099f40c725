// Refused acts, counted: whoever asks in vain over and over is known by how often, and fills nobody's trail.

import type { Clock } from '@sibyl/lane';
import type { BegunAct } from '../ports/approvals.ts';
import { isoTime } from '../wire/times.ts';

/** So many of one act by one operator are entries of their own; after that only each doubling is. */
const WHOLE_MAX = 10;
/** What was refused longer ago counts no more. */
const COUNTED_MS = 3_600_000;

/** Stands in an entry for all refusals since the time. */
export interface RefusedAgain {
  readonly refused_times: number;
  readonly since: string;
}

interface Counted {
  readonly sinceMs: number;
  times: number;
  /** The next number that is written. */
  nextTimes: number;
}

export class Refusals {
  readonly #clock: Pick<Clock, 'wallMs'>;
  readonly #counts = new Map<string, Counted>();

  constructor(clock: Pick<Clock, 'wallMs'>) {
    this.#clock = clock;
  }

  /** Counts one more. Null for one that is written as it is; `omitted` for one that the next entry counts. */
  count({
    operatorId,
    operation,
  }: Pick<BegunAct, 'operatorId' | 'operation'>): RefusedAgain | 'omitted' | null {
    const counted = this.#counted(`${operatorId} ${operation}`);
    counted.times += 1;
    const { times, sinceMs } = counted;
    if (times <= WHOLE_MAX) return null;
    if (times < counted.nextTimes) return 'omitted';
    counted.nextTimes *= 2;
    return { refused_times: times, since: isoTime(sinceMs) };
  }

  /** Few are kept: operators, who are known by name, times the acts that there are. */
  #counted(name: string): Counted {
    const nowMs = this.#clock.wallMs();
    const known = this.#counts.get(name);
    if (known !== undefined && nowMs - known.sinceMs < COUNTED_MS) return known;
    const begun = { sinceMs: nowMs, times: 0, nextTimes: 2 * WHOLE_MAX };
    this.#counts.set(name, begun);
    return begun;
  }
}
