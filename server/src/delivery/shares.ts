// Who may have how many attempts under way: no lane, account or endpoint takes the share of another.
import type { EndpointRecord } from '../ports/webhooks.ts';

/** Attempts under way at once. */
export interface DispatcherLimits {
  readonly perEndpoint: number;
  /** Of these two, endpoints whose last attempt failed have half together: others always find room. */
  readonly perAccount: number;
  readonly perLane: number;
}

export const DISPATCHER_LIMITS: DispatcherLimits = { perEndpoint: 4, perAccount: 8, perLane: 64 };

/** Each lane has accounts of its own, whatever they are called. */
export type Owner = Pick<EndpointRecord, 'environment' | 'accountId'>;

interface Share {
  readonly name: string;
  readonly max: number;
}

export class Shares {
  readonly #limits: DispatcherLimits;
  readonly #taken = new Map<string, number>();

  constructor(limits: DispatcherLimits) {
    this.#limits = limits;
  }

  /** Attempts of the account. */
  underWay(owner: Owner): number {
    return this.#takenOf(accountShare(owner));
  }

  hasRoom(owner: Owner): boolean {
    return this.#least(this.#sharesOfOwner(owner)) > 0;
  }

  /** How many more attempts the endpoint may begin. */
  free(endpoint: EndpointRecord): number {
    return Math.max(0, this.#least(this.#sharesOf(endpoint)));
  }

  /** Counts one attempt in each share and returns what ends it. */
  take(endpoint: EndpointRecord): () => void {
    const shares = this.#sharesOf(endpoint);
    for (const { name } of shares) this.#taken.set(name, this.#takenOf(name) + 1);
    return () => {
      for (const { name } of shares) {
        const left = this.#takenOf(name) - 1;
        if (left === 0) this.#taken.delete(name);
        else this.#taken.set(name, left);
      }
    };
  }

  #least(shares: readonly Share[]): number {
    return Math.min(...shares.map(({ name, max }) => max - this.#takenOf(name)));
  }

  #takenOf(name: string): number {
    return this.#taken.get(name) ?? 0;
  }

  #sharesOf(endpoint: EndpointRecord): readonly Share[] {
    const { webhookId, health } = endpoint;
    const owned = this.#sharesOfOwner(endpoint);
    const own = { name: webhookId, max: this.#limits.perEndpoint };
    if (health.failureStreak === 0) return [own, ...owned];
    const halves = owned.map(({ name, max }) => ({
      name: `${name} failing`,
      max: Math.ceil(max / 2),
    }));
    return [own, ...owned, ...halves];
  }

  #sharesOfOwner(owner: Owner): readonly Share[] {
    const { perAccount, perLane } = this.#limits;
    return [
      { name: accountShare(owner), max: perAccount },
      { name: owner.environment, max: perLane },
    ];
  }
}

function accountShare({ environment, accountId }: Owner): string {
  return `${environment} account ${accountId}`;
}
