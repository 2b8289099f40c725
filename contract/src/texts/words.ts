// A text in every language, with places for values: names of markets need no more of ICU than that.
import type { Locale } from './locales.ts';

/** One text in every language. */
export type Words = Readonly<Record<Locale, string>>;

export function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);
}
