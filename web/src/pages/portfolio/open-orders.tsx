// Orders that wait for their price: of all markets or of one, to be changed in place or taken back.

import { marketTitle } from '@sibyl/contract/names';
import type { Market, Order } from '@sibyl/sdk';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { CsvButton } from '../../components/csv-button.tsx';
import { Empty } from '../../components/empty.tsx';
import { RowOutlines } from '../../components/list-table.tsx';
import { ListTools } from '../../components/list-tools.tsx';
import { Select } from '../../components/select.tsx';
import { Table } from '../../components/table.tsx';
import { useGo } from '../../frame/use-go.ts';
import { useAccount } from '../../live/account-provider.tsx';
import { marketQuery } from '../../live/use-market.ts';
import { useClient } from '../../session/use-session.ts';
import type { Locale } from '../../texts/texts.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { CancelAll } from './cancel-all.tsx';
import { portfolioTexts } from './texts.ts';
import { MARKET_HEADER, useMarketCells } from './use-market-cells.ts';
import { useOrderColumns } from './use-order-columns.tsx';

const ALL = '';

export function OpenOrders() {
  const t = useTexts(portfolioTexts);
  const account = useAccount();
  const [wanted, setWanted] = useState(ALL);
  const columns = useOrderColumns();
  if (account === null) return <RowOutlines />;
  const all = [...account.orders.values()].reverse();
  const marketIds = [...new Set(all.map((order) => order.market_id))];
  // A market whose last order is gone is no filter any more.
  const marketId = marketIds.includes(wanted) ? wanted : ALL;
  const rows = marketId === ALL ? all : all.filter((order) => order.market_id === marketId);
  return (
    <>
      {all.length > 0 && (
        <ListTools>
          <span className="mr-auto min-w-0">
            <MarketFilter marketIds={marketIds} value={marketId} onChoose={setWanted} />
          </span>
          <CancelAll marketId={marketId === ALL ? null : marketId} count={rows.length} />
          <OrdersFile rows={rows} />
        </ListTools>
      )}
      <Table
        label={t('openOrders')}
        columns={columns}
        rows={rows}
        keyOf={(order) => order.order_id}
        empty={<NoOrders />}
      />
    </>
  );
}

function NoOrders() {
  const t = useTexts(portfolioTexts);
  const go = useGo();
  return (
    <Empty
      title={t('noOrders')}
      action={
        <Button kind="primary" onClick={() => go('/')}>
          {t('findMarket')}
        </Button>
      }
    >
      {t('noOrdersText')}
    </Empty>
  );
}

interface FilterProps {
  readonly marketIds: readonly string[];
  readonly value: string;
  readonly onChoose: (marketId: string) => void;
}

const TITLE_SHOWN = 48;

function MarketFilter({ marketIds, value, onChoose }: FilterProps) {
  const t = useTexts(portfolioTexts);
  const locale = useLocale();
  const client = useClient();
  const markets = useQueries({ queries: marketIds.map((id) => marketQuery(client, id)) });
  return (
    <Select
      label={t('market')}
      value={value}
      onChoose={onChoose}
      choices={[
        { value: ALL, label: t('allMarkets') },
        ...marketIds.map((id, index) => ({
          value: id,
          label: cut(locale, markets[index]?.data, id),
        })),
      ]}
    />
  );
}

function cut(locale: Locale, market: Market | undefined, marketId: string): string {
  const title = market === undefined ? marketId : marketTitle(locale, market);
  return title.length > TITLE_SHOWN ? `${title.slice(0, TITLE_SHOWN)}…` : title;
}

const HEADER = [
  'order_id',
  'client_order_id',
  'created_at',
  ...MARKET_HEADER,
  'side',
  'price',
  'size',
  'filled_size',
  'remaining_size',
  'reserved',
  'status',
];

function OrdersFile({ rows }: { readonly rows: readonly Order[] }) {
  const marketCells = useMarketCells();
  return (
    <CsvButton
      name="open-orders"
      header={HEADER}
      rows={async function* () {
        for (const order of rows) {
          yield [
            [
              order.order_id,
              order.client_order_id ?? '',
              order.created_at,
              ...(await marketCells(order)),
              order.side,
              order.price ?? '',
              order.size,
              order.filled_size,
              order.remaining_size,
              order.reserved,
              order.status,
            ],
          ];
        }
      }}
    />
  );
}
