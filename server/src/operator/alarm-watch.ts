// Watches conditions that an operator must see to soon. Each alarm is an error line and a letter when it begins, and both once
// more when it ends. What is in force is kept, so that a restart announces nothing twice.
import { type AlarmName, alarmNames } from '@sibyl/contract';
import type { LaneName } from '@sibyl/engine';
import { type Clock, withPatience } from '@sibyl/lane';
import type { Log } from '../gateway/log.ts';
import type { PlatformStore } from '../ports/platform.ts';

export interface FoundAlarm {
  /** Null for the whole service. */
  readonly lane: LaneName | null;
  readonly detail: string;
}

export interface Alarm extends FoundAlarm {
  readonly name: AlarmName;
  readonly sinceMs: number;
}

/** What is wrong now; null where that is not known. */
export type AlarmCheck = () => Promise<readonly FoundAlarm[] | null>;

export interface AlarmWatchParts {
  readonly checks: Readonly<Record<AlarmName, AlarmCheck>>;
  readonly platform: Pick<PlatformStore, 'setting' | 'putSetting'>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'write'>;
  /** Resolves once every address has its letter; null where no mail is set up. */
  readonly mail: ((alarm: Alarm, endedAtMs: number | null) => Promise<void>) | null;
}

interface Kept extends Alarm {
  /** Since when its condition is clear. */
  readonly clearMs: number | null;
  readonly endedMs: number | null;
  readonly isMailed: boolean;
}

const SETTING = 'alarms';
/** A condition that comes and goes is one alarm. */
const CLEAR_MS = 60_000;
const MAIL_AGAIN_MS = 60_000;

export class AlarmWatch {
  readonly #parts: AlarmWatchParts;
  #kept: readonly Kept[] = [];
  #written = '[]';
  #mailAtMs = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> = Promise.resolve();

  static async open(parts: AlarmWatchParts): Promise<AlarmWatch> {
    const watch = new AlarmWatch(parts);
    const text = (await parts.platform.setting(SETTING)) ?? '[]';
    watch.#written = text;
    // Written by `#keep`. An alarm that this version does not have is dropped.
    watch.#kept = (JSON.parse(text) as Kept[]).filter(({ name }) => alarmNames.includes(name));
    for (const alarm of watch.#kept) if (alarm.endedMs === null) watch.#say(alarm);
    return watch;
  }

  private constructor(parts: AlarmWatchParts) {
    this.#parts = parts;
  }

  /** In force, oldest first. */
  get current(): readonly Alarm[] {
    return this.#kept.filter(({ endedMs }) => endedMs === null);
  }

  /** Runs every check once, after a run that is under way. */
  look(): Promise<void> {
    this.#looking = this.#looking.then(() => this.#round());
    return this.#looking;
  }

  async #round(): Promise<void> {
    for (const name of alarmNames) {
      // A check that fails or hangs says nothing: what was in force stays so.
      const found = await withPatience(this.#parts.clock, this.#ask(name));
      if (found !== null) this.#compare(name, found);
    }
    await this.#mailDue();
    await this.#keep();
  }

  async #ask(name: AlarmName): Promise<readonly FoundAlarm[] | null> {
    return this.#parts.checks[name]();
  }

  #compare(name: AlarmName, found: readonly FoundAlarm[]): void {
    const nowMs = this.#parts.clock.wallMs();
    const isOpen = (kept: Kept, lane: LaneName | null): boolean =>
      kept.endedMs === null && kept.name === name && kept.lane === lane;
    const before = this.#kept;
    this.#kept = before.map((kept) => {
      if (kept.name !== name || kept.endedMs !== null) return kept;
      const now = found.find(({ lane }) => lane === kept.lane);
      if (now !== undefined) return { ...kept, detail: now.detail, clearMs: null };
      if (nowMs - (kept.clearMs ?? nowMs) < CLEAR_MS) {
        return { ...kept, clearMs: kept.clearMs ?? nowMs };
      }
      const ended = { ...kept, endedMs: nowMs, isMailed: false };
      this.#say(ended);
      return ended;
    });
    for (const { lane, detail } of found) {
      if (before.some((kept) => isOpen(kept, lane))) continue;
      const begun = { name, lane, detail, sinceMs: nowMs };
      const kept = { ...begun, clearMs: null, endedMs: null, isMailed: false };
      this.#kept = [...this.#kept, kept];
      this.#say(kept);
    }
  }

  #say({ name, lane, detail, endedMs }: Kept): void {
    const fields = { alarm: name, ...(lane !== null && { lane }), reason: detail };
    if (endedMs === null) this.#parts.log.write('error', `alarm ${name}`, fields);
    else this.#parts.log.write('warn', `alarm ${name} is over`, fields);
  }

  async #mailDue(): Promise<void> {
    const { mail, clock, log } = this.#parts;
    const nowMs = clock.monotonicMs();
    for (const due of this.#kept.filter(({ isMailed }) => !isMailed)) {
      if (mail !== null) {
        if (nowMs - this.#mailAtMs < MAIL_AGAIN_MS) return;
        try {
          await mail(due, due.endedMs);
        } catch {
          this.#mailAtMs = nowMs;
          log.write('warn', 'an alarm was not mailed yet', { alarm: due.name });
          return;
        }
      }
      this.#kept = this.#kept.map((kept) => (kept === due ? { ...kept, isMailed: true } : kept));
    }
    this.#kept = this.#kept.filter(({ endedMs, isMailed }) => endedMs === null || !isMailed);
  }

  async #keep(): Promise<void> {
    const text = JSON.stringify(this.#kept);
    if (text === this.#written) return;
    // While the store is away, the next look writes it.
    await this.#parts.platform.putSetting(SETTING, text).then(
      () => {
        this.#written = text;
      },
      () => undefined,
    );
  }
}
