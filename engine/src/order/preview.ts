// What an order would do, by the same checks and the same walk, without doing it (RT9).
import { type Lots, type Usdt, usdt } from '@sibyl/money';
import { isRejection } from '../account/authority.ts';
import { displayedPrices } from '../amm/price.ts';
import type { Actor, PlaceOrder } from '../command.ts';
import type { FillVenue, RejectReason } from '../event.ts';
import type { Rejection } from '../reject.ts';
import { filledBy, type Plan, venueOf } from '../route/plan.ts';
import type { State } from '../state.ts';
import { preparePlacement } from './placement.ts';
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
  readonly fills: readonly PreviewFill[];
  readonly filledLots: Lots;
  readonly cost: Usdt;
  /** Taker and builder fees together. */
  readonly fees: Usdt;
  readonly restingLots: Lots;
  readonly fillVenue: FillVenue | null;
  /** What the pool would show for the outcome afterwards, in µUSDT; null when the pool does not move. */
  readonly priceAfter: bigint | null;
}

export function previewOrder(
  state: State,
  actor: Actor,
  command: PlaceOrder,
): OrderPreview | Rejection {
  const placement = preparePlacement(state, actor, command);
  if (isRejection(placement)) return placement;
  const { plan, rejectReason, lots, outcome } = placement;
  const nothing = 0 as Lots;
  if (plan === null || rejectReason !== null) {
    return {
      lots,
      rejectReason,
      fills: [],
      filledLots: nothing,
      cost: usdt(0n),
      fees: usdt(0n),
      restingLots: nothing,
      fillVenue: null,
      priceAfter: null,
    };
  }
  const isResting = plan.ending === null && rests(command.timeInForce);
  return {
    lots,
    rejectReason,
    fills: fillsOf(plan),
    filledLots: filledBy(plan),
    cost: usdt(BigInt(plan.cost)),
    fees: usdt(BigInt(plan.fees)),
    restingLots: (isResting ? plan.remaining : 0) as Lots,
    fillVenue: venueOf(plan),
    priceAfter: plan.view === null ? null : (displayedPrices(plan.view)[outcome] ?? null),
  };
}

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
