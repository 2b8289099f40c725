// Requests on a connection that Node has read and nobody has answered yet.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

interface Debt {
  /** Requests that came and are not answered. */
  count: number;
  /** The latest of them. */
  latest: IncomingMessage | null;
  /** Called when nothing that came whole is owed any more. */
  settled: (() => void) | null;
}

export class OwedAnswers {
  readonly #debts = new WeakMap<Socket, Debt>();

  isOwed(socket: Socket): boolean {
    return (this.#debts.get(socket)?.count ?? 0) > 0;
  }

  /** Whether a request that came whole is owed its answer. */
  hasWhole(socket: Socket): boolean {
    return this.#debts.get(socket)?.latest?.complete === true;
  }

  /** Calls back once all requests that came whole are answered: at once if they are. The first caller is the only one. */
  whenSettled(socket: Socket, settled: () => void): void {
    const debt = this.#debts.get(socket);
    if (debt === undefined || isSettled(debt)) settled();
    else debt.settled ??= settled;
  }

  /** The head of a request came. */
  begin(request: IncomingMessage): void {
    const { socket } = request;
    let debt = this.#debts.get(socket);
    if (debt === undefined) {
      debt = { count: 0, latest: null, settled: null };
      this.#debts.set(socket, debt);
    }
    debt.count += 1;
    debt.latest = request;
  }

  /** Its answer is on its way, to the last byte. */
  end(request: IncomingMessage): void {
    const debt = this.#debts.get(request.socket);
    if (debt === undefined) return;
    debt.count -= 1;
    if (debt.latest === request) debt.latest = null;
    const { settled } = debt;
    if (settled === null || !isSettled(debt)) return;
    debt.settled = null;
    settled();
  }
}

/** A request that broke off half-way is never answered, and only the latest can be one. */
function isSettled({ count, latest }: Debt): boolean {
  return count === 0 || (count === 1 && latest !== null && !latest.complete);
}
