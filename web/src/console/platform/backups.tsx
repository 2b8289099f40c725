// Backups of the data folder: how old, how large, and whether anybody has looked that they are whole.
import type { OperatorOperations, OutputOf } from '@sibyl/contract/console';
import { Badge } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { ago } from '../../format/times.ts';
import { useNow } from '../../live/use-now.ts';
import { ActButton } from '../acts/act-button.tsx';
import { useAsk } from '../use-ask.ts';

type Backup = OutputOf<OperatorOperations['listBackups']>['backups'][number];

const EVERY_MS = 30_000;
const MEGABYTE = 1_048_576;

export function Backups() {
  const { data, error } = useAsk('listBackups', {}, { everyMs: EVERY_MS });
  const nowMs = useNow();
  return (
    <Card
      isFlush
      title="Backups"
      aside={<ActButton act="createBackup" label="Back up now" kind="primary" />}
    >
      {error !== null && <ErrorNote error={error} />}
      {data !== undefined && (
        <Table
          label="Backups"
          columns={columnsAt(nowMs)}
          rows={data.backups}
          keyOf={({ folder }) => folder}
          empty={<Empty title="No backup in the data folder" />}
        />
      )}
      <p className="px-4 py-3 text-muted">
        A backup counts as verified once sibyl verify --data-dir has found all of it as it was
        written. Copy them elsewhere: a disk that is lost takes these with it.
      </p>
    </Card>
  );
}

function columnsAt(nowMs: number): readonly Column<Backup>[] {
  return [
    { id: 'made', title: 'Made', cell: ({ created_at_ms: atMs }) => ago('en', nowMs - atMs) },
    {
      id: 'size',
      title: 'MB',
      isFigure: true,
      cell: ({ bytes }) => (bytes / MEGABYTE).toFixed(1),
    },
    {
      id: 'verified',
      title: 'Verified',
      cell: ({ verified_at_ms: atMs }) =>
        atMs === null ? (
          <Badge tone="warn">never</Badge>
        ) : (
          <Badge tone="gain">{ago('en', nowMs - atMs)}</Badge>
        ),
    },
    {
      id: 'lanes',
      title: 'Up to command',
      isMinor: true,
      cell: ({ lanes }) => lanes.map(({ lane, seq }) => `${lane} ${seq}`).join(', '),
    },
    {
      id: 'folder',
      title: 'Folder',
      isMinor: true,
      cell: ({ folder }) => <code className="text-xs break-all">{folder}</code>,
    },
  ];
}
