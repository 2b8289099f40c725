// An open order that is being changed: what was typed, what is wrong with it, and the way to the exchange.
import { checkOrder, type Order, type OrderProblem } from '@sibyl/sdk';
import { useState } from 'react';
import { fromCents, inCents } from '../../format/amounts.ts';
import { useMarket } from '../../live/use-market.ts';
import { useClient } from '../../session/use-session.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { portfolioTexts } from './texts.ts';

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
  readonly save: () => void;
  readonly leave: () => void;
}

export function useOrderChange(): OrderChange {
  const client = useClient();
  const [order, setOrder] = useState<Order | null>(null);
  const [typed, setTyped] = useState({ price: '', size: '' });
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const price = priceOf(typed.price);
  const faults = useFaults(order?.market_id ?? null, price, typed.size);
  const leave = (): void => {
    setOrder(null);
    setError(null);
  };
  const save = async (): Promise<void> => {
    if (order === null || price === null || faults.price !== null || faults.size !== null) return;
    setBusy(true);
    setError(null);
    try {
      await client.orders.amend(order.order_id, { price, size: typed.size.trim() });
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
      setTyped({ price: inCents(chosen.price ?? '0'), size: plain(chosen.size) });
    },
    type: (name, text) => setTyped((before) => ({ ...before, [name]: text })),
    save: () => {
      save().catch(() => undefined);
    },
    leave,
  };
}

function useFaults(marketId: string | null, price: string | null, size: string) {
  const t = useTexts(portfolioTexts);
  const market = useMarket(marketId);
  if (price === null) return { price: t('noNumber'), size: null };
  const problems = market === null ? [] : checkOrder(market, { price, size: size.trim() });
  const say = (field: OrderProblem['field']): string | null => {
    const problem = problems.find((each) => each.field === field);
    if (problem === undefined) return null;
    if (problem.nearest === null) return t('noNumber');
    const nearest = field === 'price' ? `${inCents(problem.nearest)}¢` : problem.nearest;
    return t('offGrid', { nearest });
  };
  return { price: say('price'), size: say('size') };
}

/** Null for what is no price. */
function priceOf(typed: string): string | null {
  try {
    return fromCents(typed.trim());
  } catch {
    return null;
  }
}

/** Without zeros that nobody typed. */
function plain(size: string): string {
  return size.includes('.') ? size.replace(/\.?0+$/, '') : size;
}
