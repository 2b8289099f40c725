// The currency that the reader pays in: a demo account has play money of its own.
import type { Market } from '@sibyl/sdk';
import { lane } from '../lane.ts';
import { useSession } from '../session/use-session.ts';
import { useAccount } from './account-provider.tsx';

const DEMO_ASSET = 'CROWN';

/** A visitor of the sandbox will pay from the demo account that the first order opens. */
export function useAsset({ asset }: Pick<Market, 'asset'>): string {
  const account = useAccount();
  const isDemoToBe = useSession().status === 'visitor' && lane === 'sandbox';
  return account?.account.asset ?? (isDemoToBe ? DEMO_ASSET : asset);
}
