// Accounts that their owner has closed: stopped in their lanes for good, while the records of them stay.
import type { State } from '@sibyl/engine';

/** As the engine keeps it with the freeze: by it a closing that was cut off is known again. */
export const CLOSED = 'closed by its owner';

type Account = NonNullable<ReturnType<State['accounts']['get']>>;

/** Whether it, or with its owner the whole family, takes part in nothing any more. */
export function isClosedByOwner({ family }: Account): boolean {
  const { frozenByOperator, frozenReason } = family.owner;
  return frozenByOperator && frozenReason === CLOSED;
}
