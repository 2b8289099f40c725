// Turns committed commands into rows of the read model, gathered in memory until the next flush.
import type {
  Event,
  MakerFill,
  MarketId,
  OrderView,
  OutcomeId,
  PositionSettled,
  State,
  TradeExecuted,
} from '@sibyl/engine';
import type { CommittedCommand } from '../sequencer/submission.ts';
import { Gathered } from './gathered.ts';
import { amendedState, cancelledState, filledState, termsOf } from './order-rows.ts';
import { type Numbering, Statements } from './statements.ts';
import { addFill, addTrade } from './trade-tables.ts';

interface MarketEntry {
  readonly number: number;
  readonly outcomes: readonly OutcomeId[];
}

const DAY_MS = 86_400_000;
/** The sandbox's own counterparty is nobody who is paid. */
const HOUSE = 'sandbox:house';

export class Projection {
  readonly #number: Numbering;
  readonly #statements: Statements;
  readonly #markets = new Map<MarketId, MarketEntry>();
  readonly #outcomes = new Map<number, readonly OutcomeId[]>();
  /** Under which key an open order was placed: what it trades as a maker counts for that key. */
  readonly #keys = new Map<number, number>();
  #lastPaid = '';
  #gathered = new Gathered();

  constructor(number: Numbering) {
    this.#number = number;
    this.#statements = new Statements(number, this.#gathered.statements);
  }

  /** Rows since the last flush. */
  get gathered(): Gathered {
    return this.#gathered;
  }

  outcomeId(market: number, outcome: number): OutcomeId {
    const outcomeId = this.#outcomes.get(market)?.[outcome];
    if (outcomeId === undefined) throw new Error(`market ${market} has no outcome ${outcome}`);
    return outcomeId;
  }

  /** What the commands that follow build on. */
  begin(state: State): void {
    this.#statements.begin(state);
    for (const market of state.markets.values()) this.#enterMarket(market.id, market.outcomes);
    for (const order of state.orders.values()) {
      if (order.keyId !== null) this.#keys.set(order.id, this.#number('key', order.keyId));
    }
  }

  apply(committed: CommittedCommand): void {
    const { events, seq, atMs } = committed.outcome;
    const gathered = this.#gathered;
    gathered.seq = seq;
    gathered.commands += 1;
    if (events.length === 0) return;
    this.#statements.enter(seq, atMs);
    let trade: TradeExecuted | null = null;
    let marketId: MarketId | null = null;
    for (let index = 0; index < events.length; index += 1) {
      const event = events[index]!;
      if (event.type === 'ledger_posted') {
        this.#statements.post(event, trade, marketId);
      } else {
        trade = event.type === 'trade_executed' ? event : null;
        marketId = marketOf(event) ?? marketId;
        this.#project(event, committed);
      }
    }
  }

  /** Everything since the last call; `empty` takes what comes next. */
  take(empty: Gathered): Gathered {
    const gathered = this.#gathered;
    this.#gathered = empty;
    this.#statements.turnTo(empty.statements);
    return gathered;
  }

