// Sends the order of the ticket and keeps what the exchange answered.
import type { Order, OrderInput, PlacedOrder, SibylClient } from '@sibyl/sdk';
import { useState } from 'react';
import { type SessionState, sessionStore } from '../../../session/session-store.ts';
import { useSession } from '../../../session/use-session.ts';

export type Answer =
  | { readonly kind: 'placed'; readonly order: PlacedOrder; readonly isNo: boolean }
  | { readonly kind: 'undone'; readonly order: Order }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Somebody who registers or signs in meanwhile has nothing to do with the orders of before. */
interface Given {
  readonly answer: Answer;
  /** The account that got it; null if there was none to place it with. */
  readonly to: string | null;
}

export interface Placing {
  readonly answer: Answer | null;
  readonly isBusy: boolean;
  readonly place: (input: OrderInput) => Promise<void>;
  readonly undo: (order: Order) => Promise<void>;
  readonly forget: () => void;
}

export function usePlacing(): Placing {
  const [given, setGiven] = useState<Given | null>(null);
  const accountId = accountOf(useSession());
  const [isBusy, setBusy] = useState(false);
  // It never fails: what goes wrong is an answer too.
  const run = async (act: (client: SibylClient) => Promise<Answer>): Promise<void> => {
    setBusy(true);
    setGiven(null);
    let to = accountOf(sessionStore.state);
    try {
      const client = await sessionStore.beSomebody();
      to = accountOf(sessionStore.state);
      setGiven({ answer: await act(client), to });
    } catch (error) {
      setGiven({ answer: { kind: 'failed', error }, to });
    } finally {
      setBusy(false);
    }
  };
  return {
    answer: given?.to === accountId ? given.answer : null,
    isBusy,
    place: (input) =>
      run(async (client) => {
        const order = await client.orders.place(input);
        return { kind: 'placed', order, isNo: input.mint === true };
      }),
    undo: ({ order_id: id }) =>
      run(async (client) => ({ kind: 'undone', order: await client.orders.cancel(id) })),
    forget: () => setGiven(null),
  };
}

function accountOf(session: SessionState): string | null {
  return session.status === 'signed_in' ? session.accountId : null;
}
