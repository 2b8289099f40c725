// Fees of one fill: who gets which part, and the postings that put them there.

import type { FeeSplit } from '../event.ts';
import { splitFee } from '../fee/split.ts';
import { slotAccount, unvestedAccount } from '../fee/unvested.ts';
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
    ledger.post(slotAccount(state, market, 'creator', market.creator.id), split.creator);
  }
  if (builder !== null) {
    const amount = split.builder + micro(builderFee);
    if (amount > 0n) ledger.post(unvestedAccount(state, market, 'builder', builder.appId), amount);
  }
  if (split.referrer > 0n && account.referrerId !== null) {
    ledger.post(unvestedAccount(state, market, 'referrer', account.referrerId), split.referrer);
  }
  if (split.oracle > 0n) ledger.post(slotAccount(state, market, 'oracle', ''), split.oracle);
  if (split.insurance > 0n) {
    ledger.post(slotAccount(state, market, 'insurance', ''), split.insurance);
  }
  if (split.treasury > 0n) {
    ledger.post(slotAccount(state, market, 'treasury', ''), split.treasury);
  }
}
