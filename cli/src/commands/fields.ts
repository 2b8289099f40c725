// The fields of an operation's input as options of a command line.

import { readFileSync } from 'node:fs';
import { InvalidArgumentError, Option } from 'commander';
import { isRecord } from '../words.ts';

export interface Field {
  /** As the interface spells it. */
  readonly name: string;
  /** As commander stores it. */
  readonly key: string;
  readonly option: Option;
}

interface ObjectSchema {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[] | undefined;
}

export function fieldsOf(schema: ObjectSchema | null): readonly Field[] {
  if (schema === null) return [];
  return Object.entries(schema.properties).map(([name, property]) =>
    fieldOf(name, isRecord(property) ? property : {}, schema.required?.includes(name) ?? false),
  );
}

function fieldOf(
  name: string,
  property: Readonly<Record<string, unknown>>,
  isRequired: boolean,
): Field {
  const flag = `--${name.replaceAll('_', '-')}`;
  const note = typeof property.description === 'string' ? property.description : '';
  const kind = kindOf(property);
  const option = new Option(`${flag} <${kind.placeholder}>`, note);
  if (Array.isArray(property.enum)) option.choices(property.enum.map(String));
  else if (kind.collects) option.argParser(collect);
  else if (kind.parse !== null) option.argParser(kind.parse);
  if (isRequired) option.makeOptionMandatory();
  return { name, key: option.attributeName(), option };
}

interface Kind {
  readonly placeholder: string;
  readonly collects: boolean;
  readonly parse: ((text: string) => unknown) | null;
}

function kindOf(property: Readonly<Record<string, unknown>>): Kind {
  const { type, items } = property;
  if (type === 'integer') return { placeholder: 'number', collects: false, parse: wholeNumber };
  if (type === 'boolean') return { placeholder: 'true|false', collects: false, parse: yesOrNo };
  if (type === 'string') return { placeholder: 'text', collects: false, parse: null };
  if (type === 'array' && isRecord(items) && items.type === 'string') {
    return { placeholder: 'text', collects: true, parse: null };
  }
  return { placeholder: 'json|@file', collects: false, parse: json };
}

/** The option may be given several times. */
function collect(text: string, before: unknown): readonly unknown[] {
  return [...(Array.isArray(before) ? before : []), text];
}

function wholeNumber(text: string): number {
  if (/^-?[0-9]{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('a whole number');
}

function yesOrNo(text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new InvalidArgumentError('true or false');
}

function json(text: string): unknown {
  try {
    return JSON.parse(text.startsWith('@') ? readFileSync(text.slice(1), 'utf8') : text);
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : 'not JSON');
  }
}
