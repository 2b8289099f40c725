// A recorded stream of all sorts of trading commands over all sorts of markets, for the speed of a replay.
import type { AccountId, CommandBody, MarketId, OrderId, PlaceOrder } from '@sibyl/engine';
import { type Lots, lots, PIPS_ONE, pips, usdt } from '@sibyl/money';
import { mulberry32 } from '../workload/mulberry32.ts';
import { actAs, Lane, type TemplateChoice } from './lane.ts';

const ACCOUNTS = 200;
const MARKETS_PER_TEMPLATE = 10;
const SETS_LOTS = lots(50_000);
const SEED = 2;
const POOL = usdt(1_000_000_000n);

const TEMPLATES: readonly TemplateChoice[] = [
  { id: 'mixed_book', schema: 'binary', outcomes: 2, deposit: usdt(0n) },
  { id: 'mixed_binary', schema: 'binary', outcomes: 2, deposit: POOL },
  { id: 'mixed_scalar', schema: 'scalar', outcomes: 2, deposit: POOL },
  { id: 'mixed_multi', schema: 'multi', outcomes: 4, deposit: POOL },
];

/** The lane that recorded it: its journal is the stream, its state what a replay must come to. */
export function recordMixedStream(count: number): Lane {
  const recorder = new MixedRecorder();
  for (let index = 0; index < count; index += 1) recorder.drawOne();
  return recorder.lane;
}

interface LiveOrder {
  readonly orderId: OrderId;
  readonly accountId: AccountId;
}

class MixedRecorder {
  readonly lane = new Lane(true);
  readonly #next = mulberry32(SEED);
  readonly #accounts: readonly AccountId[];
  readonly #markets: readonly { readonly id: MarketId; readonly outcomes: readonly string[] }[];
  readonly #live: LiveOrder[] = [];
  #deposits = 0;

  constructor() {
    const { lane } = this;
    for (const template of TEMPLATES) lane.publish(template);
    this.#markets = TEMPLATES.flatMap(({ id }) =>
      Array.from({ length: MARKETS_PER_TEMPLATE }, (_, number) => {
        const marketId = lane.createMarket(id, number);
        const outcomes = lane.state.markets.get(marketId)?.outcomes.map((outcome) => outcome.id);
        return { id: marketId, outcomes: outcomes ?? [] };
      }),
    );
    this.#accounts = Array.from({ length: ACCOUNTS }, (_, number) =>
      lane.openFunded(`mix${number}`),
    );
    for (const accountId of this.#accounts) {
      for (const { id: marketId } of this.#markets) {
        const sets = { accountId, marketId, lots: SETS_LOTS, caps: null, grant: null };
        this.#send({ type: 'mint_sets', ...sets }, accountId);
      }
    }
  }

  /** Shares of the kinds as on a busy day: mostly limits and cancels, some takers, a little of the rest. */
  drawOne(): void {
    const kind = this.#next() % 100;
    const accountId = this.#accounts[this.#next() % ACCOUNTS]!;
    if (kind < 55) this.#place(this.#drawOrder(accountId, 'limit'));
    else if (kind < 75) this.#cancel();
    else if (kind < 87) this.#place(this.#drawOrder(accountId, 'market'));
    else if (kind < 91) this.#amend();
    else if (kind < 94) this.#convert(accountId);
    else if (kind < 96) this.#deposit(accountId);
    else if (kind < 98) this.#batch(accountId);
    else if (kind < 99) {
      const timeoutMs = 300_000;
      this.#send({ type: 'heartbeat', accountId, timeoutMs, marketId: null }, accountId);
    } else this.lane.send({ type: 'tick' });
  }

  #drawOrder(accountId: AccountId, orderType: PlaceOrder['orderType']): PlaceOrder {
    const next = this.#next;
    const market = this.#markets[next() % this.#markets.length]!;
    const side = next() % 2 === 0 ? 'buy' : 'sell';
    const fair = Math.floor(PIPS_ONE / market.outcomes.length);
    // One in four crosses the fair price a little and so takes what is there.
    const away = (next() % 400) - 100;
    return {
      type: 'place_order',
      accountId,
      marketId: market.id,
      outcomeId: market.outcomes[next() % market.outcomes.length]!,
      side,
      orderType,
      price: orderType === 'market' ? null : pips(side === 'buy' ? fair - away : fair + away),
      lots: this.#drawLots(),
      timeInForce: orderType === 'market' ? 'ioc' : 'gtc',
      expiresAtMs: null,
      postOnly: false,
      reduceOnly: false,
      stpMode: 'cancel_resting',
      maxCost: null,
      validUntilMs: null,
      clientOrderId: `c${next()}`,
      builder: null,
      caps: null,
      grant: null,
      execution: 'hybrid',
      acceptPrice: false,
    };
  }

  #drawLots(): Lots {
    return lots(1 + (this.#next() % 1_000));
  }

  #place(order: PlaceOrder): void {
    const { answer } = this.#send(order, order.accountId);
    if (answer.ok && answer.result.kind === 'order') this.#remember(answer.result.order);
  }

  #remember(order: LiveOrder & { readonly status: string }): void {
    if (order.status !== 'pending' && order.status !== 'partially_filled') return;
    this.#live.push({ orderId: order.orderId, accountId: order.accountId });
  }

  /** Some have been filled meanwhile: their cancels are refused, as in reality. */
  #cancel(): void {
    const index = this.#next() % Math.max(1, this.#live.length);
    const order = this.#live[index];
    if (order === undefined) return;
    this.#live[index] = this.#live[this.#live.length - 1]!;
    this.#live.pop();
    this.#send({ type: 'cancel_order', ...order }, order.accountId);
  }

  #amend(): void {
    const order = this.#live[this.#next() % Math.max(1, this.#live.length)];
    if (order === undefined) return;
    const change = { price: null, lots: this.#drawLots(), caps: null, grant: null };
    this.#send({ type: 'amend_order', ...order, ...change }, order.accountId);
  }

  #convert(accountId: AccountId): void {
    const marketId = this.#markets[this.#next() % this.#markets.length]!.id;
    const isMint = this.#next() % 2 === 0;
    const sets = { accountId, marketId, lots: this.#drawLots() };
    if (isMint) this.#send({ type: 'mint_sets', ...sets, caps: null, grant: null }, accountId);
    else this.#send({ type: 'merge_sets', ...sets }, accountId);
  }

  #deposit(accountId: AccountId): void {
    this.#deposits += 1;
    const reference = `mixed ${this.#deposits}`;
    this.lane.send({ type: 'deposit', accountId, amount: usdt(1_000_000n), reference });
  }

  #batch(accountId: AccountId): void {
    const items = Array.from({ length: 5 }, () => this.#drawOrder(accountId, 'limit'));
    const { answer } = this.#send({ type: 'batch', accountId, items, allOrNone: false }, accountId);
    if (!answer.ok || answer.result.kind !== 'batch') return;
    for (const item of answer.result.items) {
      if (item.ok && item.result.kind === 'order') this.#remember(item.result.order);
    }
  }

  #send(body: CommandBody, accountId: AccountId) {
    return this.lane.send(body, actAs(accountId));
  }
}
