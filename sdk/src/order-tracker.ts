// Knows the true state of every order of an account, over lost answers, lost connections and crashes of either side:
// what the stream says is joined with what the service answers when asked.

import type { SibylClient } from './client.ts';
import { SibylError } from './errors.ts';
import { NotFoundError } from './generated/errors.ts';
import type { FrameOn } from './socket/frames.ts';
import type { SibylSocket } from './socket/socket.ts';
import type { Subscription } from './socket/subscription.ts';
import type { Answer, Body } from './types.ts';

export type TrackedOrder = Answer<'getOrder'>;

export type TrackerOptions = {
  /**
   * Called with the name of an order before it is sent. Write it down where it outlives your program, and hand what
   * you find there to `recover` when you start again: then no order is ever forgotten.
   */
  readonly onIntent?: (clientOrderId: string) => void | Promise<void>;
  /** Called with each new state of an order, once and in order. */
  readonly onChange?: (order: TrackedOrder) => void;
  /** The service could not be asked about an order; it is asked again after the next connection. */
  readonly onFault?: (error: unknown) => void;
};

const OPEN: ReadonlySet<string> = new Set(['pending', 'partially_filled']);

/** Orders that have ended and are still remembered; older ones can be asked for. */
const ENDED_MAX = 10_000;

export class OrderTracker {
  /** Settles when every open order is known. */
  readonly ready: Promise<void>;
  readonly #client: SibylClient;
  readonly #options: TrackerOptions;
  readonly #subscription: Subscription<FrameOn<'account'>>;
  readonly #orders = new Map<string, TrackedOrder>();
  readonly #idOf = new Map<string, string>();
  readonly #ended: string[] = [];
  /** Sent, and not yet heard of. */
  readonly #unsure = new Set<string>();
  #becomeReady: () => void = () => undefined;

  constructor(client: SibylClient, socket: SibylSocket, options: TrackerOptions = {}) {
    this.#client = client;
    this.#options = options;
    this.ready = new Promise((resolve) => {
      this.#becomeReady = resolve;
    });
    this.#subscription = socket.subscribe('account', { onFrame: (frame) => this.#hear(frame) });
  }

  /** Orders that can still fill. */
  get open(): readonly TrackedOrder[] {
    return [...this.#orders.values()].filter((order) => OPEN.has(order.status));
  }

  /** Names of orders that were sent and of which it is not known yet whether they arrived. */
  get unsure(): readonly string[] {
    return [...this.#unsure];
  }

  /** By order id or by your own name; undefined if it is not known. */
  get(idOrName: string): TrackedOrder | undefined {
    return this.#orders.get(this.#idOf.get(idOrName) ?? idOrName);
  }

  /** Places an order and follows it. Throws what the service answered; a lost answer is found out instead of thrown. */
  async place(body: Body<'placeOrder'>): Promise<TrackedOrder> {
    const name = body.client_order_id ?? crypto.randomUUID();
    await this.#options.onIntent?.(name);
    this.#unsure.add(name);
    try {
      const placed = await this.#client.orders.place({ ...body, client_order_id: name });
      this.#unsure.delete(name);
      this.#take(placed);
      return placed;
    } catch (error) {
      const isRefused = error instanceof SibylError && error.status < 500;
      if (isRefused) this.#unsure.delete(name);
      const found = isRefused ? null : await this.#find(name);
      if (found !== null) return found;
      throw error;
    }
  }

  /** Finds out what became of orders of an earlier run; gives those that exist. */
  async recover(names: Iterable<string>): Promise<readonly TrackedOrder[]> {
    const found: TrackedOrder[] = [];
    for (const name of names) {
      this.#unsure.add(name);
      const order = await this.#find(name);
      if (order !== null) found.push(order);
    }
    return found;
  }

  /** Stops following; what is known stays. */
  close(): void {
    this.#subscription.close();
  }

  /** What the service knows by this name: null if nothing, or if it cannot be asked, and then it stays unsure. */
  async #find(name: string): Promise<TrackedOrder | null> {
    try {
      const order = await this.#client.orders.get(`coid:${name}`);
      this.#unsure.delete(name);
      this.#take(order);
      return order;
    } catch (error) {
      if (error instanceof NotFoundError) this.#unsure.delete(name);
      else this.#options.onFault?.(error);
      return null;
    }
  }

  #hear(frame: FrameOn<'account'>): void {
    // Orders of subaccounts are told too; they cannot be asked about without saying whose they are.
    if ('subaccount_id' in frame.data && frame.data.subaccount_id !== undefined) return;
    switch (frame.type) {
      case 'account':
        this.#compare(frame.data.orders);
        break;
      case 'order_accepted':
      case 'order_updated':
      case 'order_cancelled':
        this.#take(frame.data.order);
        break;
      case 'order_rejected':
        if (frame.data.order !== null) this.#take(frame.data.order);
        break;
      default:
    }
  }

  /** A snapshot shows what is open; of the others that were, the service is asked how they ended. */
  #compare(open: readonly TrackedOrder[]): void {
    const ids = new Set(open.map((order) => order.order_id));
    for (const order of open) this.#take(order);
    const ended = this.open.filter((order) => !ids.has(order.order_id));
    const asked = [
      ...ended.map((order) => this.#ask(order.order_id)),
      ...[...this.#unsure].map((name) => this.#find(name)),
    ];
    Promise.all(asked).then(this.#becomeReady, this.#options.onFault);
  }

  async #ask(orderId: string): Promise<void> {
    try {
      this.#take(await this.#client.orders.get(orderId));
    } catch (error) {
      this.#options.onFault?.(error);
    }
  }

  /** The same state comes by several ways and in any order: only what is newer counts. */
  #take(order: TrackedOrder): void {
    const known = this.#orders.get(order.order_id);
    if (known !== undefined && !isNewer(order, known)) return;
    this.#orders.set(order.order_id, order);
    if (order.client_order_id !== null) {
      this.#idOf.set(order.client_order_id, order.order_id);
      this.#unsure.delete(order.client_order_id);
    }
    if (!OPEN.has(order.status)) this.#forgetOldest(order.order_id);
    this.#options.onChange?.(order);
  }

  #forgetOldest(endedId: string): void {
    this.#ended.push(endedId);
    if (this.#ended.length <= ENDED_MAX) return;
    const oldest = this.#ended.shift() ?? '';
    const name = this.#orders.get(oldest)?.client_order_id ?? null;
    this.#orders.delete(oldest);
    if (name !== null) this.#idOf.delete(name);
  }
}

/** An order that has ended does not open again, and what is filled stays filled. */
function isNewer(order: TrackedOrder, known: TrackedOrder): boolean {
  if (!OPEN.has(known.status)) return false;
  if (!OPEN.has(order.status)) return true;
  if (order.updated_at_ms !== known.updated_at_ms) return order.updated_at_ms > known.updated_at_ms;
  const isFilledMore = Number(order.filled_size) > Number(known.filled_size);
  return isFilledMore || order.size !== known.size || order.price !== known.price;
}
