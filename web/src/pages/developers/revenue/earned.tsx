// Shares of fees: earned, paid out and still to come; by day as a chart, and by role, app or day as a table.
import { type ReactNode, useState } from 'react';
import { Card } from '../../../components/card.tsx';
import { CsvButton } from '../../../components/csv-button.tsx';
import { Empty } from '../../../components/empty.tsx';
import { ErrorNote } from '../../../components/error-note.tsx';
import { Figure } from '../../../components/figure.tsx';
import { ListTable } from '../../../components/list-table.tsx';
import { ListTools } from '../../../components/list-tools.tsx';
import { PageLink } from '../../../components/page-link.tsx';
import { Segmented } from '../../../components/segmented.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { type Column, Table } from '../../../components/table.tsx';
import { exactMoney, tellingMoney } from '../../../format/amounts.ts';
import { dayName } from '../../../format/times.ts';
import { useClient } from '../../../session/use-session.ts';
import { useLocale, useTexts } from '../../../texts/use-texts.ts';
import { wordOf } from '../word-of.ts';
import { AppName } from './app-name.tsx';
import { DayColumns } from './day-columns.tsx';
import { revenueTexts } from './texts.ts';
import {
  type RevenueRow,
  revenueKey,
  type Span,
  sinceOf,
  useRevenueDays,
  useRevenueParts,
} from './use-earnings.ts';

type By = 'actor' | 'app' | 'day';

export function Earned({ span }: { readonly span: Span }) {
  const t = useTexts(revenueTexts);
  const { data, error, refetch } = useRevenueDays(span);
  return (
    <Card title={t('earned')} isFlush aside={<EarnedFile span={span} />}>
      {error !== null && <ErrorNote error={error} onRetry={() => refetch()} />}
      {error === null && data === undefined && (
        <div className="p-4">
          <Skeleton className="h-52 w-full" />
        </div>
      )}
      {data !== undefined &&
        (isNothing(data.total) ? (
          <NothingEarned />
        ) : (
          <Earnings total={data.total} days={data.days} span={span} />
        ))}
    </Card>
  );
}

/** Neither in these days nor waiting from before them. */
function isNothing({ fills, accrued, credited, returned, pending }: RevenueRow): boolean {
  const isZero = (amount: string | null): boolean => Number(amount) === 0;
  return fills === 0 && [accrued, credited, returned, pending].every(isZero);
}

function NothingEarned() {
  const t = useTexts(revenueTexts);
  const link = 'text-accent underline underline-offset-2';
  return (
    <Empty
      title={t('nothing')}
      action={
        <div className="flex flex-wrap justify-center gap-x-5 gap-y-2">
          <PageLink to="/create" className={link}>
            {t('toCreate')}
          </PageLink>
          <PageLink to="/developers/apps" className={link}>
            {t('toApps')}
          </PageLink>
          <PageLink to="/account" className={link}>
            {t('toInvite')}
          </PageLink>
        </div>
      }
    >
      {t('nothingText')}
    </Empty>
  );
}

interface EarningsProps {
  readonly total: RevenueRow;
  readonly days: readonly RevenueRow[];
  readonly span: Span;
}

