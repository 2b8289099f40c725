// How an order behaves: the choices that few combinations cover, shared by all orders that made the same.
import { kindOf, kindTraits, type OrderKind } from '../generated/order.ts';

/** The bits of a kind are next to each other, above that of the side. */
const LOWEST = 1;
const KINDS = Array.from({ length: 128 }, (_, choice) => kindOf(choice << LOWEST));

export function orderKind(choices: OrderKind): OrderKind {
  return KINDS[kindTraits(choices) >> LOWEST]!;
}
