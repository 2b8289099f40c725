// The languages that there are texts in, and which of them is nearest to a language tag.

import { match } from '@formatjs/intl-localematcher';
import { type Locale, locales } from '@sibyl/contract/locales';

export const defaultLocale: Locale = 'en';

/** The nearest language; null for what is no language tag. */
export function localeOf(tag: string): Locale | null {
  let canonical: string | undefined;
  try {
    [canonical] = Intl.getCanonicalLocales(tag);
  } catch {
    return null;
  }
  if (canonical === undefined) return null;
  // Another script of the same language is nearer to its readers than English.
  const [language] = canonical.split('-');
  const nearest = match([canonical], locales, defaultLocale);
  return locales.find((locale) => locale === language) ?? toLocale(nearest);
}

/** The same text in each of the languages. */
export function inEveryLocale(
  textOf: (locale: Locale) => string,
): Readonly<Record<Locale, string>> {
  return { en: textOf('en'), de: textOf('de'), es: textOf('es'), zh: textOf('zh') };
}

function toLocale(name: string): Locale {
  return locales.find((locale) => locale === name) ?? defaultLocale;
}
