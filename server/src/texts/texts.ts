// Texts for people: the messages of the catalogues, read once and filled with values.
import { type ErrorCode, errors } from '@sibyl/contract';
import type { Locale } from '@sibyl/contract/locales';
import { catalogues, type Notice } from '@sibyl/contract/texts';
import { IntlMessageFormat } from 'intl-messageformat';
import { type ArgumentKind, argumentsOf } from './arguments.ts';

type Values = Readonly<Record<string, unknown>>;

export function errorText(locale: Locale, code: ErrorCode, details: Values = {}): string {
  const message = catalogues[locale].errors[code] ?? catalogues.en.errors[code];
  return message === undefined ? errors[code].message : fill(locale, message, details);
}

export function noticeText(locale: Locale, notice: Notice, values: Values): string {
  return fill(locale, catalogues[locale].notices[notice], values);
}

interface ReadMessage {
  readonly format: IntlMessageFormat;
  readonly arguments: ReadonlyMap<string, ArgumentKind>;
}

const read = new Map<string, ReadMessage>();

/** A text without one of its values is better than none: it stays empty, or 0 if it is counted. */
function fill(locale: Locale, message: string, values: Values): string {
  const { format, arguments: names } = readMessage(locale, message);
  const given: Record<string, string | number> = {};
  for (const [name, kind] of names) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    given[name] = kind === 'number' ? Number(value ?? 0) : String(value ?? '');
  }
  return String(format.format(given));
}

function readMessage(locale: Locale, message: string): ReadMessage {
  const key = `${locale} ${message}`;
  const known = read.get(key);
  if (known !== undefined) return known;
  const format = new IntlMessageFormat(message, locale, undefined, { ignoreTag: true });
  const fresh = { format, arguments: argumentsOf(format.getAst()) };
  read.set(key, fresh);
  return fresh;
}
