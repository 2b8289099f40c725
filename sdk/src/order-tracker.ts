// Knows the true state of every order of an account, over lost answers, lost connections and crashes of either side:
// what the stream says is joined with what the service answers when asked.

import type { SibylClient } from './client.ts';
import { SibylConnectionError, SibylError } from './errors.ts';
import { NotFoundError } from './generated/errors.ts';
import type { AnswerMeta } from './options.ts';
import { pause } from './pause.ts';
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
  /**
   * How long `place` asks about an order whose answer was lost, 2 minutes by default: enough for a restart of the
   * service. After that it throws, and the name stays in `unsure`.
   */
  readonly findOutMs?: number;
};

const FIND_OUT_MS = 120_000;
const FIRST_PAUSE_MS = 250;
const PAUSE_MS_MAX = 5_000;
/** A request that timed out may still arrive, so one answer without the order does not prove that there is none. */
const MISSES_MIN = 2;

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
  readonly #closing = new AbortController();
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

  /**
   * Places an order and follows it. Throws what the service answered. If the answer was lost, asks until the service
   * says whether the order arrived, through a restart as well: returns the order, or throws if it was not placed.
   */
  async place(body: Body<'placeOrder'>): Promise<TrackedOrder> {
    const name = body.client_order_id ?? crypto.randomUUID();
    await this.#options.onIntent?.(name);
    this.#unsure.add(name);
    let attempts = 1;
    const onAnswer = (meta: AnswerMeta): void => {
      attempts = meta.attempts;
    };
    const order = { ...body, client_order_id: name };
    try {
      const placed = await this.#client.orders.place(order, undefined, { onAnswer });
      this.#unsure.delete(name);
      this.#take(placed);
      return placed;
    } catch (error) {
      // The refusal of a repetition says nothing of the first attempt, whose answer was lost.
      if (isRefusal(error) && attempts === 1) this.#unsure.delete(name);
      else {
        const found = await this.#findOut(name, body);
        if (found !== null) return found;
      }
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

  /** Stops following and asking; what is known stays. */
  close(): void {
    this.#closing.abort();
    this.#subscription.close();
  }

  /** The order, or null: it was not placed, or the service could not be asked in time and it stays unsure. */
  async #findOut(name: string, whose: Whose): Promise<TrackedOrder | null> {
    const endMs = Date.now() + (this.#options.findOutMs ?? FIND_OUT_MS);
    let misses = 0;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, PAUSE_MS_MAX)) {
      this.#unsure.add(name);
      const answer = await this.#lookUp(name, whose);
      if (answer === 'missing') misses += 1;
      else if (!isFault(answer)) return answer;
      else if (!isTemporary(answer.fault) || Date.now() >= endMs || this.#closing.signal.aborted) {
        this.#options.onFault?.(answer.fault);
        return null;
      }
      if (misses >= MISSES_MIN) {
        this.#unsure.delete(name);
        return null;
      }
      await pause(pauseMs, this.#closing.signal).catch(() => undefined);
    }
  }

  /** What the service knows by this name: null if nothing, or if it cannot be asked, and then it stays unsure. */
  async #find(name: string): Promise<TrackedOrder | null> {
    const answer = await this.#lookUp(name, {});
    if (answer === 'missing') this.#unsure.delete(name);
    else if (!isFault(answer)) return answer;
    else this.#options.onFault?.(answer.fault);
    return null;
  }

  async #lookUp(name: string, whose: Whose): Promise<TrackedOrder | 'missing' | Fault> {
    const known = this.get(name);
    if (known !== undefined) return known;
    const { subaccount_id, on_behalf_of } = whose;
    const query = {
      ...(subaccount_id !== undefined && { subaccount_id }),
      ...(on_behalf_of !== undefined && { on_behalf_of }),
    };
    try {
      const order = await this.#client.orders.get(`coid:${name}`, query);
      this.#unsure.delete(name);
      this.#take(order);
      return order;
    } catch (fault) {
      return fault instanceof NotFoundError ? 'missing' : { fault };
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

type Whose = Pick<Body<'placeOrder'>, 'subaccount_id' | 'on_behalf_of'>;
type Fault = { readonly fault: unknown };

function isFault(answer: TrackedOrder | Fault): answer is Fault {
  return 'fault' in answer;
}

/** The request was answered, and did nothing. */
function isRefusal(error: unknown): boolean {
  if (error instanceof SibylConnectionError) return false;
  if (!(error instanceof SibylError)) return true;
  return error.status < 500 && error.code !== 'IDEMPOTENCY_IN_FLIGHT';
}

/** Asking again may get another answer. */
function isTemporary(fault: unknown): boolean {
  return !isRefusal(fault) || (fault instanceof SibylError && fault.retryable);
}

/** An order that has ended does not open again, and what is filled stays filled. */
function isNewer(order: TrackedOrder, known: TrackedOrder): boolean {
  if (!OPEN.has(known.status)) return false;
  if (!OPEN.has(order.status)) return true;
  if (order.updated_at_ms !== known.updated_at_ms) return order.updated_at_ms > known.updated_at_ms;
  const isFilledMore = Number(order.filled_size) > Number(known.filled_size);
  return isFilledMore || order.size !== known.size || order.price !== known.price;
}
