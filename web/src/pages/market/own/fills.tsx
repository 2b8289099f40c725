// One's own fills in the market, the newest first.
import { nameOf } from '@sibyl/contract/names';
import type { Market } from '@sibyl/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { Amount } from '../../../components/amount.tsx';
import { Empty } from '../../../components/empty.tsx';
import { Table } from '../../../components/table.tsx';
import { cents, shares } from '../../../format/amounts.ts';
import { dateTime } from '../../../format/times.ts';
import { basePath } from '../../../lane.ts';
import { useAccountFrames } from '../../../live/account-provider.tsx';
import type { AccountFrame } from '../../../live/account-view.ts';
import { useClient, useSession, useWho } from '../../../session/use-session.ts';
import { useLocale, useTexts } from '../../../texts/use-texts.ts';
import { ownTexts } from './texts.ts';

export function Fills({ market }: { readonly market: Market }) {
  const t = useTexts(ownTexts);
  const locale = useLocale();
  const client = useClient();
  const session = useSession();
  const queries = useQueryClient();
  const { market_id: marketId } = market;
  const who = useWho();
  const { data = [] } = useQuery({
    queryKey: ['fills', basePath, who, marketId],
    queryFn: async () => (await client.account.fills({ market_id: marketId, limit: 50 })).items,
    enabled: session.status === 'signed_in',
    staleTime: 0,
  });
  const onFrame = useCallback(
    (frame: AccountFrame) => {
      // The first frame of the stream, or the first after a gap: fills before it were not told.
      const isStart = frame.type === 'account';
      const isOurs = frame.type === 'order_updated' && frame.data.order.market_id === marketId;
      if (!isStart && !isOurs) return;
      queries
        .invalidateQueries({ queryKey: ['fills', basePath, who, marketId] })
        .catch(() => undefined);
    },
    [queries, who, marketId],
  );
  useAccountFrames(onFrame);
  return (
    <Table
      label={t('ownFills')}
      rows={data}
      keyOf={(fill) => `${fill.trade_id} ${fill.order_id}`}
      empty={<Empty title={t('noFills')}>{t('noFillsHint')}</Empty>}
      columns={[
        {
          id: 'time',
          title: t('time'),
          cell: (fill) => <span className="whitespace-nowrap">{dateTime(locale, fill.ts_ms)}</span>,
        },
        {
          id: 'what',
          title: t('outcome'),
          cell: (fill) => (
            <span className="line-clamp-1">
              {t(fill.side === 'buy' ? 'buy' : 'sell')}{' '}
              <bdi>{nameOf(locale, market, fill.outcome_id)}</bdi>
            </span>
          ),
        },
        {
          id: 'size',
          title: t('shares'),
          isFigure: true,
          cell: (fill) => shares(locale, fill.size),
        },
        {
          id: 'price',
          title: t('price'),
          isFigure: true,
          cell: (fill) => `${cents(locale, fill.price, 2)}¢`,
        },
        {
          id: 'fee',
          title: t('fee'),
          isFigure: true,
          cell: (fill) => <Amount amount={fill.fee} />,
        },
      ]}
    />
  );
}
