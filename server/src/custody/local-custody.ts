// The custody of a server that has no service for it: a till of its own, which the operator fills and pays from.
import type { Clock } from '@sibyl/lane';
import type { Custody, CustodyBooks, Payout, PayoutState } from '../ports/custody.ts';
import type { TillStore } from '../ports/till.ts';

export interface LocalCustodyOptions {
  readonly till: TillStore;
  readonly clock: Pick<Clock, 'wallMs'>;
  /** Told of each payout when it is entered: somebody has to hand the money over. */
  readonly paid?: (payout: Payout) => void;
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

  async pay(payout: Payout): Promise<PayoutState> {
    const { payoutId, amount, destination } = payout;
    if (await this.#enter(payoutEntry(payoutId), -amount, destination))
      this.#options.paid?.(payout);
    return { state: 'paid', reference: `local ${payoutId}` };
  }

  async check(): Promise<string | null> {
    return null;
  }

  async books(payoutIds: readonly string[]): Promise<CustodyBooks> {
    const { till } = this.#options;
    const known = new Set(await till.known(payoutIds.map(payoutEntry)));
    const paid = payoutIds.filter((id) => known.has(payoutEntry(id)));
    return { balance: (await till.balance()) ?? 0n, paid };
  }

  async receive(reference: string, amount: bigint): Promise<void> {
    await this.#enter(`received ${reference}`, amount, 'credited by an operator');
  }

  async correct(reference: string, amount: bigint): Promise<void> {
    await this.#enter(`corrected ${reference}`, amount, 'corrected by operators');
  }

  #enter(entryId: string, amount: bigint, note: string): Promise<boolean> {
    const { till, clock } = this.#options;
    return till.enter({ entryId, amount, note, atMs: clock.wallMs() });
  }
}

function payoutEntry(payoutId: string): string {
  return `paid ${payoutId}`;
}
