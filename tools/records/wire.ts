// The order that clients get: its fields in their order on the wire, and what each is made of.
import { ORDER } from './order.ts';

/** How a value is spelled. `time`: a moment as ISO text. `reason`: a word of the engine in the words of the interface. */
export type Spelling =
  | 'id'
  | 'text'
  | 'word'
  | 'reason'
  | 'pips'
  | 'lots'
  | 'micro'
  | 'price'
  | 'amount'
  | 'flag'
  | 'number'
  | 'time'
  | 'null';

export interface WireField {
  readonly name: string;
  readonly as: Spelling;
  /** What it is made of, and whether that may be null. */
  readonly value: string;
  readonly isOptional: boolean;
  /** Of words: those that there are. */
  readonly words?: readonly string[];
  /** Nearly every order has this: such fields, side by side, are written at once. */
  readonly usual?: { readonly test: string; readonly text: string };
}

/** Field of the order, its name on the wire where that is another, its spelling, and what is usual. */
export const WIRE: readonly WireField[] = [
  field('orderId', 'id'),
  field('marketId', 'text'),
  field('outcomeId', 'text'),
  field('side', 'word'),
  field('orderType', 'word'),
  field('price', 'pips'),
  { ...field('lots', 'lots'), name: 'size' },
  field('status', 'word', 'pending'),
  {
    ...field('filledLots', 'lots'),
    name: 'filled_size',
    usual: { test: 'order.filledLots === 0', text: '"0.000000"' },
  },
  derived('remaining_size', 'lots', '(order.lots - order.filledLots)'),
  {
    ...derived('avg_fill_price', 'price', 'averagePrice(order)'),
    isOptional: true,
    usual: { test: 'order.filledLots === 0', text: 'null' },
  },
  {
    ...field('feesPaid', 'amount'),
    name: 'fee_paid',
    usual: { test: 'order.feesPaid === 0n', text: '"0.000000"' },
  },
  derived('reserved', 'micro', 'reservedMicro(order)'),
  field('clientOrderId', 'text'),
  field('timeInForce', 'word', 'gtc'),
  field('postOnly', 'flag', 'false'),
  field('reduceOnly', 'flag', 'false'),
  field('stpMode', 'word', 'cancel_resting'),
  field('maxCost', 'amount', 'null'),
  field('validUntilMs', 'number', 'null'),
  field('rejectReason', 'reason', 'null'),
  field('cancelReason', 'reason', 'null'),
  { ...field('expiresAtMs', 'time', 'null'), name: 'expires_at' },
  field('expiresAtMs', 'number', 'null'),
  { ...field('createdAtMs', 'time'), name: 'created_at' },
  field('createdAtMs', 'number'),
  derived('updated_at', 'time', 'updatedAtMs'),
  derived('updated_at_ms', 'number', 'updatedAtMs'),
  derived('chain_data', 'null', 'null'),
];

function field(name: string, as: Spelling, usual?: string): WireField {
  const found = ORDER.find((one) => one.name === name);
  if (found === undefined) throw new Error(`an order has no ${name}`);
  const value = `order.${name}`;
  const wire = {
    name: name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    as,
    value,
    isOptional: found.isOptional ?? false,
    ...(found.codes === undefined ? {} : { words: Object.keys(found.codes) }),
  };
  if (usual === undefined) return wire;
  if (as === 'word') {
    return { ...wire, usual: { test: `${value} === '${usual}'`, text: `"${usual}"` } };
  }
  return { ...wire, usual: { test: `${value} === ${usual}`, text: usual } };
}

function derived(name: string, as: Spelling, value: string): WireField {
  return { name, as, value, isOptional: false };
}
