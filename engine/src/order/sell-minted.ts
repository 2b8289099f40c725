// No on one outcome of many: complete sets are minted and this outcome of them is sold, both or neither (OR18).

import { mintSets } from '../position/convert.ts';
import { isRejection } from '../state/authority.ts';
import type { Actor, MintSets, SellMinted } from '../state/command.ts';
import type { Answer } from '../state/outcome.ts';
import { invalid, type Rejection } from '../state/reject.ts';
import { refuse, type Turn } from '../state/turn.ts';
import { carryOut } from './place.ts';
import { preparePlacement } from './placement.ts';

export function sellMinted(turn: Turn, actor: Actor, command: SellMinted): Answer {
  const { state } = turn;
  const fault = checkMinted(command);
  if (fault !== null) return refuse(fault);
  const placement = preparePlacement(state, actor, command.order, true);
  if (isRejection(placement)) return refuse(placement);
  if (placement.rejectReason === null) {
    // A mint changes no price and no book: what was planned before it is still so after it.
    const minted = mintSets(turn, actor, mintFor(command));
    if (!minted.ok) return minted;
    placement.holding = state.holdings.find(placement.account, placement.market);
  }
  return carryOut(turn, actor, placement);
}

/** A sell that may fail would leave sets that nobody asked for; caps would count the same money twice. */
export function checkMinted({ accountId, order }: SellMinted): Rejection | null {
  if (order.accountId !== accountId) return invalid('order', "an order of the command's account");
  if (order.side !== 'sell') return invalid('side', 'sell');
  if (order.timeInForce !== 'fok') return invalid('time_in_force', 'fok');
  if (order.reduceOnly) return invalid('reduce_only', 'false');
  if (order.caps === null && order.grant === null) return null;
  return invalid('mint', 'an order without caps and grant; with them, mint first and then sell');
}

export function mintFor({ accountId, order }: SellMinted): MintSets {
  const { marketId, lots, caps, grant } = order;
  return { type: 'mint_sets', accountId, marketId, lots, caps, grant };
}
