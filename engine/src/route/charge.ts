// Fees of one fill: who gets which part, and the postings that put them there.

import { type FeeSplit, splitFee } from '../fee/split.ts';
import { openSlot, unvestedAccount } from '../fee/unvested.ts';
import { NO_ACCOUNT } from '../ledger/ledger.ts';
import type { Market } from '../market/market.ts';
import type { Order } from '../order/order.ts';
import type { State } from '../state.ts';
import type { Step } from './plan.ts';

/** The seven parts of the taker's fee on a step. */
export function splitOf(state: State, taker: Order, step: Step, rebate: number): FeeSplit {
  return splitFee(
    step.fee,
    rebate,
    !taker.holding.market.platform,
    taker.builder !== null,
    taker.holding.account.referrerId !== null,
    state.parameters.fee,
  );
}

/** Credits every part but the maker's to the market's unvested accounts, the builder's own fee with its part. */
export function postParts(state: State, taker: Order, split: FeeSplit, builderFee: number): void {
  const { builder } = taker;
  const { market, account } = taker.holding;
  const { ledger } = state;
  if (split.creatorMicro > 0) {
    const known = market.feeSlots.creator;
    const { id } = market.creator;
    const slot = known === NO_ACCOUNT ? openSlot(state, market, 'creator', id) : known;
    ledger.postMicro(slot, split.creatorMicro);
  }
  if (builder !== null) {
    const amount = split.builderMicro + builderFee;
    if (amount > 0) {
      ledger.postMicro(unvestedAccount(state, market, 'builder', builder.appId), amount);
    }
  }
  if (split.referrerMicro > 0 && account.referrerId !== null) {
    const slot = unvestedAccount(state, market, 'referrer', account.referrerId);
    ledger.postMicro(slot, split.referrerMicro);
  }
  postPlatform(state, market, split);
}

/** The parts that no market is without. */
function postPlatform(state: State, market: Market, split: FeeSplit): void {
  const { ledger } = state;
  const { oracle, insurance, treasury } = market.feeSlots;
  if (split.oracleMicro > 0) {
    const slot = oracle === NO_ACCOUNT ? openSlot(state, market, 'oracle', '') : oracle;
    ledger.postMicro(slot, split.oracleMicro);
  }
  if (split.insuranceMicro > 0) {
    const slot = insurance === NO_ACCOUNT ? openSlot(state, market, 'insurance', '') : insurance;
    ledger.postMicro(slot, split.insuranceMicro);
  }
  if (split.treasuryMicro > 0) {
    const slot = treasury === NO_ACCOUNT ? openSlot(state, market, 'treasury', '') : treasury;
    ledger.postMicro(slot, split.treasuryMicro);
  }
}
