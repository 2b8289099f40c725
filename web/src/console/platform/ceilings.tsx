// What keys of each tier may stake and ask, and what is announced of it.
import type { OperatorOperations, OutputOf } from '@sibyl/contract/console';
import { Card } from '../../components/card.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { dateTime } from '../../format/times.ts';
import { ActButton } from '../acts/act-button.tsx';
import { useAsk } from '../use-ask.ts';
import { Versions } from './versions.tsx';

type Ceiling = OutputOf<OperatorOperations['getTierCeilings']>['tiers'][number];

export function Ceilings() {
  const { data } = useAsk('getTierCeilings', {});
  return (
    <Card title="Ceilings of tiers, both lanes" isFlush>
      <Table label="Tiers" columns={columns} rows={data?.tiers ?? []} keyOf={({ tier }) => tier} />
      <Versions
        label="Versions of ceilings"
        versions={data?.versions ?? []}
        says={(version) => `${version.tier.replace('_', ' ')}: ${ceilingsText(version)}`}
      />
    </Card>
  );
}

/** Per order, per day, and how often. */
function ceilingsText({
  order_notional_max: order,
  daily_notional_max: day,
  rate_multiplier: rate,
}: Omit<Ceiling, 'tier' | 'pending'>): string {
  return `${order ?? 'none'}, ${day ?? 'none'}, ×${rate}`;
}

const columns: readonly Column<Ceiling>[] = [
  {
    id: 'tier',
    title: 'Tier',
    cell: ({ tier }) => <span className="whitespace-nowrap">{tier.replace('_', ' ')}</span>,
  },
  {
    id: 'order',
    title: 'Per order',
    isFigure: true,
    cell: ({ order_notional_max: most }) => most ?? 'none',
  },
  {
    id: 'day',
    title: 'Per day',
    isFigure: true,
    cell: ({ daily_notional_max: most }) => most ?? 'none',
  },
  { id: 'rate', title: 'Rate', isFigure: true, cell: ({ rate_multiplier: rate }) => `×${rate}` },
  {
    id: 'pending',
    title: 'Announced',
    isMinor: true,
    cell: ({ pending }) =>
      pending === null
        ? ''
        : `${ceilingsText(pending)} from ${dateTime('en', pending.effective_at_ms)}`,
  },
  {
    id: 'act',
    title: 'Acts',
    cell: ({ tier }) =>
      tier === 'self_serve' ? (
        <span className="text-xs text-muted">fixed</span>
      ) : (
        <ActButton act="setTierCeilings" label="Change" preset={{ tier }} />
      ),
  },
];
