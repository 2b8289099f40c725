// In which language a letter to a user is written.
import { type Locale, locales } from '@sibyl/contract/locales';
import { defaultLocale, localeOf } from '../texts/locale.ts';

/** What the user has chosen, else what the browser asked for first. */
export function localeFor(chosen: string | null, acceptLanguage: string | undefined): Locale {
  const known = locales.find((locale) => locale === chosen);
  const [first = ''] = (acceptLanguage ?? '').split(/[,;]/);
  return known ?? localeOf(first.trim()) ?? defaultLocale;
}
