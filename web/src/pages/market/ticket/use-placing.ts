// Sends the order of the ticket and keeps what the exchange answered.
import type { Order, OrderInput, PlacedOrder, SibylClient } from '@sibyl/sdk';
import { useState } from 'react';
import { sessionStore } from '../../../session/session-store.ts';

export type Answer =
  | { readonly kind: 'placed'; readonly order: PlacedOrder }
  | { readonly kind: 'undone'; readonly order: Order }
  | { readonly kind: 'failed'; readonly error: unknown };

export interface Placing {
  readonly answer: Answer | null;
  readonly isBusy: boolean;
  readonly place: (input: OrderInput) => Promise<void>;
  readonly undo: (order: Order) => Promise<void>;
  readonly forget: () => void;
}

export function usePlacing(): Placing {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [isBusy, setBusy] = useState(false);
  // It never fails: what goes wrong is an answer too.
  const run = async (act: (client: SibylClient) => Promise<Answer>): Promise<void> => {
    setBusy(true);
    setAnswer(null);
    try {
      setAnswer(await act(await sessionStore.beSomebody()));
    } catch (error) {
      setAnswer({ kind: 'failed', error });
    } finally {
      setBusy(false);
    }
  };
  return {
    answer,
    isBusy,
    place: (input) =>
      run(async (client) => ({ kind: 'placed', order: await client.orders.place(input) })),
    undo: ({ order_id: id }) =>
      run(async (client) => ({ kind: 'undone', order: await client.orders.cancel(id) })),
    forget: () => setAnswer(null),
  };
}
