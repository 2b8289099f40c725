// What is one's own in the market: positions, open orders, fills.
import type { Market, Order } from '@sibyl/sdk';
import { Card } from '../../../components/card.tsx';
import { later } from '../../../components/later.ts';
import { Tabs } from '../../../components/tabs.tsx';
import { useAccount } from '../../../live/account-provider.tsx';
import type { Tickers } from '../../../live/use-tickers.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import type { DraftChange } from '../draft.ts';
import { Positions } from './positions.tsx';
import { ownTexts } from './texts.ts';

/** Behind the first tab. */
const OpenOrders = later(() => import('./open-orders.tsx'), 'OpenOrders');
const Fills = later(() => import('./fills.tsx'), 'Fills');

interface Props {
  readonly market: Market;
  readonly tickers: Tickers;
  readonly refusal: string | null;
  /** Fills the ticket with what closes a position. */
  readonly onClose: (change: DraftChange) => void;
}

export function OwnPart({ market, tickers, refusal, onClose }: Props) {
  const t = useTexts(ownTexts);
  const account = useAccount();
  const isHere = ({ market_id: id }: { readonly market_id: string }): boolean =>
    id === market.market_id;
  const positions = [...(account?.positions.values() ?? [])].filter(isHere);
  const orders: readonly Order[] = [...(account?.orders.values() ?? [])].filter(isHere).reverse();
  return (
    <Card isFlush>
      <Tabs
        label={t('own')}
        tabs={[
          {
            id: 'positions',
            label: t('positions', { count: positions.length }),
            content: (
              <Positions
                market={market}
                positions={positions}
                tickers={tickers}
                refusal={refusal}
                onClose={onClose}
              />
            ),
          },
          {
            id: 'orders',
            label: t('orders', { count: orders.length }),
            content: <OpenOrders market={market} orders={orders} refusal={refusal} />,
          },
          { id: 'fills', label: t('fills'), content: <Fills market={market} /> },
        ]}
      />
    </Card>
  );
}
