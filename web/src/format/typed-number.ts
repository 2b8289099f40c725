// Numbers as people type them: with the signs for thousands and for places that the pages themselves write.
import { numberFormat } from '@sibyl/contract/names';
import { formatAmount, parseAmount } from '@sibyl/sdk';
import { type Locale, translate } from '../texts/texts.ts';
import { fromCents, inCents } from './amounts.ts';

/** Without the signs for thousands, once they stand where only they can; all else stays as it was typed. */
export function withoutGroups(locale: Locale, text: string): string {
  const [group, decimal] = [signIn(locale, 'group'), signIn(locale, 'decimal')];
  const grouped = new RegExp(`^[1-9]\\d{0,2}([${group}]\\d{3})+([${decimal}]\\d*)?$`);
  return grouped.test(text.trim()) ? text.replaceAll(group, '') : text;
}

/** A decimal as the exchange takes it; null if what was typed is none, or could be read in two ways. */
export function readDecimal(locale: Locale, text: string): string | null {
  const sign = text.trim().startsWith('-') ? '-' : '';
  const typed = text.trim().slice(sign.length);
  const isComma = signIn(locale, 'decimal') === ',';
  // Thousands as the pages write them in these languages, and thousandths as programs do.
  if (isComma && /^[1-9]\d*\.\d{3}$/.test(typed)) return null;
  const plain = withoutGroups(locale, typed);
  const decimal = isComma ? plain.replace(/^(\d+),(\d+)$/, '$1.$2') : plain;
  return /^\d+(?:\.\d+)?$/.test(decimal) ? `${sign}${decimal}` : null;
}

/** An amount as the exchange takes it: a decimal that is not negative and has at most six places. */
export function readAmount(locale: Locale, text: string): string | null {
  const decimal = readDecimal(locale, text);
  return decimal !== null && /^\d+(?:\.\d{1,6})?$/.test(decimal) ? decimal : null;
}

/** What was typed in cents, as a price of the exchange; null if it is none. */
export function readCents(locale: Locale, text: string): string | null {
  const amount = readAmount(locale, text);
  if (amount === null) return null;
  try {
    return fromCents(amount);
  } catch {
    return null;
  }
}

/** An amount of the exchange as it would be typed. */
export function asTyped(locale: Locale, amount: string): string {
  return amount.replace('.', signIn(locale, 'decimal'));
}

/** The price of an order in cents, and its shares, as they would be typed: without zeros that nobody types. */
export function orderAsTyped(
  locale: Locale,
  { price, size }: { readonly price: string; readonly size: string },
): { readonly price: string; readonly size: string } {
  return {
    price: asTyped(locale, inCents(price)),
    size: asTyped(locale, formatAmount(parseAmount(size))),
  };
}

/** What is said of anything that is no number. */
export function numberFault(locale: Locale): string {
  return translate(locale, NO_NUMBER);
}

/** What is said of anything that is no amount. */
export function amountFault(locale: Locale): string {
  return translate(locale, NO_AMOUNT);
}

const NO_NUMBER = {
  en: 'Type a number with a point, such as 12.5.',
  de: 'Geben Sie eine Zahl mit Komma ein, ohne Tausenderpunkt, etwa 1500,25.',
  es: 'Escriba un número con coma, sin punto de millares, como 1500,25.',
  zh: '请输入数字，例如 12.5。',
};

const NO_AMOUNT = {
  en: 'A number with a point and at most six places, such as 1500.25.',
  de: 'Eine Zahl mit Komma und höchstens sechs Stellen, ohne Tausenderpunkt, etwa 1500,25.',
  es: 'Un número con coma y como mucho seis decimales, sin punto de millares, como 1500,25.',
  zh: '数字，最多六位小数，例如 1500.25。',
};

function signIn(locale: Locale, type: 'group' | 'decimal'): string {
  const parts = numberFormat(locale, {}).formatToParts(12_345.6);
  return parts.find((part) => part.type === type)?.value ?? '';
}
