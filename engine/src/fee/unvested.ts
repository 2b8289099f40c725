// Where the parts of a fee wait inside their market until it resolves (FE5).
import { feeKey } from '../ledger/chart.ts';
import { type AccountIndex, NO_ACCOUNT } from '../ledger/ledger.ts';
import type { Market, UnvestedFee } from '../state/market.ts';
import type { State } from '../state/state.ts';

/** Opened when first needed. A market has one creator, so that part is found without its id. */
export function unvestedAccount(
  state: State,
  market: Market,
  actor: UnvestedFee['actor'],
  id: string,
): AccountIndex {
  const key = actor === 'creator' ? actor : feeKey(actor, id);
  const known = market.unvested.get(key);
  if (known !== undefined) return known.account;
  const account = state.ledger.openUsdt(`market:${market.id}:fees:${feeKey(actor, id)}`);
  market.unvested.set(key, { actor, id, account });
  return account;
}

type PlatformActor = 'oracle' | 'insurance' | 'treasury';

/** Of an app, found without a search where it is the one that traded before. */
export function builderSlot(state: State, market: Market, appId: string): AccountIndex {
  const { feeSlots } = market;
  if (feeSlots.builder === NO_ACCOUNT || feeSlots.builderId !== appId) {
    feeSlots.builder = unvestedAccount(state, market, 'builder', appId);
    feeSlots.builderId = appId;
  }
  return feeSlots.builder;
}

/** Opens one of the parts that nearly every fee has and notes its account, found from then on without a search. */
export function openSlot(
  state: State,
  market: Market,
  actor: PlatformActor | 'creator',
  id: string,
): AccountIndex {
  const account = unvestedAccount(state, market, actor, id);
  market.feeSlots[actor] = account;
  return account;
}
