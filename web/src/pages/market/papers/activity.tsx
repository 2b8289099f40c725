// Every trade of the market, back to the first.
import { nameOf } from '@sibyl/contract/names';
import type { Market } from '@sibyl/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Button } from '../../../components/button.tsx';
import { Empty } from '../../../components/empty.tsx';
import { ErrorNote } from '../../../components/error-note.tsx';
import { Table } from '../../../components/table.tsx';
import { cents, shares } from '../../../format/amounts.ts';
import { dateTime } from '../../../format/times.ts';
import { basePath } from '../../../lane.ts';
import { useClient } from '../../../session/use-session.ts';
import { useLocale, useTexts } from '../../../texts/use-texts.ts';
import { papersTexts } from './texts.ts';

const PAGE_SIZE = 25;

export function Activity({ market }: { readonly market: Market }) {
  const t = useTexts(papersTexts);
  const locale = useLocale();
  const client = useClient();
  const query = useInfiniteQuery({
    queryKey: ['activity', basePath, market.market_id],
    queryFn: ({ pageParam }) =>
      client.markets.trades(market.market_id, {
        limit: PAGE_SIZE,
        ...(pageParam !== '' && { cursor: pageParam }),
      }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 0,
  });
  if (query.error !== null)
    return <ErrorNote error={query.error} onRetry={() => query.refetch()} />;
  const rows = query.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <>
      <Table
        label={t('activity')}
        rows={rows}
        keyOf={({ trade_id: id }) => id}
        {...(query.data !== undefined && { empty: <Empty title={t('noTrades')} /> })}
        columns={[
          { id: 'time', title: t('time'), cell: (trade) => dateTime(locale, trade.ts_ms) },
          {
            id: 'what',
            title: t('outcome'),
            cell: (trade) => (
              <span className="line-clamp-1">
                {t(trade.side === 'buy' ? 'buy' : 'sell')}{' '}
                <bdi>{nameOf(locale, market, trade.outcome_id)}</bdi>
              </span>
            ),
          },
          {
            id: 'size',
            title: t('shares'),
            isFigure: true,
            cell: (trade) => shares(locale, trade.size),
          },
          {
            id: 'price',
            title: t('price'),
            isFigure: true,
            cell: (trade) => `${cents(locale, trade.price, 2)}¢`,
          },
        ]}
      />
      {query.hasNextPage && (
        <div className="flex justify-center p-3">
          <Button
            size="small"
            isBusy={query.isFetchingNextPage}
            onClick={() => query.fetchNextPage()}
          >
            {t('older')}
          </Button>
        </div>
      )}
    </>
  );
}
