// Numbers as people type them: with the sign for thousands that the pages themselves write.
import { type Locale, translate } from '../texts/texts.ts';
import { numberFormat } from './formats.ts';

/** Without the signs for thousands, once they stand where only they can; all else stays as it was typed. */
export function withoutGroups(locale: Locale, text: string): string {
  const parts = numberFormat(locale, {}).formatToParts(12_345.6);
  const sign = (type: 'group' | 'decimal'): string =>
    `[${parts.find((part) => part.type === type)?.value ?? ''}]`;
  const grouped = new RegExp(`^[1-9]\\d{0,2}(${sign('group')}\\d{3})+(${sign('decimal')}\\d*)?$`);
  return grouped.test(text.trim()) ? text.replaceAll(new RegExp(sign('group'), 'g'), '') : text;
}

/** Whether the exchange takes it as an amount of money. */
export function isAmount(text: string): boolean {
  return /^\d+(?:\.\d{1,6})?$/.test(text);
}

/** What is said of anything else. */
export function amountFault(locale: Locale): string {
  return translate(locale, NO_AMOUNT);
}

const NO_AMOUNT = {
  en: 'A number with a point and at most six places.',
  de: 'Eine Zahl mit Punkt und höchstens sechs Stellen.',
  es: 'Un número con punto y como mucho seis decimales.',
  zh: '数字,最多六位小数。',
};
