// The last report of a reconciliation: where the money of the lane is, and every rule that was checked.
import type { OperatorOperations, OutputOf } from '@sibyl/contract/console';
import { Badge } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { dateTime } from '../../format/times.ts';
import { useLane } from '../lane.tsx';
import { useAsk } from '../use-ask.ts';

type Found = NonNullable<OutputOf<OperatorOperations['getReconciliation']>['report']>;

const EVERY_MS = 5_000;

export function Report() {
  const { lane } = useLane();
  const { data } = useAsk('getReconciliation', { query: { lane } }, { everyMs: EVERY_MS });
  const report = data?.report ?? null;
  if (report === null) {
    return (
      <Card title={`Reconciliation, ${lane}`}>
        <Empty title="Nobody has reconciled this lane yet" />
      </Card>
    );
  }
  return (
    <Card
      title={`Reconciliation, ${lane}`}
      aside={
        <Badge tone={report.balanced ? 'gain' : 'loss'}>
          {report.balanced ? 'balanced' : 'NOT BALANCED'}
        </Badge>
      }
    >
      <p className="mb-3 text-muted">
        At command {report.seq}, {dateTime('en', report.taken_at_ms)}; the sum is {report.sum}{' '}
        {report.asset}.
      </p>
      <details>
        <summary>Where the money is, and {report.invariants.length} rules</summary>
        <div className="mt-3 grid gap-4 lg:grid-cols-2">
          <Table
            label="Ledger"
            columns={totals}
            rows={report.totals}
            keyOf={({ account }) => account}
          />
          <Table
            label="Rules"
            columns={rules}
            rows={report.invariants}
            keyOf={({ rule }) => rule}
          />
        </div>
      </details>
    </Card>
  );
}

const totals: readonly Column<Found['totals'][number]>[] = [
  { id: 'account', title: 'Ledger account', cell: ({ account }) => account.replaceAll('_', ' ') },
  { id: 'total', title: 'Total', isFigure: true, cell: ({ total }) => total },
];

const rules: readonly Column<Found['invariants'][number]>[] = [
  { id: 'rule', title: 'Rule', cell: ({ rule }) => rule },
  {
    id: 'holds',
    title: 'Holds',
    cell: ({ holds, detail }) => (
      <Badge tone={holds ? 'gain' : 'loss'}>{holds ? 'yes' : (detail ?? 'no')}</Badge>
    ),
  },
  { id: 'checked', title: 'Checked on', isFigure: true, cell: ({ checked }) => checked },
];
