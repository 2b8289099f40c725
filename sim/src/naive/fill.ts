// Applies the steps of a plan: trades with their single ledger entry, self-trade cancels, positions and fees.
import { noteBookFill } from './book-price.ts';
import { dayOf, recordUse } from './caps.ts';
import { Entry } from './entry.ts';
import { builderFee, rebate, shareBase, splitFee, takerFee, unvestedParts } from './fees.ts';
import { closeOrder, rememberClosed } from './order-state.ts';
import type { PlainMakerFill, PlainSplit } from './plain.ts';
import { at, halfEven, inventoryOf } from './pool.ts';
import { recordBought, recordFees, recordRebate, recordSold, spread } from './position.ts';
import type { Step, TradeStep } from './walk.ts';
import {
  ammName,
  balance,
  contraName,
  familyOf,
  findAccount,
  freeName,
  freeSharesName,
  HOUSE,
  holderOf,
  type NaiveMarket,
  type NaiveOrder,
  needMarket,
  notionalOf,
  PLATFORM,
  qualityOf,
  reservedName,
  reservedSharesName,
  sharesOf,
  type World,
} from './world.ts';

/** A resting order's part in a step, before its rebate is known. */
interface MakerPart {
  readonly order: NaiveOrder;
  readonly lots: number;
}

export function applyStep(world: World, taker: NaiveOrder, step: Step): void {
  if (step.kind === 'self_trade') {
    closeOrder(world, openOrder(world, step.orderId), 'self_trade_prevented');
    return;
  }
  const market = needMarket(world, taker.marketId);
  const parts = makerParts(world, step);
  const shares = sharesOf(step.lots);
  const fee = takerFee(step.cost, shares, market, world.parameters);
  const topUp = builderFee(step.cost, taker.builder?.feeBps ?? 0);
  const rebates = rebatesOf(world, market, step, parts);
  const split = splitFee(fee, rebates.total, actorsOf(world, market, taker), world.parameters);
  world.tradeCount += 1;
  const tradeId = world.tradeCount;
  if (step.kind === 'house') topUpHouse(world, taker, step, tradeId);
  for (const part of parts) part.order.filledLots += part.lots;
  const makers = parts.map((part, index) => makerFill(market, part, at(rebates.each, index)));
  world.events.push({
    type: 'trade_executed',
    tradeId,
    marketId: market.id,
    outcomeId: at(market.outcomes, taker.outcome).id,
    side: taker.side,
    lots: step.lots,
    cost: step.cost,
    source: step.kind,
    matching: step.kind === 'book' ? matchingOf(taker, at(parts, 0).order) : null,
    takerOrderId: taker.id,
    takerId: taker.accountId,
    takerKeyId: taker.keyId,
    fee,
    builderFee: topUp,
    builderAppId: taker.builder?.appId ?? null,
    split,
    makers,
  });
  const entry = new Entry(world);
  recordTrade(world, market, taker, step, parts);
  if (step.kind === 'book') postBook(entry, market, taker, step, at(parts, 0));
  if (step.kind === 'pool') postPool(entry, market, taker, step, parts);
  if (step.kind === 'house') postHouse(entry, market, taker, step);
  postFees(world, entry, market, taker, split, topUp);
  payRebates(world, entry, market, taker, step, parts, rebates.each);
  recordFees(market, taker.accountId, taker.outcome, fee + topUp, fee + topUp - split.maker);
  entry.commit('fill', `trade:${tradeId}`);
  finishTrade(world, market, taker, step, parts);
}

function openOrder(world: World, orderId: number): NaiveOrder {
  const order = world.orders.find((each) => each.id === orderId);
  if (order === undefined) throw new Error(`reference: order ${orderId} is not open`);
  return order;
}

function makerParts(world: World, step: TradeStep): MakerPart[] {
  if (step.kind === 'book') return [{ order: openOrder(world, step.orderId), lots: step.lots }];
  if (step.kind === 'house') return [];
  return step.legs.map((leg) => ({ order: openOrder(world, leg.orderId), lots: leg.lots }));
}

