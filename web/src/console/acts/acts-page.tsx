// Every act that operators have, by what it is about: whatever no other page offers is reached here.
import { type AnyOperation, operatorOperations } from '@sibyl/contract/console';
import { useState } from 'react';
import { Badge } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { Field } from '../../components/field.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { openAct } from './act-dialog.tsx';
import { helpFor } from './act-words.ts';

/** Sessions have a page of their own. */
const OWN: ReadonlySet<string> = new Set([
  'openOperatorSession',
  'closeOperatorSession',
  'stepUpOperatorSession',
]);

const acts: readonly AnyOperation[] = Object.values(operatorOperations).filter(
  ({ id, method }) => method !== 'GET' && !OWN.has(id),
);

export function Page() {
  const [words, setWords] = useState('');
  const found = acts.filter(({ id, summary, description }) =>
    `${id} ${summary} ${description}`.toLowerCase().includes(words.trim().toLowerCase()),
  );
  return (
    <div className="flex flex-col gap-4">
      <h1 className="text-lg font-semibold">All actions</h1>
      <div className="max-w-sm">
        <Field
          label="Search actions"
          type="search"
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
      </div>
      <Card isFlush title={`${found.length} of ${acts.length} actions`}>
        <Table
          label="Actions"
          columns={columns}
          rows={found}
          keyOf={({ id }) => id}
          onOpen={(operation) => openAct({ operation })}
        />
      </Card>
    </div>
  );
}

const columns: readonly Column<AnyOperation>[] = [
  {
    id: 'act',
    title: 'Action',
    // A button, so that the keyboard reaches it; its press is that of the row.
    cell: ({ summary }) => (
      <button type="button" className="min-w-36 text-left font-semibold">
        {summary}
      </button>
    ),
  },
  {
    id: 'about',
    title: 'What it does',
    isMinor: true,
    cell: ({ id, description }) => <span className="text-muted">{helpFor(id, description)}</span>,
  },
  {
    id: 'role',
    title: 'Role',
    cell: ({ role }) => <Badge>{(role ?? 'anybody').replace('_', ' ')}</Badge>,
  },
  {
    id: 'needs',
    title: 'Needs',
    cell: ({ stepUp, approval }) => (
      <span className="flex flex-wrap gap-1">
        {stepUp && <Badge tone="accent">password</Badge>}
        {approval !== 'never' && <Badge tone="warn">second operator</Badge>}
      </span>
    ),
  },
];
