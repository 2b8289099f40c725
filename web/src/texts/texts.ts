// Texts for people as ICU messages: each part of the page brings its own, in every language.
import { type Locale, locales } from '@sibyl/contract/locales';
import type { Words } from '@sibyl/contract/names';
import { IntlMessageFormat } from 'intl-messageformat';

export { type Locale, locales, type Words };

/** The name of each language in itself. */
export const localeNames: Readonly<Record<Locale, string>> = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  zh: '中文',
};

export type Texts<Key extends string> = Readonly<Record<Key, Words>>;

export type TextValues = Readonly<Record<string, string | number>>;

/** Gives the text of a key in the reader's language, with its values filled in. */
export type Translate<Key extends string> = (key: Key, values?: TextValues) => string;

// The library would ask the browser which of these languages it knows, for 30 ms of every first page. Each knows them all.
IntlMessageFormat.resolveLocale = (locale) => new Intl.Locale(String(locale));

const read = new Map<string, IntlMessageFormat>();

export function translate(locale: Locale, words: Words, values: TextValues = {}): string {
  const message = words[locale];
  // Most texts have no values, and reading a message costs more than showing it.
  if (!message.includes('{')) return message;
  const key = `${locale} ${message}`;
  let format = read.get(key);
  if (format === undefined) {
    format = new IntlMessageFormat(message, locale, undefined, { ignoreTag: true });
    read.set(key, format);
  }
  return String(format.format(values));
}
