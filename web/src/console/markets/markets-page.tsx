// Markets of the lane: found by words or id, and what an operator does to one of them.
import type { OperatorOperations, OutputOf } from '@sibyl/contract/console';
import { labelOf } from '@sibyl/contract/console';
import { useState } from 'react';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Field } from '../../components/field.tsx';
import { RowOutlines } from '../../components/list-table.tsx';
import { Select } from '../../components/select.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { dateTime } from '../../format/times.ts';
import { useLane } from '../lane.tsx';
import { useAddress } from '../use-address.ts';
import { useAsk } from '../use-ask.ts';
import { MakeMarket } from './make-market.tsx';
import { MarketPanel } from './market-panel.tsx';

export type FoundMarket = OutputOf<OperatorOperations['findMarkets']>[number];

const STATUSES = ['scheduled', 'active', 'locked', 'settling', 'resolved', 'cancelled'] as const;
type Status = (typeof STATUSES)[number] | 'any';

const SHOWN = 50;
const EVERY_MS = 10_000;

export function Page() {
  const { record, filter, open, narrow } = useAddress();
  const { q = '', status = 'any' } = filter;
  const { lane } = useLane();
  const [words, setWords] = useState(q);
  const known = STATUSES.find((one) => one === status);
  const query = {
    lane,
    limit: SHOWN,
    ...(q !== '' && { q }),
    ...(known !== undefined && { status: known }),
  };
  const { data, error } = useAsk('findMarkets', { query }, { everyMs: EVERY_MS });
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h1 className="text-lg font-semibold">Markets</h1>
        <span className="flex gap-2">
          <MakeMarket />
        </span>
      </div>
      <form
        className="flex flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          narrow({ q: words.trim() });
        }}
      >
        <div className="w-full max-w-sm">
          <Field
            label="Search by title or ID"
            type="search"
            value={words}
            onChange={(event) => setWords(event.target.value)}
          />
        </div>
        <Button type="submit" kind="primary">
          Search
        </Button>
        <Select<Status>
          label="State"
          value={known ?? 'any'}
          onChoose={(chosen) => narrow({ status: chosen === 'any' ? '' : chosen })}
          choices={[
            { value: 'any', label: 'Any state' },
            ...STATUSES.map((value) => ({ value, label: labelOf(value) })),
          ]}
        />
      </form>
      {error !== null && <ErrorNote error={error} />}
      {data === undefined && error === null && <RowOutlines />}
      {record !== null && <OpenMarket key={record} id={record} onClose={() => open(null)} />}
      {data !== undefined && (
        <Card isFlush title={`Markets, ${lane}`}>
          <Table
            label="Markets"
            columns={columns}
            rows={data}
            keyOf={({ market_id: id }) => id}
            onOpen={({ market_id: id }) => open(id)}
            empty={<Empty title="No markets match your search" />}
          />
        </Card>
      )}
    </div>
  );
}

function OpenMarket({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { lane } = useLane();
  const query = { lane, q: id, limit: 1 };
  const { data, error } = useAsk('findMarkets', { query }, { everyMs: EVERY_MS });
  const market = data?.find(({ market_id: found }) => found === id);
  if (error !== null) return <ErrorNote error={error} />;
  if (data === undefined) return <RowOutlines />;
  if (market !== undefined) return <MarketPanel market={market} onClose={onClose} />;
  return (
    <Card>
      <Empty title={`No market ${id} in ${lane}`}>The link may belong to the other lane.</Empty>
    </Card>
  );
}

const columns: readonly Column<FoundMarket>[] = [
  {
    id: 'title',
    title: 'Market',
    // A button, so that the keyboard reaches it; its press is that of the row.
    cell: ({ title, market_id: id }) => (
      <button type="button" className="text-left font-semibold">
        {title.trim() === '' ? id : title}
      </button>
    ),
  },
  {
    id: 'state',
    title: 'State',
    cell: ({ status, halted, approved }) => (
      <span className="flex flex-wrap gap-1">
        <StateBadge market={{ status, halted }} />
        {!approved && <Badge tone="warn">not approved</Badge>}
      </span>
    ),
  },
  {
    id: 'closes',
    title: 'Closes',
    isMinor: true,
    cell: ({ closes_at_ms: atMs }) => dateTime('en', atMs),
  },
  {
    id: 'volume',
    title: 'Volume',
    isFigure: true,
    isMinor: true,
    cell: ({ total_volume: volume }) => volume,
  },
];
