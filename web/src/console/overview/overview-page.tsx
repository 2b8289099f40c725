// The exchange at a glance: both lanes, pending work, and charts of the last 24 hours.

import { labelOf } from '@sibyl/contract/console';
import { useState } from 'react';
import { Badge } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { RowOutlines } from '../../components/list-table.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { dateTime, duration } from '../../format/times.ts';
import { useNow } from '../../live/use-now.ts';
import { isIdle } from '../activity.ts';
import { ActButton } from '../acts/act-button.tsx';
import { lanes, useLane } from '../lane.tsx';
import { LaneLink } from '../lane-link.tsx';
import { queueWords } from '../queues/queue-kinds.ts';
import { useAsk } from '../use-ask.ts';
import { Alarms } from './alarms.tsx';
import { LaneCard } from './lane-card.tsx';
import { type ChartWords, LiveChart } from './live-chart.tsx';
import { type Point, type SampleLine, usePoints } from './use-samples.ts';

const EVERY_MS = 2_000;

export function Page() {
  const { data, error, refetch } = useAsk('getPlatform', {}, { everyMs: EVERY_MS });
  return (
    <div className="flex flex-col gap-4">
      <h1 className="text-lg font-semibold">Overview</h1>
      {error !== null && <ErrorNote error={error} onRetry={() => refetch()} />}
      {data === undefined && error === null && <RowOutlines />}
      <Alarms />
      {data?.maintenance != null && <MaintenanceNote {...data.maintenance} />}
      <div className="grid gap-4 lg:grid-cols-2">
        {data?.lanes.map((state) => (
          <LaneCard key={state.lane} state={state} />
        ))}
      </div>
      <Pending approvals={data?.approvals_waiting ?? 0} />
      <Charts />
    </div>
  );
}

function MaintenanceNote(news: {
  readonly phase: string;
  readonly effect: string;
  readonly starts_at_ms: number;
  readonly reason: string;
}) {
  const { phase, effect, starts_at_ms: startsAtMs, reason } = news;
  return (
    <p role="status" className="rounded-md bg-warn-soft p-3 text-warn">
      <strong>Maintenance {phase}</strong>, {labelOf(effect).toLowerCase()}, from{' '}
      {dateTime('en', startsAtMs)}: {reason}
    </p>
  );
}

/** Queues of the lane that have work, and approvals of both lanes; each links to its card. */
function Pending({ approvals }: { readonly approvals: number }) {
  const { lane } = useLane();
  const { data } = useAsk('getQueues', { query: { lane } }, { everyMs: EVERY_MS });
  const queues = data?.queues.filter(({ kind, count }) => kind !== 'approval' && count > 0) ?? [];
  const lines = [
    ...queues.map(({ kind, count }) => ({ kind, count, title: queueWords(kind).title })),
    ...(approvals > 0
      ? [{ kind: 'approval', count: approvals, title: 'Approvals, both lanes' }]
      : []),
  ];
  return (
    <Card
      title={`Pending, ${lane}`}
      aside={<ActButton act="startReconciliation" label="Reconcile now" />}
    >
      {data !== undefined && lines.length === 0 && <p className="text-muted">Nothing pending.</p>}
      <ul className="flex flex-wrap gap-x-6 gap-y-2">
        {lines.map(({ kind, count, title }) => (
          <li key={kind} className="flex items-center gap-2">
            <LaneLink to="/queues" hash={kind} className="underline">
              {title}
            </LaneLink>
            <Badge tone="warn">{count}</Badge>
          </li>
        ))}
      </ul>
    </Card>
  );
}

const charts: readonly ChartWords[] = [
  { title: 'Orders', unit: 'a second', lines: ofLanes('orders_live', 'orders_sandbox') },
  { title: 'Commands', unit: 'a second', lines: ofLanes('commands_live', 'commands_sandbox') },
  { title: 'Requests', unit: 'a second', lines: [{ id: 'requests', label: 'Both ports' }] },
  {
    title: 'p99 latency',
    unit: 'ms',
    lines: [{ id: 'p99_ms', label: 'All operations' }],
    limit: { kind: 'above', value: 500 },
  },
  { title: 'Memory', unit: 'MB', lines: [{ id: 'memory_mb', label: 'Resident' }] },
  {
    title: 'Connections',
    unit: 'open',
    lines: [
      { id: 'connections', label: 'All' },
      { id: 'sockets', label: 'Sockets' },
    ],
  },
  {
    title: 'History',
    unit: 'commands behind',
    lines: [{ id: 'history_lag', label: 'Both lanes' }],
    limit: { kind: 'above', value: 10_000 },
  },
  {
    title: 'Webhooks',
    unit: 'attempts a second',
    lines: [{ id: 'webhook_attempts', label: 'All results' }],
  },
  { title: 'Journals', unit: 'MB', lines: [{ id: 'journal_mb', label: 'On the disk' }] },
  {
    title: 'Free disk space',
    unit: 'MB',
    lines: [{ id: 'disk_free_mb', label: 'Data folder' }],
    limit: { kind: 'below', value: 2_048 },
  },
];

function ofLanes(live: SampleLine, sandbox: SampleLine): ChartWords['lines'] {
  const both = [
    { id: live, label: 'Live', lane: 'live' },
    { id: sandbox, label: 'Sandbox', lane: 'sandbox' },
  ];
  return both.filter(({ lane }) => lanes.some((run) => run === lane));
}

const HOUR_MS = 3_600_000;
const SPANS = { '1': '1 h', '6': '6 h', '24': '24 h' } as const;
type Span = keyof typeof SPANS;

function Charts() {
  const points = usePoints();
  const [span, setSpan] = useState<Span>('1');
  return (
    <section aria-label={`The last ${SPANS[span]}`} className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="font-semibold">Service</h2>
        <Segmented
          label="Time range"
          value={span}
          onChoose={setSpan}
          choices={Object.entries(SPANS).map(([value, label]) => ({
            value: value as Span,
            label,
          }))}
        />
      </div>
      <Age points={points} />
      <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
        {charts.map((chart) => (
          <LiveChart key={chart.title} {...chart} points={points} spanMs={Number(span) * HOUR_MS} />
        ))}
      </div>
    </section>
  );
}

const LATE_MS = 90_000;

/** Figures that are late say so. */
function Age({ points }: { readonly points: readonly Point[] }) {
  const nowMs = useNow();
  const last = points.at(-1)?.atMs;
  if (last === undefined || nowMs - last < LATE_MS) return null;
  const age = duration('en', nowMs - last);
  return (
    <p role="status" className="text-xs font-semibold text-warn">
      Last update {age} ago
      {isIdle() ? '. Charts pause while you are away. Press any key to resume.' : ', retrying'}
    </p>
  );
}
