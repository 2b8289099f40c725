// What the engine says of a trade: plain numbers, which those who want amounts or lists are given as such.
import { type Lots, type Pips, type Usdt, usdt } from '@sibyl/money';
import type { FeeSplit, SpelledSplit } from '../fee/split.ts';
import type { AccountId, MarketId, OrderId, OutcomeId, Side, TradeId } from '../kit/identity.ts';
import { micro } from '../kit/micro.ts';
import { type Spelled, spelled } from '../kit/spelled.ts';
import type { Order } from '../state/order.ts';
import type { Step } from './plan.ts';

/** A resting order's part of a fill. */
export class MakerFill {
  /** Compiled code is thrown away with the last object of a shape that it was made for: the first one stays. */
  static kept: MakerFill | null = null;

  readonly orderId: OrderId;
  readonly accountId: AccountId;
  readonly outcomeId: OutcomeId;
  readonly side: Side;
  /** The order's own limit, in its own outcome's coordinate: makers always fill there. */
  readonly price: Pips;
  readonly lots: Lots;
  readonly rebateMicro: number;
  /** What is left resting; 0 means the order is now filled. */
  readonly remainingLots: Lots;
  readonly filledLots: Lots;
  /** The part of the next order, where a fill has several. */
  readonly next: MakerFill | null;

  /** How a resting order will stand once it has filled so many lots more. */
  constructor(maker: Order, lots: Lots, rebateMicro: number, next: MakerFill | null) {
    const filledLots = (maker.filledLots + lots) as Lots;
    this.orderId = maker.id;
    this.accountId = maker.holding.account.id;
    this.outcomeId = maker.holding.market.template.outcomeIds[maker.outcome]!;
    this.side = maker.side;
    this.price = maker.price;
    this.lots = lots;
    this.rebateMicro = rebateMicro;
    this.remainingLots = (maker.lots - filledLots) as Lots;
    this.filledLots = filledLots;
    this.next = next;
    MakerFill.kept ??= this;
  }

  get rebate(): Usdt {
    return usdt(micro(this.rebateMicro));
  }

  toJSON(): SpelledFill {
    const { next: _next, ...fields } = this;
    return spelled<FillFields>(fields);
  }
}

/**
 * One step of a walk: against one resting order (`makers` has one entry), against the pool (`makers` holds its
 * cross legs, often none), or at the mid against the house. Its ledger entry is the next event.
 */
export class TradeExecuted {
  static kept: TradeExecuted | null = null;

  readonly type = 'trade_executed';
  readonly tradeId: TradeId;
  readonly marketId: MarketId;
  readonly outcomeId: OutcomeId;
  /** The taker's. */
  readonly side: Side;
  readonly lots: Lots;
  /** What the taker pays (buy) or receives (sell) before fees. */
  readonly costMicro: number;
  readonly source: 'book' | 'pool' | 'house';
  /** How a fill on a two-outcome book moved shares; null for pool and house. */
  readonly matching: 'transfer' | 'mint' | 'merge' | null;
  readonly takerOrderId: OrderId;
  readonly takerId: AccountId;
  readonly takerKeyId: string | null;
  readonly feeMicro: number;
  readonly builderFeeMicro: number;
  readonly builderAppId: string | null;
  readonly split: FeeSplit;
  /** The others follow it. */
  readonly firstMaker: MakerFill | null;

  constructor(
    tradeId: TradeId,
    taker: Order,
    step: Step,
    source: TradeExecuted['source'],
    matching: TradeExecuted['matching'],
    split: FeeSplit,
    firstMaker: MakerFill | null,
  ) {
    this.tradeId = tradeId;
    this.marketId = taker.holding.market.id;
    this.outcomeId = taker.holding.market.template.outcomeIds[taker.outcome]!;
    this.side = taker.side;
    this.lots = step.lots as Lots;
    this.costMicro = step.cost;
    this.source = source;
    this.matching = matching;
    this.takerOrderId = taker.id;
    this.takerId = taker.holding.account.id;
    this.takerKeyId = taker.keyId;
    this.feeMicro = step.fee;
    this.builderFeeMicro = step.builderFee;
    this.builderAppId = taker.builder === null ? null : taker.builder.appId;
    this.split = split;
    this.firstMaker = firstMaker;
    TradeExecuted.kept ??= this;
  }

  get cost(): Usdt {
    return usdt(micro(this.costMicro));
  }

  get fee(): Usdt {
    return usdt(micro(this.feeMicro));
  }

  get builderFee(): Usdt {
    return usdt(micro(this.builderFeeMicro));
  }

  /** All parts, for readers that do not mind a list. */
  get makers(): readonly MakerFill[] {
    const makers: MakerFill[] = [];
    for (let maker = this.firstMaker; maker !== null; maker = maker.next) makers.push(maker);
    return makers;
  }

  toJSON(): SpelledTrade {
    const { split, firstMaker: _first, ...fields } = this;
    return {
      ...spelled<TradeFields>(fields),
      split: split.toJSON(),
      makers: this.makers.map((maker) => maker.toJSON()),
    };
  }
}

type FillFields = Omit<MakerFill, 'next' | 'rebate' | 'toJSON'>;
type TradeFields = Omit<
  TradeExecuted,
  'split' | 'firstMaker' | 'cost' | 'fee' | 'builderFee' | 'makers' | 'toJSON'
>;

/** As text amounts are exact and makers a list. */
export type SpelledFill = Spelled<FillFields>;

export interface SpelledTrade extends Spelled<TradeFields> {
  readonly split: SpelledSplit;
  readonly makers: readonly SpelledFill[];
}
