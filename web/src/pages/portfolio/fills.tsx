// Every trade of the account, newest first.

import type { Fill } from '@sibyl/sdk';
import { Amount } from '../../components/amount.tsx';
import { CsvButton } from '../../components/csv-button.tsx';
import { Empty } from '../../components/empty.tsx';
import { ListTable } from '../../components/list-table.tsx';
import { ListTools } from '../../components/list-tools.tsx';
import { MarketName } from '../../components/market-name.tsx';
import type { Column } from '../../components/table.tsx';
import { cents, money, shares } from '../../format/amounts.ts';
import { dateTime } from '../../format/times.ts';
import { useList } from '../../live/use-list.ts';
import { useClient } from '../../session/use-session.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { SideWord } from './side-word.tsx';
import { portfolioTexts } from './texts.ts';
import { MARKET_HEADER, useMarketCells } from './use-market-cells.ts';

/** An own order may meet another own order: then a trade stands here twice. */
const keyOf = (fill: Fill): string => `${fill.trade_id} ${fill.order_id} ${fill.liquidity}`;

export function Fills() {
  const t = useTexts(portfolioTexts);
  const client = useClient();
  const columns = useColumns();
  const { rows, ...list } = useList<Fill>({
    name: 'fills',
    keyOf,
    read: (query) => client.account.fills(query),
  });
  return (
    <>
      {rows !== null && rows.length > 0 && (
        <ListTools>
          <FillsFile />
        </ListTools>
      )}
      <ListTable
        label={t('fills')}
        columns={columns}
        rows={rows}
        keyOf={keyOf}
        list={list}
        empty={<Empty title={t('noFills')}>{t('noFillsText')}</Empty>}
      />
    </>
  );
}

function useColumns(): readonly Column<Fill>[] {
  const t = useTexts(portfolioTexts);
  const locale = useLocale();
  return [
    {
      id: 'time',
      title: t('time'),
      cell: (fill) => (
        <span className="whitespace-nowrap text-muted">{dateTime(locale, fill.ts_ms)}</span>
      ),
      isMinor: true,
    },
    {
      id: 'market',
      title: t('market'),
      cell: (fill) => (
        <MarketName
          marketId={fill.market_id}
          outcomeId={fill.outcome_id}
          detail={`${dateTime(locale, fill.ts_ms)} · ${t('fee')} ${money(locale, fill.fee)}`}
        />
      ),
    },
    { id: 'side', title: t('side'), cell: (fill) => <SideWord side={fill.side} /> },
    {
      id: 'price',
      title: t('price'),
      cell: (fill) => `${cents(locale, fill.price)}¢`,
      isFigure: true,
    },
    { id: 'size', title: t('shares'), cell: (fill) => shares(locale, fill.size), isFigure: true },
    {
      id: 'amount',
      title: t('amount'),
      cell: (fill) => <Amount amount={fill.cost} />,
      isFigure: true,
      isMinor: true,
    },
    {
      id: 'fee',
      title: t('fee'),
      cell: (fill) => <Amount amount={fill.fee} />,
      isFigure: true,
      isMinor: true,
    },
    {
      id: 'role',
      title: t('role'),
      cell: (fill) => (
        <span className="text-muted">{t(fill.liquidity === 'maker' ? 'maker' : 'taker')}</span>
      ),
      isMinor: true,
    },
  ];
}

const HEADER = [
  'time',
  'trade_id',
  'order_id',
  ...MARKET_HEADER,
  'side',
  'price',
  'size',
  'cost',
  'fee',
  'rebate',
  'liquidity',
];
const FILE_PAGE_ROWS = 500;

function FillsFile() {
  const client = useClient();
  const marketCells = useMarketCells();
  return (
    <CsvButton
      name="fills"
      header={HEADER}
      rows={async function* () {
        for await (const page of client.account.fills({ limit: FILE_PAGE_ROWS }).pages()) {
          const rows: string[][] = [];
          for (const fill of page.items) {
            rows.push([
              new Date(fill.ts_ms).toISOString(),
              fill.trade_id,
              fill.order_id,
              ...(await marketCells(fill)),
              fill.side,
              fill.price,
              fill.size,
              fill.cost,
              fill.fee,
              fill.rebate,
              fill.liquidity,
            ]);
          }
          yield rows;
        }
      }}
    />
  );
}
