// The reader's language, and the texts of a component in it.
import { readableLocale } from '@sibyl/contract/locales';
import { createContext, useCallback, useContext } from 'react';
import { type Locale, type Texts, type Translate, translate } from './texts.ts';

const STORED = 'sibyl.locale';

export const LocaleContext = createContext<{
  readonly locale: Locale;
  readonly choose: (locale: Locale) => void;
}>({ locale: 'en', choose: () => undefined });

export function useLocale(): Locale {
  return useContext(LocaleContext).locale;
}

export function useTexts<Key extends string>(texts: Texts<Key>): Translate<Key> {
  const locale = useLocale();
  return useCallback((key, values) => translate(locale, texts[key], values), [locale, texts]);
}

/** What the reader chose before, else the first of the browser's languages that there are texts in. */
export function firstLocale(): Locale {
  const kept = localStorage.getItem(STORED);
  const locale = readableLocale([...(kept === null ? [] : [kept]), ...navigator.languages]);
  tellReader(locale);
  return locale;
}

export function rememberLocale(locale: Locale): void {
  localStorage.setItem(STORED, locale);
  tellReader(locale);
}

const A_YEAR_SEC = 31_536_000;

/** By this cookie the documents of the exchange are painted in the language and time zone of the page. */
function tellReader(locale: Locale): void {
  document.documentElement.lang = locale;
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in older browsers and on plain HTTP.
  document.cookie = `sibyl_reader=${locale}/${timeZone}; Path=/; SameSite=Lax; Max-Age=${A_YEAR_SEC}`;
}
