// Who operates the exchange, and as what.
import type { OperatorOperations, OutputOf } from '@sibyl/contract/console';
import { Badge } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { dateTime } from '../../format/times.ts';
import { ActButton } from '../acts/act-button.tsx';
import { useIdentity } from '../session/use-session.ts';
import { useAsk } from '../use-ask.ts';

type Operator = OutputOf<OperatorOperations['listOperators']>['operators'][number];

export function Page() {
  const { data, error } = useAsk('listOperators', {});
  const { operator_id: me } = useIdentity();
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h1 className="text-lg font-semibold">Operators</h1>
        <ActButton act="addOperator" label="Add an operator" kind="primary" />
      </div>
      {error !== null && <ErrorNote error={error} />}
      <Card isFlush title="Who may act">
        <Table
          label="Operators"
          columns={columnsFor(me)}
          rows={data?.operators ?? []}
          keyOf={({ operator_id: id }) => id}
        />
      </Card>
      <p className="text-muted">
        Whoever is added may look and nothing else; more roles need another admin. The last admin
        stays one.
      </p>
    </div>
  );
}

function columnsFor(me: string): readonly Column<Operator>[] {
  return [
    {
      id: 'name',
      title: 'Name',
      cell: ({ name, operator_id: id }) => (id === me ? `${name} (you)` : name),
    },
    {
      id: 'roles',
      title: 'Roles',
      cell: ({ roles, disabled_at: disabled }) => (
        <span className="flex flex-wrap gap-1">
          {disabled !== null && <Badge tone="loss">disabled</Badge>}
          {roles.map((role) => (
            <Badge key={role}>{role.replace('_', ' ')}</Badge>
          ))}
        </span>
      ),
    },
    {
      id: 'factor',
      title: 'Second factor',
      cell: ({ second_factor: isThere }) =>
        isThere ? <Badge tone="gain">yes</Badge> : <Badge tone="warn">none</Badge>,
    },
    {
      id: 'user',
      title: 'User',
      isMinor: true,
      cell: ({ user_id: id }) => (id === null ? 'none' : <code>{id}</code>),
    },
    { id: 'id', title: 'Id', isMinor: true, cell: ({ operator_id: id }) => <code>{id}</code> },
    {
      id: 'since',
      title: 'Since',
      isMinor: true,
      cell: ({ created_at_ms: atMs }) => dateTime('en', atMs),
    },
    { id: 'acts', title: 'Acts', cell: (operator) => <Acts operator={operator} /> },
  ];
}

function Acts({ operator }: { readonly operator: Operator }) {
  const preset = { operator_id: operator.operator_id };
  if (operator.disabled_at !== null) return null;
  return (
    <span className="flex flex-wrap gap-1 py-2">
      <ActButton
        act="setOperatorRoles"
        label="Roles"
        preset={preset}
        values={{ roles: operator.roles }}
      />
      <ActButton
        act="setOperatorUser"
        label="Link to a user"
        preset={preset}
        values={{ user_id: operator.user_id ?? '' }}
      />
      {operator.second_factor && (
        <ActButton act="resetOperatorFactor" label="Reset factor" preset={preset} />
      )}
      <ActButton act="disableOperator" label="Disable" kind="danger" preset={preset} />
    </span>
  );
}
