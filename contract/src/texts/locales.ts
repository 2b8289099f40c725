// The languages that people are spoken to in.
export const locales = ['en', 'de', 'es', 'zh'] as const;
export type Locale = (typeof locales)[number];

/** The first of these language tags that there are texts in, else English. */
export function readableLocale(tags: readonly string[]): Locale {
  for (const tag of tags) {
    const locale = locales.find((known) => tag === known || tag.startsWith(`${known}-`));
    if (locale !== undefined) return locale;
  }
  return 'en';
}
