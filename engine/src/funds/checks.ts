// Checks of what commands about money in and out may say.
import { BALANCE_MAX } from '../ledger/ledger.ts';
import { invalid, type Rejection } from '../state/reject.ts';

const AMOUNT_MAX = BALANCE_MAX >> 4n;
const REFERENCE_LENGTH_MAX = 128;
const REASON_LENGTH_MAX = 256;

/** Stands in the place of a custody where an operator put a balance right: no custody has this name. */
export const CORRECTION = 'correction';

export function checkAmount(amount: unknown): Rejection | null {
  if (typeof amount === 'bigint' && amount > 0n && amount <= AMOUNT_MAX) return null;
  return invalid('amount', 'a positive amount');
}

export function checkReference(reference: unknown): Rejection | null {
  return checkText('reference', reference, REFERENCE_LENGTH_MAX);
}

export function checkReason(reason: unknown): Rejection | null {
  return checkText('reason', reason, REASON_LENGTH_MAX);
}

export function checkText(field: string, text: unknown, max: number): Rejection | null {
  if (typeof text === 'string' && text.length > 0 && text.length <= max) return null;
  return invalid(field, `1 to ${max} characters`);
}

export function checkCustody(custody: unknown): Rejection | null {
  const isName = typeof custody === 'string' && /^[a-z0-9_-]{1,32}$/.test(custody);
  if (isName && custody !== CORRECTION) return null;
  return invalid('custody', '1 to 32 of a to z, 0 to 9, _ and -');
}
