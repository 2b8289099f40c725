// The languages that people are spoken to in.
export const locales = ['en', 'de', 'es', 'zh'] as const;
export type Locale = (typeof locales)[number];
