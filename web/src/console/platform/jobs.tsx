// Recurring jobs of the server: schedule, last run, next run and last failure.
import type { OperatorOperations, OutputOf } from '@sibyl/contract/console';
import { Badge } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { ago, duration, inTime } from '../../format/times.ts';
import { useNow } from '../../live/use-now.ts';
import { useAsk } from '../use-ask.ts';

type Job = OutputOf<OperatorOperations['listJobs']>['jobs'][number];

const EVERY_MS = 5_000;

export function Jobs() {
  const { data, error } = useAsk('listJobs', {}, { everyMs: EVERY_MS });
  const nowMs = useNow();
  return (
    <Card isFlush title="Jobs">
      {error !== null && <ErrorNote error={error} />}
      {data !== undefined && (
        <Table
          label="Jobs"
          columns={columnsAt(nowMs)}
          rows={data.jobs}
          keyOf={({ name, lane }) => `${name} ${lane}`}
        />
      )}
    </Card>
  );
}

function columnsAt(nowMs: number): readonly Column<Job>[] {
  return [
    { id: 'name', title: 'Job', cell: ({ name }) => name.replaceAll('_', ' ') },
    { id: 'about', title: 'What it does', isMinor: true, cell: ({ about }) => about },
    { id: 'lane', title: 'Lane', isMinor: true, cell: ({ lane }) => lane ?? 'both' },
    {
      id: 'schedule',
      title: 'Every',
      isMinor: true,
      cell: ({ every_ms: everyMs }) => (everyMs === null ? 'day' : duration('en', everyMs)),
    },
    { id: 'last', title: 'Last run', cell: (job) => lastRun(job, nowMs) },
    {
      id: 'took',
      title: 'ms',
      isFigure: true,
      cell: ({ last_duration_ms: tookMs }) => tookMs ?? '',
    },
    {
      id: 'next',
      title: 'Next run',
      isMinor: true,
      cell: ({ is_running: isRunning, next_run_at_ms: atMs }) =>
        isRunning || atMs <= nowMs ? 'now' : inTime('en', atMs - nowMs),
    },
    { id: 'failure', title: 'Last failure', cell: (job) => lastFailure(job, nowMs) },
  ];
}

function lastRun({ last_run_at_ms: atMs }: Job, nowMs: number): string {
  if (atMs === null) return 'none yet';
  return ago('en', Math.max(0, nowMs - atMs));
}

function lastFailure({ last_failure: failure, failures, runs }: Job, nowMs: number) {
  if (failure === null) return '';
  return (
    <span className="wrap-anywhere">
      <Badge tone="warn">{ago('en', Math.max(0, nowMs - failure.failed_at_ms))}</Badge>{' '}
      {failure.message} ({failures} of {runs} runs)
    </span>
  );
}
