// From what was typed into a form to what is sent, and what is wrong with it.
import type { ActField, Draft } from './act-fields.ts';

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
  for (const field of fields) {
    try {
      const value = saidBy(field, draft[field.name] ?? '');
      if (value === undefined) continue;
      if (field.part === 'params') params[field.name] = String(value);
      else body[field.name] = value;
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      faults[field.name] = error.message;
    }
  }
  return { params, body, faults };
}

/** Undefined where nothing is said of it. */
function saidBy(field: ActField, typed: string | readonly string[]): unknown {
  if (typeof typed !== 'string') return chosen(field, typed);
  const text = typed.trim();
  if (text === '') return emptyValue(field);
  if (field.isNullable && text === NULL_WORD) return null;
  switch (field.kind) {
    case 'number':
      return wholeNumber(text);
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

/** In the zone of whoever types it, as the browser's own field gives it. */
function instantOf(text: string): number {
  const ms = new Date(text).getTime();
  if (Number.isNaN(ms)) throw new Unreadable('A date and a time are needed.');
  return ms;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Unreadable('This is no JSON.');
  }
}
