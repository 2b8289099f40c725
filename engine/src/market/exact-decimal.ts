// Decimals of readings and bounds, exact to 18 places and as long as a source may write them.
import type { ParamValue } from '../state/command.ts';

/** The value times 10^18, or null when the text is no decimal of at most 40 characters. */
export function readDecimal(value: ParamValue | undefined): bigint | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) * UNIT : null;
  if (typeof value !== 'string' || value.length > LENGTH_MAX) return null;
  const match = DECIMAL.exec(value);
  if (match === null) return null;
  const [, sign = '', whole = '', fraction = ''] = match;
  const magnitude = BigInt(whole + fraction.padEnd(PLACES, '0'));
  return sign === '-' ? -magnitude : magnitude;
}

const PLACES = 18;
const UNIT = 10n ** 18n;
/** Longer text is refused unread: reading it would take time that grows with its square. */
const LENGTH_MAX = 40;
const DECIMAL = /^(-?)([0-9]+)(?:\.([0-9]{1,18}))?$/;
