// The public tape: what was traded, the newest first.
import { nameOf } from '@sibyl/contract/names';
import { compareAmounts, type Market, type Trade } from '@sibyl/sdk';
import { useQuery } from '@tanstack/react-query';
import { memo, useState } from 'react';
import { Card } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { cents, roughly, shares } from '../../format/amounts.ts';
import { stationTime } from '../../format/times.ts';
import { basePath } from '../../lane.ts';
import { useStream } from '../../live/use-live.ts';
import { useClient } from '../../session/use-session.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { marketTexts } from './texts.ts';

const SHOWN_MAX = 16;

/** What is on the tape the moment it happens. */
type PrintedTrade = Omit<Trade, 'chain_data'>;

export const Tape = memo(function Tape({ market }: { readonly market: Market }) {
  const t = useTexts(marketTexts);
  const trades = useTrades(market.market_id);
  return (
    <Card title={t('tape')} isFlush>
      {trades?.length === 0 ? (
        <Empty title={t('noTrades')} />
      ) : (
        <table className="w-full table-fixed" aria-label={t('tape')}>
          <tbody>
            {trades?.slice(0, SHOWN_MAX).map((trade) => (
              <Line key={trade.trade_id} market={market} trade={trade} />
            ))}
          </tbody>
        </table>
      )}
    </Card>
  );
});

const Line = memo(function Line({
  market,
  trade,
}: {
  readonly market: Market;
  readonly trade: PrintedTrade;
}) {
  const t = useTexts(marketTexts);
  const locale = useLocale();
  const isBuy = trade.side === 'buy';
  return (
    <tr className="h-7 border-t border-line first:border-t-0">
      <td className="truncate pl-4">
        <span className={isBuy ? 'text-gain' : 'text-loss'}>
          <span aria-hidden="true">{isBuy ? '▲' : '▼'}</span>
          <span className="sr-only">{t(isBuy ? 'buy' : 'sell')}</span>
        </span>{' '}
        <bdi>{nameOf(locale, market, trade.outcome_id)}</bdi>
      </td>
      <td className="w-13 text-right whitespace-nowrap">{cents(locale, trade.price)}¢</td>
      <td className="w-15 pl-2 text-right whitespace-nowrap" title={shares(locale, trade.size)}>
        {isLarge(trade.size) ? roughly(locale, trade.size) : shares(locale, trade.size)}
      </td>
      <td className="w-19 pr-4 text-right text-xs whitespace-nowrap text-muted">
        {stationTime(locale, trade.ts_ms)}
      </td>
    </tr>
  );
});

/** Written out it would run into the price beside it. */
function isLarge(size: string): boolean {
  return compareAmounts(size, '1000') >= 0;
}

/** Those that were there, and those that came since. */
function useTrades(marketId: string): readonly PrintedTrade[] | null {
  const client = useClient();
  const [news, setNews] = useState<readonly PrintedTrade[]>([]);
  const { data, refetch } = useQuery({
    queryKey: ['tape', basePath, marketId],
    queryFn: async () => (await client.markets.trades(marketId, { limit: SHOWN_MAX })).items,
    staleTime: 0,
  });
  useStream(
    `ticker:${marketId}`,
    (frame) => {
      if (frame.type === 'trade_print') {
        setNews((before) => [frame.data, ...before].slice(0, SHOWN_MAX));
      }
    },
    (isAfterGap) => {
      if (!isAfterGap) return;
      setNews([]);
      refetch();
    },
  );
  if (data === undefined) return null;
  const known = new Set(news.map(({ trade_id: id }) => id));
  return [...news, ...data.filter(({ trade_id: id }) => !known.has(id))];
}
