// Recurring work as its part of the server describes it, and what the runner observes of it.
import type { JobName } from '@sibyl/contract';
import type { LaneName } from '@sibyl/engine';

export interface Job {
  readonly name: JobName;
  /** Null for the whole service. */
  readonly lane: LaneName | null;
  readonly schedule: Schedule;
  /** Whether one server alone runs it where several share a database. */
  readonly once: boolean;
  readonly run: () => Promise<unknown>;
  /** Asks for a run outside the schedule; the returned function stops that. */
  readonly onNeed?: (ask: () => void) => () => void;
}

/** The first run is at the start; a daily job then runs once the UTC day has changed. */
export type Schedule =
  | { readonly everyMs: number; readonly firstAfterMs?: number }
  | { readonly daily: true };

export interface JobReport extends Pick<Job, 'name' | 'lane' | 'schedule' | 'once'> {
  readonly isRunning: boolean;
  readonly runs: number;
  readonly failures: number;
  readonly lastRun: { readonly atMs: number; readonly durationMs: number } | null;
  readonly lastFailure: { readonly atMs: number; readonly message: string } | null;
  readonly nextMs: number;
}

export interface JobReports {
  readonly reports: readonly JobReport[];
}
