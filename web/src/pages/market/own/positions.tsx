// One's shares in the market, valued at its price now.
import { nameOf } from '@sibyl/contract/names';
import { type Market, type Position, subtractAmounts } from '@sibyl/sdk';
import { Amount } from '../../../components/amount.tsx';
import { Button } from '../../../components/button.tsx';
import { Empty } from '../../../components/empty.tsx';
import { Profit } from '../../../components/profit.tsx';
import { Table } from '../../../components/table.tsx';
import { cents, shares } from '../../../format/amounts.ts';
import { asTyped } from '../../../format/typed-number.ts';
import { markedAt } from '../../../live/marked-position.ts';
import type { Tickers } from '../../../live/use-tickers.ts';
import { useLocale, useTexts } from '../../../texts/use-texts.ts';
import type { DraftChange } from '../draft.ts';
import { ownTexts } from './texts.ts';

interface Props {
  readonly market: Market;
  readonly positions: readonly Position[];
  readonly tickers: Tickers;
  readonly refusal: string | null;
  readonly onClose: (change: DraftChange) => void;
}

export function Positions({ market, positions, tickers, refusal, onClose }: Props) {
  const t = useTexts(ownTexts);
  const locale = useLocale();
  const marked = (position: Position) =>
    markedAt(position, tickers.get(position.outcome_id)?.price ?? position.mark_price);
  return (
    <Table
      label={t('ownPositions')}
      rows={positions}
      keyOf={({ outcome_id: id }) => id}
      empty={<Empty title={t('noPosition')}>{t('noPositionHint')}</Empty>}
      columns={[
        {
          id: 'outcome',
          title: t('outcome'),
          cell: (row) => (
            <bdi className="line-clamp-1 font-semibold">
              {nameOf(locale, market, row.outcome_id)}
            </bdi>
          ),
        },
        { id: 'size', title: t('shares'), isFigure: true, cell: (row) => shares(locale, row.size) },
        {
          id: 'average',
          title: t('average'),
          isFigure: true,
          cell: (row) => `${cents(locale, row.avg_price, 2)}¢`,
        },
        {
          id: 'value',
          title: t('value'),
          isFigure: true,
          cell: (row) => <Amount amount={marked(row).value} />,
        },
        {
          id: 'profit',
          title: t('profit'),
          isFigure: true,
          cell: (row) => <Profit amount={marked(row).profit} />,
        },
        {
          id: 'close',
          title: <span className="sr-only">{t('close')}</span>,
          isFigure: true,
          cell: (row) =>
            refusal === null ? (
              <Button
                size="small"
                onClick={() =>
                  onClose({
                    outcomeId: row.outcome_id,
                    side: 'sell',
                    type: 'market',
                    quantity: asTyped(locale, subtractAmounts(row.size, row.reserved_size)),
                  })
                }
              >
                {t('close')}
              </Button>
            ) : null,
        },
      ]}
    />
  );
}
