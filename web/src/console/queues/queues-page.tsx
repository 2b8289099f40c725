// Everything that is pending in the lane, and approvals of both lanes. Queues with work come first; empty ones share one card.
import type { OperatorOperations, OutputOf } from '@sibyl/contract/console';
import { useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Badge } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { RowOutlines } from '../../components/list-table.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { ago, inTime } from '../../format/times.ts';
import { useNow } from '../../live/use-now.ts';
import { ActButton } from '../acts/act-button.tsx';
import { useLane } from '../lane.tsx';
import { LaneLink } from '../lane-link.tsx';
import { useAsk } from '../use-ask.ts';
import { PayoutActs } from '../withdrawals/payout-acts.tsx';
import { Approvals } from './approvals.tsx';
import { AskedApp } from './asked-app.tsx';
import { isKnown, isOfMarkets, type QueueKind, queueWords } from './queue-kinds.ts';

type Queue = OutputOf<OperatorOperations['getQueues']>['queues'][number];
type Item = Queue['items'][number];

const EVERY_MS = 5_000;

export function Page() {
  const { lane } = useLane();
  const { data, error, refetch } = useAsk('getQueues', { query: { lane } }, { everyMs: EVERY_MS });
  const platform = useAsk('getPlatform', {}, { everyMs: EVERY_MS });
  useNamedCard(data !== undefined && platform.data !== undefined);
  // Approvals have a card of their own, with everything that was asked for.
  const queues = data?.queues.filter(({ kind }) => kind !== 'approval') ?? [];
  const busy = queues.filter(({ count }) => count > 0);
  const cards = busy.map((queue) => <QueueCard key={queue.kind} queue={queue} lane={lane} />);
  const approvals = <Approvals key="approval" />;
  const isApprovalPending = (platform.data?.approvals_waiting ?? 0) > 0;
  return (
    <div className="flex flex-col gap-4">
      <h1 className="text-lg font-semibold">Queues</h1>
      {error !== null && <ErrorNote error={error} onRetry={() => refetch()} />}
      {data === undefined && error === null && <RowOutlines />}
      {/* One keyed list: the card of approvals keeps its state when it moves. */}
      {isApprovalPending ? [approvals, ...cards] : [...cards, approvals]}
      {data !== undefined && busy.length < queues.length && (
        <EmptyQueues queues={queues.filter(({ count }) => count === 0)} lane={lane} />
      )}
    </div>
  );
}

/** Scrolls to the card that the address names, which is there only after the answer. */
function useNamedCard(isLoaded: boolean): void {
  const hash = useRouterState({ select: ({ location }) => location.hash });
  useEffect(() => {
    if (isLoaded && hash !== '') document.getElementById(hash)?.scrollIntoView();
  }, [isLoaded, hash]);
}

function EmptyQueues({
  queues,
  lane,
}: {
  readonly queues: readonly Queue[];
  readonly lane: string;
}) {
  return (
    <Card title={`Nothing pending, ${lane}`}>
      <ul className="flex flex-wrap gap-x-6 gap-y-1 text-muted">
        {queues.map(({ kind }) => (
          <li key={kind} id={kind}>
            {queueWords(kind).title}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function QueueCard({ queue, lane }: { readonly queue: Queue; readonly lane: string }) {
  const { kind, count, items } = queue;
  const { title: heading, item: what } = queueWords(kind);
  const nowMs = useNow();
  const columns: readonly Column<Item>[] = [
    {
      id: 'what',
      title: what,
      cell: ({ id, title }) =>
        isOfMarkets(kind) ? (
          <LaneLink to={`/markets/${id}`} className="underline">
            {title.trim() === '' ? id : title}
          </LaneLink>
        ) : (
          <>
            <code className="block text-xs break-all text-muted">{id}</code>
            <span className="wrap-anywhere">{title}</span>
          </>
        ),
    },
    {
      id: 'since',
      title: 'Since',
      isMinor: true,
      cell: ({ since_at_ms: sinceMs }) => ago('en', nowMs - sinceMs),
    },
    {
      id: 'due',
      title: 'Auto-decides',
      cell: ({ due_at_ms: dueMs }) => (dueMs === null ? 'never' : inTime('en', dueMs - nowMs)),
    },
    {
      id: 'acts',
      title: 'Actions',
      cell: ({ id }) => (isKnown(kind) ? <Acts kind={kind} id={id} /> : null),
    },
  ];
  return (
    <Card
      id={kind}
      isFlush
      title={`${heading}, ${lane}`}
      aside={<Badge tone="warn">{count}</Badge>}
    >
      <Table label={heading} columns={columns} rows={items} keyOf={({ id }) => id} />
    </Card>
  );
}

function Acts({ kind, id }: { readonly kind: QueueKind; readonly id: string }) {
  if (kind === 'flag') {
    return <ActButton act="clearComplianceFlag" label="Clear" preset={{ flag_id: id }} />;
  }
  if (kind === 'builder') {
    const preset = { user_id: id };
    return (
      <span className="flex flex-wrap gap-1">
        <ActButton act="approveBuilder" label="Approve" kind="primary" preset={preset} />
        <ActButton act="rejectBuilder" label="Reject" kind="danger" preset={preset} />
      </span>
    );
  }
  if (kind === 'app') {
    const preset = { app_id: id };
    const about = <AskedApp appId={id} />;
    return (
      <span className="flex flex-wrap gap-1">
        <ActButton act="approveApp" label="Approve" kind="primary" preset={preset} about={about} />
        <ActButton act="rejectApp" label="Send back" kind="danger" preset={preset} about={about} />
      </span>
    );
  }
  // The custody credits it, or says that it failed; whoever runs it sees to a custody that says nothing.
  if (kind === 'deposit' || kind === 'custody') return null;
  if (kind === 'payout' || kind === 'payout_taken') {
    return <PayoutActs id={id} isTaken={kind === 'payout_taken'} />;
  }
  const preset = kind === 'withdrawal' ? { withdrawal_id: id } : { market_id: id };
  if (kind === 'withdrawal') {
    return (
      <span className="flex flex-wrap gap-1">
        <ActButton act="approveWithdrawal" label="Let go" kind="primary" preset={preset} />
        <ActButton act="rejectWithdrawal" label="Give back" kind="danger" preset={preset} />
      </span>
    );
  }
  if (kind === 'market_approval') {
    return (
      <span className="flex flex-wrap gap-1">
        <ActButton act="approveMarket" label="Approve" kind="primary" preset={preset} />
        <ActButton act="cancelMarket" label="Cancel" kind="danger" preset={preset} />
      </span>
    );
  }
  // The panel of the market shows the payout, and has the act.
  if (kind === 'cancellation') return null;
  if (kind === 'proposal_missing') {
    return <ActButton act="proposeResolution" label="Propose" kind="primary" preset={preset} />;
  }
  return <ActButton act="ruleResolution" label="Rule" kind="primary" preset={preset} />;
}
