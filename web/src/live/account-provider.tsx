// Hears the account stream once for the whole page.
import type { Account, SibylClient } from '@sibyl/sdk';
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react';
import { ScopeContext } from '../session/scope.ts';
import { useClient, useSession } from '../session/use-session.ts';
import {
  type AccountFrame,
  type AccountView,
  afterFrame,
  afterFrameOf,
  subaccountOf,
  viewOf,
} from './account-view.ts';
import { useStream } from './use-live.ts';

const AccountContext = createContext<AccountView | null>(null);

type Listener = (frame: AccountFrame) => void;
const listeners = new Set<Listener>();

export function AccountProvider({ children }: { readonly children: ReactNode }) {
  const session = useSession();
  const who = session.status === 'signed_in' ? session.userId : null;
  const [view, setView] = useState<AccountView | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another person begins with nothing
  useEffect(() => setView(null), [who]);
  useStream(who === null ? null : 'account', (frame) => {
    setView((before) => afterFrame(before, frame));
    for (const listener of listeners) listener(frame);
  });
  return <AccountContext value={view}>{children}</AccountContext>;
}

/** The same for one of the subaccounts: read whole, then as the stream of its owner tells it. */
export function SubaccountProvider({ id, children }: SubaccountProps) {
  const client = useClient();
  const [view, setView] = useState<AccountView | null>(null);
  const own = useContext(AccountContext);
  const account = own?.account ?? null;
  // What is heard while the reads are under way may be in some of them and missing in others.
  const heardMeanwhile = useRef(false);
  useEffect(() => {
    let isShown = true;
    setView(null);
    const readUntilNothingIsHeardMeanwhile = async (): Promise<void> => {
      if (account === null) return;
      do {
        heardMeanwhile.current = false;
        const next = await readView(client.forSubaccount(id), account);
        if (!isShown) return;
        setView(next);
      } while (heardMeanwhile.current);
    };
    readUntilNothingIsHeardMeanwhile().catch(() => undefined);
    return () => {
      isShown = false;
    };
  }, [client, id, account]);
  const hear = useCallback(
    (frame: AccountFrame) => {
      if (subaccountOf(frame) === id) heardMeanwhile.current = true;
      setView((before) => afterFrameOf(id, before, frame));
    },
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

async function readView(its: SibylClient, owner: Account): Promise<AccountView | null> {
  const [{ balances }, orders, { items: positions }] = await Promise.all([
    its.portfolio.balance(),
    all(its.account.orders({ status: 'pending', limit: 500 })),
    its.account.positions(),
  ]);
  const [money] = balances;
  return money === undefined ? null : viewOf(owner, money, orders.reverse(), positions);
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
