// Answers as people read them: a line for each field, a table for each list.

import { wordForNone } from '@sibyl/contract';
import { tableOf } from './table.ts';

/** Names stand in a column of their own; what is inside a record is indented below it. */
export function wordsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return listWords(value);
  if (!isRecord(value)) return [shown(value)];
  const entries = Object.entries(value).filter(([name]) => !isTwin(name, value));
  const width = widest(entries.filter(([, part]) => isPlain(part)).map(([name]) => label(name)));
  return entries.flatMap(([name, part]) =>
    isPlain(part)
      ? [`${label(name).padEnd(width)}  ${shown(part, name)}`]
      : [label(name), ...wordsOf(part).map((line) => `  ${line}`)],
  );
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listWords(list: readonly unknown[]): readonly string[] {
  if (list.length === 0) return ['none'];
  const records = list.filter(isRecord);
  if (records.length < list.length) return list.map((one) => shown(one));
  const names = [...new Set(records.flatMap((one) => Object.keys(one)))].filter((name) =>
    records.every((one) => isPlain(one[name]) && !isTwin(name, one)),
  );
  const columns = names.map((name) => ({
    head: label(name).toUpperCase(),
    of: (one: Readonly<Record<string, unknown>>) => shown(one[name], name),
  }));
  const [head = '', ...rows] = tableOf(columns, records);
  return [head, ...rows.flatMap((row, at) => [row, ...innerWords(records[at]!)])];
}

/** What has no room in a row stands below it. */
function innerWords(record: Readonly<Record<string, unknown>>): readonly string[] {
  const inner = Object.entries(record).filter(([, part]) => !isPlain(part));
  return wordsOf(Object.fromEntries(inner)).map((line) => `  ${line}`);
}

/** Of a time that is given twice, people read the one with a date. */
function isTwin(name: string, record: Readonly<Record<string, unknown>>): boolean {
  return name.endsWith('_ms') && Object.hasOwn(record, name.slice(0, -'_ms'.length));
}

function isPlain(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0 || value.every((one) => !isRecord(one));
  return !isRecord(value);
}

function shown(value: unknown, name = ''): string {
  if (value === null || value === undefined) return wordForNone(name) ?? '-';
  if (Array.isArray(value)) {
    return value.length === 0 ? 'none' : value.map((one) => shown(one)).join(', ');
  }
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return isRecord(value) ? JSON.stringify(value) : String(value);
}

function label(name: string): string {
  return name.replaceAll('_', ' ');
}

function widest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map(({ length }) => length));
}
