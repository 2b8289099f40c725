// The audit log: every action of operators, newest first, filtered, and exported whole for `sibyl verify` and auditors.
import { operatorOperations } from '@sibyl/contract/console';
import { useState } from 'react';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Empty } from '../../components/empty.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Select } from '../../components/select.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { dateTime } from '../../format/times.ts';
import { useAddress } from '../use-address.ts';
import { useAsk } from '../use-ask.ts';
import { useNames } from '../use-names.ts';
import { usePages } from '../use-pages.ts';
import { type Entry, outcomeOf, sentenceOf } from './entry-words.ts';
import { ExportButton } from './export-button.tsx';
import { OpenEntry } from './open-entry.tsx';

type Filter = Readonly<Record<string, string>>;

export function Page() {
  const { filter, narrow } = useAddress();
  const { rows = [], error, hasNextPage, fetchNextPage, isFetchingNextPage } = useTrail(filter);
  const [chosen, setChosen] = useState<Entry | null>(null);
  const nameOf = useNames();
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h1 className="text-lg font-semibold">Audit log</h1>
        <ExportButton />
      </div>
      <Filters filter={filter} onChange={narrow} />
      {error !== null && <ErrorNote error={error} />}
      <Card isFlush title="Newest first">
        <Table
          label="Audit log"
          columns={columnsFor(nameOf)}
          rows={rows}
          keyOf={({ seq }) => String(seq)}
          onOpen={setChosen}
          empty={<Empty title="No entries match these filters" />}
        />
        {hasNextPage && (
          <div className="flex justify-center border-t border-line p-2">
            <Button kind="quiet" isBusy={isFetchingNextPage} onClick={() => fetchNextPage()}>
              Load older entries
            </Button>
          </div>
        )}
      </Card>
      {chosen !== null && (
        <Dialog title={`Entry ${chosen.seq}`} isOpen onClose={() => setChosen(null)}>
          <OpenEntry entry={chosen} nameOf={nameOf} />
        </Dialog>
      )}
    </div>
  );
}

function useTrail({ operator = '', action = '', of = '' }: Filter) {
  const said = {
    ...(operator !== '' && { operator_id: operator }),
    ...(action !== '' && { operation: action }),
    ...(of !== '' && { lane: of }),
  };
  return usePages('listTrail', { query: { ...said, order: 'newest' } });
}

function Filters({
  filter: { operator = '', action = '', of = '' },
  onChange,
}: {
  readonly filter: Filter;
  readonly onChange: (changes: Filter) => void;
}) {
  const { data } = useAsk('listOperators', {});
  const acts = Object.values(operatorOperations).filter(({ method }) => method !== 'GET');
  return (
    <div className="flex flex-wrap items-end gap-2">
      <Select
        label="Operator"
        value={operator}
        onChoose={(next) => onChange({ operator: next })}
        choices={[
          { value: '', label: 'All operators' },
          ...(data?.operators.map(({ operator_id: value, name: label }) => ({ value, label })) ??
            []),
          { value: 'token', label: 'Operator token' },
          { value: 'offline', label: 'Command line, server stopped' },
        ]}
      />
      <Select
        label="Action"
        value={action}
        onChoose={(next) => onChange({ action: next })}
        choices={[
          { value: '', label: 'All actions' },
          ...acts.map(({ id, summary }) => ({ value: id as string, label: summary })),
        ]}
      />
      <Select
        label="Lane of the action"
        value={of}
        onChoose={(next) => onChange({ of: next })}
        choices={[
          { value: '', label: 'Any lane' },
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
      title: 'What happened',
      // A button, so that the keyboard reaches it; its press is that of the row.
      cell: (entry) => (
        <span className="flex flex-col items-start py-2">
          <button type="button" className="text-left font-semibold wrap-anywhere">
            {sentenceOf(entry, nameOf)}
          </button>
          <span className="flex flex-col text-xs text-muted sm:hidden">
            <span>
              {entry.seq} · {dateTime('en', entry.acted_at_ms)}
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
      cell: ({ outcome }) => {
        const { tone, words } = outcomeOf(outcome);
        return <Badge tone={tone}>{words}</Badge>;
      },
    },
    { id: 'lane', title: 'Lane', isMinor: true, cell: ({ lane }) => lane ?? '' },
    { id: 'why', title: 'Reason', isMinor: true, cell: ({ reason }) => reason ?? '' },
  ];
}
