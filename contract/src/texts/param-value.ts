// The value of a market's parameter as people read it: numbers with separators, instants as dates.
import { dateFormat, numberFormat } from './formats.ts';
import type { Locale } from './locales.ts';
import { HERE, type Zone } from './zone.ts';

/** What the exchange itself reads as decimals, though they are written as text. */
const decimals: ReadonlySet<string> = new Set(['lower', 'upper', 'strike']);

export function isDecimal(name: string): boolean {
  return decimals.has(name);
}

export function paramValue(
  locale: Locale,
  name: string,
  value: unknown,
  { timeZone }: Zone = HERE,
): string {
  if (typeof value === 'number') {
    if (!name.endsWith('_at_ms')) return decimal(locale, String(value));
    const format = { dateStyle: 'medium', timeStyle: 'short', timeZone } as const;
    return dateFormat(locale, format).format(value);
  }
  const text = String(value);
  return isDecimal(name) && /^-?[0-9]+(?:\.[0-9]+)?$/.test(text) ? decimal(locale, text) : text;
}

function decimal(locale: Locale, text: string): string {
  return numberFormat(locale, { maximumFractionDigits: 18 }).format(text as `${number}`);
}
