// Hears the account stream once for the whole page.
import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react';
import { ScopeContext } from '../session/scope.ts';
import { useClient, useSession } from '../session/use-session.ts';
import {
  type AccountFrame,
  type AccountView,
  afterFrame,
  afterFrameOf,
  viewOf,
} from './account-view.ts';
import { useStream } from './use-live.ts';

const AccountContext = createContext<AccountView | null>(null);

type Listener = (frame: AccountFrame) => void;
const listeners = new Set<Listener>();

export function AccountProvider({ children }: { readonly children: ReactNode }) {
  const session = useSession();
  const who = session.status === 'signed_in' ? session.accountId : null;
  const [view, setView] = useState<AccountView | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another person begins with nothing
  useEffect(() => setView(null), [who]);
  useStream(who === null ? null : 'account', (frame) => {
    setView((before) => afterFrame(before, frame));
    for (const listener of listeners) listener(frame);
  });
  return <AccountContext value={view}>{children}</AccountContext>;
}

/** The same for one of the subaccounts: read once, then as the stream of its owner tells it. */
export function SubaccountProvider({ id, children }: SubaccountProps) {
  const client = useClient();
  const [view, setView] = useState<AccountView | null>(null);
  const own = useContext(AccountContext);
  const account = own?.account ?? null;
  const read = useCallback(async (): Promise<void> => {
    const its = client.forSubaccount(id);
    const [{ balances }, orders, { items: positions }] = await Promise.all([
      its.portfolio.balance(),
      all(its.account.orders({ status: 'pending', limit: 500 })),
      its.account.positions(),
    ]);
    const [money] = balances;
    if (account === null || money === undefined) return;
    setView(viewOf(account, money, orders.reverse(), positions));
  }, [client, id, account]);
  useEffect(() => {
    setView(null);
    read().catch(() => undefined);
  }, [read]);
  const hear = useCallback(
    (frame: AccountFrame) => setView((before) => afterFrameOf(id, before, frame)),
    [id],
  );
  useAccountFrames(hear);
  return (
    <ScopeContext value={id}>
      <AccountContext value={view}>{children}</AccountContext>
    </ScopeContext>
  );
}

interface SubaccountProps {
  readonly id: string;
  readonly children: ReactNode;
}

async function all<Entry>(listing: AsyncIterable<Entry>): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of listing) entries.push(entry);
  return entries;
}

/** Null for a visitor, and until the exchange has told it. */
export function useAccount(): AccountView | null {
  return useContext(AccountContext);
}

/** Hears what happens to the account while the component is shown. */
export function useAccountFrames(onFrame: Listener): void {
  useEffect(() => {
    listeners.add(onFrame);
    return () => {
      listeners.delete(onFrame);
    };
  }, [onFrame]);
}
