// In what the reader pays: a demo account has money of its own kind.
import type { Market } from '@sibyl/sdk';
import { useAccount } from './account-provider.tsx';

/** A visitor sees what the market is reckoned in. */
export function useAsset({ asset }: Pick<Market, 'asset'>): string {
  return useAccount()?.account.asset ?? asset;
}
