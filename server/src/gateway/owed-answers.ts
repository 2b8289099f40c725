// Requests on a connection that Node has read and nobody has answered yet.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

interface Debt {
  /** Requests that came and are not answered. */
  count: number;
  /** The latest of them; one that was answered before its body came whole stays. */
  latest: IncomingMessage | null;
  /** Whether the answer to the latest is being sent, or was. */
  isAnswered: boolean;
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
    return this.isOwed(socket) && this.#debts.get(socket)?.latest?.complete === true;
  }

  /** Whether what comes now is still the body of a request that has its answer already. */
  isInAnswered(socket: Socket): boolean {
    const debt = this.#debts.get(socket);
    return debt?.isAnswered === true && debt.latest?.complete === false;
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
      debt = { count: 0, latest: null, isAnswered: false, settled: null };
      this.#debts.set(socket, debt);
    }
    debt.count += 1;
    debt.latest = request;
    debt.isAnswered = false;
  }

  /** Its answer is about to be written. */
  answer(request: IncomingMessage): void {
    const debt = this.#debts.get(request.socket);
    if (debt?.latest === request) debt.isAnswered = true;
  }

  /** Its answer is on its way, to the last byte. */
  end(request: IncomingMessage): void {
    const debt = this.#debts.get(request.socket);
    if (debt === undefined) return;
    debt.count -= 1;
    if (debt.latest === request && request.complete) debt.latest = null;
    const { settled } = debt;
    if (settled === null || !isSettled(debt)) return;
    debt.settled = null;
    settled();
  }
}

/** A request that broke off half-way is never answered unless its answer is on its way, and only the latest can be one. */
function isSettled({ count, latest, isAnswered }: Debt): boolean {
  return count === 0 || (count === 1 && latest !== null && !latest.complete && !isAnswered);
}
