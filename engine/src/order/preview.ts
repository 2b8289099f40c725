// What an order would do, by the same checks and the same walk, without doing it (RT9).
import { divide, type Lots, type Usdt, usdt } from '@sibyl/money';
import { displayedPrices } from '../amm/price.ts';
import { ONE, pricesWithoutBook, shownPrices } from '../market/mid.ts';
import { prepareMint } from '../position/convert.ts';
import { Cursor } from '../route/cursor.ts';
import { allowWalks, filledBy, isWorse, lastTrade, type Plan, venueOf } from '../route/plan.ts';
import { isRejection } from '../state/authority.ts';
import { mirror, oppositeSide, ownSide } from '../state/book.ts';
import type { Actor, PlaceOrder, SellMinted } from '../state/command.ts';
import type { CancelReason, FillVenue, RejectReason } from '../state/event.ts';
import type { Market } from '../state/market.ts';
import { type Order, remainingLots } from '../state/order.ts';
import type { Rejection } from '../state/reject.ts';
import type { State } from '../state/state.ts';
import { cancelReasonOf } from './place.ts';
import { type Placement, preparePlacement } from './placement.ts';
import { checkMinted, mintFor } from './sell-minted.ts';
import { rests } from './validate.ts';

export interface PreviewFill {
  readonly source: 'book' | 'pool' | 'house';
  readonly lots: Lots;
  readonly cost: Usdt;
  readonly fee: Usdt;
  readonly builderFee: Usdt;
}

export interface OrderPreview {
  /** After the cap of reduce_only. */
  readonly lots: Lots;
  readonly rejectReason: RejectReason | null;
  /** Why a rest would be withdrawn, if one would. */
  readonly cancelReason: CancelReason | null;
  readonly fills: readonly PreviewFill[];
  readonly filledLots: Lots;
  readonly cost: Usdt;
  /** Taker and builder fees together. */
  readonly fees: Usdt;
  readonly restingLots: Lots;
  readonly fillVenue: FillVenue | null;
  /** What the market shows for the outcome now and would show afterwards, in µUSDT. */
  readonly priceBefore: bigint;
  readonly priceAfter: bigint;
  /** What the sets cost that are minted for it, and the fee of that; null where none are. */
  readonly mint: { readonly amount: Usdt; readonly fee: Usdt } | null;
}

export function previewOrder(
  state: State,
  actor: Actor,
  command: PlaceOrder | SellMinted,
): OrderPreview | Rejection {
  allowWalks(state.parameters.walkUnits);
  if (command.type === 'sell_minted') return previewMinted(state, actor, command);
  const placement = preparePlacement(state, actor, command);
  return isRejection(placement) ? placement : previewOf(placement);
}

function previewMinted(state: State, actor: Actor, command: SellMinted): OrderPreview | Rejection {
  const fault = checkMinted(command);
  if (fault !== null) return fault;
  const placement = preparePlacement(state, actor, command.order, true);
  if (isRejection(placement)) return placement;
  const preview = previewOf(placement);
  if (preview.rejectReason !== null) return preview;
  const mint = prepareMint(state, actor, mintFor(command));
  if (isRejection(mint)) return mint;
  return { ...preview, mint: { amount: usdt(mint.amount), fee: usdt(mint.fee) } };
}

function previewOf(placement: Placement): OrderPreview {
  const { command } = placement;
  const { plan, rejectReason, lots, outcome, market } = placement;
  const nothing = 0 as Lots;
  const priceBefore = shownPrices(market)[outcome]!;
  if (plan === null || rejectReason !== null) {
    return {
      lots,
      rejectReason,
      cancelReason: null,
      fills: [],
      filledLots: nothing,
      cost: usdt(0n),
      fees: usdt(0n),
      restingLots: nothing,
      fillVenue: null,
      priceBefore,
      priceAfter: priceBefore,
      mint: null,
    };
  }
  const isResting = plan.stopReason === null && rests(command.timeInForce);
  return {
    lots,
    rejectReason,
    cancelReason:
      plan.remaining === 0 || isResting ? null : (cancelReasonOf(plan) ?? 'ioc_remainder'),
    fills: fillsOf(plan),
    filledLots: filledBy(plan),
    cost: usdt(BigInt(plan.cost)),
    fees: usdt(BigInt(plan.fees)),
    restingLots: (isResting ? plan.remaining : 0) as Lots,
    fillVenue: venueOf(plan),
    priceBefore,
    priceAfter: priceAfter(market, plan, outcome, isResting),
    mint: null,
  };
}

/** A pool shows its own price; without one it is that of the book as the order leaves it. */
function priceAfter(market: Market, plan: Plan, outcome: number, isResting: boolean): bigint {
  if (market.pool !== null) return displayedPrices(plan.view ?? market.pool.view)[outcome]!;
  const { side, limit } = plan.intent;
  const ahead = bestLeft(market, plan, outcome);
  const behind = ownSide(market, outcome, side).best;
  const own = isResting && plan.remaining > 0 ? limit : null;
  const price = behind === null ? null : mirror(market, outcome, behind.price);
  const nearest = own === null || (price !== null && isWorse(price, own, side)) ? price : own;
  if (ahead !== null && nearest !== null) return BigInt((ahead + nearest) * MICRO_PER_HALF_PIP);
  const last = lastTrade(plan);
  if (last === null) return pricesWithoutBook(market)[outcome]!;
  // The first outcome's own last price goes before the other's.
  const first = market.outcomes[0]!.lastPrice;
  if (outcome === 1 && first !== null) return ONE - first;
  return divide(BigInt(last.cost) * MICRO_PER_PIP, BigInt(last.lots), 'half_even');
}

/** The best price that the plan leaves on the other side, in the outcome's coordinate. */
function bestLeft(market: Market, plan: Plan, outcome: number): number | null {
  const touched = new Set<Order>();
  for (let step = plan.first; step !== null; step = step.next) {
    if (step.order === null) continue;
    const isGone = step.kind === 'cancel' || step.lots === remainingLots(step.order);
    if (isGone) touched.add(step.order);
  }
  const cursor = new Cursor(oppositeSide(market, outcome, plan.intent.side));
  while (cursor.order !== null && touched.has(cursor.order)) cursor.advance();
  return cursor.order === null ? null : mirror(market, outcome, cursor.price);
}

const MICRO_PER_PIP = 100n;
const MICRO_PER_HALF_PIP = 50;

function fillsOf(plan: Plan): PreviewFill[] {
  const fills: PreviewFill[] = [];
  for (let step = plan.first; step !== null; step = step.next) {
    const { kind, lots, cost, fee, builderFee } = step;
    if (kind === 'cancel') continue;
    fills.push({
      source: kind,
      lots: lots as Lots,
      cost: usdt(BigInt(cost)),
      fee: usdt(BigInt(fee)),
      builderFee: usdt(BigInt(builderFee)),
    });
  }
  return fills;
}
