// In which language and time zone a document is written: those of the page, which keeps them in a cookie, else the browser's language and UTC.
import type { IncomingHttpHeaders } from 'node:http';
import { type Locale, readableLocale } from '@sibyl/contract/locales';
import { UTC, type Zone } from '@sibyl/contract/names';

export interface Reader {
  readonly locale: Locale;
  readonly zone: Zone;
}

const KEPT = /(?:^|;\s*)sibyl_reader=(\w{2})\/([\w+/-]{1,64})(?=;|$)/;

/** A spelling of its own for each request would fill the memory with formats. */
const zones: ReadonlySet<string> = new Set(['UTC', ...Intl.supportedValuesOf('timeZone')]);

export function readerOf(headers: IncomingHttpHeaders): Reader {
  const [, kept, timeZone = ''] = KEPT.exec(headers.cookie ?? '') ?? [];
  const wanted = tagsOf(headers['accept-language']);
  const locale = readableLocale(kept === undefined ? wanted : [kept, ...wanted]);
  return { locale, zone: zones.has(timeZone) ? { timeZone } : UTC };
}

/** Whether a client shows no cookie but this one, which is no credential. */
export function isReaderOnly(cookie: string): boolean {
  return cookie.split(';').every((pair) => pair.trim().startsWith('sibyl_reader='));
}

const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;
const TAGS_MAX = 20;

/** The languages that a browser accepts, the most wanted first. */
function tagsOf(accepted = ''): readonly string[] {
  const weighed = accepted
    .split(',', TAGS_MAX)
    .map((part) => {
      const [tag = '', weight = 'q=1'] = part.split(';').map((piece) => piece.trim());
      return { tag, weight: Number(WEIGHT.exec(weight)?.[1] ?? 0) };
    })
    .filter(({ weight }) => weight > 0);
  return weighed.toSorted((one, other) => other.weight - one.weight).map(({ tag }) => tag);
}
