// What each queue is called. A page that is older than its server hears of queues that it does not know: those have their plain
// names, and no acts.
import { labelOf, type OperatorOperations, type OutputOf } from '@sibyl/contract/console';

export type QueueKind = OutputOf<OperatorOperations['getQueues']>['queues'][number]['kind'];

interface QueueWords {
  readonly title: string;
  /** What waits in it. */
  readonly item: string;
}

const WORDS: Readonly<Record<QueueKind, QueueWords>> = {
  market_approval: { title: 'Markets to approve', item: 'Market' },
  proposal_missing: { title: 'Locked markets without an answer', item: 'Market' },
  proposal: { title: 'Answers open to challenge', item: 'Market' },
  dispute: { title: 'Disputes to rule on', item: 'Market' },
  cancellation: { title: 'Cancellations to confirm', item: 'Market' },
  withdrawal: {
    title: 'Withdrawals to review',
    item: 'Withdrawal',
  },
  payout: { title: 'Withdrawals to pay by hand', item: 'Withdrawal' },
  payout_taken: { title: 'Withdrawals in progress: confirm payment', item: 'Withdrawal' },
  deposit: { title: 'Deposits not yet credited', item: 'Deposit' },
  custody: { title: 'Custody outages', item: 'Custody' },
  flag: { title: 'Compliance flags', item: 'Flag' },
  builder: { title: 'Builder applications', item: 'Builder' },
  app: { title: 'Apps to review', item: 'App' },
  approval: { title: 'Approvals', item: 'Action' },
};

export function queueWords(kind: string): QueueWords {
  const name = labelOf(kind);
  return isKnown(kind) ? WORDS[kind] : { title: name, item: name };
}

/** Whether this page knows what to do about it. */
export function isKnown(kind: string): kind is QueueKind {
  return Object.hasOwn(WORDS, kind);
}

export function isOfMarkets(kind: string): boolean {
  return queueWords(kind).item === 'Market';
}
