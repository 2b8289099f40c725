// What apps brought to the exchange: volume by day as a chart, and by app, market or day as a table.
import { type ReactNode, useState } from 'react';
import { Card } from '../../../components/card.tsx';
import { CsvButton } from '../../../components/csv-button.tsx';
import { Empty } from '../../../components/empty.tsx';
import { ErrorNote } from '../../../components/error-note.tsx';
import { Figure } from '../../../components/figure.tsx';
import { ListTable } from '../../../components/list-table.tsx';
import { ListTools } from '../../../components/list-tools.tsx';
import { MarketName } from '../../../components/market-name.tsx';
import { PageLink } from '../../../components/page-link.tsx';
import { Segmented } from '../../../components/segmented.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { type Column, Table } from '../../../components/table.tsx';
import { exactMoney, tellingMoney } from '../../../format/amounts.ts';
import { dayName } from '../../../format/times.ts';
import { useClient } from '../../../session/use-session.ts';
import { useLocale, useTexts } from '../../../texts/use-texts.ts';
import { AppName } from './app-name.tsx';
import { DayColumns } from './day-columns.tsx';
import { revenueTexts } from './texts.ts';
import {
  attributionKey,
  type BroughtRow,
  type Span,
  sinceOf,
  useAttributionDays,
  useAttributionParts,
} from './use-earnings.ts';

type By = 'app' | 'market' | 'day';

export function Brought({ span }: { readonly span: Span }) {
  const t = useTexts(revenueTexts);
  const { data, error, refetch } = useAttributionDays(span);
  return (
    <Card title={t('brought')} isFlush aside={<BroughtFile span={span} />}>
      {error !== null && <ErrorNote error={error} onRetry={() => refetch()} />}
      {error === null && data === undefined && (
        <div className="p-4">
          <Skeleton className="h-52 w-full" />
        </div>
      )}
      {data !== undefined &&
        (data.total.fills === 0 ? (
          <NothingBrought />
        ) : (
          <Volume total={data.total} days={data.days} span={span} />
        ))}
    </Card>
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

interface VolumeProps {
  readonly total: BroughtRow;
  readonly days: readonly BroughtRow[];
  readonly span: Span;
}

function Volume({ total, days, span }: VolumeProps) {
  const t = useTexts(revenueTexts);
  const locale = useLocale();
  const [by, setBy] = useState<By>('app');
  const amount = (exact: string): string => tellingMoney(locale, exact);
  return (
    <>
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
      <div className="border-t border-line">
        <ListTools>
          <span className="mr-auto">
            <Segmented<By>
              label={t('by')}
              value={by}
              onChoose={setBy}
              choices={[
                { value: 'app', label: t('byApp') },
                { value: 'market', label: t('byMarket') },
                { value: 'day', label: t('byDays') },
              ]}
            />
          </span>
        </ListTools>
        {by === 'day' ? <DayTable days={days} /> : <PartTable key={by} by={by} span={span} />}
      </div>
    </>
  );
}

function PartTable({ by, span }: { readonly by: 'app' | 'market'; readonly span: Span }) {
  const t = useTexts(revenueTexts);
  const { rows, ...list } = useAttributionParts(by, span);
  const columns = useVolumeColumns({
    id: 'of',
    title: t(by),
    cell: (row) => <Told row={row}>{nameOf(row)}</Told>,
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

function nameOf({ app_id: appId, market_id: marketId }: BroughtRow): ReactNode {
  if (marketId !== null) return <MarketName marketId={marketId} />;
  return appId === null ? null : <AppName appId={appId} />;
}

/** With what a phone has no column for. */
function Told({ row, children }: { readonly row: BroughtRow; readonly children: ReactNode }) {
  const t = useTexts(revenueTexts);
  const locale = useLocale();
  return (
    <span className="flex flex-col max-sm:py-2">
      {children}
      <span className="text-xs text-muted sm:hidden">
        {t('trades')} {row.fills.toLocaleString(locale)}
      </span>
    </span>
  );
}

/** Days on which nothing happened are seen in the chart. */
function DayTable({ days }: { readonly days: readonly BroughtRow[] }) {
  const t = useTexts(revenueTexts);
  const locale = useLocale();
  const columns = useVolumeColumns({
    id: 'day',
    title: t('day'),
    cell: (row) => (
      <Told row={row}>
        <span className="whitespace-nowrap">{dayName(locale, row.day ?? '')}</span>
      </Told>
    ),
  });
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
  const locale = useLocale();
  const figure = { isFigure: true } as const;
  return [
    first,
    {
      id: 'fills',
      title: t('trades'),
      cell: ({ fills }) => fills.toLocaleString(locale),
      ...figure,
      isMinor: true,
    },
    {
      id: 'volume',
      title: t('volume'),
      cell: ({ volume }) => exactMoney(locale, volume),
      ...figure,
    },
    {
      id: 'accrued',
      title: t('toTheApp'),
      cell: ({ accrued }) => exactMoney(locale, accrued),
      ...figure,
    },
  ];
}

const HEADER = ['time', 'trade_id', 'app_id', 'market_id', 'volume', 'accrued'];
const FILE_PAGE_ROWS = 500;

/** Trade by trade, exactly. */
function BroughtFile({ span }: { readonly span: Span }) {
  const client = useClient();
  return (
    <CsvButton
      name="attribution"
      header={HEADER}
      rows={async function* () {
        const query = { group_by: 'fill', limit: FILE_PAGE_ROWS, ...sinceOf(span) } as const;
        for await (const { items } of client.attribution.rows(query).pages()) {
          yield items
            .filter(({ kind }) => kind === 'part')
            .map((row) => [
              row.ts_ms === null ? '' : new Date(row.ts_ms).toISOString(),
              row.trade_id ?? '',
              row.app_id ?? '',
              row.market_id ?? '',
              row.volume,
              row.accrued ?? '',
            ]);
        }
      }}
    />
  );
}
