// How often keys, sessions and strangers may ask in each category, and what is announced of it.
import type { OperatorOperations, OutputOf } from '@sibyl/contract/console';
import { Card } from '../../components/card.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { dateTime } from '../../format/times.ts';
import { ActButton } from '../acts/act-button.tsx';
import { useAsk } from '../use-ask.ts';
import { Versions } from './versions.tsx';

type Quota = OutputOf<OperatorOperations['getRateQuotas']>['quotas'][number];

export function Quotas() {
  const { data } = useAsk('getRateQuotas', {});
  return (
    <Card title="Requests a minute, both lanes" isFlush>
      <Table
        label="Quotas"
        columns={columns}
        rows={data?.quotas ?? []}
        keyOf={({ holder, category }) => `${holder} ${category}`}
      />
      <Versions
        label="Versions of quotas"
        versions={data?.versions ?? []}
        says={({ holder, category, per_minute: rate }) =>
          `${HOLDERS[holder]}, ${category.replace('_', ' ')}: ${rate.toLocaleString('en')}`
        }
      />
    </Card>
  );
}

const columns: readonly Column<Quota>[] = [
  { id: 'holder', title: 'Of each', cell: ({ holder }) => HOLDERS[holder] },
  {
    id: 'category',
    title: 'Category',
    cell: ({ category }) => <span className="whitespace-nowrap">{category.replace('_', ' ')}</span>,
  },
  {
    id: 'rate',
    title: 'A minute',
    isFigure: true,
    cell: ({ per_minute: rate }) => rate.toLocaleString('en'),
  },
  {
    id: 'pending',
    title: 'Announced',
    isMinor: true,
    cell: ({ pending }) =>
      pending === null
        ? ''
        : `${pending.per_minute.toLocaleString('en')} from ${dateTime('en', pending.effective_at_ms)}`,
  },
  {
    id: 'act',
    title: 'Acts',
    cell: ({ holder, category }) => (
      <ActButton act="setRateQuota" label="Change" preset={{ holder, category }} />
    ),
  },
];

const HOLDERS: Readonly<Record<Quota['holder'], string>> = {
  key: 'key',
  session: 'user',
  anonymous: 'address',
};
