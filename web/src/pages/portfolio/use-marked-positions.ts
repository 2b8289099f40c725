// The positions of the account at the newest prices.
import { useMemo } from 'react';
import { useAccount } from '../../live/account-provider.tsx';
import { positionKey } from '../../live/account-view.ts';
import { type MarkedPosition, markedAt } from '../../live/marked-position.ts';
import { useTickersOf } from '../../live/use-tickers.ts';

export function useMarkedPositions(): readonly MarkedPosition[] {
  const account = useAccount();
  const positions = useMemo(() => [...(account?.positions.values() ?? [])], [account?.positions]);
  const tickers = useTickersOf(positions);
  return useMemo(
    () =>
      positions.map((position) =>
        markedAt(position, tickers.get(positionKey(position))?.price ?? position.mark_price),
      ),
    [positions, tickers],
  );
}
