// What ended markets paid: which, what won, what was held, what it paid and what it came to.

import { marketTitle, nameOf } from '@sibyl/contract/names';
import type { LedgerEntry, Market } from '@sibyl/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { Amount } from '../../components/amount.tsx';
import { CsvButton } from '../../components/csv-button.tsx';
import { Empty } from '../../components/empty.tsx';
import { ListTable } from '../../components/list-table.tsx';
import { ListTools } from '../../components/list-tools.tsx';
import { MarketName } from '../../components/market-name.tsx';
import { Profit } from '../../components/profit.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import type { Column } from '../../components/table.tsx';
import { cents, shares } from '../../format/amounts.ts';
import { dateTime } from '../../format/times.ts';
import { marketMoney, useMarketMoney } from '../../live/market-money.ts';
import { type List, useList } from '../../live/use-list.ts';
import { knownMarket, useMarket } from '../../live/use-market.ts';
import { useClient, useWho } from '../../session/use-session.ts';
import type { Locale } from '../../texts/texts.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { type Receipt, receiptsOf } from './receipts.ts';
import { portfolioTexts } from './texts.ts';

export function Receipts() {
  const t = useTexts(portfolioTexts);
  const columns = useColumns();
  const { rows, ...list } = useEnds();
  const receipts = rows === null ? null : receiptsOf(rows);
  return (
    <>
      {receipts !== null && receipts.length > 0 && (
        <ListTools>
          <ReceiptsFile />
        </ListTools>
      )}
      <ListTable
        label={t('receipts')}
        columns={columns}
        rows={receipts}
        keyOf={(receipt) => receipt.key}
        list={list}
        empty={<Empty title={t('noReceipts')}>{t('noReceiptsText')}</Empty>}
      />
    </>
  );
}

const PAID = 'settlement';

function useEnds(): List<LedgerEntry> {
  const client = useClient();
  return useList({
    name: 'payouts',
    filter: PAID,
    keyOf: (entry: LedgerEntry) => entry.entry_id,
    read: (query: { readonly limit: number; readonly cursor?: string }) =>
      client.portfolio.ledger({ ...query, reason: PAID }),
  });
}

function useColumns(): readonly Column<Receipt>[] {
  const t = useTexts(portfolioTexts);
  const locale = useLocale();
  return [
    {
      id: 'ended',
      title: t('ended'),
      cell: ({ atMs }) => (
        <span className="whitespace-nowrap text-muted">{dateTime(locale, atMs)}</span>
      ),
      isMinor: true,
    },
    {
      id: 'market',
      title: t('market'),
      cell: (receipt) => (
        <MarketName
          marketId={receipt.marketId}
          detail={
            <>
              <Won receipt={receipt} />
              {dateTime(locale, receipt.atMs)}
            </>
          }
        />
      ),
    },
    {
      id: 'won',
      title: t('won'),
      cell: (receipt) => <Won receipt={receipt} />,
      isMinor: true,
    },
    {
      id: 'held',
      title: t('held'),
      cell: (receipt) => <Held receipt={receipt} />,
      isMinor: true,
    },
    {
      id: 'paid',
      title: t('paid'),
      cell: ({ marketId, paid }) => (
        <>
          <Amount amount={paid} />
          <WithDeposit marketId={marketId} />
        </>
      ),
      isFigure: true,
    },
    {
      id: 'result',
      title: t('resultInMarket'),
      cell: ({ marketId }) => <Result marketId={marketId} />,
      isFigure: true,
    },
  ];
}

function Won({ receipt }: { readonly receipt: Receipt }) {
  const t = useTexts(portfolioTexts);
  const locale = useLocale();
  const market = useMarket(receipt.marketId);
  if (market === null) return <Skeleton className="h-4 w-16" />;
  if (market.status === 'cancelled')
    return <span className="text-muted">{t('cancelledMarket')}</span>;
  return (
    <span className="block max-w-48 truncate">
      <bdi>{wonBy(locale, market, (price) => `${cents(locale, price, 2)}¢`)}</bdi>
    </span>
  );
}

/** The winner; where the answer lies between, what a share of each outcome paid. */
function wonBy(locale: Locale, market: Market, inCents: (price: string) => string): string {
  const { resolution } = market;
  if (resolution === null) return '';
  const { winning_outcome_id: winner, payout_vector: payouts } = resolution;
  if (winner !== null) return nameOf(locale, market, winner);
  return payouts
    .map(({ outcome_id: id, payout }) => `${nameOf(locale, market, id)} ${inCents(payout)}`)
    .join(' · ');
}

function Held({ receipt }: { readonly receipt: Receipt }) {
  const locale = useLocale();
  const market = useMarket(receipt.marketId);
  return (
    <span className="block max-w-48 truncate">
      <bdi>{heldBy(locale, receipt, market, (size) => shares(locale, size))}</bdi>
    </span>
  );
}

function heldBy(
  locale: Locale,
  { held }: Receipt,
  market: Market | null,
  inShares: (size: string) => string,
): string {
  return held
    .map(({ outcomeId, size }) => `${inShares(size)} ${nameOf(locale, market, outcomeId)}`)
    .join(' · ');
}

/** A market of one's own gives back the deposit in the same payout. */
function WithDeposit({ marketId }: { readonly marketId: string }) {
  const t = useTexts(portfolioTexts);
  const money = useMarketMoney(marketId);
  if (money?.byReason.market_deposit === undefined) return null;
  return <span className="block text-xs text-muted">{t('withDeposit')}</span>;
}

function Result({ marketId }: { readonly marketId: string }) {
  const money = useMarketMoney(marketId);
  return money === null ? <Skeleton className="ml-auto h-4 w-12" /> : <Profit amount={money.net} />;
}

const HEADER = ['time', 'market_id', 'market_title', 'result', 'held', 'paid', 'realized'];
const FILE_PAGE_ROWS = 500;

function ReceiptsFile() {
  const client = useClient();
  const who = useWho();
  const queries = useQueryClient();
  const locale = useLocale();
  return (
    <CsvButton
      name="payouts"
      header={HEADER}
      rows={async function* () {
        const entries: LedgerEntry[] = [];
        const listing = client.portfolio.ledger({ reason: PAID, limit: FILE_PAGE_ROWS });
        for await (const entry of listing) entries.push(entry);
        for (const receipt of receiptsOf(entries)) {
          const market = await knownMarket(queries, client, receipt.marketId);
          const { net } = await queries.fetchQuery(marketMoney(client, who, receipt.marketId));
          yield [
            [
              new Date(receipt.atMs).toISOString(),
              receipt.marketId,
              marketTitle(locale, market),
              market.status === 'cancelled' ? 'cancelled' : wonBy(locale, market, (price) => price),
              heldBy(locale, receipt, market, (size) => size),
              receipt.paid,
              net,
            ],
          ];
        }
      }}
    />
  );
}
