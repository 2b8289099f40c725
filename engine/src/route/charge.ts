// Fees of one fill: who gets which part, and the postings that put them there.

import { postParts } from '../fee/post.ts';
import { type FeeSplit, hasReferrer, splitFee } from '../fee/split.ts';
import { builderSlot } from '../fee/unvested.ts';
import type { Order } from '../state/order.ts';
import type { State } from '../state/state.ts';
import type { Step } from './plan.ts';

/** The seven parts of the taker's fee on a step. */
export function splitOf(state: State, taker: Order, step: Step, rebate: number): FeeSplit {
  return splitFee(
    step.fee,
    rebate,
    !taker.holding.market.platform,
    taker.builder !== null && taker.builder.isOwn !== true,
    hasReferrer(state, taker.holding.account),
    state.parameters.fee,
  );
}

/** Credits every part but the maker's to the market's unvested accounts, the builder's own fee with its part. */
export function postFees(state: State, taker: Order, split: FeeSplit, builderFee: number): void {
  const { builder } = taker;
  const { market, account } = taker.holding;
  if (builder !== null) {
    const amount = split.builderMicro + builderFee;
    if (amount > 0) {
      state.ledger.postMicro(builderSlot(state, market, builder.appId), amount);
    }
  }
  postParts(state, account, market, split);
}
