// Limits how many sockets one address and one credential hold in a lane: few until they authenticate, more after that.
import { limits } from '@sibyl/contract';
import type { LaneName } from '../../handling/handler.ts';

interface Holder {
  readonly address: string;
  /** Where it counts: where it was opened, then where its credential leads. */
  lane: LaneName;
  /** Null for a stranger. */
  credential: string | null;
}

const { perAddressMax, knownPerAddressMax, perKeyMax } = limits.socket;

export class Crowd {
  readonly #holders = new Map<object, Holder>();
  readonly #all = new Tally();
  readonly #strangers = new Tally();
  readonly #known = new Tally();
  readonly #credentials = new Tally();
  readonly #hasLimits: boolean;

  constructor(hasLimits: boolean) {
    this.#hasLimits = hasLimits;
  }

  hasRoomFor(address: string, lane: LaneName): boolean {
    return !this.#hasLimits || this.#strangers.of(`${lane} ${address}`) < perAddressMax;
  }

  /** Whether the address has a socket at all, in whatever lane. */
  holds(address: string): boolean {
    return this.#all.of(address) > 0;
  }

  enter(socket: object, address: string, lane: LaneName): void {
    const holder: Holder = { address, lane, credential: null };
    this.#holders.set(socket, holder);
    this.#all.count(address, 1);
    this.#count(holder, 1);
  }

  /**
   * The socket speaks for a credential from now on; false, and it stays what it was, if that has too many in the lane it
   * leads to. The multiplier of the credential widens both what it may have and what its address may.
   */
  admit(socket: object, credential: string, lane: LaneName, multiplier: number): boolean {
    const holder = this.#holders.get(socket);
    if (holder === undefined) return false;
    const { address, credential: before, lane: laneBefore } = holder;
    if (before === credential && laneBefore === lane) return true;
    const isCounted = before !== null && laneBefore === lane;
    const isFull =
      this.#credentials.of(`${lane} ${credential}`) >= perKeyMax * multiplier ||
      (!isCounted && this.#known.of(`${lane} ${address}`) >= knownPerAddressMax * multiplier);
    if (this.#hasLimits && isFull) return false;
    this.#count(holder, -1);
    holder.lane = lane;
    holder.credential = credential;
    this.#count(holder, 1);
    return true;
  }

  leave(socket: object): void {
    const holder = this.#holders.get(socket);
    if (holder === undefined) return;
    this.#count(holder, -1);
    this.#all.count(holder.address, -1);
    this.#holders.delete(socket);
  }

  #count({ address, lane, credential }: Holder, by: 1 | -1): void {
    if (credential === null) {
      this.#strangers.count(`${lane} ${address}`, by);
      return;
    }
    this.#known.count(`${lane} ${address}`, by);
    this.#credentials.count(`${lane} ${credential}`, by);
  }
}

/** Counts by name; a name that nothing is counted for takes no memory. */
class Tally {
  readonly #counts = new Map<string, number>();

  of(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  count(name: string, by: 1 | -1): void {
    const count = this.of(name) + by;
    if (count === 0) this.#counts.delete(name);
    else this.#counts.set(name, count);
  }
}