function Earnings({ total, days, span }: EarningsProps) {
  const t = useTexts(revenueTexts);
  const locale = useLocale();
  const [by, setBy] = useState<By>('actor');
  const amount = (exact: string): string => tellingMoney(locale, exact);
  return (
    <>
      <div className="flex flex-col gap-4 p-4">
        <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
          <Figure label={t('accrued')}>{amount(total.accrued)}</Figure>
          <Figure label={t('paid')}>{amount(total.credited)}</Figure>
          <Figure label={t('returned')}>{amount(total.returned)}</Figure>
          <Figure label={t('pending')}>{amount(total.pending ?? '0')}</Figure>
        </dl>
        <p className="text-muted">{t('howPaid')}</p>
        <DayColumns
          label={t('byDay')}
          amount={amount}
          most={(text) => t('most', { amount: text })}
          series={[
            { label: t('accrued'), colour: 'bg-accent' },
            { label: t('paid'), colour: 'bg-gain' },
          ]}
          days={days.map(({ day, accrued, credited }) => ({
            day: day ?? '',
            amounts: [accrued, credited],
          }))}
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
                { value: 'actor', label: t('byRole') },
                { value: 'app', label: t('byApp') },
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

function PartTable({ by, span }: { readonly by: 'actor' | 'app'; readonly span: Span }) {
  const t = useTexts(revenueTexts);
  const { rows, ...list } = useRevenueParts(by, span);
  const columns = useRevenueColumns({
    id: 'who',
    title: t(by === 'app' ? 'app' : 'role'),
    cell: (row) => (
      <Told row={row}>
        <Earner row={row} by={by} />
      </Told>
    ),
  });
  return (
    <ListTable
      label={t('earned')}
      columns={columns}
      rows={rows}
      keyOf={revenueKey}
      list={list}
      empty={<Empty title={t('nothingOfApps')}>{t('nothingOfAppsText')}</Empty>}
    />
  );
}

/** Days on which nothing happened are seen in the chart. */
function DayTable({ days }: { readonly days: readonly RevenueRow[] }) {
  const t = useTexts(revenueTexts);
  const locale = useLocale();
  const columns = useRevenueColumns({
    id: 'day',
    title: t('day'),
    cell: (row) => (
      <Told row={row}>
        <span className="whitespace-nowrap">{dayName(locale, row.day ?? '')}</span>
      </Told>
    ),
  });
  const rows = days.filter((row) => !isNothing(row)).toReversed();
  return (
    <Table
      label={t('earned')}
      columns={columns.filter(({ id }) => id !== 'pending')}
      rows={rows}
      keyOf={revenueKey}
      empty={<Empty title={t('nothingInSpan')} />}
    />
  );
}

/** With what a phone has no columns for. */
function Told({ row, children }: { readonly row: RevenueRow; readonly children: ReactNode }) {
  const t = useTexts(revenueTexts);
  const locale = useLocale();
  const facts = [
    `${t('trades')} ${row.fills.toLocaleString(locale)}`,
    `${t('returned')} ${exactMoney(locale, row.returned)}`,
    ...(row.pending === null ? [] : [`${t('pending')} ${exactMoney(locale, row.pending)}`]),
  ];
  return (
    <span className="flex flex-col max-sm:py-2">
      {children}
      <span className="text-xs text-muted sm:hidden">{facts.join(' · ')}</span>
    </span>
  );
}

function Earner({ row, by }: { readonly row: RevenueRow; readonly by: 'actor' | 'app' }) {
  const t = useTexts(revenueTexts);
  const { role, app_id: appId, account_id: accountId } = row;
  if (by === 'app') return appId === null ? null : <AppName appId={appId} />;
  return (
    <span className="flex flex-col">
      <span>{wordOf(t, revenueTexts, role ?? '')}</span>
      {appId !== null && (
        <span className="text-xs text-muted">
          <AppName appId={appId} />
        </span>
      )}
      {accountId?.startsWith('sub_') === true && (
        <code className="font-mono text-xs text-muted">{accountId}</code>
      )}
    </span>
  );
}

function useRevenueColumns(first: Column<RevenueRow>): readonly Column<RevenueRow>[] {
  const t = useTexts(revenueTexts);
  const locale = useLocale();
  const exact = (amount: string | null): string =>
    amount === null ? '–' : exactMoney(locale, amount);
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
    { id: 'accrued', title: t('accrued'), cell: (row) => exact(row.accrued), ...figure },
    { id: 'paid', title: t('paid'), cell: (row) => exact(row.credited), ...figure },
    {
      id: 'returned',
      title: t('returned'),
      cell: (row) => exact(row.returned),
      ...figure,
      isMinor: true,
    },
    {
      id: 'pending',
      title: t('pending'),
      cell: (row) => exact(row.pending),
      ...figure,
      isMinor: true,
    },
  ];
}

const HEADER = ['time', 'trade_id', 'role', 'account_id', 'app_id', 'market_id', 'accrued'];
const FILE_PAGE_ROWS = 500;

/** Trade by trade, exactly. */
function EarnedFile({ span }: { readonly span: Span }) {
  const client = useClient();
  return (
    <CsvButton
      name="revenue"
      header={HEADER}
      rows={async function* () {
        const query = { group_by: 'fill', limit: FILE_PAGE_ROWS, ...sinceOf(span) } as const;
        for await (const { items } of client.revenue.rows(query).pages()) {
          yield items
            .filter(({ kind }) => kind === 'part')
            .map((row) => [
              row.ts_ms === null ? '' : new Date(row.ts_ms).toISOString(),
              row.trade_id ?? '',
              row.role ?? '',
              row.account_id ?? '',
              row.app_id ?? '',
              row.market_id ?? '',
              row.accrued,
            ]);
        }
      }}
    />
  );
}
