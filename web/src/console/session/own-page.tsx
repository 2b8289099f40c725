// The second factor and the sessions of whoever is signed in, and another password.
import type { OperatorOperations, OutputOf } from '@sibyl/contract/console';
import { Badge } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { dateTime } from '../../format/times.ts';
import { ActButton } from '../acts/act-button.tsx';
import { useAsk } from '../use-ask.ts';
import { OwnFactor } from './own-factor.tsx';
import { useIdentity } from './use-session.ts';

type Own = OutputOf<OperatorOperations['listOperatorSessions']>['sessions'][number];

export function Page() {
  const { name, roles, operator_id: id } = useIdentity();
  const { data, error } = useAsk('listOperatorSessions', {});
  return (
    <div className="flex flex-col gap-4">
      <h1 className="text-lg font-semibold">{name}</h1>
      <p className="flex flex-wrap items-center gap-2">
        <code>{id}</code>
        {roles.map((role) => (
          <Badge key={role} tone="accent">
            {role.replace('_', ' ')}
          </Badge>
        ))}
      </p>
      {error !== null && <ErrorNote error={error} />}
      <OwnFactor />
      <Card
        isFlush
        title="Sessions"
        aside={<ActButton act="changeOperatorPassword" label="Change password" />}
      >
        <Table
          label="Sessions"
          columns={columns}
          rows={data?.sessions ?? []}
          keyOf={({ session_id: sessionId }) => sessionId}
        />
      </Card>
    </div>
  );
}

const columns: readonly Column<Own>[] = [
  {
    id: 'begun',
    title: 'Begun',
    cell: ({ created_at_ms: atMs, current }) =>
      `${dateTime('en', atMs)}${current ? ' (this one)' : ''}`,
  },
  { id: 'used', title: 'Last used', cell: ({ used_at_ms: atMs }) => dateTime('en', atMs) },
  {
    id: 'ends',
    title: 'Ends',
    isMinor: true,
    cell: ({ expires_at_ms: atMs }) => dateTime('en', atMs),
  },
  {
    id: 'acts',
    title: 'Acts',
    cell: ({ session_id: id, current }) =>
      current ? null : (
        <ActButton act="endOperatorSession" label="End" preset={{ session_id: id }} />
      ),
  },
];