  #project(event: Event, committed: CommittedCommand): void {
    const { atMs } = committed.outcome;
    switch (event.type) {
      case 'order_placed':
        this.#placeOrder(event.order, committed);
        break;
      case 'order_amended':
        this.#amendOrder(event.order, atMs);
        break;
      case 'order_cancelled':
        this.#gathered.orders.change(cancelledState(event, this.#account(event.accountId), atMs));
        this.#keys.delete(event.orderId);
        break;
      case 'trade_executed':
        this.#trade(event, atMs);
        break;
      case 'position_settled':
        this.#payOut(event);
        break;
      case 'market_created':
        this.#enterMarket(event.marketId, event.outcomes);
        break;
      case 'template_published': {
        const { template, version } = event;
        this.#gathered.templates.push({ templateId: template.id, version, publishedAtMs: atMs });
        break;
      }
    }
  }

  #placeOrder(view: OrderView, committed: CommittedCommand): void {
    const { number: market, outcomes } = this.#market(view.marketId);
    const key = view.keyId === null ? null : this.#number('key', view.keyId);
    const { validUntilMs, maxCost } = termsOf(committed.command, committed.outcome, view.orderId);
    this.#gathered.orders.place(view, {
      account: this.#account(view.accountId),
      market,
      outcome: outcomes.indexOf(view.outcomeId),
      key,
      validUntilMs,
      maxCost,
    });
    if (key !== null && isOpen(view)) this.#keys.set(view.orderId, key);
  }

  #amendOrder(view: OrderView, atMs: number): void {
    this.#gathered.orders.change(amendedState(view, this.#account(view.accountId), atMs));
    if (!isOpen(view)) this.#keys.delete(view.orderId);
  }

  #trade(event: TradeExecuted, atMs: number): void {
    const { number: market, outcomes } = this.#market(event.marketId);
    const { tradeId, side, lots, cost, takerKeyId } = event;
    const outcome = outcomes.indexOf(event.outcomeId);
    const gathered = this.#gathered;
    const day = (atMs - (atMs % DAY_MS)) / DAY_MS;
    addTrade(gathered.trades, market, { tradeId, outcome, side, lots, cost, atMs });
    gathered.candles.add(market, outcome, lots, cost, atMs);
    addFill(gathered.fills, this.#account(event.takerId), {
      tradeId,
      orderId: event.takerOrderId,
      market,
      outcome,
      side,
      lots,
      cost,
      fee: event.fee + event.builderFee,
      rebate: 0n,
      isMaker: false,
      venue: event.source === 'book' ? 'clob' : 'amm',
      atMs,
    });
    if (takerKeyId !== null) gathered.addVolume(this.#number('key', takerKeyId), day, cost);
    for (let maker = event.firstMaker; maker !== null; maker = maker.next) {
      this.#fillMaker(event, maker, market, outcomes, atMs, day);
    }
  }

  #fillMaker(
    { tradeId }: TradeExecuted,
    maker: MakerFill,
    market: number,
    outcomes: readonly OutcomeId[],
    atMs: number,
    day: number,
  ): void {
    const account = this.#account(maker.accountId);
    const { orderId, side, lots, rebate } = maker;
    const cost = BigInt(lots * maker.price);
    this.#gathered.orders.change(filledState(maker, account, atMs));
    const key = this.#keys.get(orderId);
    if (key !== undefined) {
      this.#gathered.addVolume(key, day, cost);
      if (maker.remainingLots === 0) this.#keys.delete(orderId);
    }
    addFill(this.#gathered.fills, account, {
      tradeId,
      orderId,
      market,
      outcome: outcomes.indexOf(maker.outcomeId),
      side,
      lots,
      cost,
      fee: 0n,
      rebate,
      isMaker: true,
      venue: 'clob',
      atMs,
    });
  }

  /** The outcomes of one holder follow one another, so each holder is counted once. */
  #payOut({ accountId, marketId, payout, settleFee }: PositionSettled): void {
    if (payout === 0n || accountId === HOUSE) return;
    const holder = `${marketId} ${accountId}`;
    const { number } = this.#market(marketId);
    this.#gathered.addPayout(number, holder !== this.#lastPaid, payout - settleFee);
    this.#lastPaid = holder;
  }

  #account(accountId: string): number {
    return this.#number('account', accountId);
  }

  #market(marketId: MarketId): MarketEntry {
    const entry = this.#markets.get(marketId);
    if (entry === undefined) throw new Error(`the projection does not know market ${marketId}`);
    return entry;
  }

  #enterMarket(marketId: MarketId, outcomes: readonly { readonly id: OutcomeId }[]): void {
    const number = this.#number('market', marketId);
    const ids = outcomes.map(({ id }) => id);
    this.#markets.set(marketId, { number, outcomes: ids });
    this.#outcomes.set(number, ids);
  }
}

function isOpen(view: OrderView): boolean {
  return view.status === 'pending' || view.status === 'partially_filled';
}

function marketOf(event: Event): MarketId | null {
  switch (event.type) {
    case 'order_placed':
    case 'order_amended':
      return event.order.marketId;
    case 'order_cancelled':
    case 'trade_executed':
      return event.marketId;
    default:
      return null;
  }
}
