// Parameters of the lane, part by part, and every version of them.
import type { OperatorOperations, OutputOf } from '@sibyl/contract/console';
import { useMemo } from 'react';
import { Card } from '../../components/card.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { dateTime } from '../../format/times.ts';
import { ActButton } from '../acts/act-button.tsx';
import { useLane } from '../lane.tsx';
import { useAsk } from '../use-ask.ts';
import {
  type ParameterValue,
  parameterLabel,
  parameterShape,
  parameterShown,
  partLabel,
} from './parameter-words.ts';

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
  const known = useMemo(() => Object.entries(values).filter(isValue), [values]);
  const shapes = useMemo(
    () => ({ values: parameterShape(part, Object.fromEntries(known)) }),
    [part, known],
  );
  const title = partLabel(part);
  return (
    <section aria-label={title}>
      <header className="mb-1 flex items-center justify-between gap-2">
        <h3 className="font-semibold">{title}</h3>
        <ActButton
          act="setParameters"
          label="Change"
          preset={{ part }}
          values={{ values }}
          shapes={shapes}
          changesOnly
        />
      </header>
      <dl>
        {known.map(([name, value]) => (
          <div key={name} className="flex justify-between gap-4 border-t border-line py-1">
            <dt className="text-muted">{parameterLabel(name)}</dt>
            <dd className="text-right">{parameterShown(name, value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function isValue(entry: [string, unknown]): entry is [string, ParameterValue] {
  return ['number', 'string', 'boolean'].includes(typeof entry[1]);
}

function changesOf({ values }: Version): string {
  return Object.entries(values)
    .filter(isValue)
    .map(([name, value]) => `${parameterLabel(name)}: ${parameterShown(name, value)}`)
    .join(', ');
}

const columns: readonly Column<Version>[] = [
  { id: 'version', title: 'Version', cell: ({ version }) => version },
  { id: 'part', title: 'Part', cell: ({ part }) => partLabel(part) },
  {
    id: 'values',
    title: 'Set to',
    cell: changesOf,
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
