// One's orders that wait in the book; each can be changed in its place or cancelled.
import { nameOf } from '@sibyl/contract/names';
import type { Market, Order } from '@sibyl/sdk';
import { checkOrder, parseAmount } from '@sibyl/sdk';
import { type FormEvent, useId, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { Empty } from '../../../components/empty.tsx';
import { ErrorNote } from '../../../components/error-note.tsx';
import { cents, inCents, shares } from '../../../format/amounts.ts';
import { problemText } from '../../../format/order-problem.ts';
import { steppedPrice, ticksOf } from '../../../format/price-steps.ts';
import { dateTime } from '../../../format/times.ts';
import {
  asTyped,
  numberFault,
  orderAsTyped,
  readAmount,
  readCents,
  withoutGroups,
} from '../../../format/typed-number.ts';
import { useClient } from '../../../session/use-session.ts';
import type { Locale } from '../../../texts/texts.ts';
import { useLocale, useTexts } from '../../../texts/use-texts.ts';
import { ownTexts } from './texts.ts';

interface Props {
  readonly market: Market;
  readonly orders: readonly Order[];
  readonly refusal: string | null;
}

export function OpenOrders({ market, orders, refusal }: Props) {
  const t = useTexts(ownTexts);
  if (orders.length === 0) return <Empty title={t('noOrders')}>{t('noOrdersHint')}</Empty>;
  return (
    <ul aria-label={t('ownOrders')}>
      {orders.map((order) => (
        <OpenOrder key={order.order_id} market={market} order={order} refusal={refusal} />
      ))}
    </ul>
  );
}

interface OrderProps {
  readonly market: Market;
  readonly order: Order;
  readonly refusal: string | null;
}

function OpenOrder({ market, order, refusal }: OrderProps) {
  const client = useClient();
  const [isEditing, setEditing] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const run = async (act: () => Promise<unknown>): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await act();
      setEditing(false);
    } catch (fault) {
      setError(fault);
    } finally {
      setBusy(false);
    }
  };
  return (
    <li className="flex flex-col gap-2 border-t border-line px-4 py-2 first:border-t-0">
      {isEditing ? (
        <Edit
          market={market}
          order={order}
          isBusy={isBusy}
          onSave={(change) => run(() => client.orders.amend(order.order_id, change))}
          onBack={() => setEditing(false)}
        />
      ) : (
        <Shown
          market={market}
          order={order}
          isBusy={isBusy}
          canEdit={refusal === null}
          onEdit={() => setEditing(true)}
          onCancel={() => run(() => client.orders.cancel(order.order_id))}
        />
      )}
      {error !== null && <ErrorNote error={error} />}
    </li>
  );
}

interface ShownProps {
  readonly market: Market;
  readonly order: Order;
  readonly isBusy: boolean;
  readonly canEdit: boolean;
  readonly onEdit: () => void;
  readonly onCancel: () => void;
}

function Shown({ market, order, isBusy, canEdit, onEdit, onCancel }: ShownProps) {
  const t = useTexts(ownTexts);
  const locale = useLocale();
  const isBuy = order.side === 'buy';
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span className={`font-semibold ${isBuy ? 'text-gain' : 'text-loss'}`}>
        {t(isBuy ? 'buy' : 'sell')}
      </span>
      <bdi className="min-w-0 max-w-48 truncate font-semibold">
        {nameOf(locale, market, order.outcome_id)}
      </bdi>
      <span>
        {t('sizeAt', {
          size: shares(locale, order.size),
          price: cents(locale, order.price ?? '0', 2),
        })}
      </span>
      {parseAmount(order.filled_size) > 0n && (
        <span className="text-muted">
          {t('filledOf', { size: shares(locale, order.filled_size) })}
        </span>
      )}
      {order.expires_at_ms !== null && (
        <span className="text-muted">
          {t('until', { time: dateTime(locale, order.expires_at_ms) })}
        </span>
      )}
      <span className="ml-auto flex gap-2">
        {canEdit && (
          <Button size="small" onClick={onEdit}>
            {t('edit')}
          </Button>
        )}
        <Button size="small" isBusy={isBusy} onClick={onCancel}>
          {t('cancel')}
        </Button>
      </span>
    </div>
  );
}

interface Change {
  readonly price: string;
  readonly size: string;
}

interface EditProps {
  readonly market: Market;
  readonly order: Order;
  readonly isBusy: boolean;
  readonly onSave: (change: Change) => void;
  readonly onBack: () => void;
}

function Edit({ market, order, isBusy, onSave, onBack }: EditProps) {
  const t = useTexts(ownTexts);
  const locale = useLocale();
  const [typed, setTyped] = useState(() =>
    orderAsTyped(locale, { price: order.price ?? '0', size: order.size }),
  );
  const price = readCents(locale, typed.price);
  const size = readAmount(locale, typed.size);
  const change = price === null || size === null ? null : { price, size };
  const fault = change === null ? numberFault(locale) : faultOf(locale, market, change);
  const save = (event: FormEvent): void => {
    event.preventDefault();
    if (change !== null && fault === null) onSave(change);
  };
  return (
    <form onSubmit={save} className="flex flex-wrap items-end gap-2">
      <Small
        label={t('priceInCents')}
        value={typed.price}
        onType={(text) => setTyped({ ...typed, price: text })}
        onStep={(ticks) => {
          const next = price === null ? null : steppedPrice(market, price, ticks);
          if (next !== null) setTyped({ ...typed, price: asTyped(locale, inCents(next)) });
        }}
      />
      <Small
        label={t('shares')}
        value={typed.size}
        onType={(text) => setTyped({ ...typed, size: text })}
      />
      <Button size="small" kind="primary" type="submit" isBusy={isBusy} refusal={fault}>
        {t('save')}
      </Button>
      <Button size="small" onClick={onBack}>
        {t('keep')}
      </Button>
    </form>
  );
}

/** Why an order cannot be changed so; null if the market takes it. */
function faultOf(locale: Locale, market: Market, change: Change): string | null {
  const [problem] = checkOrder(market, change);
  return problem === undefined ? null : problemText(locale, problem);
}

interface SmallProps {
  readonly label: string;
  readonly value: string;
  readonly onType: (value: string) => void;
  readonly onStep?: (ticks: number) => void;
}

function Small({ label, value, onType, onStep }: SmallProps) {
  const locale = useLocale();
  const id = useId();
  return (
    <span className="flex flex-col gap-0.5">
      <label htmlFor={id} className="text-xs text-muted">
        {label}
      </label>
      <input
        id={id}
        value={value}
        inputMode="decimal"
        autoComplete="off"
        maxLength={20}
        onChange={(event) => onType(withoutGroups(locale, event.target.value))}
        onKeyDown={(event) => {
          const ticks = ticksOf(event.key, event.shiftKey);
          if (onStep === undefined || ticks === null) return;
          event.preventDefault();
          onStep(ticks);
        }}
        className="h-7 w-24 rounded-md border border-line bg-surface px-2"
      />
    </span>
  );
}
