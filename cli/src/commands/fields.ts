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
  return Object.entries(schema.properties)
    .filter(([name]) => !SECRET.test(name))
    .map(([name, property]) =>
      fieldOf(name, isRecord(property) ? property : {}, schema.required?.includes(name) ?? false),
    );
}

/** Passwords are no options: they are asked for. An optional one is, if nothing else is given in its place. */
export function secretsIn(
  schema: ObjectSchema | null,
  given: Readonly<Record<string, unknown>>,
): readonly string[] {
  const names = Object.keys(schema?.properties ?? {}).filter((name) => SECRET.test(name));
  const isAlone = Object.keys(given).length === 0;
  return names.filter((name) => isAlone || schema?.required?.includes(name));
}

const SECRET = /(?:^|_)password$/;

function fieldOf(
  name: string,
  property: Readonly<Record<string, unknown>>,
  isRequired: boolean,
): Field {
  const flag = `--${flagName(name)}`;
  const note = typeof property.description === 'string' ? property.description : '';
  const scalar = scalarOf(property.type);
  const isNullable = scalar !== null || hasNull(property.anyOf);
  const kind = kindOf({ ...property, type: scalar ?? property.type });
  const several = `give it once for each: ${flag} ONE ${flag} ANOTHER. `;
  const option = new Option(
    `${flag} <${kind.placeholder}${isNullable ? '|null' : ''}>`,
    kind.collects ? `${several}${note}` : note,
  );
  if (Array.isArray(property.enum)) option.choices(property.enum.map(String));
  else if (kind.collects) option.argParser(collect);
  else if (kind.parse !== null) option.argParser(kind.parse);
  if (isNullable) takeNull(option);
  if (isRequired) option.makeOptionMandatory();
  return { name, key: option.attributeName(), option };
}

/** A role is given by --role in every command, also where the field of the interface is a list of them. */
function flagName(name: string): string {
  return name === 'roles' ? 'role' : name.replaceAll('_', '-');
}

/** What a value may be that may also be null; null for every other. */
function scalarOf(type: unknown): string | null {
  if (!Array.isArray(type) || !type.includes('null')) return null;
  return type.map(String).find((one) => one !== 'null') ?? null;
}

function hasNull(choices: unknown): boolean {
  return Array.isArray(choices) && choices.some((one) => isRecord(one) && one.type === 'null');
}

/** In the place of null, which commander takes for no value. */
const NULL = Symbol('null');

function takeNull(option: Option): void {
  const parse = option.parseArg;
  option.argParser((text, before: unknown) => {
    const value: unknown = parse === undefined ? text : parse(text, before);
    return value === 'null' || value === null ? NULL : value;
  });
}

/** What was given, by the names of the interface. */
export function givenIn(
  fields: readonly Field[],
  options: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const given = fields.filter(({ key }) => options[key] !== undefined);
  return Object.fromEntries(
    given.map(({ key, name }) => [name, options[key] === NULL ? null : options[key]]),
  );
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
