// Subaccounts as their owner sees them.
import type { OperationInput, Subaccount } from '@sibyl/contract';
import { type Account, freeShares, reservedShares, type State } from '@sibyl/engine';
import type { Position } from '../../handling/handler.ts';
import { ASSET } from '../../wire/account-mode.ts';
import { amountText } from '../../wire/amounts.ts';
import { reservedOf } from '../../wire/bonds.ts';
import { isoTime, isoTimeOrNull } from '../../wire/times.ts';

type Wanted = NonNullable<OperationInput<'listSubaccounts'>['query']['status']>;

/** The oldest first; of a subaccount itself, it alone. */
export function listedAfter(
  account: Account,
  wanted: Wanted,
  after: Position | null,
): readonly Account[] {
  const { members, closed } = account.family;
  const open = wanted === 'closed' ? [] : members;
  const all = wanted === 'open' ? open : [...open, ...closed];
  const seen = all.filter(({ id, parentId }) =>
    account.parentId === null ? parentId !== null : id === account.id,
  );
  seen.sort((a, b) => a.openedAtMs - b.openedAtMs || (a.id < b.id ? -1 : 1));
  if (after === null) return seen;
  const [openedAtMs, id] = [Number(after[0]), String(after[1])];
  return seen.filter(
    (each) => each.openedAtMs > openedAtMs || (each.openedAtMs === openedAtMs && each.id > id),
  );
}

export function subaccountView(state: State, account: Account): Subaccount {
  const { id, label, openedAtMs, closedAtMs, openOrders } = account;
  return {
    subaccount_id: id,
    label: label ?? id,
    status: statusOf(account),
    frozen_by: holderOf(account),
    asset: ASSET,
    balance_free: amountText(state.ledger.balance(account.free)),
    balance_reserved: amountText(reservedOf(state, account)),
    open_orders: openOrders,
    positions: positionsIn(state, account),
    created_at: isoTime(openedAtMs),
    created_at_ms: openedAtMs,
    closed_at: isoTimeOrNull(closedAtMs),
    closed_at_ms: closedAtMs,
  };
}

function statusOf({ closedAtMs, frozen }: Account): Subaccount['status'] {
  if (closedAtMs !== null) return 'closed';
  return frozen ? 'frozen' : 'active';
}

/** Of two the one whom the owner must wait for. */
function holderOf(account: Account): Subaccount['frozen_by'] {
  const { closedAtMs, frozen, frozenByOperator, family } = account;
  if (closedAtMs !== null || !frozen) return null;
  return frozenByOperator || family.owner.frozenByOperator ? 'operator' : 'owner';
}

/** Outcomes of which it holds shares. */
function positionsIn(state: State, { holdings }: Account): number {
  let positions = 0;
  for (const holding of holdings.values()) {
    for (let outcome = 0; outcome < holding.market.outcomes.length; outcome += 1) {
      const held = freeShares(state, holding, outcome) + reservedShares(state, holding, outcome);
      if (held > 0n) positions += 1;
    }
  }
  return positions;
}
