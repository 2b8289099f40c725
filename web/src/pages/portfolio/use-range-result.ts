// What was gained in a range, and what was only paid in, so that nobody takes a deposit for a profit.
import { addAmounts, type LedgerEntry, subtractAmounts } from '@sibyl/sdk';
import { useQuery } from '@tanstack/react-query';
import { basePath } from '../../lane.ts';
import { useClient, useWho } from '../../session/use-session.ts';
import type { Summary } from './use-summary.ts';

/** Money that comes or goes without anything being traded. */
const reasons = ['deposit', 'withdrawal', 'correction', 'faucet', 'transfer', 'reset'] as const;
const PAGE_ROWS = 500;

export interface RangeResult {
  readonly profit: string;
  readonly deposits: string;
}

/** Null until it is known. */
export function useRangeResult(summary: Summary | null): RangeResult | null {
  const client = useClient();
  const who = useWho();
  // A range that holds everything there was is reckoned by the exchange itself.
  const isAll =
    summary !== null &&
    (summary.range === 'all' || (summary.series.length < 2 && summary.covers_from_ms === null));
  const fromMs = isAll ? undefined : summary?.series[0]?.ts_ms;
  const { data } = useQuery({
    // Whatever comes in or goes out changes the net of all; else what was read stays true.
    queryKey: ['deposits', basePath, who, summary?.range, summary?.net_deposits],
    queryFn: async () => {
      const entries: LedgerEntry[] = [];
      for (const reason of reasons) {
        const query = {
          reason,
          limit: PAGE_ROWS,
          ...(fromMs !== undefined && { from_ms: fromMs }),
        };
        for await (const entry of client.portfolio.ledger(query)) entries.push(entry);
      }
      return entries;
    },
    enabled: fromMs !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (summary === null) return null;
  const { net_deposits, realized_pnl, unrealized_pnl } = summary;
  if (isAll) return { profit: addAmounts(realized_pnl, unrealized_pnl), deposits: net_deposits };
  const first = summary.series[0]?.equity;
  const now = summary.series.at(-1)?.equity;
  if (data === undefined || fromMs === undefined || first === undefined || now === undefined) {
    return null;
  }
  const deposits = depositsSince(data, fromMs);
  return { profit: subtractAmounts(subtractAmounts(now, first), deposits), deposits };
}

/** The window moves on while somebody looks: what lies before it is part of its first value. */
function depositsSince(entries: readonly LedgerEntry[], fromMs: number): string {
  const within = entries.filter(({ asset, created_at_ms: ms }) => asset !== null && ms > fromMs);
  return addAmounts('0', ...within.map(({ amount }) => amount));
}
