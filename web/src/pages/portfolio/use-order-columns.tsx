// The columns of open orders; price and size of the one that is being changed are fields in their own places.
import { type Order, SibylError } from '@sibyl/sdk';
import { useState } from 'react';
import { Amount } from '../../components/amount.tsx';
import { Button } from '../../components/button.tsx';
import { MarketName } from '../../components/market-name.tsx';
import type { Column } from '../../components/table.tsx';
import { useNote } from '../../components/toasts.tsx';
import { cents, shares } from '../../format/amounts.ts';
import { dateTime } from '../../format/times.ts';
import { useClient } from '../../session/use-session.ts';
import { errorSentence } from '../../texts/errors.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { EditActions, EditField } from './order-edit.tsx';
import { SideWord } from './side-word.tsx';
import { portfolioTexts } from './texts.ts';
import { type OrderChange, useOrderChange } from './use-order-change.ts';

export function useOrderColumns(): readonly Column<Order>[] {
  const t = useTexts(portfolioTexts);
  const locale = useLocale();
  const change = useOrderChange();
  const isChanged = (order: Order): boolean => change.orderId === order.order_id;
  return [
    {
      id: 'market',
      title: t('market'),
      cell: (order) => (
        <MarketName
          marketId={order.market_id}
          outcomeId={order.outcome_id}
          detail={
            <>
              <SideWord side={order.side} />, {t('filled')} {shares(locale, order.filled_size)}
              {order.expires_at_ms !== null &&
                `, ${t('until', { time: dateTime(locale, order.expires_at_ms) })}`}
            </>
          }
        />
      ),
    },
    {
      id: 'side',
      title: t('side'),
      cell: (order) => <SideWord side={order.side} />,
      isMinor: true,
    },
    {
      id: 'price',
      title: t('price'),
      cell: (order) =>
        isChanged(order) ? (
          <EditField change={change} name="price" />
        ) : (
          `${cents(locale, order.price ?? '0', 2)}¢`
        ),
      isFigure: true,
    },
    {
      id: 'size',
      title: t('shares'),
      cell: (order) =>
        isChanged(order) ? <EditField change={change} name="size" /> : shares(locale, order.size),
      isFigure: true,
    },
    ...minorColumns(t, locale),
    {
      id: 'actions',
      title: <span className="sr-only">{t('actions')}</span>,
      cell: (order) =>
        isChanged(order) ? (
          <EditActions change={change} />
        ) : (
          <Actions order={order} change={change} />
        ),
      isFigure: true,
    },
  ];
}

function minorColumns(
  t: ReturnType<typeof useTexts<keyof typeof portfolioTexts>>,
  locale: ReturnType<typeof useLocale>,
): readonly Column<Order>[] {
  const minor = { isFigure: true, isMinor: true };
  return [
    {
      id: 'filled',
      title: t('filled'),
      cell: (order) => shares(locale, order.filled_size),
      ...minor,
    },
    {
      id: 'reserved',
      title: t('reserved'),
      cell: (order) => <Amount amount={order.reserved} />,
      ...minor,
    },
    {
      id: 'placed',
      title: t('placed'),
      cell: ({ created_at_ms: createdMs, expires_at_ms: expiresMs }) => (
        <span className="text-muted">
          {dateTime(locale, createdMs)}
          {expiresMs !== null && (
            <span className="block text-xs">
              {t('until', { time: dateTime(locale, expiresMs) })}
            </span>
          )}
        </span>
      ),
      ...minor,
    },
  ];
}

function Actions({ order, change }: { readonly order: Order; readonly change: OrderChange }) {
  const t = useTexts(portfolioTexts);
  const locale = useLocale();
  const client = useClient();
  const note = useNote();
  const [isBusy, setBusy] = useState(false);
  const cancel = async (): Promise<void> => {
    setBusy(true);
    try {
      await client.orders.cancel(order.order_id);
    } catch (error) {
      // An order that is done already leaves the list by itself.
      const isDone = error instanceof SibylError && error.code === 'STATE_CONFLICT';
      if (!isDone) note(t('notCancelled'), errorSentence(locale, error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <span className="inline-flex gap-1 max-sm:flex-col">
      <Button size="small" onClick={() => change.begin(order)}>
        {t('edit')}
      </Button>
      <Button
        size="small"
        isBusy={isBusy}
        onClick={() => {
          cancel().catch(() => undefined);
        }}
      >
        {t('cancel')}
      </Button>
    </span>
  );
}
