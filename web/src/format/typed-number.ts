// Numbers as people type them: with the signs for thousands and for places that the pages themselves write.
import { type Locale, translate } from '../texts/texts.ts';
import { numberFormat } from './formats.ts';

/** Without the signs for thousands, once they stand where only they can; all else stays as it was typed. */
export function withoutGroups(locale: Locale, text: string): string {
  const [group, decimal] = [signIn(locale, 'group'), signIn(locale, 'decimal')];
  const grouped = new RegExp(`^[1-9]\\d{0,2}([${group}]\\d{3})+([${decimal}]\\d*)?$`);
  return grouped.test(text.trim()) ? text.replaceAll(group, '') : text;
}

/** An amount of money as the exchange takes it; null if what was typed is none, or could be read in two ways. */
export function readAmount(locale: Locale, text: string): string | null {
  const typed = text.trim();
  const isComma = signIn(locale, 'decimal') === ',';
  // Thousands as the pages write them in these languages, and thousandths as programs do.
  if (isComma && /^[1-9]\d{0,2}\.\d{3}$/.test(typed)) return null;
  const plain = withoutGroups(locale, typed);
  const amount = isComma ? plain.replace(/^(\d+),(\d+)$/, '$1.$2') : plain;
  return /^\d+(?:\.\d{1,6})?$/.test(amount) ? amount : null;
}

/** An amount of the exchange as it would be typed. */
export function asTyped(locale: Locale, amount: string): string {
  return amount.replace('.', signIn(locale, 'decimal'));
}

/** What is said of anything that is no amount. */
export function amountFault(locale: Locale): string {
  return translate(locale, NO_AMOUNT);
}

const NO_AMOUNT = {
  en: 'A number with a point and at most six places, such as 1500.25.',
  de: 'Eine Zahl mit Komma und höchstens sechs Stellen, ohne Tausenderpunkt, etwa 1500,25.',
  es: 'Un número con coma y como mucho seis decimales, sin punto de millares, como 1500,25.',
  zh: '数字,最多六位小数,例如 1500.25。',
};

function signIn(locale: Locale, type: 'group' | 'decimal'): string {
  const parts = numberFormat(locale, {}).formatToParts(12_345.6);
  return parts.find((part) => part.type === type)?.value ?? '';
}
