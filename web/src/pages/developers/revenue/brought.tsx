// What apps brought to the exchange: volume by day as a chart, and by app, market or day as a table.
import type { ReactNode } from 'react';
import { Amount } from '../../../components/amount.tsx';
import { Empty } from '../../../components/empty.tsx';
import { Figure } from '../../../components/figure.tsx';
import { ListTable } from '../../../components/list-table.tsx';
import { MarketName } from '../../../components/market-name.tsx';
import { PageLink } from '../../../components/page-link.tsx';
import { type Column, Table } from '../../../components/table.tsx';
import { money } from '../../../format/amounts.ts';
import { useLocale, useTexts } from '../../../texts/use-texts.ts';
import { AppName } from './app-name.tsx';
import { DayColumns } from './day-columns.tsx';
import { Breakdown, DaysCard } from './days-card.tsx';
import { revenueTexts } from './texts.ts';
import { Told, useDayColumn, useTradesColumn, useTradesFact } from './told.tsx';
import { BroughtFile } from './trades-file.tsx';
import {
  attributionKey,
  type BroughtRow,
  type Days,
  type Span,
  useAttributionDays,
  useAttributionParts,
} from './use-earnings.ts';

export function Brought({ span }: { readonly span: Span }) {
  const t = useTexts(revenueTexts);
  return (
    <DaysCard
      title={t('brought')}
      file={<BroughtFile span={span} />}
      query={useAttributionDays(span)}
      isNothing={({ fills }) => fills === 0}
      nothing={<NothingBrought />}
    >
      {({ total, days }) => (
        <>
          <Volume total={total} days={days} />
          <Breakdown
            parts={[
              { value: 'app', label: t('byApp') },
              { value: 'market', label: t('byMarket') },
            ]}
            partTable={(by) => <PartTable key={by} by={by} span={span} />}
            dayTable={<DayTable days={days} />}
          />
        </>
      )}
    </DaysCard>
  );
}

function NothingBrought() {
  const t = useTexts(revenueTexts);
  return (
    <Empty
      title={t('noVolume')}
      action={
        <PageLink to="/developers/apps" className="text-accent underline underline-offset-2">
          {t('toApps')}
        </PageLink>
      }
    >
      {t('noVolumeText')}
    </Empty>
  );
}

function Volume({ total, days }: Days<BroughtRow>) {
  const t = useTexts(revenueTexts);
  const locale = useLocale();
  const amount = (exact: string): string => money(locale, exact);
  return (
    <div className="flex flex-col gap-4 p-4">
      <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        <Figure label={t('volume')}>{amount(total.volume)}</Figure>
        <Figure label={t('trades')}>{total.fills.toLocaleString(locale)}</Figure>
        <Figure label={t('toTheApp')}>{amount(total.accrued)}</Figure>
      </dl>
      <DayColumns
        label={t('volumeByDay')}
        amount={amount}
        most={(text) => t('most', { amount: text })}
        series={[{ label: t('volume'), colour: 'bg-accent' }]}
        days={days.map(({ day, volume }) => ({ day: day ?? '', amounts: [volume] }))}
      />
    </div>
  );
}

function PartTable({ by, span }: { readonly by: 'app' | 'market'; readonly span: Span }) {
  const t = useTexts(revenueTexts);
  const { rows, ...list } = useAttributionParts(by, span);
  const trades = useTradesFact();
  const columns = useVolumeColumns({
    id: 'of',
    title: t(by),
    cell: (row) => <Told facts={[trades(row)]}>{nameOf(row) ?? t('ownKeys')}</Told>,
  });
  return (
    <ListTable
      label={t('brought')}
      columns={columns}
      rows={rows}
      keyOf={attributionKey}
      list={list}
      empty={<Empty title={t('nothingInSpan')} />}
    />
  );
}

/** Null for orders by the builder's own keys, which name no app. */
function nameOf({ app_id: appId, market_id: marketId }: BroughtRow): ReactNode {
  if (marketId !== null) return <MarketName marketId={marketId} />;
  return appId === null ? null : <AppName appId={appId} />;
}

/** Days on which nothing happened are seen in the chart. */
function DayTable({ days }: { readonly days: readonly BroughtRow[] }) {
  const t = useTexts(revenueTexts);
  const trades = useTradesFact();
  const columns = useVolumeColumns(useDayColumn((row) => [trades(row)]));
  return (
    <Table
      label={t('brought')}
      columns={columns}
      rows={days.filter(({ fills }) => fills > 0).toReversed()}
      keyOf={attributionKey}
    />
  );
}

function useVolumeColumns(first: Column<BroughtRow>): readonly Column<BroughtRow>[] {
  const t = useTexts(revenueTexts);
  const figure = { isFigure: true } as const;
  return [
    first,
    useTradesColumn(),
    {
      id: 'volume',
      title: t('volume'),
      cell: ({ volume }) => <Amount amount={volume} />,
      ...figure,
    },
    {
      id: 'accrued',
      title: t('toTheApp'),
      cell: ({ accrued }) => <Amount amount={accrued} />,
      ...figure,
    },
  ];
}
