// What a market came to for the reader, out of the statement: every credit less every debit of money.
import { addAmounts, type LedgerEntry, type SibylClient } from '@sibyl/sdk';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { basePath } from '../lane.ts';
import { useClient, useWho } from '../session/use-session.ts';

const PAGE_ROWS = 500;

export interface MarketMoney {
  readonly net: string;
  /** What each reason came to; a reason that never occurred is missing. */
  readonly byReason: Readonly<Record<string, string | undefined>>;
}

/** Null until it is known. */
export function useMarketMoney(marketId: string): MarketMoney | null {
  const client = useClient();
  const who = useWho();
  const { data } = useQuery(marketMoney(client, who, marketId));
  return data ?? null;
}

export function marketMoney(client: SibylClient, who: string, marketId: string) {
  return queryOptions({
    queryKey: ['market-money', basePath, who, marketId],
    queryFn: async () => {
      const entries: LedgerEntry[] = [];
      const listing = client.portfolio.ledger({ market_id: marketId, limit: PAGE_ROWS });
      for await (const entry of listing) entries.push(entry);
      return moneyOf(entries);
    },
  });
}

/** Lines about shares are left out: what they are worth is nobody's money yet. */
function moneyOf(entries: readonly LedgerEntry[]): MarketMoney {
  const byReason: Record<string, string> = {};
  let net = '0';
  for (const { asset, reason, amount } of entries) {
    if (asset === null) continue;
    net = addAmounts(net, amount);
    byReason[reason] = addAmounts(byReason[reason] ?? '0', amount);
  }
  return { net, byReason };
}
