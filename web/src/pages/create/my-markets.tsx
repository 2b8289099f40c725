// The markets that the reader has made, by the deposits of the statement, with what each has brought.
import { addAmounts, type LedgerEntry } from '@sibyl/sdk';
import { Amount } from '../../components/amount.tsx';
import { Card } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { ListTable } from '../../components/list-table.tsx';
import { MarketName } from '../../components/market-name.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import type { Column } from '../../components/table.tsx';
import { money } from '../../format/amounts.ts';
import { dateTime } from '../../format/times.ts';
import { useMarketMoney } from '../../live/market-money.ts';
import { useList } from '../../live/use-list.ts';
import { useMarket } from '../../live/use-market.ts';
import { useClient } from '../../session/use-session.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { createTexts } from './texts.ts';

/** A market ends in one of two ways. */
const ENDS = ['settlement'];
/** What the trades of others bring to whoever offers them prices. */
const SHARES_OF_FEES = ['maker_rebate', 'fee_credit'];

const keyOf = (entry: LedgerEntry): string => entry.entry_id;

export function MyMarkets() {
  const t = useTexts(createTexts);
  const client = useClient();
  const columns = useColumns();
  const { rows, ...list } = useList<LedgerEntry>({
    name: 'my-markets',
    keyOf,
    read: (query) => client.portfolio.ledger({ ...query, reason: 'market_deposit' }),
  });
  return (
    <Card title={t('myMarkets')} isFlush>
      <ListTable
        label={t('myMarkets')}
        columns={columns}
        rows={rows?.filter(({ ref_id: id }) => id?.startsWith('m_') === true) ?? null}
        keyOf={keyOf}
        list={list}
        empty={<Empty title={t('noMarkets')}>{t('noMarketsText')}</Empty>}
      />
    </Card>
  );
}

/** A deposit names its market. */
function marketIdOf({ ref_id: id }: LedgerEntry): string {
  return id ?? '';
}

function useColumns(): readonly Column<LedgerEntry>[] {
  const t = useTexts(createTexts);
  const locale = useLocale();
  return [
    {
      id: 'market',
      title: t('market'),
      cell: (entry) => (
        <MarketName
          marketId={marketIdOf(entry)}
          detail={`${t('deposit')} ${money(locale, entry.amount.replace('-', ''))}`}
        />
      ),
    },
    { id: 'state', title: t('state'), cell: (entry) => <State marketId={marketIdOf(entry)} /> },
    {
      id: 'closes',
      title: t('closes'),
      cell: (entry) => <Closes marketId={marketIdOf(entry)} />,
      isMinor: true,
    },
    {
      id: 'volume',
      title: t('volume'),
      cell: (entry) => <Volume marketId={marketIdOf(entry)} />,
      isFigure: true,
    },
    {
      id: 'deposit',
      title: t('deposit'),
      cell: ({ amount }) => <Amount amount={amount.replace('-', '')} />,
      isFigure: true,
      isMinor: true,
    },
    {
      id: 'back',
      title: t('paidAtEnd'),
      cell: (entry) => <Earned marketId={marketIdOf(entry)} reasons={ENDS} />,
      isFigure: true,
    },
    {
      id: 'fees',
      title: t('earned'),
      cell: (entry) => <Earned marketId={marketIdOf(entry)} reasons={SHARES_OF_FEES} />,
      isFigure: true,
    },
  ];
}

function State({ marketId }: { readonly marketId: string }) {
  const market = useMarket(marketId);
  return market === null ? <Skeleton className="h-5 w-16" /> : <StateBadge market={market} />;
}

function Closes({ marketId }: { readonly marketId: string }) {
  const locale = useLocale();
  const market = useMarket(marketId);
  // One that was settled early has closed before its time.
  const isToCome = market?.status === 'scheduled' || market?.status === 'active';
  return (
    <span className="whitespace-nowrap text-muted">
      {market !== null && isToCome ? dateTime(locale, market.closes_at_ms) : '–'}
    </span>
  );
}

function Volume({ marketId }: { readonly marketId: string }) {
  const market = useMarket(marketId);
  return market === null ? null : <Amount amount={market.total_volume} />;
}

function Earned({
  marketId,
  reasons,
}: {
  readonly marketId: string;
  readonly reasons: readonly string[];
}) {
  const earned = useMarketMoney(marketId);
  if (earned === null) return <Skeleton className="ml-auto h-4 w-12" />;
  const amounts = reasons.flatMap((reason) => earned.byReason[reason] ?? []);
  if (amounts.length === 0) return <span className="text-muted">–</span>;
  return <Amount amount={addAmounts(...amounts)} />;
}
