// An open order that is being changed: what was typed, what is wrong with it, and the way to the exchange.
import { checkOrder, type Market, type Order, type OrderProblem } from '@sibyl/sdk';
import { useState } from 'react';
import { inCents } from '../../format/amounts.ts';
import { problemText } from '../../format/order-problem.ts';
import { steppedPrice } from '../../format/price-steps.ts';
import {
  asTyped,
  numberFault,
  orderAsTyped,
  readAmount,
  readCents,
  withoutGroups,
} from '../../format/typed-number.ts';
import { useMarket } from '../../live/use-market.ts';
import { useClient } from '../../session/use-session.ts';
import { useLocale } from '../../texts/use-texts.ts';

export interface OrderChange {
  /** Null while none is being changed. */
  readonly orderId: string | null;
  /** The price in cents, and the shares. */
  readonly typed: Readonly<Record<OrderProblem['field'], string>>;
  readonly faults: Readonly<Record<OrderProblem['field'], string | null>>;
  readonly error: unknown;
  readonly isBusy: boolean;
  readonly begin: (order: Order) => void;
  readonly type: (name: OrderProblem['field'], text: string) => void;
  /** Moves the price by so many ticks. */
  readonly step: (ticks: number) => void;
  readonly save: () => void;
  readonly leave: () => void;
}

export function useOrderChange(): OrderChange {
  const client = useClient();
  const locale = useLocale();
  const [order, setOrder] = useState<Order | null>(null);
  const [typed, setTyped] = useState({ price: '', size: '' });
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const price = readCents(locale, typed.price);
  const size = readAmount(locale, typed.size);
  const market = useMarket(order?.market_id ?? null);
  const faults = useFaults(market, price, size);
  const leave = (): void => {
    setOrder(null);
    setError(null);
  };
  const save = async (): Promise<void> => {
    if (order === null || price === null || size === null) return;
    if (faults.price !== null || faults.size !== null) return;
    setBusy(true);
    setError(null);
    try {
      await client.orders.amend(order.order_id, { price, size });
      leave();
    } catch (fault) {
      setError(fault);
    } finally {
      setBusy(false);
    }
  };
  return {
    orderId: order?.order_id ?? null,
    typed,
    faults,
    error,
    isBusy,
    begin: (chosen) => {
      setOrder(chosen);
      setError(null);
      setTyped(orderAsTyped(locale, { price: chosen.price ?? '0', size: chosen.size }));
    },
    type: (name, text) =>
      setTyped((before) => ({ ...before, [name]: withoutGroups(locale, text) })),
    step: (ticks) => {
      if (market === null || price === null) return;
      const next = inCents(steppedPrice(market, price, ticks));
      setTyped((before) => ({ ...before, price: asTyped(locale, next) }));
    },
    save: () => {
      save().catch(() => undefined);
    },
    leave,
  };
}

function useFaults(market: Market | null, price: string | null, size: string | null) {
  const locale = useLocale();
  if (price === null || size === null) {
    const none = numberFault(locale);
    return { price: price === null ? none : null, size: size === null ? none : null };
  }
  const problems = market === null ? [] : checkOrder(market, { price, size });
  const say = (field: OrderProblem['field']): string | null => {
    const problem = problems.find((each) => each.field === field);
    return problem === undefined ? null : problemText(locale, problem);
  };
  return { price: say('price'), size: say('size') };
}
