// The reader's language, and the texts of a component in it.
import { createContext, useCallback, useContext } from 'react';
import { type Locale, locales, type Texts, type Translate, translate } from './texts.ts';

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
  const wanted = [localStorage.getItem(STORED), ...navigator.languages];
  for (const tag of wanted) {
    const locale = locales.find((known) => tag === known || tag?.startsWith(`${known}-`));
    if (locale !== undefined) return locale;
  }
  return 'en';
}

export function rememberLocale(locale: Locale): void {
  localStorage.setItem(STORED, locale);
  document.documentElement.lang = locale;
}
