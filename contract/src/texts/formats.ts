// The platform's own formats, each made once: making one costs a hundred times what using it does, and lists use one per cell.
import type { Locale } from './locales.ts';

export function madeOnce<Options, Format>(
  make: (locale: Locale, options: Options) => Format,
): (locale: Locale, options: Options) => Format {
  const made = new Map<string, Format>();
  return (locale, options) => {
    const key = `${locale} ${JSON.stringify(options)}`;
    const known = made.get(key);
    if (known !== undefined) return known;
    const format = make(locale, options);
    made.set(key, format);
    return format;
  };
}

export const numberFormat = madeOnce(
  (locale, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options),
);

export const dateFormat = madeOnce(
  (locale, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options),
);
