// Parameters of the lane, part by part, and every version of them.
import type { OperatorOperations, OutputOf } from '@sibyl/contract/console';
import { labelOf } from '@sibyl/contract/console';
import { Card } from '../../components/card.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { dateTime } from '../../format/times.ts';
import { ActButton } from '../acts/act-button.tsx';
import { useLane } from '../lane.tsx';
import { useAsk } from '../use-ask.ts';

type Version = OutputOf<OperatorOperations['getParameters']>['versions'][number];

export function Parameters() {
  const { lane } = useLane();
  const { data, error } = useAsk('getParameters', { query: { lane } });
  return (
    <Card title={`Parameters, ${lane}${data === undefined ? '' : `, version ${data.version}`}`}>
      {error !== null && <ErrorNote error={error} />}
      <div className="grid gap-6 sm:grid-cols-2 xl:grid-cols-3">
        {Object.entries(data?.values ?? {}).map(([part, values]) => (
          <Part key={part} part={part} values={values} />
        ))}
      </div>
      {data !== undefined && data.versions.length > 0 && (
        <details className="mt-4">
          <summary>Changes so far</summary>
          <Table
            label="Versions of parameters"
            columns={columns}
            rows={data.versions}
            keyOf={({ version }) => String(version)}
          />
        </details>
      )}
    </Card>
  );
}

function Part({
  part,
  values,
}: {
  readonly part: string;
  readonly values: Readonly<Record<string, unknown>>;
}) {
  return (
    <section aria-label={part}>
      <header className="mb-1 flex items-center justify-between gap-2">
        <h3 className="font-semibold">{labelOf(part)}</h3>
        <ActButton
          act="setParameters"
          label="Change"
          preset={{ part }}
          draft={{ values: JSON.stringify(values, null, 2) }}
        />
      </header>
      <dl>
        {Object.entries(values).map(([name, value]) => (
          <div key={name} className="flex justify-between gap-4 border-t border-line py-1">
            <dt className="text-muted">{labelOf(name)}</dt>
            <dd>{String(value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const columns: readonly Column<Version>[] = [
  { id: 'version', title: 'Version', cell: ({ version }) => version },
  { id: 'part', title: 'Part', cell: ({ part }) => part },
  {
    id: 'values',
    title: 'Set to',
    cell: ({ values }) => <code className="text-xs">{JSON.stringify(values)}</code>,
  },
  { id: 'who', title: 'By', isMinor: true, cell: ({ actor }) => actor },
  { id: 'why', title: 'Reason', isMinor: true, cell: ({ reason }) => reason },
  {
    id: 'when',
    title: 'From',
    isMinor: true,
    cell: ({ changed_at_ms: atMs }) => dateTime('en', atMs),
  },
];
