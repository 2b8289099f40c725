// Turns committed commands into rows of the read model, which are kept in memory until the next flush.
import {
  type Event,
  type MakerFill,
  type MarketId,
  type OrderCancelled,
  type OrderView,
  type OutcomeId,
  type PositionSettled,
  publicVolume,
  STATUS_CODES,
  type State,
  type TradeExecuted,
} from '@sibyl/engine';
import type { CommittedCommand } from '@sibyl/lane';
import { reasonCode } from '../generated/order.ts';
import { EarningProjection } from './earning-projection.ts';
import { indexIn } from './index-in.ts';
import { OpenKeys } from './open-keys.ts';
import { type Numbering, Statements } from './statements.ts';
import { addMakerFill, addTakerFill, addTrade } from './trade-tables.ts';
import { UnflushedRows } from './unflushed-rows.ts';

interface MarketEntry {
  readonly number: number;
  readonly outcomes: readonly OutcomeId[];
}

const DAY_MS = 86_400_000;
/** The sandbox's own counterparty is nobody who is paid. */
const HOUSE = 'sandbox:house';

const FILLED = STATUS_CODES.filled;
const PARTIALLY_FILLED = STATUS_CODES.partially_filled;
const CANCELLED = STATUS_CODES.cancelled;

export class Projection {
  readonly #number: Numbering;
  readonly #statements: Statements;
  readonly #earnings: EarningProjection;
  readonly #markets = new Map<MarketId, MarketEntry>();
  readonly #outcomes = new Map<number, readonly OutcomeId[]>();
  /** Under which key an open order was placed: what it trades as a maker counts for that key. */
  readonly #keys = new OpenKeys();
  #lastPaid = '';
  #lastMarketId: MarketId | null = null;
  #lastMarket: MarketEntry = { number: 0, outcomes: [] };
  #unflushed = new UnflushedRows();

  constructor(number: Numbering) {
    this.#number = number;
    this.#statements = new Statements(number, this.#unflushed.statements);
    this.#earnings = new EarningProjection(number);
  }

  /** Rows since the last flush. */
  get unflushed(): UnflushedRows {
    return this.#unflushed;
  }

  outcomeId(market: number, outcome: number): OutcomeId {
    const outcomeId = this.#outcomes.get(market)?.[outcome];
    if (outcomeId === undefined) throw new Error(`market ${market} has no outcome ${outcome}`);
    return outcomeId;
  }

  /** What the commands that follow build on. */
  begin(state: State): void {
    this.#statements.begin(state);
    this.#earnings.begin(state);
    for (const market of state.markets.values()) this.#enterMarket(market.id, market.outcomes);
    for (const order of state.orders.values()) {
      if (order.keyId !== null) this.#keys.set(order.id, this.#number.key(order.keyId));
    }
  }

  apply(committed: CommittedCommand): void {
    const { events, seq, atMs } = committed.outcome;
    const unflushed = this.#unflushed;
    unflushed.seq = seq;
    unflushed.commands += 1;
    if (events.length === 0) return;
    this.#statements.enter(seq, atMs);
    let trade: TradeExecuted | null = null;
    let market = 0;
    let taker = 0;
    for (let index = 0; index < events.length; index += 1) {
      const event = events[index]!;
      switch (event.type) {
        case 'ledger_posted':
          this.#statements.post(event, trade, taker, market);
          this.#earnings.post(unflushed, event, this.#marketNumber, atMs);
          break;
        case 'order_placed':
          trade = null;
          market = this.#market(event.order.marketId).number;
          this.#placeOrder(event.order);
          break;
        case 'trade_executed':
          trade = event;
          market = this.#market(event.marketId).number;
          taker = this.#account(event.takerId);
          this.#trade(event, taker, atMs);
          break;
        default:
          trade = null;
          market = this.#marketOf(event) ?? market;
          this.#project(event, atMs);
      }
    }
  }

  /** Everything since the last call; `empty` takes what comes next. */
  take(empty: UnflushedRows): UnflushedRows {
    const unflushed = this.#unflushed;
    this.#unflushed = empty;
    this.#statements.turnTo(empty.statements);
    return unflushed;
  }

