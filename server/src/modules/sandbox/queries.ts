// What a reset cleared, and what a settlement paid.
import type { OperationOutput } from '@sibyl/contract';
import { type AccountId, type Event, type MarketId, postingsOf } from '@sibyl/engine';
import type { History } from '@sibyl/history';
import { amountText } from '../../wire/amounts.ts';

type Payouts = OperationOutput<'settleWithMockOracle'>['payouts'];

/** Due timers may have cancelled others in the same command: only what the reset did counts. */
export function clearedBy(events: readonly Event[]): {
  readonly orders: number;
  readonly positions: number;
} {
  let orders = 0;
  let positions = 0;
  for (const event of events) {
    if (event.type === 'order_cancelled' && event.reason === 'reset') orders += 1;
    if (event.type !== 'ledger_posted' || event.reason !== 'reset') continue;
    positions += postingsOf(event).filter(({ account }) => OWN_SHARES.test(account)).length;
  }
  return { orders, positions };
}

/** A reset moves shares of those that are reset alone, and of the house, which takes them over. */
const OWN_SHARES = /^user:[^:]+:free:/;

/** Everybody's from the totals of the market, the caller's from its own statement. */
export async function payoutsOf(
  history: History,
  marketId: MarketId,
  accountId: AccountId,
): Promise<Payouts> {
  const { accounts, total } = await history.settlement(marketId);
  const filter = { accountId, marketId, reason: 'settlement', fromMs: null, toMs: null } as const;
  const { rows } = await history.statement({ ...filter, before: null }, ENTRIES_MAX);
  let own = 0n;
  for (const { shares, amount } of rows) if (shares === null) own += amount;
  return {
    accounts_paid: accounts,
    total_paid: amountText(total),
    own_payout: amountText(own),
  };
}

/** A settlement moves the money of one account in one entry, and its shares in one for each outcome. */
const ENTRIES_MAX = 200;
