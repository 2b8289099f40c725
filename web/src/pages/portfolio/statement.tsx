// The statement: every trade, fee, payout and deposit as one row; the file has every entry.

import { marketTitle, nameOf } from '@sibyl/contract/names';
import type { LedgerEntry } from '@sibyl/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { Amount } from '../../components/amount.tsx';
import { CsvButton } from '../../components/csv-button.tsx';
import { Empty } from '../../components/empty.tsx';
import { ListTable } from '../../components/list-table.tsx';
import { ListTools } from '../../components/list-tools.tsx';
import { MarketName } from '../../components/market-name.tsx';
import { Profit } from '../../components/profit.tsx';
import { Select } from '../../components/select.tsx';
import type { Column } from '../../components/table.tsx';
import { exactDirectionOf, money, shares } from '../../format/amounts.ts';
import { dateTime } from '../../format/times.ts';
import { useList } from '../../live/use-list.ts';
import { knownMarket } from '../../live/use-market.ts';
import { useClient } from '../../session/use-session.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { isReason, marketsOf, type Reason, reasons, reasonTexts } from './reasons.ts';
import { eventsOf, type StatementEvent } from './statement-events.ts';
import { portfolioTexts } from './texts.ts';

const ALL = 'all';
const HOLDS = 'holds';
type Filter = Reason | typeof ALL | typeof HOLDS;

const PAGE_ROWS = 500;
/** Holds are most of the statement of a market maker: the list reads on until so many rows are shown. */
const ROWS_LEAST = 20;
const keyOf = (entry: LedgerEntry): string => entry.entry_id;

export function Statement() {
  const t = useTexts(portfolioTexts);
  const inWords = useTexts(reasonTexts);
  const client = useClient();
  const [chosen, setChosen] = useState<Filter>(ALL);
  const isWhole = chosen === ALL || chosen === HOLDS;
  const filter = isWhole ? {} : { reason: chosen };
  const { rows: entries, ...list } = useList<LedgerEntry>({
    name: 'statement',
    filter: isWhole ? ALL : chosen,
    keyOf,
    pageRows: PAGE_ROWS,
    read: (query) => client.portfolio.ledger({ ...query, ...filter }),
  });
  const { hasMore, isBusy, more } = list;
  const rows = useMemo(() => {
    const events = entries && eventsOf(entries, hasMore);
    return chosen === ALL ? (events?.filter(({ isHold }) => !isHold) ?? null) : events;
  }, [entries, hasMore, chosen]);
  const isShort = rows !== null && rows.length < ROWS_LEAST;
  useEffect(() => {
    if (isShort && hasMore && !isBusy && list.error === null) more();
  }, [isShort, hasMore, isBusy, list.error, more]);
  const columns = useColumns(isWhole);
  return (
    <>
      <ListTools>
        <span className="mr-auto">
          <Select<Filter>
            label={t('reason')}
            value={chosen}
            onChoose={setChosen}
            choices={[
              { value: ALL, label: t('everything') },
              { value: HOLDS, label: t('withHolds') },
              ...reasons.map((value) => ({ value, label: inWords(value) })),
            ]}
          />
        </span>
        <StatementFile filter={filter} />
      </ListTools>
      <ListTable
        label={t('statement')}
        columns={columns}
        rows={rows?.length === 0 && hasMore ? null : rows}
        keyOf={(event) => event.key}
        list={list}
        empty={<Empty title={t('noEntries')}>{t('noEntriesText')}</Empty>}
      />
    </>
  );
}