function rebatesOf(
  world: World,
  market: NaiveMarket,
  step: TradeStep,
  parts: readonly MakerPart[],
): { readonly each: bigint[]; readonly total: bigint } {
  if (parts.length === 0) {
    return { each: [], total: rebate(step.cost, 0, market, world.parameters) };
  }
  const bases =
    step.kind === 'book'
      ? [step.cost]
      : shareBase(
          step.cost,
          parts.map((part) => notionalOf(part.lots, part.order.price)),
        );
  const each = parts.map((part, index) =>
    rebate(at(bases, index), qualityOf(market, part.order.accountId), market, world.parameters),
  );
  return { each, total: each.reduce((sum, one) => sum + one, 0n) };
}

function actorsOf(world: World, market: NaiveMarket, taker: NaiveOrder) {
  return {
    creator: market.creatorId !== PLATFORM,
    builder: taker.builder !== null && taker.builder.isOwn !== true,
    referrer: isReferred(world, taker.accountId),
  };
}

/** Whether the referrer is of another family. */
export function isReferred(world: World, accountId: string): boolean {
  const referrerId = findAccount(world, accountId)?.referrerId ?? null;
  return referrerId !== null && familyOf(world, referrerId) !== familyOf(world, accountId);
}

function matchingOf(taker: NaiveOrder, maker: NaiveOrder): 'transfer' | 'mint' | 'merge' {
  if (taker.outcome === maker.outcome) return 'transfer';
  return taker.side === 'buy' ? 'mint' : 'merge';
}

function makerFill(market: NaiveMarket, part: MakerPart, paid: bigint): PlainMakerFill {
  return {
    orderId: part.order.id,
    accountId: part.order.accountId,
    outcomeId: at(market.outcomes, part.order.outcome).id,
    side: part.order.side,
    price: part.order.price,
    lots: part.lots,
    rebate: paid,
    remainingLots: part.order.lots - part.order.filledLots,
    filledLots: part.order.filledLots,
  };
}

/** What caps count of a step: of one against the house what it can bring, where that is more. */
export function countedFor(step: TradeStep): bigint {
  const gain = sharesOf(step.lots) - step.cost;
  return step.kind === 'house' && gain > step.cost ? gain : step.cost;
}

/** Positions move at what each side pays or gets; sales first need the shares still held. */
function recordTrade(
  world: World,
  market: NaiveMarket,
  taker: NaiveOrder,
  step: TradeStep,
  makers: readonly MakerPart[],
): void {
  market.isTraded = true;
  recordUse(world, taker.scopes, countedFor(step));
  if (taker.side === 'buy') recordBought(market, taker.accountId, taker.outcome, step.cost);
  else recordSold(world, market, taker.accountId, taker.outcome, sharesOf(step.lots), step.cost);
  for (const { order, lots } of makers) {
    noteBookFill(world, market, order, lots);
    const money = notionalOf(lots, order.price);
    order.filledCost += money;
    market.made.push({ accountId: order.accountId, day: dayOf(world), left: lots });
    recordUse(world, order.scopes, money);
    if (order.side === 'buy') recordBought(market, order.accountId, order.outcome, money);
    else recordSold(world, market, order.accountId, order.outcome, sharesOf(lots), money);
  }
  if (step.kind === 'house') {
    const house = holderOf(market, HOUSE);
    if (taker.side === 'buy') {
      const size = sharesOf(step.lots);
      const parts = spread(size, house.cost.length);
      for (let index = 0; index < parts.length; index += 1) {
        house.cost[index] = at(house.cost, index) + at(parts, index);
      }
      recordSold(world, market, HOUSE, taker.outcome, size, step.cost, size);
    } else recordBought(market, HOUSE, taker.outcome, step.cost);
  }
}

/** Money and shares of one party, from or to its reserved (maker) or free (taker) accounts. */
function postParty(
  entry: Entry,
  order: NaiveOrder,
  money: bigint,
  shares: bigint,
  resting: boolean,
): void {
  const { accountId, marketId, outcome } = order;
  const moneyOut = resting ? reservedName(accountId) : freeName(accountId);
  const sharesOut = (resting ? reservedSharesName : freeSharesName)(accountId, marketId, outcome);
  if (order.side === 'buy') {
    entry.add(moneyOut, -money).add(freeSharesName(accountId, marketId, outcome), shares);
  } else {
    entry.add(sharesOut, -shares).add(freeName(accountId), money);
  }
}

function postBook(
  entry: Entry,
  market: NaiveMarket,
  taker: NaiveOrder,
  step: Extract<Step, { kind: 'book' }>,
  part: MakerPart,
): void {
  const shares = sharesOf(step.lots);
  postParty(entry, taker, step.cost, shares, false);
  postParty(entry, part.order, notionalOf(step.lots, part.order.price), shares, true);
  const matching = matchingOf(taker, part.order);
  if (matching === 'mint') entry.mint(market, shares);
  if (matching === 'merge') entry.mint(market, -shares);
}

