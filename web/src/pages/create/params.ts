// The form of a template: which fields its schema asks for, and what is wrong with what was typed into them.
import { isDecimal } from '@sibyl/contract/names';
import { plainName } from '../../format/params.ts';
import { readDecimal } from '../../format/typed-number.ts';
import type { Locale } from '../../texts/texts.ts';

/** A decimal is a text that the exchange reads as one, exactly. */
export type ParamKind = 'text' | 'choice' | 'decimal' | 'number' | 'integer' | 'switch' | 'instant';
export type ParamValue = string | number | boolean;

export interface Param {
  readonly name: string;
  /** What the template calls it; its name in plain letters if it calls it nothing. */
  readonly label: string;
  readonly hint: string | null;
  readonly kind: ParamKind;
  readonly isRequired: boolean;
  readonly choices: readonly ParamValue[];
  readonly minimum: number | null;
  readonly maximum: number | null;
  readonly minLength: number | null;
  readonly maxLength: number | null;
}

/** What stands in each field, as typed. */
export type Typed = Readonly<Record<string, string | undefined>>;

export type Fault =
  | { readonly key: 'missing' | 'notNumber' | 'notInteger' | 'notTime' | 'past' | 'notAbove' }
  | { readonly key: 'atLeast' | 'atMost' | 'tooShort' | 'tooLong'; readonly bound: number };

type Read = { readonly value: ParamValue | null } | { readonly fault: Fault };

/** Required ones first, in the order in which the template asks; a closing time comes last. */
export function paramsOf(schema: Readonly<Record<string, unknown>>): readonly Param[] {
  const properties = isRecord(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  const names = [...new Set([...required, ...Object.keys(properties)])];
  const params = names.flatMap((name) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return isRecord(property) ? [paramOf(name, property, required.includes(name))] : [];
  });
  const isTime = ({ kind }: Param): boolean => kind === 'instant';
  return [...params.filter((param) => !isTime(param)), ...params.filter(isTime)];
}

/** The value of a field as the exchange takes it; null for one that may stay empty and does. */
export function readParam(locale: Locale, param: Param, typed: string, nowMs: number): Read {
  const text = param.kind === 'text' ? typed : typed.trim();
  if (param.kind === 'switch') return { value: text === 'true' };
  if (text.trim() === '') {
    return param.isRequired ? { fault: { key: 'missing' } } : { value: null };
  }
  switch (param.kind) {
    case 'choice':
      return readChoice(param, text);
    case 'text':
      return readText(param, text);
    case 'instant':
      return readInstant(text, nowMs);
    case 'decimal': {
      const decimal = readDecimal(locale, text);
      return decimal === null ? { fault: { key: 'notNumber' } } : readText(param, decimal);
    }
    case 'number':
    case 'integer':
      return readNumber(param, readDecimal(locale, text));
  }
}

/** What is wrong with the ends of a market for a number, once both are decimals: the upper one lies above the lower. */
export function endsFault(values: Readonly<Record<string, ParamValue>>): Fault | null {
  const { lower, upper } = values;
  if (typeof lower !== 'string' || typeof upper !== 'string') return null;
  return finest(lower) < finest(upper) ? null : { key: 'notAbove' };
}

/** The places that the exchange reads; it refuses more by itself. */
const PLACES = 18;

/** A decimal in its smallest units, which compare exactly. */
function finest(decimal: string): bigint {
  const [whole = '', fraction = ''] = decimal.split('.');
  return BigInt(whole + fraction.slice(0, PLACES).padEnd(PLACES, '0'));
}

function paramOf(
  name: string,
  property: Readonly<Record<string, unknown>>,
  isRequired: boolean,
): Param {
  const kind = kindOf(name, property);
  const number = (value: unknown): number | null => (typeof value === 'number' ? value : null);
  const text = (value: unknown): string | null =>
    typeof value === 'string' && value.trim() !== '' ? value : null;
  return {
    name,
    label: text(property.title) ?? plainName(name),
    // Nobody types epoch milliseconds: the field takes a date.
    hint: kind === 'instant' ? null : text(property.description),
    kind,
    isRequired,
    choices: Array.isArray(property.enum) ? property.enum.filter(isValue) : [],
    minimum: number(property.minimum),
    maximum: number(property.maximum),
    minLength: number(property.minLength),
    maxLength: number(property.maxLength),
  };
}

function kindOf(
  name: string,
  { type, enum: choices }: Readonly<Record<string, unknown>>,
): ParamKind {
  if (Array.isArray(choices)) return 'choice';
  if (type === 'boolean') return 'switch';
  if (type === 'integer') return name.endsWith('_at_ms') ? 'instant' : 'integer';
  if (type === 'number') return 'number';
  return isDecimal(name) ? 'decimal' : 'text';
}

function readChoice({ choices }: Param, text: string): Read {
  const value = choices.find((choice) => String(choice) === text);
  return value === undefined ? { fault: { key: 'missing' } } : { value };
}

/** Characters are counted as the exchange counts them, in code points. */
function readText({ minLength, maxLength }: Param, text: string): Read {
  const { length } = [...text];
  if (minLength !== null && length < minLength) {
    return { fault: { key: 'tooShort', bound: minLength } };
  }
  if (maxLength !== null && length > maxLength) {
    return { fault: { key: 'tooLong', bound: maxLength } };
  }
  return { value: text };
}

function readInstant(text: string, nowMs: number): Read {
  const ms = new Date(text).getTime();
  if (!Number.isSafeInteger(ms)) return { fault: { key: 'notTime' } };
  return ms <= nowMs ? { fault: { key: 'past' } } : { value: ms };
}

/** A param of a template is a number of JSON and no money. */
function readNumber({ kind, minimum, maximum }: Param, decimal: string | null): Read {
  const value = Number(decimal);
  if (decimal === null || !Number.isFinite(value)) return { fault: { key: 'notNumber' } };
  if (kind === 'integer' && !Number.isSafeInteger(value)) return { fault: { key: 'notInteger' } };
  if (minimum !== null && value < minimum) return { fault: { key: 'atLeast', bound: minimum } };
  if (maximum !== null && value > maximum) return { fault: { key: 'atMost', bound: maximum } };
  return { value };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isValue(value: unknown): value is ParamValue {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
