// Selling a whole position at the market's price, with the figures of a dry run before it is done.

import { marketTitle, nameOf } from '@sibyl/contract/names';
import { compareAmounts, type PlacedOrder, type Position } from '@sibyl/sdk';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Amount } from '../../components/amount.tsx';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { useNote } from '../../components/toasts.tsx';
import { cents, shares } from '../../format/amounts.ts';
import { basePath, lane } from '../../lane.ts';
import { positionKey } from '../../live/account-view.ts';
import { useMarket } from '../../live/use-market.ts';
import { useClient, useWho } from '../../session/use-session.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { freeSize } from './figures.ts';
import { portfolioTexts } from './texts.ts';

/** The book moves while somebody thinks. */
const ASK_AGAIN_MS = 5_000;

interface Props {
  readonly position: Position;
  readonly onClose: () => void;
}

export function CloseDialog({ position, onClose }: Props) {
  const t = useTexts(portfolioTexts);
  const locale = useLocale();
  const market = useMarket(position.market_id);
  const outcome = nameOf(locale, market, position.outcome_id);
  const { preview, error, refetch } = usePreview(position);
  const { isBusy, fault, send } = useSale(position, outcome, onClose);
  const held = compareAmounts(position.reserved_size, '0') > 0;
  return (
    <Dialog title={t('closeTitle')} isOpen onClose={onClose}>
      <div className="flex flex-col gap-4">
        <p className="line-clamp-3">
          <bdi>{market === null ? position.market_id : marketTitle(locale, market)}</bdi>
        </p>
        <SaleFigures preview={preview} outcome={outcome} />
        {held && compareAmounts(freeSize(position), '0') > 0 && (
          <p className="text-warn">
            {t('heldBack', { size: shares(locale, position.reserved_size) })}
          </p>
        )}
        {preview !== null && isPart(preview) && (
          <p className="text-warn">
            {t('partOnly', { size: shares(locale, preview.filled_size) })}
          </p>
        )}
        {error !== null && <ErrorNote error={error} onRetry={refetch} />}
        {fault !== null && <ErrorNote error={fault} />}
        <Button
          kind="primary"
          size="large"
          isWide
          isBusy={isBusy}
          refusal={useRefusal(position, preview, error)}
          onClick={send}
        >
          {t('sellNow', {
            size: shares(locale, preview?.filled_size ?? freeSize(position)),
            outcome,
            lane: t(lane),
          })}
        </Button>
      </div>
    </Dialog>
  );
}

function orderOf(position: Position) {
  return {
    market_id: position.market_id,
    outcome_id: position.outcome_id,
    side: 'sell',
    order_type: 'market',
    size: freeSize(position),
    reduce_only: true,
  } as const;
}

function usePreview(position: Position) {
  const client = useClient();
  const who = useWho();
  const size = freeSize(position);
  const { data, error, refetch } = useQuery({
    queryKey: ['close-preview', basePath, who, positionKey(position), size],
    queryFn: ({ signal }) => client.orders.place(orderOf(position), { dry_run: true }, { signal }),
    enabled: compareAmounts(size, '0') > 0,
    refetchInterval: ASK_AGAIN_MS,
    staleTime: 0,
    gcTime: 0,
  });
  return {
    preview: data ?? null,
    error,
    refetch: () => {
      refetch().catch(() => undefined);
    },
  };
}

function useSale(position: Position, outcome: string, onDone: () => void) {
  const t = useTexts(portfolioTexts);
  const locale = useLocale();
  const client = useClient();
  const note = useNote();
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<unknown>(null);
  const send = async (): Promise<void> => {
    setBusy(true);
    setFault(null);
    try {
      const order = await client.orders.place(orderOf(position));
      if (order.avg_fill_price === null) note(t('nothingSold'));
      else {
        note(
          t('sold', { size: shares(locale, order.filled_size), outcome }),
          t('soldAt', { price: cents(locale, order.avg_fill_price) }),
        );
      }
      onDone();
    } catch (error) {
      setFault(error);
    } finally {
      setBusy(false);
    }
  };
  return {
    isBusy,
    fault,
    send: () => {
      send().catch(() => undefined);
    },
  };
}

function isPart(preview: PlacedOrder): boolean {
  return (
    compareAmounts(preview.filled_size, '0') > 0 &&
    compareAmounts(preview.filled_size, preview.size) < 0
  );
}

/** Why the sale cannot be done now; null if it can. */
function useRefusal(
  position: Position,
  preview: PlacedOrder | null,
  error: unknown,
): string | null {
  const t = useTexts(portfolioTexts);
  const market = useMarket(position.market_id);
  if (compareAmounts(freeSize(position), '0') <= 0) return t('allHeldBack');
  if (market !== null && (market.status !== 'active' || market.halted)) return t('notTrading');
  if (error !== null) return '';
  if (preview === null) return t('pricing');
  return compareAmounts(preview.filled_size, '0') > 0 ? null : t('nothingSells');
}

function SaleFigures({
  preview,
  outcome,
}: {
  readonly preview: PlacedOrder | null;
  readonly outcome: string;
}) {
  const t = useTexts(portfolioTexts);
  const locale = useLocale();
  const figures = preview?.preview;
  const price = preview?.avg_fill_price ?? null;
  const rows: readonly (readonly [string, ReactNode])[] = [
    [t('sells'), preview === null ? null : `${shares(locale, preview.filled_size)} ${outcome}`],
    [t('averagePrice'), price === null ? null : `${cents(locale, price)}¢`],
    [t('fee'), figures && <Amount amount={figures.fee} />],
    [t('priceAfter'), figures === undefined ? null : `${cents(locale, figures.price_after)}¢`],
    [t('youGet'), figures && <Amount amount={figures.total} />],
  ];
  return (
    <dl className="flex flex-col gap-2">
      {rows.map(([name, figure], index) => (
        <div
          key={name}
          className={`flex items-baseline justify-between gap-4 ${index === rows.length - 1 ? 'border-t border-line pt-2 text-base font-semibold' : ''}`}
        >
          <dt className={index === rows.length - 1 ? '' : 'text-muted'}>{name}</dt>
          <dd>{figure ?? <Skeleton className="h-5 w-16" />}</dd>
        </div>
      ))}
    </dl>
  );
}
