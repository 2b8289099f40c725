// Notices of orders: taken in, filled, ended, and every trade of one.
import type {
  Answer,
  MakerFill,
  OrderAmended,
  OrderCancelled,
  OrderPlaced,
  PlaceOrder,
  TradeExecuted,
} from '@sibyl/engine';
import { fillPrice } from '@sibyl/history';
import type { CommittedCommand } from '@sibyl/lane';
import { amountText, lotsText, pipsText, priceText } from '../wire/amounts.ts';
import { wireOrder } from '../wire/generated/order.ts';
import { orderIdText, tradeIdText } from '../wire/ids.ts';
import { CANCEL_REASONS, REJECT_REASONS } from '../wire/order-words.ts';
import { appNamed } from '../wire/own-builder.ts';
import { asTakenIn, type KnownOrder, type LaneMemory } from './lane-memory.ts';
import { type Facts, type Say, TURNS } from './notice.ts';
import type { Watch } from './teller.ts';

/** An order that takes: its fills follow its event, and only after them can be told what became of it. */
interface Taking {
  readonly order: KnownOrder;
  readonly index: number;
  readonly filledBefore: number;
  lastTrade: TradeExecuted | null;
}

export type OrderNews =
  | 'order.accepted'
  | 'order.rejected'
  | 'order.filled'
  | 'order.partially_filled'
  | 'order.cancelled'
  | 'trade.executed';

type SayOrder = Say<'owner', OrderNews>;

/** Follows the orders of one command. */
export class OrderEvents {
  readonly #committed: CommittedCommand;
  readonly #memory: LaneMemory;
  readonly #isWatched: Watch;
  #taking: Taking | null = null;

  constructor(committed: CommittedCommand, memory: LaneMemory, isWatched: Watch) {
    this.#committed = committed;
    this.#memory = memory;
    this.#isWatched = isWatched;
  }

