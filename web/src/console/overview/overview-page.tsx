// How the exchange does at one look: both lanes, what waits, and the last five minutes.

import { labelOf } from '@sibyl/contract/console';
import { Badge } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { RowOutlines } from '../../components/list-table.tsx';
import { dateTime, duration } from '../../format/times.ts';
import { useNow } from '../../live/use-now.ts';
import { isIdle } from '../activity.ts';
import { ActButton } from '../acts/act-button.tsx';
import { lanes, useLane } from '../lane.tsx';
import { LaneLink } from '../lane-link.tsx';
import { queueWords } from '../queues/queue-kinds.ts';
import { useAsk } from '../use-ask.ts';
import { LaneCard } from './lane-card.tsx';
import { LiveChart } from './live-chart.tsx';
import { type Point, usePoints } from './use-samples.ts';

const EVERY_MS = 2_000;

export function Page() {
  const { data, error, refetch } = useAsk('getPlatform', {}, { everyMs: EVERY_MS });
  return (
    <div className="flex flex-col gap-4">
      <h1 className="text-lg font-semibold">Overview</h1>
      {error !== null && <ErrorNote error={error} onRetry={() => refetch()} />}
      {data === undefined && error === null && <RowOutlines />}
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

const ofLanes = (what: string) =>
  lanes.map((lane) => ({ id: `${what}_${lane}`, label: lane === 'live' ? 'Live' : 'Sandbox' }));

const charts = [
  { title: 'Orders', unit: 'a second', lines: ofLanes('orders') },
  { title: 'Commands', unit: 'a second', lines: ofLanes('commands') },
  { title: 'Answers', unit: 'a second', lines: [{ id: 'requests', label: 'Both ports' }] },
  {
    title: 'p99 latency',
    unit: 'ms',
    lines: [{ id: 'p99', label: 'All operations' }],
  },
  { title: 'Memory', unit: 'MB', lines: [{ id: 'memory', label: 'Resident' }] },
  {
    title: 'Connections',
    unit: 'open',
    lines: [
      { id: 'connections', label: 'All' },
      { id: 'sockets', label: 'Sockets' },
    ],
  },
  { title: 'History', unit: 'commands behind', lines: [{ id: 'lag', label: 'Both lanes' }] },
  {
    title: 'Webhooks',
    unit: 'attempts a second',
    lines: [{ id: 'deliveries', label: 'All results' }],
  },
  { title: 'Journals', unit: 'MB', lines: [{ id: 'journal', label: 'On the disk' }] },
  { title: 'Space left', unit: 'MB', lines: [{ id: 'disk', label: 'On the disk' }] },
];

function Charts() {
  const points = usePoints();
  return (
    <section aria-label="The last five minutes" className="flex flex-col gap-2">
      <Age points={points} />
      <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
        {charts.map((chart) => (
          <LiveChart key={chart.title} {...chart} points={points} />
        ))}
      </div>
    </section>
  );
}

const LATE_MS = 6_000;

/** Figures that are late say so. */
function Age({ points }: { readonly points: readonly Point[] }) {
  const nowMs = useNow();
  const last = points.at(-1)?.atMs;
  if (last === undefined || nowMs - last < LATE_MS) return null;
  const age = duration('en', nowMs - last);
  return (
    <p role="status" className="text-xs font-semibold text-warn">
      Last update {age} ago
      {isIdle() ? ': figures stop when nobody is here. Press anything to go on.' : ', asking again'}
    </p>
  );
}
