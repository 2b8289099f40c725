// From what was typed into a form to what is sent, what is wrong with it, and back.
import { localTime } from '../../format/local-time.ts';
import type { ActField, Draft, Typed } from './act-fields.ts';

/** By the name of the field, in words. */
export type Faults = Readonly<Record<string, string>>;

export interface ReadInput {
  readonly params: Record<string, string>;
  readonly body: Record<string, unknown>;
  readonly faults: Faults;
}

/** A word for what is not there, where leaving the field empty means that nothing changes. */
export const NULL_WORD = 'null';

class Unreadable extends Error {}

export function readDraft(fields: readonly ActField[], draft: Draft): ReadInput {
  const params: Record<string, string> = {};
  const body: Record<string, unknown> = {};
  const faults: Record<string, string> = {};
  const filled = fields.filter(({ name }) => !isEmpty(draft[name] ?? ''));
  for (const field of fields) {
    if (field.within.some((record) => !filled.some(({ name }) => name.startsWith(`${record}.`)))) {
      continue;
    }
    if (field.part === 'body') recordAt(body, field.name.split('.').slice(0, -1));
    try {
      const typed = draft[field.name] ?? '';
      const value = field.kind === 'rows' ? rowsOf(field, typed, faults) : saidBy(field, typed);
      if (value === undefined) continue;
      if (field.part === 'params') params[field.name] = String(value);
      else put(body, field.name, value);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      faults[field.name] = error.message;
    }
  }
  return { params, body, faults };
}

/** What the fields begin with to say this. */
export function draftOf(fields: readonly ActField[], value: unknown): Draft {
  const entries = fields.flatMap((field): [string, Typed][] => {
    const found = field.name.split('.').reduce(valueIn, value);
    return found === undefined || found === null ? [] : [[field.name, typedFor(field, found)]];
  });
  return Object.fromEntries(entries);
}

/** The name of a field inside a row, as the exchange names it in a fault. */
export function rowName(field: string, at: number, inside: string): string {
  return `${field}[${at}].${inside}`;
}

function typedFor({ kind, unit, fields }: ActField, value: unknown): Typed {
  if (kind === 'rows') return (value as readonly unknown[]).map((row) => draftOf(fields, row));
  if (kind === 'choices') return (value as readonly unknown[]).map(String);
  if (kind === 'lines') return (value as readonly unknown[]).join('\n');
  if (kind === 'json') return JSON.stringify(value, null, 2);
  if (kind === 'flag') return value === true ? 'yes' : 'no';
  if (kind === 'time') return localTime(Number(value));
  return unit !== null && typeof value === 'number' ? unit.typed(value) : String(value);
}

function valueIn(record: unknown, name: string): unknown {
  if (typeof record !== 'object' || record === null) return undefined;
  return Object.hasOwn(record, name) ? record[name as keyof typeof record] : undefined;
}

function isEmpty(typed: Typed): boolean {
  return typeof typed === 'string' ? typed.trim() === '' : typed.length === 0;
}

function put(body: Record<string, unknown>, name: string, value: unknown): void {
  const path = name.split('.');
  recordAt(body, path.slice(0, -1))[path.at(-1) ?? name] = value;
}

/** The record at the end of the path; records on the way are there from then on. */
function recordAt(
  record: Record<string, unknown>,
  path: readonly string[],
): Record<string, unknown> {
  return path.reduce((around, name) => {
    const inner = (around[name] ?? {}) as Record<string, unknown>;
    around[name] = inner;
    return inner;
  }, record);
}

function rowsOf(
  field: ActField,
  typed: Typed,
  faults: Record<string, string>,
): readonly unknown[] | undefined {
  const rows = typeof typed === 'string' ? [] : (typed as readonly Draft[]);
  if (rows.length === 0) return field.isRequired ? [] : undefined;
  return rows.map((row, at) => {
    const read = readDraft(field.fields, row);
    for (const [inside, fault] of Object.entries(read.faults)) {
      faults[rowName(field.name, at, inside)] = fault;
    }
    return read.body;
  });
}

/** Undefined where nothing is said of it. */
function saidBy(field: ActField, typed: Typed): unknown {
  if (typeof typed !== 'string') return chosen(field, typed as readonly string[]);
  const text = typed.trim();
  if (text === '') return emptyValue(field);
  if (field.isNullable && text === NULL_WORD) return null;
  switch (field.kind) {
    case 'number':
      return field.unit === null ? wholeNumber(text) : inUnit(field.unit, text);
    case 'decimal':
      return decimalNumber(text);
    case 'time':
      return instantOf(text);
    case 'flag':
      return text === 'yes';
    case 'lines':
      return text
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean);
    case 'json':
      return jsonOf(text);
    // A password may begin with a space.
    case 'secret':
      return typed;
    default:
      return text;
  }
}

function chosen({ isRequired }: ActField, words: readonly string[]): readonly string[] | undefined {
  return words.length === 0 && !isRequired ? undefined : words;
}

function emptyValue({ kind, isRequired, isNullable }: ActField): unknown {
  if (!isRequired) return undefined;
  if (isNullable) return null;
  if (kind === 'lines' || kind === 'choices') return [];
  throw new Unreadable('This is needed.');
}

function wholeNumber(text: string): number {
  if (!/^-?[0-9]{1,15}$/.test(text)) throw new Unreadable('A whole number is needed.');
  return Number(text);
}

function inUnit(unit: NonNullable<ActField['unit']>, text: string): number {
  const value = unit.read(text);
  if (value === undefined) throw new Unreadable(`Enter ${unit.expected}.`);
  return value;
}

function decimalNumber(text: string): number {
  if (!/^-?[0-9]{1,15}(\.[0-9]{1,15})?$/.test(text)) throw new Unreadable('A number is needed.');
  return Number(text);
}

/** In the zone of whoever types it, as the browser's own field gives it. */
function instantOf(text: string): number {
  const ms = new Date(text).getTime();
  if (Number.isNaN(ms)) throw new Unreadable('A date and a time are needed.');
  return ms;
}

/** The browser says where it stopped reading. */
function jsonOf(text: string): unknown {
  const value = parsed(text);
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new Unreadable('An object is needed: names and values between { and }.');
  }
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Unreadable(`This is not valid JSON: ${(error as Error).message}.`);
  }
}
