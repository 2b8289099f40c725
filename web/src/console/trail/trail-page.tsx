// The trail: everything that operators did, newest first, filtered, and saved whole for `sibyl verify` and auditors.
import {
  type OperatorOperations,
  type OutputOf,
  operatorOperations,
} from '@sibyl/contract/console';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Empty } from '../../components/empty.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Field } from '../../components/field.tsx';
import { Select } from '../../components/select.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { dateTime } from '../../format/times.ts';
import { send } from '../plane.ts';
import { useNames } from '../use-names.ts';
import { ExportButton } from './export-button.tsx';

export type Entry = OutputOf<OperatorOperations['listTrail']>[number];

const PAGE_ROWS = 50;

type Lane = 'any' | 'live' | 'sandbox';

interface Filter {
  readonly operator_id: string;
  readonly operation: string;
  readonly lane: Lane;
}

export function Page() {
  const [filter, setFilter] = useState<Filter>({ operator_id: '', operation: '', lane: 'any' });
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useTrail(filter);
  const [chosen, setChosen] = useState<Entry | null>(null);
  const nameOf = useNames();
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h1 className="text-lg font-semibold">Trail</h1>
        <ExportButton />
      </div>
      <Filters filter={filter} onChange={setFilter} />
      {error !== null && <ErrorNote error={error} />}
      <Card isFlush title="Newest first">
        <Table
          label="Trail"
          columns={columnsFor(nameOf)}
          rows={data?.pages.flatMap(({ entries }) => entries) ?? []}
          keyOf={({ seq }) => String(seq)}
          onOpen={setChosen}
          empty={<Empty title="No act of this kind" />}
        />
        {hasNextPage && (
          <div className="flex justify-center border-t border-line p-2">
            <Button kind="quiet" isBusy={isFetchingNextPage} onClick={() => fetchNextPage()}>
              Older ones
            </Button>
          </div>
        )}
      </Card>
      {chosen !== null && (
        <Dialog title={`Entry ${chosen.seq}`} isOpen onClose={() => setChosen(null)}>
          <CodeBlock label={chosen.operation} text={JSON.stringify(chosen, null, 2)} isWrapped />
        </Dialog>
      )}
    </div>
  );
}

function useTrail({ operator_id: operatorId, operation, lane }: Filter) {
  const said = {
    ...(operatorId.trim() !== '' && { operator_id: operatorId.trim() }),
    ...(operation !== '' && { operation }),
    ...(lane !== 'any' && { lane }),
  };
  return useInfiniteQuery({
    queryKey: ['listTrail', said],
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam: cursor }) => {
      const query = {
        ...said,
        order: 'newest',
        limit: PAGE_ROWS,
        ...(cursor !== null && { cursor }),
      };
      const { data, nextCursor } = await send(operatorOperations.listTrail, { query });
      return { entries: data as readonly Entry[], nextCursor };
    },
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

function Filters({
  filter,
  onChange,
}: {
  readonly filter: Filter;
  readonly onChange: (filter: Filter) => void;
}) {
  const acts = Object.values(operatorOperations).filter(({ method }) => method !== 'GET');
  return (
    <div className="flex flex-wrap items-end gap-2">
      <div className="w-full max-w-60">
        <Field
          label="Operator, by id"
          type="search"
          placeholder="opr_…, token or offline"
          value={filter.operator_id}
          onChange={(event) => onChange({ ...filter, operator_id: event.target.value })}
        />
      </div>
      <Select
        label="Act"
        value={filter.operation}
        onChoose={(operation) => onChange({ ...filter, operation })}
        choices={[
          { value: '', label: 'All acts' },
          ...acts.map(({ id }) => ({ value: id as string, label: id as string })),
        ]}
      />
      <Select
        label="Lane of the act"
        value={filter.lane}
        onChoose={(lane) => onChange({ ...filter, lane })}
        choices={[
          { value: 'any', label: 'Any lane' },
          { value: 'live', label: 'Live' },
          { value: 'sandbox', label: 'Sandbox' },
        ]}
      />
    </div>
  );
}

function columnsFor(nameOf: (id: string) => string): readonly Column<Entry>[] {
  return [
    { id: 'seq', title: 'No.', isFigure: true, isMinor: true, cell: ({ seq }) => seq },
    {
      id: 'when',
      title: 'When',
      isMinor: true,
      cell: ({ acted_at_ms: atMs }) => dateTime('en', atMs),
    },
    {
      id: 'act',
      title: 'Act',
      // A button, so that the keyboard reaches it; its press is that of the row.
      cell: (entry) => (
        <span className="flex flex-col items-start py-2">
          <button type="button" className="text-left font-semibold wrap-anywhere">
            {entry.operation}
          </button>
          <span className="flex flex-col text-xs text-muted sm:hidden">
            <span>
              {entry.seq} · {dateTime('en', entry.acted_at_ms)}
            </span>
            <span className="wrap-anywhere">
              {nameOf(entry.operator_id)}
              {entry.lane === null ? '' : `, ${entry.lane}`}
            </span>
            <span className="wrap-anywhere">{entry.reason}</span>
          </span>
        </span>
      ),
    },
    {
      id: 'outcome',
      title: 'Outcome',
      cell: ({ outcome }) => (
        <Badge tone={outcome === 'ok' ? 'gain' : outcome === 'proposed' ? 'warn' : 'neutral'}>
          {outcome}
        </Badge>
      ),
    },
    { id: 'lane', title: 'Lane', isMinor: true, cell: ({ lane }) => lane ?? '' },
    { id: 'who', title: 'Who', isMinor: true, cell: ({ operator_id: id }) => nameOf(id) },
    { id: 'why', title: 'Reason', isMinor: true, cell: ({ reason }) => reason ?? '' },
  ];
}
