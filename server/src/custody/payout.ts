// What the custody is asked for when a withdrawal goes out.
import { createHash } from 'node:crypto';
import type { WithdrawalRecord } from '@sibyl/engine';
import type { Payout } from '../ports/custody.ts';

const DIGEST_LETTERS = 12;
const SEPARATOR = '-';

/**
 * A lane that was restored to an earlier time gives ids of withdrawals again which the custody may have paid by then. With
 * its terms and its time in the name, a later withdrawal is another payout, and one from before the restore stays the same.
 */
export function payoutOf(withdrawal: WithdrawalRecord): Payout {
  const { withdrawalId, accountId, amount, destination, createdAtMs } = withdrawal;
  const terms = [withdrawalId, accountId, String(amount), destination, createdAtMs];
  const digest = createHash('sha256').update(JSON.stringify(terms)).digest('hex');
  return {
    payoutId: `${withdrawalId}${SEPARATOR}${digest.slice(0, DIGEST_LETTERS)}`,
    amount,
    destination,
  };
}

/** The withdrawal that a payout is of. */
export function withdrawalOf({ payoutId }: Pick<Payout, 'payoutId'>): string {
  return payoutId.slice(0, payoutId.lastIndexOf(SEPARATOR));
}

/** What an operator runs before and after paying a withdrawal by hand, ready to be typed. */
export function payoutCommands(withdrawalId: string): readonly [take: string, paid: string] {
  const act = '--lane live --reason "…"';
  return [
    `sibyl admin withdrawals take ${withdrawalId} ${act}`,
    `sibyl admin withdrawals paid ${withdrawalId} --reference "…" ${act}`,
  ];
}
