// What is held now, at the prices of now, and the way out of it.

import { marketTitle, nameOf } from '@sibyl/contract/names';
import { subtractAmounts } from '@sibyl/sdk';
import { useState } from 'react';
import { Amount } from '../../components/amount.tsx';
import { Button } from '../../components/button.tsx';
import { CsvButton } from '../../components/csv-button.tsx';
import { Empty } from '../../components/empty.tsx';
import { RowOutlines } from '../../components/list-table.tsx';
import { ListTools } from '../../components/list-tools.tsx';
import { MarketName } from '../../components/market-name.tsx';
import { Profit } from '../../components/profit.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { cents, money, shares } from '../../format/amounts.ts';
import { useGo } from '../../frame/use-go.ts';
import { useAccount } from '../../live/account-provider.tsx';
import { positionKey } from '../../live/account-view.ts';
import type { MarkedPosition } from '../../live/marked-position.ts';
import { useMarket } from '../../live/use-market.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { CloseDialog } from './close-dialog.tsx';
import { portfolioTexts } from './texts.ts';
import { useMarkedPositions } from './use-marked-positions.ts';
import { MARKET_HEADER, useMarketCells } from './use-market-cells.ts';

export function Positions() {
  const t = useTexts(portfolioTexts);
  const go = useGo();
  const account = useAccount();
  const rows = useMarkedPositions();
  const [closing, setClosing] = useState<string | null>(null);
  const columns = useColumns(setClosing);
  const chosen = closing === null ? undefined : account?.positions.get(closing);
  if (account === null) return <RowOutlines />;
  return (
    <>
      {rows.length > 0 && (
        <ListTools>
          <PositionsFile rows={rows} />
        </ListTools>
      )}
      <Table
        label={t('positions')}
        columns={columns}
        rows={rows}
        keyOf={(row) => positionKey(row.position)}
        empty={
          <Empty
            title={t('noPositions')}
            action={
              <Button kind="primary" onClick={() => go('/')}>
                {t('findMarket')}
              </Button>
            }
          >
            {t('noPositionsText')}
          </Empty>
        }
      />
      {chosen !== undefined && <CloseDialog position={chosen} onClose={() => setClosing(null)} />}
    </>
  );
}

function useColumns(onClose: (key: string) => void): readonly Column<MarkedPosition>[] {
  const t = useTexts(portfolioTexts);
  const locale = useLocale();
  return [
    {
      id: 'market',
      title: t('market'),
      cell: ({ position, mark }) => (
        <MarketName
          marketId={position.market_id}
          outcomeId={position.outcome_id}
          detail={t('heldAt', {
            size: shares(locale, position.size),
            price: cents(locale, position.avg_price),
            mark: cents(locale, mark),
          })}
        />
      ),
    },
    {
      id: 'size',
      title: t('shares'),
      cell: ({ position }) => shares(locale, position.size),
      isFigure: true,
      isMinor: true,
    },
    {
      id: 'average',
      title: t('average'),
      cell: ({ position }) => `${cents(locale, position.avg_price)}¢`,
      isFigure: true,
      isMinor: true,
    },
    {
      id: 'mark',
      title: t('mark'),
      cell: ({ mark }) => `${cents(locale, mark)}¢`,
      isFigure: true,
      isMinor: true,
    },
    {
      id: 'value',
      title: t('value'),
      cell: ({ value }) => <Amount amount={value} />,
      isFigure: true,
      isMinor: true,
    },
    {
      id: 'profit',
      title: t('profit'),
      cell: ({ profit, value }) => (
        <>
          <Profit amount={profit} />
          <span className="block text-xs text-muted sm:hidden">
            {t('worth', { value: money(locale, value) })}
          </span>
        </>
      ),
      isFigure: true,
    },
    {
      id: 'actions',
      title: <span className="sr-only">{t('actions')}</span>,
      cell: ({ position }) => (
        <CloseButton position={position} onPress={() => onClose(positionKey(position))} />
      ),
      isFigure: true,
    },
  ];
}

function CloseButton({
  position,
  onPress,
}: {
  readonly position: MarkedPosition['position'];
  readonly onPress: () => void;
}) {
  const t = useTexts(portfolioTexts);
  const locale = useLocale();
  const market = useMarket(position.market_id);
  return (
    <Button
      size="small"
      onClick={onPress}
      aria-label={t('closeNamed', {
        outcome: nameOf(locale, market, position.outcome_id),
        market: market === null ? position.market_id : marketTitle(locale, market),
      })}
    >
      {t('close')}
    </Button>
  );
}

const HEADER = [
  ...MARKET_HEADER,
  'size',
  'reserved_size',
  'avg_price',
  'mark_price',
  'value',
  'profit',
  'unrealized_pnl',
  'realized_pnl',
];

function PositionsFile({ rows }: { readonly rows: readonly MarkedPosition[] }) {
  const marketCells = useMarketCells();
  return (
    <CsvButton
      name="positions"
      header={HEADER}
      rows={async function* () {
        for (const { position, mark, value, profit } of rows) {
          yield [
            [
              ...(await marketCells(position)),
              position.size,
              position.reserved_size,
              position.avg_price,
              mark,
              value,
              profit,
              subtractAmounts(profit, position.realized_pnl),
              position.realized_pnl,
            ],
          ];
        }
      }}
    />
  );
}
