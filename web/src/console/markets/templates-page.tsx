// What markets are made from: the templates of the lane, their versions, and new ones.
import { labelOf } from '@sibyl/contract/console';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { RowOutlines } from '../../components/list-table.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { dateTime } from '../../format/times.ts';
import { useLane } from '../lane.tsx';
import { useAddress } from '../use-address.ts';
import { useAsk } from '../use-ask.ts';
import type { Template } from './make-market.tsx';
import { PublishTemplate } from './publish-template.tsx';
import { TemplatePanel } from './template-panel.tsx';

export function Page() {
  const { lane } = useLane();
  const { record, open } = useAddress();
  const { data: found, error } = useAsk('findTemplates', { query: { lane } });
  const data = found?.templates;
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h1 className="text-lg font-semibold">Templates</h1>
        <PublishTemplate label="New template" known={data ?? []} />
      </div>
      {error !== null && <ErrorNote error={error} />}
      {data === undefined && error === null && <RowOutlines />}
      {record !== null && data !== undefined && (
        <OpenTemplate key={record} id={record} known={data} onClose={() => open(null)} />
      )}
      {data !== undefined && (
        <Card isFlush title={`Templates, ${lane}`}>
          <Table
            label="Templates"
            columns={columns}
            rows={data}
            keyOf={({ id }) => id}
            onOpen={({ id }) => open(id)}
            empty={<Empty title="No templates yet">Markets can be made once there is one.</Empty>}
          />
        </Card>
      )}
    </div>
  );
}

interface OpenProps {
  readonly id: string;
  readonly known: readonly Template[];
  readonly onClose: () => void;
}

function OpenTemplate({ id, known, onClose }: OpenProps) {
  const { lane } = useLane();
  const template = known.find((one) => one.id === id);
  if (template !== undefined) {
    return <TemplatePanel template={template} known={known} onClose={onClose} />;
  }
  return (
    <Card>
      <Empty
        title={`No template ${id} in ${lane}`}
        action={
          <Button size="small" onClick={onClose}>
            Close
          </Button>
        }
      >
        The link may belong to the other lane.
      </Empty>
    </Card>
  );
}

const columns: readonly Column<Template>[] = [
  {
    id: 'name',
    title: 'Template',
    // A button, so that the keyboard reaches it; its press is that of the row.
    cell: ({ name, status }) => (
      <span className="flex flex-wrap items-center gap-2">
        <button type="button" className="text-left font-semibold wrap-anywhere">
          {name}
        </button>
        {status !== 'active' && <Badge tone="warn">{labelOf(status)}</Badge>}
      </span>
    ),
  },
  { id: 'category', title: 'Category', cell: ({ category }) => labelOf(category) },
  {
    id: 'for',
    title: 'For',
    isMinor: true,
    cell: ({ market_type: type }) => (type === 'creator' ? 'Creators' : `Platform, ${type}`),
  },
  {
    id: 'oracle',
    title: 'Decided by',
    isMinor: true,
    cell: ({ oracle_config: { source } }) => labelOf(source),
  },
  { id: 'version', title: 'Version', isFigure: true, cell: ({ version }) => version },
  {
    id: 'published',
    title: 'Published',
    isMinor: true,
    cell: ({ published_at_ms: atMs }) => (atMs === null ? '' : dateTime('en', atMs)),
  },
];
