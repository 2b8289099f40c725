// Tables of a few and of a thousand rows, and lists that are on their way, empty or broken.
import { SibylConnectionError } from '@sibyl/sdk';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { ListTable, RowOutlines } from '../../components/list-table.tsx';
import { ListTools } from '../../components/list-tools.tsx';
import { Table } from '../../components/table.tsx';
import { Tabs } from '../../components/tabs.tsx';

const fewRows = [1, 2, 3];
const manyRows = Array.from({ length: 1_000 }, (_, index) => index);
const columns = [
  { id: 'name', title: 'Name', cell: (row: number) => `Row ${row}` },
  { id: 'value', title: 'Value', cell: (row: number) => `${row}.00`, isFigure: true },
];
const list = {
  error: null,
  hasMore: true,
  isBusy: false,
  more: () => undefined,
  reload: () => Promise.resolve(),
};
const lost = { ...list, hasMore: false, error: new SibylConnectionError('lost', null, null) };
const table = { columns, keyOf: String, empty: <Empty title="No rows" /> };

export function Lists() {
  const tabs = [
    {
      id: 'list',
      label: 'With more',
      content: (
        <>
          <ListTools>
            <Button size="small">tool</Button>
          </ListTools>
          <ListTable label="List" {...table} rows={fewRows} list={list} />
        </>
      ),
    },
    {
      id: 'none',
      label: 'Empty',
      content: <ListTable label="None" {...table} rows={[]} list={{ ...list, hasMore: false }} />,
    },
    {
      id: 'lost',
      label: 'Failed',
      content: <ListTable label="Lost" {...table} rows={null} list={lost} />,
    },
    { id: 'coming', label: 'Loading', content: <RowOutlines /> },
    {
      id: 'many',
      label: 'A thousand',
      content: <Table label="Many" columns={columns} rows={manyRows} keyOf={String} />,
    },
  ];
  return (
    <Card isFlush>
      <Tabs label="Tables" tabs={tabs} />
    </Card>
  );
}
