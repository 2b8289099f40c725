// The statement: every credit and debit with its reason.

import type { LedgerEntry } from '@sibyl/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { CsvButton } from '../../components/csv-button.tsx';
import { Empty } from '../../components/empty.tsx';
import { ListTable } from '../../components/list-table.tsx';
import { ListTools } from '../../components/list-tools.tsx';
import { MarketName } from '../../components/market-name.tsx';
import { Select } from '../../components/select.tsx';
import type { Column } from '../../components/table.tsx';
import { exactDirectionOf, exactMoney, signedExactMoney } from '../../format/amounts.ts';
import { nameOf } from '../../format/outcomes.ts';
import { dateTime } from '../../format/times.ts';
import { useList } from '../../live/use-list.ts';
import { knownMarket } from '../../live/use-market.ts';
import { useClient } from '../../session/use-session.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { isReason, marketsOf, type Reason, reasons, reasonTexts } from './reasons.ts';
import { portfolioTexts } from './texts.ts';

const ALL = 'all';
const keyOf = (entry: LedgerEntry): string => entry.entry_id;

export function Statement() {
  const t = useTexts(portfolioTexts);
  const inWords = useTexts(reasonTexts);
  const client = useClient();
  const [reason, setReason] = useState<Reason | typeof ALL>(ALL);
  const filter = reason === ALL ? {} : { reason };
  const { rows, ...list } = useList<LedgerEntry>({
    name: 'statement',
    filter: reason,
    keyOf,
    read: (query) => client.portfolio.ledger({ ...query, ...filter }),
  });
  const columns = useColumns(rows ?? []);
  return (
    <>
      <ListTools>
        <span className="mr-auto">
          <Select<Reason | typeof ALL>
            label={t('reason')}
            value={reason}
            onChoose={setReason}
            choices={[
              { value: ALL, label: t('everything') },
              ...reasons.map((value) => ({ value, label: inWords(value) })),
            ]}
          />
        </span>
        <StatementFile filter={filter} />
      </ListTools>
      <ListTable
        label={t('statement')}
        columns={columns}
        rows={rows}
        keyOf={keyOf}
        list={list}
        empty={<Empty title={t('noEntries')}>{t('noEntriesText')}</Empty>}
      />
    </>
  );
}

const colours = { up: 'text-gain', down: 'text-loss', flat: 'text-muted' } as const;

function useColumns(rows: readonly LedgerEntry[]): readonly Column<LedgerEntry>[] {
  const t = useTexts(portfolioTexts);
  const inWords = useTexts(reasonTexts);
  const locale = useLocale();
  const marketIn = useMemo(() => marketsOf(rows), [rows]);
  return [
    {
      id: 'time',
      title: t('time'),
      cell: (entry) => (
        <span className="whitespace-nowrap text-muted">
          {dateTime(locale, entry.created_at_ms)}
        </span>
      ),
      isMinor: true,
    },
    {
      id: 'what',
      title: t('what'),
      cell: (entry) => (
        <span className="flex flex-col max-sm:py-2">
          <span>
            {isReason(entry.reason) ? inWords(entry.reason) : entry.reason}
            {entry.bucket === 'reserved' && (
              <span className="text-muted"> · {t('bucketReserved')}</span>
            )}
          </span>
          <span className="flex flex-col text-xs text-muted sm:hidden">
            {dateTime(locale, entry.created_at_ms)}
            <EntryMarket marketId={marketIn(entry)} outcomeId={entry.outcome_id} />
          </span>
        </span>
      ),
    },
    {
      id: 'market',
      title: t('market'),
      cell: (entry) => <EntryMarket marketId={marketIn(entry)} outcomeId={entry.outcome_id} />,
      isMinor: true,
    },
    {
      id: 'amount',
      title: t('amount'),
      cell: ({ amount, asset }) => (
        <span className={colours[exactDirectionOf(amount)]}>
          {signedExactMoney(locale, amount)}{' '}
          <span className="text-xs text-muted">{asset ?? t('shares')}</span>
        </span>
      ),
      isFigure: true,
    },
    {
      id: 'after',
      title: t('after'),
      cell: (entry) => exactMoney(locale, entry.balance_after),
      isFigure: true,
      isMinor: true,
    },
  ];
}

interface EntryMarketProps {
  readonly marketId: string | null;
  readonly outcomeId: string | null;
}

function EntryMarket({ marketId, outcomeId }: EntryMarketProps) {
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
const FILE_PAGE_ROWS = 500;

function StatementFile({ filter }: { readonly filter: { readonly reason?: Reason } }) {
  const client = useClient();
  const queries = useQueryClient();
  return (
    <CsvButton
      name="statement"
      header={HEADER}
      rows={async function* () {
        const listing = client.portfolio.ledger({ limit: FILE_PAGE_ROWS, ...filter });
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
              market?.title ?? '',
              entry.outcome_id ?? '',
              entry.outcome_id === null ? '' : nameOf('en', market, entry.outcome_id),
              entry.ref_id ?? '',
            ]);
          }
          yield rows;
        }
      }}
    />
  );
}
