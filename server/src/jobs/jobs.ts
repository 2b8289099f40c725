// Recurring work: one runner starts, observes and stops every job of the server.
import type { Clock } from '@sibyl/lane';
import { errorFields, type Log } from '../gateway/log.ts';
import type { Job, JobReport, JobReports } from '../handling/job.ts';

interface RunnerParts {
  readonly clock: Clock;
  readonly log: Pick<Log, 'write'>;
}

const DAY_MS = 86_400_000;
/** The wall clock may be set while an alarm runs, so a daily job checks the day at least this often. */
const DAY_CHECK_MS = 600_000;

export class Jobs implements JobReports {
  readonly #parts: RunnerParts;
  readonly #all: RunningJob[] = [];
  #isStarted = false;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
  }

  /** Runs from the start of the runner on, or at once if it has started. */
  add(job: Job): void {
    const running = new RunningJob(job, this.#parts);
    this.#all.push(running);
    if (this.#isStarted) running.start();
  }

  start(): void {
    this.#isStarted = true;
    for (const job of this.#all) job.start();
  }

  /** Resolves once runs that were under way have ended; none begins any more. */
  async stop(): Promise<void> {
    for (const job of this.#all) job.stop();
    await this.settled();
  }

  /** Resolves once no job runs. */
  async settled(): Promise<void> {
    await Promise.all(this.#all.map((job) => job.settled()));
  }

  get reports(): readonly JobReport[] {
    return this.#all.map((job) => job.report);
  }
}

class RunningJob {
  readonly #job: Job;
  readonly #parts: RunnerParts;
  #stopAlarm: () => void = () => undefined;
  #stopAsking: () => void = () => undefined;
  #isStopped = false;
  /** A run was asked for that has not begun. */
  #isAsked = false;
  #running: Promise<void> | null = null;
  #runs = 0;
  #failures = 0;
  #lastRun: JobReport['lastRun'] = null;
  #lastFailure: JobReport['lastFailure'] = null;
  /** The UTC day of the last run without failure, for a daily job. */
  #day = -1;
  #nextMs: number;

  constructor(job: Job, parts: RunnerParts) {
    this.#job = job;
    this.#parts = parts;
    this.#nextMs = parts.clock.wallMs();
  }

  get report(): JobReport {
    const { name, lane, schedule, once } = this.#job;
    return {
      name,
      lane,
      schedule,
      once,
      isRunning: this.#running !== null,
      runs: this.#runs,
      failures: this.#failures,
      lastRun: this.#lastRun,
      lastFailure: this.#lastFailure,
      nextMs: this.#nextMs,
    };
  }

  start(): void {
    const { onNeed, schedule } = this.#job;
    const ask = () => this.#ask();
    if (onNeed !== undefined) this.#stopAsking = onNeed(ask);
    if ('everyMs' in schedule && schedule.firstAfterMs !== undefined) {
      this.#askAfter(schedule.firstAfterMs);
    } else ask();
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopAsking();
    this.#stopAlarm();
  }

  async settled(): Promise<void> {
    while (this.#running !== null) await this.#running;
  }

  #ask(): void {
    if (this.#isStopped) return;
    this.#stopAlarm();
    this.#isAsked = true;
    this.#running ??= this.#runAsked().finally(() => {
      this.#running = null;
      this.#schedule();
    });
  }

  async #runAsked(): Promise<void> {
    while (this.#isAsked && !this.#isStopped) {
      this.#isAsked = false;
      await this.#runOnce();
    }
  }

  async #runOnce(): Promise<void> {
    const { clock, log } = this.#parts;
    const { name, lane, run } = this.#job;
    const atMs = clock.wallMs();
    const startedMs = clock.monotonicMs();
    try {
      await run();
      this.#day = dayOf(atMs);
    } catch (error) {
      this.#failures += 1;
      const fields = errorFields(error);
      this.#lastFailure = { atMs: clock.wallMs(), message: fields.message };
      log.write('warn', 'a job failed', {
        job: name,
        ...(lane !== null && { lane }),
        error: fields,
      });
    }
    this.#runs += 1;
    this.#lastRun = { atMs, durationMs: Math.round(clock.monotonicMs() - startedMs) };
  }

  #schedule(): void {
    const { schedule } = this.#job;
    if (this.#isStopped) return;
    if ('everyMs' in schedule) this.#askAfter(schedule.everyMs);
    else this.#askNextDay();
  }

  #askAfter(delayMs: number): void {
    const { clock } = this.#parts;
    this.#nextMs = clock.wallMs() + delayMs;
    this.#stopAlarm = clock.setAlarm(delayMs, () => this.#ask());
  }

  #askNextDay(): void {
    const { clock } = this.#parts;
    const nowMs = clock.wallMs();
    if (this.#day !== dayOf(nowMs)) {
      this.#askAfter(DAY_CHECK_MS);
      return;
    }
    const untilMidnightMs = DAY_MS - (nowMs % DAY_MS);
    this.#nextMs = nowMs + untilMidnightMs;
    this.#stopAlarm = clock.setAlarm(Math.min(untilMidnightMs, DAY_CHECK_MS), () => {
      if (this.#day === dayOf(clock.wallMs())) this.#askNextDay();
      else this.#ask();
    });
  }
}

function dayOf(atMs: number): number {
  return Math.floor(atMs / DAY_MS);
}
