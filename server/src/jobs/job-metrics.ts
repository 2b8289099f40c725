// Metrics of recurring jobs, by job and lane.
import { Gauge, type Registry } from 'prom-client';
import type { JobReport, JobReports } from '../handling/job.ts';

const gauges: readonly (readonly [name: string, help: string, of: (job: JobReport) => number])[] = [
  ['sibyl_job_runs', 'Runs since the start.', ({ runs }) => runs],
  ['sibyl_job_failures', 'Runs that failed since the start.', ({ failures }) => failures],
  [
    'sibyl_job_last_run_timestamp_seconds',
    'When the last run began; 0 before the first.',
    ({ lastRun }) => (lastRun?.atMs ?? 0) / 1000,
  ],
  [
    'sibyl_job_duration_seconds',
    'How long the last run took.',
    ({ lastRun }) => (lastRun?.durationMs ?? 0) / 1000,
  ],
];

export function addJobMetrics(registry: Registry, jobs: JobReports): void {
  for (const [name, help, figureOf] of gauges) {
    const gauge = new Gauge<'job' | 'lane'>({
      name,
      help,
      labelNames: ['job', 'lane'],
      registers: [registry],
      collect() {
        for (const report of jobs.reports) {
          gauge.set({ job: report.name, lane: report.lane ?? '' }, figureOf(report));
        }
      },
    });
  }
}
