// The custody of a server that has no service for it: a till of its own, which the operator fills and pays from.
import { assert } from '@sibyl/engine';
import type { Clock } from '@sibyl/lane';
import type {
  Custody,
  CustodyBooks,
  Payout,
  PayoutEnd,
  PayoutState,
  ToldEnd,
} from '../ports/custody.ts';
import type { TillEntry, TillStore } from '../ports/till.ts';

export interface LocalCustodyOptions {
  readonly till: TillStore;
  readonly clock: Pick<Clock, 'wallMs'>;
  /** Told of each payout that may be made: somebody has to hand the money over. */
  readonly due?: (payout: Payout) => void;
}

/** What withdrawals carry that it pays. */
export const LOCAL_CUSTODY = 'local';

export class LocalCustody implements Custody {
  readonly name = LOCAL_CUSTODY;
  readonly #options: LocalCustodyOptions;

  constructor(options: LocalCustodyOptions) {
    this.#options = options;
  }

  /** The books begin with what the ledger says is outside already: money of before they were kept. */
  async begin(held: bigint): Promise<void> {
    const { till } = this.#options;
    if ((await till.balance()) !== null) return;
    await this.#enter('opening', held, 'what was there when the books were begun');
  }

  /** It moves no money: until an operator has said what became of a payout, nobody knows. */
  async pay(payout: Payout): Promise<PayoutState> {
    return (await this.told(payout))?.end ?? { state: 'pending' };
  }

  due(payout: Payout): void {
    this.#options.due?.(payout);
  }

  async settle(payout: Payout, end: PayoutEnd, by: string): Promise<ToldEnd> {
    const { payoutId, amount } = payout;
    const [moved, note] = end.state === 'paid' ? [-amount, end.reference] : [0n, end.reason];
    await this.#enter(payoutEntry(payoutId), moved, note, by);
    const told = await this.told(payout);
    assert(told !== null, 'what was entered is in the books');
    return told;
  }

  async told({ payoutId }: Payout): Promise<ToldEnd | null> {
    const [entry] = await this.#options.till.entries([payoutEntry(payoutId)]);
    if (entry === undefined) return null;
    const { note, by = null, atMs } = entry;
    const end: PayoutEnd = isPaid(entry)
      ? { state: 'paid', reference: note }
      : { state: 'failed', reason: note };
    return { end, by, atMs };
  }

  async paidBy(reference: string): Promise<readonly string[]> {
    const entries = await this.#options.till.noted(reference);
    return entries.filter(isPaid).flatMap(({ entryId }) => payoutIn(entryId) ?? []);
  }

  async check(): Promise<string | null> {
    return null;
  }

  async books(payoutIds: readonly string[]): Promise<CustodyBooks> {
    const { till } = this.#options;
    const entries = await till.entries(payoutIds.map(payoutEntry));
    const gone = new Set(entries.filter(isPaid).map(({ entryId }) => entryId));
    const paid = payoutIds.filter((id) => gone.has(payoutEntry(id)));
    return { balance: (await till.balance()) ?? 0n, paid };
  }

  async receive(reference: string, amount: bigint): Promise<void> {
    await this.#enter(`received ${reference}`, amount, 'credited by an operator');
  }

  async correct(reference: string, amount: bigint): Promise<void> {
    await this.#enter(`corrected ${reference}`, amount, 'corrected by operators');
  }

  #enter(entryId: string, amount: bigint, note: string, by?: string): Promise<boolean> {
    const { till, clock } = this.#options;
    const entry = { entryId, amount, note, atMs: clock.wallMs() };
    return till.enter({ ...entry, ...(by !== undefined && { by }) });
  }
}

const PAYOUT = 'paid ';

/** One entry ends a payout either way, so that no payout can end in both. */
function payoutEntry(payoutId: string): string {
  return `${PAYOUT}${payoutId}`;
}

/** Null for what is no payout: a balance that was corrected goes out as well. */
function payoutIn(entryId: string): string | null {
  return entryId.startsWith(PAYOUT) ? entryId.slice(PAYOUT.length) : null;
}

function isPaid({ amount }: TillEntry): boolean {
  return amount < 0n;
}
