// Events of orders: taken in, filled, ended, and every trade of one.
import type { Event, MakerFill, OrderView, TradeExecuted } from '@sibyl/engine';
import { fillPrice } from '@sibyl/history';
import type { CommittedCommand } from '@sibyl/lane';
import { amountText, lotsText, pipsText, priceText } from '../wire/amounts.ts';
import { wireOrder } from '../wire/generated/order.ts';
import { orderIdText, tradeIdText } from '../wire/ids.ts';
import { CANCEL_REASONS, REJECT_REASONS } from '../wire/order-words.ts';
import type { Watch } from './catalogue.ts';
import type { Draft } from './draft.ts';
import { asTakenIn, type KnownOrder, type LaneMemory } from './lane-memory.ts';

/** An order that takes: its fills follow its event, and only after them can be told what became of it. */
interface Taking {
  readonly order: KnownOrder;
  readonly index: number;
  readonly filledBefore: number;
  lastTrade: TradeExecuted | null;
}

export class OrderEvents {
  readonly #committed: CommittedCommand;
  readonly #memory: LaneMemory;
  readonly #isWatched: Watch;
  readonly #drafts: Draft[];
  #taking: Taking | null = null;

  constructor(committed: CommittedCommand, memory: LaneMemory, isWatched: Watch, drafts: Draft[]) {
    this.#committed = committed;
    this.#memory = memory;
    this.#isWatched = isWatched;
    this.#drafts = drafts;
  }

  add(event: Event, index: number): void {
    switch (event.type) {
      case 'order_placed':
        this.#place(event.order, index);
        break;
      case 'order_amended':
        this.#amend(event.order, index);
        break;
      case 'order_cancelled': {
        const order = this.#memory.cancel(event, this.#atMs);
        if (order !== undefined) this.#cancelled(order, index);
        break;
      }
      case 'trade_executed':
        this.#trade(event, index);
        break;
    }
  }

  /** After the last event of the command, or before the next order of a batch. */
  finish(): void {
    const taking = this.#taking;
    this.#taking = null;
    if (taking === null || !this.#isWatched(taking.order.view.accountId)) return;
    const { order, index, lastTrade } = taking;
    const { status, filledLots } = order.view;
    if (filledLots > taking.filledBefore) {
      const fill = lastTrade === null ? null : takerFill(lastTrade);
      this.#filled(order, status === 'filled', fill, index);
    }
    if (status === 'cancelled') this.#cancelled(order, index);
  }

  get #atMs(): number {
    return this.#committed.outcome.atMs;
  }

  #place(view: OrderView, index: number): void {
    this.finish();
    const order = { view, updatedAtMs: this.#atMs };
    this.#memory.put(order);
    if (!this.#isWatched(view.accountId)) return;
    const { clientOrderId, rejectReason } = view;
    if (view.status === 'rejected') {
      this.#push('order.rejected', order, index, () => ({
        order: toldOrder(order),
        client_order_id: clientOrderId,
        code: null,
        reason: rejectReason === null ? null : REJECT_REASONS[rejectReason],
      }));
      return;
    }
    this.#push('order.accepted', order, index, () => ({
      order: toldOrder(asTakenIn(order)),
      client_order_id: clientOrderId,
    }));
    this.#taking = { order, index, filledBefore: 0, lastTrade: null };
  }

  #amend(view: OrderView, index: number): void {
    this.finish();
    const known = this.#memory.find(view.orderId);
    const order = { view, updatedAtMs: this.#atMs };
    this.#memory.put(order);
    const filledBefore = known?.view.filledLots ?? view.filledLots;
    this.#taking = { order, index, filledBefore, lastTrade: null };
  }

  #trade(event: TradeExecuted, index: number): void {
    const taking = this.#taking;
    if (taking !== null && taking.order.view.orderId === event.takerOrderId) {
      taking.lastTrade = event;
      if (this.#isWatched(event.takerId)) {
        this.#push('trade.executed', taking.order, index, () =>
          fillData(event, taking.order, takerFill(event), this.#atMs),
        );
      }
    }
    for (const maker of event.makers) this.#fillMaker(event, maker, index);
  }

  #fillMaker(event: TradeExecuted, maker: MakerFill, index: number): void {
    const order = this.#memory.fill(maker, this.#atMs);
    if (order === undefined || !this.#isWatched(maker.accountId)) return;
    const fill = makerFill(event, maker);
    this.#push('trade.executed', order, index, () => fillData(event, order, fill, this.#atMs));
    this.#filled(order, maker.remainingLots === 0, fill, index);
  }

  #filled(order: KnownOrder, isWhole: boolean, fill: FillFacts | null, index: number): void {
    this.#push(isWhole ? 'order.filled' : 'order.partially_filled', order, index, () => ({
      order: toldOrder(order),
      change: isWhole ? 'filled' : 'partially_filled',
      last_fill: fill,
    }));
  }

  #cancelled(order: KnownOrder, index: number): void {
    const { accountId, cancelReason } = order.view;
    if (!this.#isWatched(accountId)) return;
    this.#push('order.cancelled', order, index, () => ({
      order: toldOrder(order),
      reason: cancelReason === null ? 'user' : CANCEL_REASONS[cancelReason],
    }));
  }

  #push(type: Draft['type'], { view }: KnownOrder, index: number, data: Draft['data']): void {
    const { accountId, marketId, orderId } = view;
    const aggregate = `order:${orderIdText(orderId)}`;
    this.#drafts.push({ type, accountId, aggregate, marketId, index, data });
  }
}

interface FillFacts {
  readonly trade_id: string;
  readonly price: string;
  readonly size: string;
  readonly fee: string;
  readonly rebate: string;
  readonly liquidity: 'maker' | 'taker';
}

function takerFill({ tradeId, cost, lots, fee, builderFee }: TradeExecuted): FillFacts {
  return {
    trade_id: tradeIdText(tradeId),
    price: priceText(fillPrice(cost, lots)),
    size: lotsText(lots),
    fee: amountText(fee + builderFee),
    rebate: amountText(0n),
    liquidity: 'taker',
  };
}

function makerFill({ tradeId }: TradeExecuted, maker: MakerFill): FillFacts {
  return {
    trade_id: tradeIdText(tradeId),
    price: pipsText(maker.price),
    size: lotsText(maker.lots),
    fee: amountText(0n),
    rebate: amountText(maker.rebate),
    liquidity: 'maker',
  };
}

function fillData(
  event: TradeExecuted,
  { view }: KnownOrder,
  fill: FillFacts,
  atMs: number,
): object {
  return {
    ...fill,
    order_id: orderIdText(view.orderId),
    client_order_id: view.clientOrderId,
    market_id: view.marketId,
    outcome_id: view.outcomeId,
    side: view.side,
    ts_ms: atMs,
    chain_data: null,
    builder_app_id: fill.liquidity === 'taker' ? event.builderAppId : view.builderAppId,
  };
}

function toldOrder({ view, updatedAtMs }: KnownOrder): object {
  return wireOrder(view, updatedAtMs);
}
