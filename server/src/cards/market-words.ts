// A market in the few words that a card or a preview of a link has room for.
import type { Market } from '@sibyl/contract';
import { plainLine } from './plain-line.ts';

/** What the market thinks: outcomes with their prices in cents, or the number they stand for. */
export interface MarketWords {
  readonly title: string;
  /** The most likely first; one of a yes-or-no or a number. */
  readonly leading: readonly { readonly label: string; readonly figure: string }[];
  readonly closing: string;
}

const TITLE_MAX = 300;
const LABEL_MAX = 40;
const LEADING_MAX = 3;
const UNNAMED = 'A market without a title';
const MICRO_PER_CENT = 10_000n;
const MICRO_ONE = 1_000_000n;
const DECIMAL = /^(-?)(\d{1,40})(?:\.(\d{1,18}))?$/;

export function marketWords(market: Market): MarketWords {
  return {
    title: plainLine(market.title, TITLE_MAX) || UNNAMED,
    leading: leadingOf(market),
    closing: closingOf(market),
  };
}

function leadingOf(market: Market): MarketWords['leading'] {
  const { outcome_schema: schema, outcomes } = market;
  const implied = schema === 'scalar' ? impliedValue(market) : null;
  if (implied !== null) return [{ label: 'Expected', figure: implied }];
  const shown = outcomes.map(({ label, price }) => ({
    label: plainLine(label, LABEL_MAX),
    micro: microOf(price),
  }));
  const ranked =
    schema === 'multi'
      ? shown.toSorted((one, other) => Number(other.micro - one.micro)).slice(0, LEADING_MAX)
      : shown.slice(0, 1);
  return ranked.map(({ label, micro }) => ({ label, figure: centsText(micro) }));
}

/** Whole cents, as prices are spoken of; what is neither nothing nor all is never shown as either. */
function centsText(micro: bigint): string {
  if (micro > 0n && micro < MICRO_PER_CENT) return '<1¢';
  if (micro < MICRO_ONE && micro > MICRO_ONE - MICRO_PER_CENT) return '>99¢';
  return `${(micro + MICRO_PER_CENT / 2n) / MICRO_PER_CENT}¢`;
}

/** Where between its ends the price says that the number lies; null where the ends cannot be read. */
function impliedValue({ params, outcomes }: Market): string | null {
  const lower = scaledOf(params.lower);
  const upper = scaledOf(params.upper);
  const [first] = outcomes;
  if (lower === null || upper === null || first === undefined) return null;
  const up = outcomes.find(({ id }) => id === 'long') ?? first;
  const value = lower + ((upper - lower) * microOf(up.price)) / MICRO_ONE;
  const unit = typeof params.unit === 'string' ? ` ${plainLine(params.unit, 16)}` : '';
  return `${decimalText(value, upper - lower)}${unit}`.trim();
}

const PLACES = 18;

/** A decimal as an integer of its last place. */
function scaledOf(text: unknown): bigint | null {
  const [, sign, whole = '', fraction = ''] = DECIMAL.exec(String(text)) ?? [];
  if (sign === undefined) return null;
  const digits = BigInt(whole + fraction.padEnd(PLACES, '0'));
  return sign === '-' ? -digits : digits;
}

/** With as many places as show a hundredth of the range. */
function decimalText(value: bigint, range: bigint): string {
  const one = 10n ** BigInt(PLACES);
  const places = range >= 100n * one ? 0 : range >= one ? 2 : 4;
  const unit = 10n ** BigInt(PLACES - places);
  const size = (value < 0n ? -value : value) + unit / 2n;
  const digits = String(size / unit).padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  const text = places === 0 ? whole : `${whole}.${digits.slice(-places)}`;
  return value < 0n ? `−${text}` : text;
}

function microOf(price: string): bigint {
  const [whole = '0', fraction = ''] = price.split('.');
  return BigInt(whole) * MICRO_ONE + BigInt(fraction.padEnd(6, '0').slice(0, 6));
}

function closingOf({ status, closes_at: closesAt }: Market): string {
  const at = `${closesAt.slice(0, 10)} ${closesAt.slice(11, 16)} UTC`;
  if (status === 'resolved') return 'Resolved';
  if (status === 'cancelled') return 'Cancelled';
  return status === 'active' || status === 'scheduled' ? `Closes ${at}` : `Closed ${at}`;
}
