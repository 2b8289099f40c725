// Asks for a withdrawal so that pressing again can never pay twice.
import { SibylError, type Withdrawal } from '@sibyl/sdk';
import { useRef } from 'react';
import { useClient } from '../../session/use-session.ts';

interface Open {
  readonly what: string;
  readonly key: string;
}

interface WantedWithdrawal {
  readonly destinationId: string;
  readonly amount: string;
  /** Null for one's own account. */
  readonly subaccountId: string | null;
}

export type Withdraw = (wanted: WantedWithdrawal) => Promise<Withdrawal>;

/** As long as nobody knows what became of it, the same request is the same withdrawal; after an answer it is a new one. */
export function useWithdraw(): Withdraw {
  const client = useClient();
  const open = useRef<Open | null>(null);
  return async ({ destinationId, amount, subaccountId }) => {
    const what = `${destinationId} ${amount} ${subaccountId}`;
    const { key } = open.current?.what === what ? open.current : newOf(what);
    open.current = { what, key };
    try {
      const body = {
        destination_id: destinationId,
        amount,
        ...(subaccountId !== null && { subaccount_id: subaccountId }),
      };
      const made = await client.withdrawals.create(body, { idempotencyKey: key });
      open.current = null;
      return made;
    } catch (error) {
      if (isRefusal(error)) open.current = null;
      throw error;
    }
  };
}

function newOf(what: string): Open {
  return { what, key: crypto.randomUUID() };
}

/** What the withdrawal itself was answered. Other refusals may come before it is looked whether it was done already. */
const REFUSALS: ReadonlySet<number> = new Set([400, 404, 409, 422]);

function isRefusal(error: unknown): boolean {
  if (!(error instanceof SibylError) || error.code === 'IDEMPOTENCY_IN_FLIGHT') return false;
  return REFUSALS.has(error.status);
}