function postPool(
  entry: Entry,
  market: NaiveMarket,
  taker: NaiveOrder,
  step: Extract<Step, { kind: 'pool' }>,
  parts: readonly MakerPart[],
): void {
  const pool = market.pool;
  if (pool === null) throw new Error('reference: a pool step without a pool');
  const before = market.outcomes.map((_, index) => inventoryOf(pool, index));
  pool.q = [...step.q];
  pool.sets += taker.side === 'buy' ? step.total : -step.total;
  for (let index = 0; index < before.length; index += 1) {
    entry.add(ammName(market.id, index), inventoryOf(pool, index) - at(before, index));
  }
  entry.mint(market, taker.side === 'buy' ? step.total : -step.total);
  postParty(entry, taker, step.cost, sharesOf(step.lots), false);
  for (const part of parts) {
    postParty(
      entry,
      part.order,
      notionalOf(part.lots, part.order.price),
      sharesOf(part.lots),
      true,
    );
  }
}

function topUpHouse(
  world: World,
  taker: NaiveOrder,
  step: Extract<Step, { kind: 'house' }>,
  tradeId: number,
): void {
  const need = taker.side === 'buy' ? sharesOf(step.lots) - step.cost : step.cost;
  const lack = need - balance(world, HOUSE);
  if (lack > 0n)
    new Entry(world)
      .move(contraName(world), HOUSE, lack)
      .commit('house_top_up', `trade:${tradeId}`);
}

function postHouse(
  entry: Entry,
  market: NaiveMarket,
  taker: NaiveOrder,
  step: Extract<Step, { kind: 'house' }>,
): void {
  const shares = sharesOf(step.lots);
  postParty(entry, taker, step.cost, shares, false);
  if (taker.side === 'sell') {
    entry.add(HOUSE, -step.cost).add(freeSharesName(HOUSE, market.id, taker.outcome), shares);
    return;
  }
  entry.add(HOUSE, step.cost - shares).mint(market, shares);
  for (let index = 0; index < market.outcomes.length; index += 1) {
    if (index !== taker.outcome) entry.add(freeSharesName(HOUSE, market.id, index), shares);
  }
}

function postFees(
  world: World,
  entry: Entry,
  market: NaiveMarket,
  taker: NaiveOrder,
  split: PlainSplit,
  topUp: bigint,
): void {
  const appId = taker.builder?.appId ?? null;
  const referrerId = findAccount(world, taker.accountId)?.referrerId ?? null;
  let kept = topUp;
  for (const [name, amount] of unvestedParts(market, split, { appId, referrerId })) {
    entry.add(name, amount);
    kept += amount;
  }
  if (appId !== null) entry.add(`market:${market.id}:fees:builder:${appId}`, topUp);
  entry.add(freeName(taker.accountId), -split.maker - kept);
}

function payRebates(
  world: World,
  entry: Entry,
  market: NaiveMarket,
  taker: NaiveOrder,
  step: TradeStep,
  parts: readonly MakerPart[],
  each: readonly bigint[],
): void {
  if (parts.length === 0) {
    const paid = rebate(step.cost, 0, market, world.parameters);
    entry.add(freeName(step.kind === 'house' ? HOUSE : market.creatorId), paid);
    if (step.kind === 'house') recordRebate(market, HOUSE, taker.outcome, paid);
    return;
  }
  for (let index = 0; index < parts.length; index += 1) {
    const { order } = at(parts, index);
    entry.add(freeName(order.accountId), at(each, index));
    recordRebate(market, order.accountId, order.outcome, at(each, index));
  }
}

/** Statuses, counters and the last price after the money has moved. */
function finishTrade(
  world: World,
  market: NaiveMarket,
  taker: NaiveOrder,
  step: TradeStep,
  parts: readonly MakerPart[],
): void {
  for (const { order } of parts) {
    order.status = order.filledLots === order.lots ? 'filled' : 'partially_filled';
    if (order.status === 'filled') {
      world.orders = world.orders.filter((each) => each.id !== order.id);
      rememberClosed(world, order);
    }
  }
  market.lastPrices[taker.outcome] = halfEven(step.cost * 1_000_000n, sharesOf(step.lots));
}
