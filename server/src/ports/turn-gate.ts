// Bounded work at once, with a bounded queue that serves addresses in turn.

/** On whose behalf work is done: addresses take turns, and a holder has one place in the queue. */
export interface Asker {
  /** The address, or the network of an IPv6 one. */
  readonly address: string;
  /** The user who is signed in, else the connection: a name that anyone may send must not block its owner. */
  readonly holder: string | Connection;
  /** Of the request; work for a closed connection is not begun. */
  readonly connection: Connection | null;
}

export interface Connection {
  readonly destroyed: boolean;
  /** The other side has closed it, or has said everything and still reads: which of the two shows only when an answer is written. */
  readonly readableEnded: boolean;
}

export interface TurnLimits {
  readonly running: number;
  readonly waiting: number;
  /** Waiting at once from one address. */
  readonly perAddress: number;
  /** Called when a piece of work has ended; the next one begins with `go`. Without it the next one begins at once. */
  readonly rest?: (go: () => void) => void;
}

interface Waiter extends Asker {
  /** False if it lost its place. */
  begin(isItsTurn: boolean): void;
}

export class TurnGate {
  readonly #limits: TurnLimits;
  /** Waiting work by address; the address whose turn is next comes first. */
  readonly #lines = new Map<string, Waiter[]>();
  /** Those with work in a line, whatever address it comes from. */
  readonly #holders = new Set<Asker['holder']>();
  #running = 0;
  #waiting = 0;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /** Null if the queue has no place for the caller. */
  async run<T>(by: Asker, work: () => Promise<T>): Promise<T | null> {
    if (this.#running < this.#limits.running) this.#running += 1;
    else if (!(await this.#wait(by))) return null;
    try {
      return await work();
    } finally {
      const { rest } = this.#limits;
      if (rest === undefined) this.#next();
      else rest(() => this.#next());
    }
  }

  get isIdle(): boolean {
    return this.#running === 0;
  }

  async #wait(by: Asker): Promise<boolean> {
    const { waiting, perAddress } = this.#limits;
    const length = this.#lines.get(by.address)?.length ?? 0;
    if (length >= perAddress || this.#holders.has(by.holder)) return false;
    if (this.#waiting >= waiting) this.#makeRoom(length + 1);
    if (this.#waiting >= waiting) return false;
    return new Promise((begin) => {
      const line = this.#lines.get(by.address) ?? [];
      line.push({ ...by, begin });
      this.#lines.set(by.address, line);
      this.#holders.add(by.holder);
      this.#waiting += 1;
    });
  }

  /** Drops work for connections that may be closed, else the latest of the address with the most work, if that is more than so many. */
  #makeRoom(length: number): void {
    const all = [...this.#lines.values()];
    const gone = all.flat().filter(({ connection }) => mayBeClosed(connection));
    const longest = all.reduce((one, other) => (other.length > one.length ? other : one));
    const dropped = gone.length === 0 && longest.length > length ? longest.slice(-1) : gone;
    for (const waiter of dropped) {
      this.#takeOut(waiter);
      waiter.begin(false);
    }
  }

  #takeOut(waiter: Waiter): void {
    const { address, holder } = waiter;
    const line = this.#lines.get(address)!;
    line.splice(line.indexOf(waiter), 1);
    if (line.length === 0) this.#lines.delete(address);
    this.#holders.delete(holder);
    this.#waiting -= 1;
  }

  /** Hands the place to the next address and sends that address to the end. */
  #next(): void {
    for (const [address, line] of this.#lines) {
      const waiter = line[0]!;
      this.#takeOut(waiter);
      this.#lines.delete(address);
      if (line.length > 0) this.#lines.set(address, line);
      const isThere = waiter.connection?.destroyed !== true;
      waiter.begin(isThere);
      if (isThere) return;
    }
    this.#running -= 1;
  }
}

function mayBeClosed(connection: Connection | null): boolean {
  return connection !== null && (connection.destroyed || connection.readableEnded);
}