  place({ order: view }: OrderPlaced, index: number, say: SayOrder): void {
    this.finish(say);
    const order = { view, updatedAtMs: this.#atMs };
    this.#memory.put(order);
    if (!this.#isWatched(view.accountId)) return;
    const { clientOrderId, rejectReason } = view;
    if (view.status === 'rejected') {
      say('order.rejected', {
        ...factsOf(order, index),
        data: () => ({
          order: toldOrder(order),
          client_order_id: clientOrderId,
          code: null,
          reason: rejectReason === null ? null : REJECT_REASONS[rejectReason],
        }),
      });
      return;
    }
    say('order.accepted', {
      ...factsOf(order, index),
      data: () => ({
        order: toldOrder(asTakenIn(order)),
        client_order_id: clientOrderId,
      }),
    });
    this.#taking = { order, index, filledBefore: 0, lastTrade: null };
  }

  amend(
    { order: view }: OrderAmended,
    index: number,
    say: Say<'owner', OrderNews | 'order_updated'>,
  ): void {
    this.finish(say);
    const known = this.#memory.find(view.orderId);
    const order = { view, updatedAtMs: this.#atMs };
    this.#memory.put(order);
    const filledBefore = known?.view.filledLots ?? view.filledLots;
    this.#taking = { order, index, filledBefore, lastTrade: null };
    if (!this.#isWatched(view.accountId)) return;
    say('order_updated', {
      ...factsOf(order, index),
      turn: TURNS.amended,
      data: () => ({ order: toldOrder(order), change: 'amended', last_fill: null }),
    });
  }

  cancel(event: OrderCancelled, index: number, say: SayOrder): void {
    const order = this.#memory.cancel(event, this.#atMs);
    if (order !== undefined) this.#cancelled(order, index, say);
  }

  trade(event: TradeExecuted, index: number, say: SayOrder): void {
    const taking = this.#taking;
    if (taking !== null && taking.order.view.orderId === event.takerOrderId) {
      taking.lastTrade = event;
      if (this.#isWatched(event.takerId)) {
        say('trade.executed', {
          ...factsOf(taking.order, index),
          data: () => fillData(event, taking.order, takerFill(event), this.#atMs),
        });
      }
    }
    for (const maker of event.makers) this.#fillMaker(event, maker, index, say);
  }

  /** After the last event of the command, or before the next order of a batch. */
  finish(say: SayOrder): void {
    const taking = this.#taking;
    this.#taking = null;
    if (taking === null || !this.#isWatched(taking.order.view.accountId)) return;
    const { order, index, lastTrade } = taking;
    const { status, filledLots } = order.view;
    if (filledLots > taking.filledBefore) {
      const fill = lastTrade === null ? null : takerFill(lastTrade);
      sayFilled(order, status === 'filled', fill, index, say);
    }
    if (status === 'cancelled') this.#cancelled(order, index, say);
  }

  get #atMs(): number {
    return this.#committed.outcome.atMs;
  }

  #fillMaker(event: TradeExecuted, maker: MakerFill, index: number, say: SayOrder): void {
    const order = this.#memory.fill(maker, this.#atMs);
    if (order === undefined || !this.#isWatched(maker.accountId)) return;
    const fill = makerFill(event, maker);
    say('trade.executed', {
      ...factsOf(order, index),
      data: () => fillData(event, order, fill, this.#atMs),
    });
    sayFilled(order, maker.remainingLots === 0, fill, index, say);
  }

  #cancelled(order: KnownOrder, index: number, say: SayOrder): void {
    const { accountId, cancelReason } = order.view;
    if (!this.#isWatched(accountId)) return;
    say('order.cancelled', {
      ...factsOf(order, index),
      data: () => ({
        order: toldOrder(order),
        reason: cancelReason === null ? 'user' : CANCEL_REASONS[cancelReason],
      }),
    });
  }
}

/** Orders that never became one: no event tells of them, the answer does. */
export function tellRefusals(
  { command, outcome }: CommittedCommand,
  isWatched: Watch,
  say: Say<'owner', 'order_rejected'>,
): void {
  const { answer, events } = outcome;
  const tell = ({ accountId, clientOrderId }: PlaceOrder, refused: Answer): void => {
    if (refused.ok || !isWatched(accountId)) return;
    const { code } = refused.rejection;
    const data = { order: null, client_order_id: clientOrderId, code, reason: null };
    const turn = TURNS.refused;
    say('order_rejected', { accountId, index: events.length, turn, data: () => data });
  };
  if (command.type === 'place_order') tell(command, answer);
  if (command.type === 'sell_minted') tell(command.order, answer);
  if (command.type !== 'batch' || !answer.ok || answer.result.kind !== 'batch') return;
  for (const [index, item] of command.items.entries()) {
    const refused = answer.result.items[index];
    if (item.type === 'place_order' && refused !== undefined) tell(item, refused);
  }
}

function sayFilled(
  order: KnownOrder,
  isWhole: boolean,
  fill: FillFacts | null,
  index: number,
  say: SayOrder,
): void {
  say(isWhole ? 'order.filled' : 'order.partially_filled', {
    ...factsOf(order, index),
    data: () => ({
      order: toldOrder(order),
      change: isWhole ? 'filled' : 'partially_filled',
      last_fill: fill,
    }),
  });
}

function factsOf({ view }: KnownOrder, index: number): Omit<Facts<'owner'>, 'data'> {
  const { accountId, marketId, orderId } = view;
  return { accountId, id: orderIdText(orderId), marketId, index };
}

interface FillFacts {
  readonly trade_id: string;
  readonly price: string;
  readonly size: string;
  readonly cost: string;
  readonly fee: string;
  readonly rebate: string;
  readonly liquidity: 'maker' | 'taker';
}

function takerFill({ tradeId, cost, lots, fee, builderFee }: TradeExecuted): FillFacts {
  return {
    trade_id: tradeIdText(tradeId),
    price: priceText(fillPrice(cost, lots)),
    size: lotsText(lots),
    cost: amountText(cost),
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
    cost: amountText(BigInt(maker.lots) * BigInt(maker.price)),
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
    builder_app_id: appNamed(fill.liquidity === 'taker' ? event.builderAppId : view.builderAppId),
  };
}

function toldOrder({ view, updatedAtMs }: KnownOrder): object {
  return wireOrder(view, updatedAtMs);
}
