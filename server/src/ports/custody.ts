// Custody: who keeps the money of the live lane outside, and pays withdrawals out of it.

export interface Payout {
  /** Of this very withdrawal: a custody pays it once, however often and however late it is asked. */
  readonly payoutId: string;
  readonly amount: bigint;
  readonly destination: string;
}

/** What became of a payout, for good. */
export type PayoutEnd =
  | { readonly state: 'paid'; readonly reference: string }
  | { readonly state: 'failed'; readonly reason: string };

/** What became of a payout by the word of an operator. */
export interface ToldEnd {
  readonly end: PayoutEnd;
  /** Null where that was not kept. */
  readonly by: string | null;
  readonly atMs: number;
}

/** What the custody knows of a payout for certain. */
export type PayoutState = { readonly state: 'pending' } | PayoutEnd;

/** Nobody knows whether the custody has heard of it: it is asked again, and nothing is given back until it answers. */
export class CustodySilent extends Error {
  override readonly name = 'CustodySilent';
  /** It did not answer in time, as against an answer that says nothing. */
  readonly isLate: boolean;

  constructor(
    message: string,
    options: { readonly isLate?: boolean; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.isLate = options.isLate ?? false;
  }
}

/** What a custody says of itself, from books of its own. */
export interface CustodyBooks {
  readonly balance: bigint;
  /** Of the payouts that it was asked about, those that it has paid. */
  readonly paid: readonly string[];
}

/** A call that says that it comes from the custody. */
export interface CustodyCall {
  readonly timestamp: string;
  readonly signature: string;
  readonly body: Uint8Array;
}

/** Why a call is not taken: of somebody else, of another time, or taken before. */
export type CallFault = 'forged' | 'skewed' | 'repeated';

/** Knows the calls of a custody by their signatures. */
export interface CustodyCalls {
  /** Null takes the call, once. */
  faultIn(call: CustodyCall): CallFault | null;
}

/** Every question rejects with CustodySilent where there is no clear answer. */
export interface Custody {
  /** The name that withdrawals carry: another custody is never asked to pay them. */
  readonly name: string;
  /** Asks for a payout, or what became of it; the question is the same. */
  pay(payout: Payout): Promise<PayoutState>;
  /** Whether it would pay there, before anything is reserved: null, or why not. Moves nothing. */
  check(destination: string, amount: bigint): Promise<string | null>;
  books(payoutIds: readonly string[]): Promise<CustodyBooks>;
  /** Told of money that an operator has seen come in, once for a reference; a custody that sees for itself needs no telling. */
  receive?(reference: string, amount: bigint): Promise<void>;
  /** Told of a balance that operators put right, likewise; below zero, of money that never came or went back. */
  correct?(reference: string, amount: bigint): Promise<void>;
  /**
   * Of a custody whose payouts people make by hand: told what became of one. Answers with what stands, which is what was
   * told first, and by whom.
   */
  settle?(payout: Payout, end: PayoutEnd, by: string): Promise<ToldEnd>;
  /** Of such a custody: what was told of a payout; null if nothing was. */
  told?(payout: Payout): Promise<ToldEnd | null>;
  /** Of such a custody: the ids of the payouts that were told as paid by that reference. */
  paidBy?(reference: string): Promise<readonly string[]>;
  /** Of such a custody: told of a payout that may be made now, so that somebody makes it. */
  due?(payout: Payout): void;
  /** Of a custody that reports by itself what it receives. */
  readonly calls?: CustodyCalls;
}
