// The browser's format of relative times, made once like those of the names.
import { madeOnce } from '@sibyl/contract/names';

export const relativeFormat = madeOnce(
  (locale, options: Intl.RelativeTimeFormatOptions) => new Intl.RelativeTimeFormat(locale, options),
);
