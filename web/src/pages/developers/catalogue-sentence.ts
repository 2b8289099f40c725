// What a code means in general: the catalogue's sentence, without the values of a certain answer.
import { catalogues } from '@sibyl/contract/texts';
import { type Locale, translate } from '../../texts/texts.ts';

/** For sentences that ask for a value: what stands for any. */
const ANY = { reason: 'other', field: '…', retry_after_sec: 0 };

export function catalogueSentence(locale: Locale, code: string): string {
  const sentences: Readonly<Record<string, string | undefined>> = catalogues[locale].errors;
  const message = sentences[code];
  // A newer exchange may have codes that this page does not know; the code speaks for itself.
  if (message === undefined) return '';
  return translate(locale, { en: message, de: message, es: message, zh: message }, ANY);
}