  /** What is neither an order nor a trade. */
  #project(event: Event, atMs: number): void {
    switch (event.type) {
      case 'order_amended':
        this.#amendOrder(event.order, atMs);
        break;
      case 'order_cancelled':
        this.#cancelOrder(event, atMs);
        break;
      case 'position_settled':
        this.#payOut(event);
        break;
      case 'market_created':
        this.#enterMarket(event.marketId, event.outcomes);
        this.#earnings.enterMarket(event.marketId, event.accountId);
        break;
      case 'account_opened':
      case 'demo_registered':
        this.#earnings.enterAccount(event.accountId, event.referrerId);
        break;
      case 'fees_credited':
        this.#earnings.credit(this.#unflushed, event, atMs);
        break;
      case 'template_published': {
        const { template, version } = event;
        this.#unflushed.templates.push({ templateId: template.id, version, publishedAtMs: atMs });
        break;
      }
      case 'chain_data_attached': {
        const { record, data } = event;
        if (record.kind === 'trade') this.#unflushed.chainData.push({ tradeId: record.id, data });
        break;
      }
    }
  }

  #placeOrder(view: OrderView): void {
    const { number: market, outcomes } = this.#market(view.marketId);
    const key = view.keyId === null ? 0 : this.#number.key(view.keyId);
    const account = this.#account(view.accountId);
    const outcome = indexIn(outcomes, view.outcomeId);
    const { builderAppId } = view;
    const app = builderAppId === null ? 0 : this.#earnings.builder(builderAppId);
    this.#unflushed.orders.place(view, account, market, outcome, key, app);
    if (key !== 0 && isOpen(view)) this.#keys.set(view.orderId, key);
  }

  #amendOrder(view: OrderView, atMs: number): void {
    this.#unflushed.orders.amend(this.#account(view.accountId), view, atMs);
    if (!isOpen(view)) this.#keys.delete(view.orderId);
  }

  #cancelOrder({ orderId, accountId, filledLots, reason }: OrderCancelled, atMs: number): void {
    const account = this.#account(accountId);
    const code = reasonCode(null, reason);
    this.#unflushed.orders.change(account, orderId, filledLots, CANCELLED, code, atMs);
    this.#keys.delete(orderId);
  }

  #trade(event: TradeExecuted, taker: number, atMs: number): void {
    const { number: market, outcomes } = this.#market(event.marketId);
    const { cost, takerKeyId } = event;
    const outcome = indexIn(outcomes, event.outcomeId);
    const unflushed = this.#unflushed;
    const day = Math.floor(atMs / DAY_MS);
    addTrade(unflushed.trades, market, event, outcome, atMs);
    unflushed.candles.add(market, outcome, event.lots, cost, atMs);
    addTakerFill(unflushed.fills, taker, event, market, outcome, atMs);
    this.#earnings.trade(unflushed, event, market, atMs);
    // A key graduates by what it trades with others.
    const volume = publicVolume(event.costMicro, event.lots);
    if (takerKeyId !== null && event.source !== 'house' && volume > 0)
      unflushed.addVolume(this.#number.key(takerKeyId), day, cost);
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
    const { orderId, filledLots, remainingLots } = maker;
    const cost = BigInt(maker.lots * maker.price);
    const status = remainingLots === 0 ? FILLED : PARTIALLY_FILLED;
    this.#unflushed.orders.change(
      account,
      orderId,
      filledLots,
      status,
      reasonCode(null, null),
      atMs,
    );
    const key = this.#keys.get(orderId);
    if (key !== 0) {
      if (publicVolume(maker.lots * maker.price, maker.lots) > 0)
        this.#unflushed.addVolume(key, day, cost);
      if (remainingLots === 0) this.#keys.delete(orderId);
    }
    const outcome = indexIn(outcomes, maker.outcomeId);
    addMakerFill(this.#unflushed.fills, account, tradeId, maker, cost, market, outcome, atMs);
  }

  /** The outcomes of one holder follow one another, so each holder is counted once. */
  #payOut({ accountId, marketId, payout, settleFee }: PositionSettled): void {
    if (payout === 0n || accountId === HOUSE) return;
    const holder = `${marketId} ${accountId}`;
    const { number } = this.#market(marketId);
    this.#unflushed.addPayout(number, holder !== this.#lastPaid, payout - settleFee);
    this.#lastPaid = holder;
  }

  #account(accountId: string): number {
    return this.#number.account(accountId);
  }

  /** Events of one command are mostly of one market, which they name with the same string. */
  #market(marketId: MarketId): MarketEntry {
    if (marketId === this.#lastMarketId) return this.#lastMarket;
    const entry = this.#markets.get(marketId);
    if (entry === undefined) throw new Error(`the projection does not know market ${marketId}`);
    this.#lastMarketId = marketId;
    this.#lastMarket = entry;
    return entry;
  }

  readonly #marketNumber = (marketId: MarketId): number => this.#market(marketId).number;

  #marketOf(event: Event): number | null {
    switch (event.type) {
      case 'order_amended':
        return this.#market(event.order.marketId).number;
      case 'order_cancelled':
        return this.#market(event.marketId).number;
      default:
        return null;
    }
  }

  #enterMarket(marketId: MarketId, outcomes: readonly { readonly id: OutcomeId }[]): void {
    const number = this.#number.market(marketId);
    const ids = outcomes.map(({ id }) => id);
    this.#markets.set(marketId, { number, outcomes: ids });
    this.#lastMarketId = null;
    this.#outcomes.set(number, ids);
  }
}

function isOpen(view: OrderView): boolean {
  return view.status === 'pending' || view.status === 'partially_filled';
}
