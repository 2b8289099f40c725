// What ledger entries refer to, spelled without converting every number: ids come one after the other.
import type { OrderId, TradeId } from './identity.ts';

/** `order:` and the id. */
export function orderReference(id: OrderId): string {
  return spell(ORDER, id);
}

/** `trade:` and the id. */
export function tradeReference(id: TradeId): string {
  return spell(TRADE, id);
}

/** A prefix with the last thousands spelled; neighbours in time share them. */
interface Spelling {
  readonly prefix: string;
  thousands: number;
  head: string;
}

const ORDER: Spelling = { prefix: 'order:', thousands: 0, head: 'order:' };
const TRADE: Spelling = { prefix: 'trade:', thousands: 0, head: 'trade:' };
const THOUSAND = 1000;
const ENDINGS: readonly string[] = Array.from({ length: THOUSAND }, (_, index) =>
  String(index).padStart(3, '0'),
);

function spell(spelling: Spelling, id: number): string {
  if (id < THOUSAND) return `${spelling.prefix}${id}`;
  const ending = id % THOUSAND;
  const thousands = (id - ending) / THOUSAND; // exact: the remainder was taken off
  if (thousands !== spelling.thousands) {
    spelling.thousands = thousands;
    spelling.head = `${spelling.prefix}${thousands}`;
  }
  return spelling.head + ENDINGS[ending]!;
}
