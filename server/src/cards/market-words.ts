// A market in the few words that a card or a preview of a link has room for.
import type { Market } from '@sibyl/contract';
import type { Locale } from '@sibyl/contract/locales';
import {
  dateFormat,
  marketTitle,
  numberFormat,
  outcomeName,
  type Words,
} from '@sibyl/contract/names';
import type { Reader } from '../wire/reader.ts';
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
const MICRO_PER_CENT = 10_000n;
const MICRO_ONE = 1_000_000n;
const DECIMAL = /^(-?)(\d{1,40})(?:\.(\d{1,18}))?$/;

const texts = {
  expected: { en: 'Expected', de: 'Erwartet', es: 'Previsto', zh: '预期' },
  resolved: { en: 'Resolved', de: 'Entschieden', es: 'Resuelto', zh: '已结算' },
  cancelled: { en: 'Cancelled', de: 'Abgesagt', es: 'Cancelado', zh: '已取消' },
  closes: { en: 'Closes', de: 'Schließt', es: 'Cierra', zh: '截止' },
  closed: { en: 'Closed', de: 'Geschlossen', es: 'Cerrado', zh: '已截止' },
} satisfies Readonly<Record<string, Words>>;

export function marketWords(market: Market, reader: Reader): MarketWords {
  const { locale, zone } = reader;
  return {
    title: plainLine(marketTitle(locale, market, zone), TITLE_MAX),
    leading: leadingOf(market, reader),
    closing: closingOf(market, reader),
  };
}

function leadingOf(market: Market, { locale }: Reader): MarketWords['leading'] {
  const { outcome_schema: schema, outcomes } = market;
  const implied = schema === 'scalar' ? impliedValue(market, locale) : null;
  if (implied !== null) return [{ label: texts.expected[locale], figure: implied }];
  const shown = outcomes.map((outcome) => ({
    label: plainLine(outcomeName(locale, market, outcome), LABEL_MAX),
    micro: microOf(outcome.price),
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
function impliedValue({ params, outcomes }: Market, locale: Locale): string | null {
  const lower = scaledOf(params.lower);
  const upper = scaledOf(params.upper);
  const [first] = outcomes;
  if (lower === null || upper === null || first === undefined) return null;
  const up = outcomes.find(({ id }) => id === 'long') ?? first;
  const value = lower + ((upper - lower) * microOf(up.price)) / MICRO_ONE;
  const unit = typeof params.unit === 'string' ? ` ${plainLine(params.unit, 16)}` : '';
  return `${decimalText(locale, value, upper - lower)}${unit}`.trim();
}

const PLACES = 18;

/** A decimal as an integer of its last place. */
function scaledOf(text: unknown): bigint | null {
  const [, sign, whole = '', fraction = ''] = DECIMAL.exec(String(text)) ?? [];
  if (sign === undefined) return null;
  const digits = BigInt(whole + fraction.padEnd(PLACES, '0'));
  return sign === '-' ? -digits : digits;
}

/** With as many places as the width of the range deserves, like the page. */
function decimalText(locale: Locale, value: bigint, range: bigint): string {
  const one = 10n ** BigInt(PLACES);
  const places = range >= 1_000n * one ? 0 : range >= 10n * one ? 1 : 3;
  const digits = String(value < 0n ? -value : value).padStart(PLACES + 1, '0');
  const text = `${value < 0n ? '-' : ''}${digits.slice(0, -PLACES)}.${digits.slice(-PLACES)}`;
  return numberFormat(locale, { maximumFractionDigits: places }).format(text as `${number}`);
}

function microOf(price: string): bigint {
  const [whole = '0', fraction = ''] = price.split('.');
  return BigInt(whole) * MICRO_ONE + BigInt(fraction.padEnd(6, '0').slice(0, 6));
}

function closingOf({ status, closes_at_ms: closesAtMs }: Market, { locale, zone }: Reader): string {
  if (status === 'resolved' || status === 'cancelled') return texts[status][locale];
  const { timeZone, mark = '' } = zone;
  const format = { dateStyle: 'medium', timeStyle: 'short', timeZone } as const;
  const at = `${dateFormat(locale, format).format(closesAtMs)}${mark}`;
  const isOpen = status === 'active' || status === 'scheduled';
  return `${texts[isOpen ? 'closes' : 'closed'][locale]} ${at}`;
}
