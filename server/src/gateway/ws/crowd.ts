// How many sockets one address and one credential hold: few until they say who they are, more after that.
import { limits } from '@sibyl/contract';

interface Place {
  readonly address: string;
  /** Null for a stranger. */
  credential: string | null;
}

const { perAddressMax, knownPerAddressMax, perKeyMax } = limits.socket;

export class Crowd {
  readonly #places = new Map<object, Place>();
  readonly #strangers = new Tally();
  readonly #known = new Tally();
  readonly #credentials = new Tally();
  readonly #hasLimits: boolean;

  constructor(hasLimits: boolean) {
    this.#hasLimits = hasLimits;
  }

  hasRoomFor(address: string): boolean {
    return !this.#hasLimits || this.#strangers.of(address) < perAddressMax;
  }

  /** Whether the address has a socket at all. */
  holds(address: string): boolean {
    return this.#strangers.of(address) + this.#known.of(address) > 0;
  }

  enter(socket: object, address: string): void {
    this.#places.set(socket, { address, credential: null });
    this.#strangers.count(address, 1);
  }

  /** The socket speaks for a credential from now on; false, and it stays what it was, if that has too many. */
  admit(socket: object, credential: string): boolean {
    const place = this.#places.get(socket);
    if (place === undefined) return false;
    const { address, credential: before } = place;
    if (before === credential) return true;
    const isFull =
      this.#credentials.of(credential) >= perKeyMax ||
      (before === null && this.#known.of(address) >= knownPerAddressMax);
    if (this.#hasLimits && isFull) return false;
    this.#count(place, -1);
    place.credential = credential;
    this.#count(place, 1);
    return true;
  }

  leave(socket: object): void {
    const place = this.#places.get(socket);
    if (place === undefined) return;
    this.#count(place, -1);
    this.#places.delete(socket);
  }

  #count({ address, credential }: Place, by: 1 | -1): void {
    if (credential === null) {
      this.#strangers.count(address, by);
      return;
    }
    this.#known.count(address, by);
    this.#credentials.count(credential, by);
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