/** A balance is that after the whole event, and unknown where only a part of events is listed. */
function useColumns(hasBalance: boolean): readonly Column<StatementEvent>[] {
  const t = useTexts(portfolioTexts);
  const locale = useLocale();
  const columns: readonly Column<StatementEvent>[] = [
    {
      id: 'time',
      title: t('time'),
      cell: ({ atMs }) => (
        <span className="whitespace-nowrap text-muted">{dateTime(locale, atMs)}</span>
      ),
      isMinor: true,
    },
    {
      id: 'what',
      title: t('what'),
      cell: (event) => (
        <span className="flex flex-col max-sm:py-2">
          <What event={event} />
          <span className="flex flex-col text-xs text-muted sm:hidden">
            {dateTime(locale, event.atMs)}
            <EventMarket event={event} />
          </span>
        </span>
      ),
    },
    {
      id: 'market',
      title: t('market'),
      cell: (event) => <EventMarket event={event} />,
      isMinor: true,
    },
    {
      id: 'amount',
      title: t('amount'),
      cell: (event) => <EventAmount event={event} />,
      isFigure: true,
    },
  ];
  if (!hasBalance) return columns;
  const after = {
    id: 'after',
    title: t('after'),
    cell: ({ balanceAfter }: StatementEvent) => <Amount amount={balanceAfter} />,
    isFigure: true,
    isMinor: true,
  };
  return [...columns, after];
}

/** A trade says how much was bought or sold, and the fee that its amount includes. */
function What({ event }: { readonly event: StatementEvent }) {
  const { reason, shares: moved, fee, isNo } = event;
  const t = useTexts(portfolioTexts);
  const inWords = useTexts(reasonTexts);
  const locale = useLocale();
  const isSale = moved.startsWith('-');
  const size = shares(locale, isSale ? moved.slice(1) : moved);
  const isTrade = reason === 'trade' && exactDirectionOf(moved) !== 'flat';
  if (isWorthless(event)) return t('noPayout');
  return (
    <span>
      {isTrade && t(isNo ? 'boughtNo' : isSale ? 'soldShares' : 'boughtShares', { size })}
      {!isTrade && (isReason(reason) ? inWords(reason) : reason)}
      {isTrade && exactDirectionOf(fee) !== 'flat' && (
        <span className="text-muted"> · {t('includedFee', { fee: money(locale, fee) })}</span>
      )}
    </span>
  );
}

/** Shares of an outcome that lost leave without money. */
function isWorthless({ reason, asset }: StatementEvent): boolean {
  return reason === 'settlement' && asset === null;
}

function EventAmount({ event }: { readonly event: StatementEvent }) {
  const t = useTexts(portfolioTexts);
  const { asset, money: moved, shares: movedShares, held, isHold } = event;
  const unit = <span className="text-xs text-muted">{asset ?? t('shares')}</span>;
  if (isWorthless(event)) return <Profit amount="0" />;
  if (isHold) {
    return (
      <span className="text-muted">
        <Amount amount={held} isSigned /> {unit}{' '}
        <span className="text-xs">{t('bucketReserved')}</span>
      </span>
    );
  }
  return (
    <>
      <Profit amount={asset === null ? movedShares : moved} /> {unit}
    </>
  );
}

function EventMarket({ event: { marketId, outcomeId } }: { readonly event: StatementEvent }) {
  return marketId === null ? null : <MarketName marketId={marketId} outcomeId={outcomeId} />;
}

const HEADER = [
  'time',
  'entry_id',
  'seq',
  'reason',
  'bucket',
  'asset',
  'amount',
  'balance_after',
  'market_id',
  'market_title',
  'outcome_id',
  'outcome_label',
  'ref_id',
];
function StatementFile({ filter }: { readonly filter: { readonly reason?: Reason } }) {
  const locale = useLocale();
  const client = useClient();
  const queries = useQueryClient();
  return (
    <CsvButton
      name="statement"
      header={HEADER}
      rows={async function* () {
        const listing = client.portfolio.ledger({ limit: PAGE_ROWS, ...filter });
        for await (const page of listing.pages()) {
          const rows: string[][] = [];
          const marketIn = marketsOf(page.items);
          for (const entry of page.items) {
            const marketId = marketIn(entry);
            const market = marketId === null ? null : await knownMarket(queries, client, marketId);
            rows.push([
              entry.created_at,
              entry.entry_id,
              String(entry.seq),
              entry.reason,
              entry.bucket,
              entry.asset ?? 'shares',
              entry.amount,
              entry.balance_after,
              marketId ?? '',
              market === null ? '' : marketTitle(locale, market),
              entry.outcome_id ?? '',
              entry.outcome_id === null ? '' : nameOf(locale, market, entry.outcome_id),
              entry.ref_id ?? '',
            ]);
          }
          yield rows;
        }
      }}
    />
  );
}
