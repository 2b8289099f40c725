// Settlement receipts out of the lines of the statement: one for each market that paid.
import { addAmounts, type LedgerEntry, subtractAmounts } from '@sibyl/sdk';
import { marketOf } from './reasons.ts';

export interface Receipt {
  readonly key: string;
  readonly marketId: string;
  readonly atMs: number;
  /** What was held of each outcome when the market ended. */
  readonly held: readonly { readonly outcomeId: string; readonly size: string }[];
  readonly paid: string;
}

/** Newest first, as the lines come. Lines of one command about one market are one receipt. */
export function receiptsOf(entries: readonly LedgerEntry[]): readonly Receipt[] {
  const receipts = new Map<string, Receipt>();
  for (const entry of entries) {
    const marketId = marketOf(entry);
    if (marketId === null) continue;
    const key = `${entry.seq} ${marketId}`;
    const before = receipts.get(key) ?? {
      key,
      marketId,
      atMs: entry.created_at_ms,
      held: [],
      paid: '0',
    };
    receipts.set(key, withEntry(before, entry));
  }
  return [...receipts.values()].sort((a, b) => b.atMs - a.atMs);
}

function withEntry(receipt: Receipt, { outcome_id: outcomeId, amount }: LedgerEntry): Receipt {
  if (outcomeId === null) return { ...receipt, paid: addAmounts(receipt.paid, amount) };
  // Shares leave when they are paid; free and reserved ones in lines of their own.
  const before = receipt.held.find((each) => each.outcomeId === outcomeId)?.size ?? '0';
  const others = receipt.held.filter((each) => each.outcomeId !== outcomeId);
  return { ...receipt, held: [...others, { outcomeId, size: subtractAmounts(before, amount) }] };
}
