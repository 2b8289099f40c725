// Hears the account stream once for the whole page.
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { useSession } from '../session/use-session.ts';
import { type AccountFrame, type AccountView, afterFrame } from './account-view.ts';
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
