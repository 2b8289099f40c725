// Fees of one fill: who gets which part, and the postings that put them there.

import type { FeeSplit } from '../event.ts';
import { splitFee } from '../fee/split.ts';
import { openSlot, unvestedAccount } from '../fee/unvested.ts';
import { NO_ACCOUNT } from '../ledger/ledger.ts';
import type { Market } from '../market/market.ts';
import { micro } from '../micro.ts';
import type { Order } from '../order/order.ts';
import type { State } from '../state.ts';
import type { Step } from './plan.ts';

/** The seven parts of the taker's fee on a step. */
export function splitOf(state: State, taker: Order, step: Step, rebate: number): FeeSplit {
  return splitFee(
    step.fee,
    rebate,
    !taker.market.platform,
    taker.builder !== null,
    taker.account.referrerId !== null,
    state.parameters.fee,
  );
}

/** Credits every part but the maker's to the market's unvested accounts, the builder's own fee with its part. */
export function postParts(state: State, taker: Order, split: FeeSplit, builderFee: number): void {
  const { market, builder, account } = taker;
  const { ledger } = state;
  if (split.creator > 0n) {
    const known = market.feeSlots.creator;
    const { id } = market.creator;
    const slot = known === NO_ACCOUNT ? openSlot(state, market, 'creator', id) : known;
    ledger.post(slot, split.creator);
  }
  if (builder !== null) {
    const amount = split.builder + micro(builderFee);
    if (amount > 0n) ledger.post(unvestedAccount(state, market, 'builder', builder.appId), amount);
  }
  if (split.referrer > 0n && account.referrerId !== null) {
    ledger.post(unvestedAccount(state, market, 'referrer', account.referrerId), split.referrer);
  }
  postPlatform(state, market, split);
}

/** The parts that no market is without. */
function postPlatform(state: State, market: Market, split: FeeSplit): void {
  const { ledger } = state;
  const { oracle, insurance, treasury } = market.feeSlots;
  if (split.oracle > 0n) {
    const slot = oracle === NO_ACCOUNT ? openSlot(state, market, 'oracle', '') : oracle;
    ledger.post(slot, split.oracle);
  }
  if (split.insurance > 0n) {
    const slot = insurance === NO_ACCOUNT ? openSlot(state, market, 'insurance', '') : insurance;
    ledger.post(slot, split.insurance);
  }
  if (split.treasury > 0n) {
    const slot = treasury === NO_ACCOUNT ? openSlot(state, market, 'treasury', '') : treasury;
    ledger.post(slot, split.treasury);
  }
}
