// Recurring jobs, as operators see them.
import { jobs as about } from '@sibyl/contract';
import type { JobReport } from '../handling/job.ts';
import { isoTime } from '../wire/times.ts';
import type { OperatorHandlers, OperatorParts } from './parts.ts';

export function jobActs({ jobs }: Pick<OperatorParts, 'jobs'>): Pick<OperatorHandlers, 'listJobs'> {
  const byName = (one: JobReport, other: JobReport) => (one.name < other.name ? -1 : 1);
  return { listJobs: () => ({ data: { jobs: jobs.reports.toSorted(byName).map(viewOf) } }) };
}

function viewOf(report: JobReport) {
  const { name, lane, schedule, once, isRunning, runs, failures, lastRun, nextMs } = report;
  const { lastFailure } = report;
  return {
    name,
    about: about[name],
    lane,
    every_ms: 'everyMs' in schedule ? schedule.everyMs : null,
    once,
    is_running: isRunning,
    runs,
    failures,
    last_run_at: lastRun === null ? null : isoTime(lastRun.atMs),
    last_run_at_ms: lastRun?.atMs ?? null,
    last_duration_ms: lastRun?.durationMs ?? null,
    next_run_at: isoTime(nextMs),
    next_run_at_ms: nextMs,
    last_failure: lastFailure && {
      message: lastFailure.message,
      failed_at: isoTime(lastFailure.atMs),
      failed_at_ms: lastFailure.atMs,
    },
  };
}
