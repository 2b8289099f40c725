// The postings of a ledger entry one by one, for readers that do not mind an object for each.
import type { LedgerReason } from '../state/event.ts';
import { LedgerPosted, TapePage } from './tape.ts';

export interface Posting {
  readonly account: string;
  readonly amount: bigint;
}

export function postingsOf(entry: LedgerPosted): readonly Posting[] {
  return Array.from({ length: entry.count }, (_, index) => ({
    account: entry.accountAt(index),
    amount: entry.amountAt(index),
  }));
}

/** An entry of these postings that no ledger wrote, under names of its own. */
export function entryOf(
  reason: LedgerReason,
  reference: string,
  postings: readonly Posting[],
): LedgerPosted {
  const page = new TapePage(
    postings.map(({ account }) => account),
    postings.length,
  );
  for (const [index, { amount }] of postings.entries()) {
    page.slots[index] = index;
    page.amounts[index] = amount;
  }
  const [, kind, digits] = NUMBERED.exec(reference) ?? [];
  return kind === 'order' || kind === 'trade'
    ? new LedgerPosted(page, 0, postings.length, reason, kind, Number.parseInt(digits!, 10))
    : new LedgerPosted(page, 0, postings.length, reason, 'text', reference);
}

const NUMBERED = /^(order|trade):([1-9]\d*)$/;
