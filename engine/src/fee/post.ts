// The parts of a fee that wait in their market, put there (FE4, FE5).

import { NO_ACCOUNT } from '../ledger/ledger.ts';
import type { Account } from '../state/account.ts';
import type { Market } from '../state/market.ts';
import type { State } from '../state/state.ts';
import type { FeeSplit } from './split.ts';
import { openSlot, unvestedAccount } from './unvested.ts';

/** Credits every part but the maker's and the builder's; `payer` is who paid the fee. */
export function postParts(state: State, payer: Account, market: Market, split: FeeSplit): void {
  const { ledger } = state;
  if (split.creatorMicro > 0) {
    const known = market.feeSlots.creator;
    const { id } = market.creator;
    const slot = known === NO_ACCOUNT ? openSlot(state, market, 'creator', id) : known;
    ledger.postMicro(slot, split.creatorMicro);
  }
  if (split.referrerMicro > 0 && payer.referrerId !== null) {
    const slot = unvestedAccount(state, market, 'referrer', payer.referrerId);
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
