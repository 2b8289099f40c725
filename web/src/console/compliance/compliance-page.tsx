// Compliance: the rules in force, what they flagged, and a person tested against them.
import {
  type OperatorOperations,
  type OutputOf,
  operatorOperations,
} from '@sibyl/contract/console';
import { useState } from 'react';
import { Badge } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { dateTime } from '../../format/times.ts';
import { ActButton } from '../acts/act-button.tsx';
import { fieldsOf } from '../acts/act-fields.ts';
import { SaidFields } from '../acts/said-fields.tsx';
import { useAsk } from '../use-ask.ts';
import { useNames } from '../use-names.ts';

type Flag = OutputOf<OperatorOperations['listComplianceFlags']>['flags'][number];

const EVERY_MS = 10_000;

export function Page() {
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h1 className="text-lg font-semibold">Compliance</h1>
        <span className="flex gap-2">
          <ActButton act="testCompliance" label="Test a person" />
          <ActButton act="linkAccounts" label="Link accounts" />
        </span>
      </div>
      <Flags />
      <Rules />
    </div>
  );
}

function Flags() {
  const [status, setStatus] = useState<'open' | 'cleared'>('open');
  const { data, error } = useAsk(
    'listComplianceFlags',
    { query: { status } },
    { everyMs: EVERY_MS },
  );
  return (
    <Card
      isFlush
      title="Flags"
      aside={
        <Segmented
          label="Which flags"
          value={status}
          onChoose={setStatus}
          choices={[
            { value: 'open', label: 'Open' },
            { value: 'cleared', label: 'Cleared' },
          ]}
        />
      }
    >
      {error !== null && <ErrorNote error={error} />}
      <Table
        label="Flags"
        columns={columns}
        rows={data?.flags ?? []}
        keyOf={({ flag_id: id }) => id}
        empty={
          <Empty title="No flags">
            What rules against abuse find waits here until somebody has looked at it.
          </Empty>
        }
      />
    </Card>
  );
}

const columns: readonly Column<Flag>[] = [
  {
    id: 'kind',
    title: 'What',
    cell: ({ kind, blocks }) => (
      <span className="flex flex-wrap gap-1">
        {kind.replace('_', ' ')}
        {blocks && <Badge tone="loss">blocks</Badge>}
      </span>
    ),
  },
  { id: 'who', title: 'User', cell: ({ user_id: id }) => id ?? 'an address' },
  { id: 'detail', title: 'Detail', cell: ({ detail }) => detail },
  {
    id: 'when',
    title: 'Raised',
    isMinor: true,
    cell: ({ raised_at_ms: atMs }) => dateTime('en', atMs),
  },
  {
    id: 'act',
    title: 'Acts',
    cell: ({ flag_id: id, clear_reason: why, cleared_by: by }) =>
      by === null ? (
        <ActButton act="clearComplianceFlag" label="Clear" preset={{ flag_id: id }} />
      ) : (
        `${by}: ${why ?? ''}`
      ),
  },
];

const fields = fieldsOf(operatorOperations.loadCompliance);

function Rules() {
  const { data, error } = useAsk('getCompliance', {});
  const nameOf = useNames();
  const rules = data?.rules ?? {};
  return (
    <Card
      title="Rules in force"
      // The form begins with what is in force: it waits until that is known.
      aside={
        data !== undefined && (
          <ActButton act="loadCompliance" label="Change rules" kind="danger" values={{ rules }} />
        )
      }
    >
      {error !== null && <ErrorNote error={error} />}
      {data !== undefined && (
        <div className="flex flex-col gap-3">
          <p className="text-muted">
            {data.loaded_at_ms === null
              ? 'None were ever loaded: nothing is blocked.'
              : `Version ${data.version}, loaded by ${nameOf(data.actor ?? '')} at ${dateTime('en', data.loaded_at_ms)}: ${data.reason}`}
          </p>
          <SaidFields fields={fields} value={{ rules }} />
        </div>
      )}
    </Card>
  );
}
