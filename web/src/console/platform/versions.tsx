// Every version of limits that are announced before they hold: who set it, when, and from when on it holds.
import { type Column, Table } from '../../components/table.tsx';
import { dateTime } from '../../format/times.ts';
import { useNames } from '../use-names.ts';

interface Version {
  readonly version: number;
  readonly announced_at_ms: number;
  readonly effective_at_ms: number;
  readonly actor: string;
  readonly reason: string;
}

interface Props<V extends Version> {
  readonly label: string;
  readonly versions: readonly V[];
  readonly says: (version: V) => string;
}

export function Versions<V extends Version>({ label, versions, says }: Props<V>) {
  const nameOf = useNames();
  if (versions.length === 0) return null;
  const columns: readonly Column<V>[] = [
    { id: 'version', title: 'Version', cell: ({ version }) => version },
    { id: 'what', title: 'Set to', cell: says },
    { id: 'who', title: 'By', cell: ({ actor }) => nameOf(actor) },
    { id: 'why', title: 'Reason', isMinor: true, cell: ({ reason }) => reason },
    {
      id: 'when',
      title: 'Set',
      isMinor: true,
      cell: ({ announced_at_ms: atMs }) => dateTime('en', atMs),
    },
    { id: 'from', title: 'From', cell: ({ effective_at_ms: atMs }) => dateTime('en', atMs) },
  ];
  return (
    <details className="p-4">
      <summary>Changes so far</summary>
      <Table
        label={label}
        columns={columns}
        rows={versions}
        keyOf={({ version }) => String(version)}
      />
    </details>
  );
}
