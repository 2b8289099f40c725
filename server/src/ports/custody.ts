// Custody: who keeps the money of the live lane outside, and pays withdrawals out of it.

export interface Payout {
  /** The withdrawal's id: a custody pays it once, however often and however late it is asked. */
  readonly payoutId: string;
  readonly amount: bigint;
  readonly destination: string;
}

/** What the custody knows of a payout for certain. */
export type PayoutState =
  | { readonly state: 'pending' }
  | { readonly state: 'paid'; readonly reference: string }
  | { readonly state: 'failed'; readonly reason: string };

/** Nobody knows whether the custody has heard of it: it is asked again, and nothing is given back until it answers. */
export class CustodySilent extends Error {
  override readonly name = 'CustodySilent';
}

export interface Custody {
  /** The name that withdrawals carry: another custody is never asked to pay them. */
  readonly name: string;
  /** Asks for a payout, or what became of it; the question is the same. Rejects with CustodySilent. */
  pay(payout: Payout): Promise<PayoutState>;
}
