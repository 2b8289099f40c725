// The closed subset of JSON Schema in which users describe a template's params: what is accepted as a schema.
import { canonicalJson, encodeUtf8 } from '../kit/canonical.ts';
import type { ParamValue } from '../state/command.ts';
import { type Rejection, reject } from '../state/reject.ts';
import type { ParamSchema, ParamsSchema } from './template.ts';

/**
 * Reads a schema as received into one that holds nothing but what was checked. Members are looked up as own
 * properties only: a schema decoded from JSON may carry `__proto__` or `constructor` as plain names.
 */
export function readSchema(value: unknown): ParamsSchema | Rejection {
  if (!isRecord(value)) return fault('', 'an object');
  const alien = Object.keys(value).find((key) => !SCHEMA_KEYS.has(key));
  if (alien !== undefined) return fault(alien, 'no such keyword');
  const type = own(value, 'type');
  if (type !== undefined && type !== 'object') return fault('type', 'object');
  const additional = own(value, 'additionalProperties');
  if (additional !== undefined && additional !== false)
    return fault('additionalProperties', 'false');
  const properties: Record<string, ParamSchema> = {};
  const required: string[] = [];
  const wrong =
    readProperties(own(value, 'properties'), properties) ??
    readRequired(own(value, 'required'), properties, required);
  if (wrong !== null) return wrong;
  const text = canonicalJson({ type: 'object', properties: canonical(properties), required });
  if (encodeUtf8(text).length > SCHEMA_BYTES_MAX) return fault('', 'at most 8192 bytes');
  return { type: 'object', required, properties };
}

/** The schema of one param, or undefined: never something inherited by every object. */
export function propertyOf(schema: ParamsSchema, name: string): ParamSchema | undefined {
  return Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value has the type by itself; nothing is converted. */
export function hasType(type: ParamSchema['type'], value: unknown): value is ParamValue {
  switch (type) {
    case 'string':
      return typeof value === 'string' && value.isWellFormed();
    case 'integer':
      return Number.isSafeInteger(value);
    case 'number':
      return Number.isFinite(value);
    case 'boolean':
      return typeof value === 'boolean';
  }
}

/** Characters as a reader counts them, in code points. */
export function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

const PROPERTIES_MAX = 32;
const ENUM_MAX = 256;
const STRING_LENGTH_MAX = 256;
const SCHEMA_BYTES_MAX = 8192;
const TEXT_LENGTH_MAX = 1024;
const PROPERTY_NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;
const SCHEMA_KEYS: ReadonlySet<string> = new Set([
  'type',
  'properties',
  'required',
  'additionalProperties',
]);
const PROPERTY_KEYS: ReadonlySet<string> = new Set([
  'type',
  'title',
  'description',
  'enum',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
]);

function readProperties(value: unknown, into: Record<string, ParamSchema>): Rejection | null {
  if (!isRecord(value)) return fault('properties', 'an object');
  const names = Object.keys(value).sort();
  if (names.length > PROPERTIES_MAX) return fault('properties', 'at most 32 properties');
  for (const name of names) {
    // An own property of these names would answer for the one every object inherits.
    if (!PROPERTY_NAME.test(name) || name in Object.prototype) {
      return fault(`properties.${name}`, 'a plain name');
    }
    const read = readProperty(`properties.${name}`, own(value, name));
    if ('code' in read) return read;
    into[name] = read;
  }
  return null;
}

function readRequired(
  value: unknown,
  properties: Readonly<Record<string, ParamSchema>>,
  into: string[],
): Rejection | null {
  if (value === undefined) return null;
  if (!Array.isArray(value) || value.length > PROPERTIES_MAX) return fault('required', 'a list');
  for (const name of value) {
    if (typeof name !== 'string' || !Object.hasOwn(properties, name)) {
      return fault('required', 'names of properties');
    }
    if (into.includes(name)) return fault('required', 'each name once');
    into.push(name);
  }
  return null;
}

function readProperty(path: string, value: unknown): ParamSchema | Rejection {
  if (!isRecord(value)) return fault(path, 'an object');
  for (const key of Object.keys(value)) {
    if (!PROPERTY_KEYS.has(key)) return fault(`${path}.${key}`, 'no such keyword');
  }
  const type = readType(own(value, 'type'));
  if (type === null) return fault(`${path}.type`, 'string, integer, number or boolean');
  const texts = readTexts(path, value);
  if ('code' in texts) return texts;
  const listed = readEnum(path, type, own(value, 'enum'));
  if ('code' in listed) return listed;
  const bounds = readBounds(path, type, value);
  if ('code' in bounds) return bounds;
  const schema: ParamSchema = { type, ...texts, ...listed, ...bounds };
  if (type === 'string' && schema.enum === undefined && schema.maxLength === undefined) {
    return fault(path, 'enum or maxLength');
  }
  return schema;
}

function readType(value: unknown): ParamSchema['type'] | null {
  switch (value) {
    case 'string':
    case 'integer':
    case 'number':
    case 'boolean':
      return value;
    default:
      return null;
  }
}

function readTexts(
  path: string,
  value: Readonly<Record<string, unknown>>,
): Pick<ParamSchema, 'title' | 'description'> | Rejection {
  const texts: { title?: string; description?: string } = {};
  for (const key of ['title', 'description'] as const) {
    const text = own(value, key);
    if (text === undefined) continue;
    if (typeof text !== 'string' || text.length > TEXT_LENGTH_MAX || !text.isWellFormed()) {
      return fault(`${path}.${key}`, 'a text of at most 1024 characters');
    }
    texts[key] = text;
  }
  return texts;
}

function readEnum(
  path: string,
  type: ParamSchema['type'],
  value: unknown,
): Pick<ParamSchema, 'enum'> | Rejection {
  if (value === undefined) return {};
  if (!Array.isArray(value) || value.length === 0 || value.length > ENUM_MAX) {
    return fault(`${path}.enum`, '1 to 256 values');
  }
  const values: ParamValue[] = [];
  for (const one of value) {
    if (!hasType(type, one)) return fault(`${path}.enum`, `values of type ${type}`);
    if (typeof one === 'string' && lengthOf(one) > STRING_LENGTH_MAX) {
      return fault(`${path}.enum`, 'at most 256 characters each');
    }
    values.push(one);
  }
  return { enum: values };
}

type Bound = 'minimum' | 'maximum' | 'minLength' | 'maxLength';

function readBounds(
  path: string,
  type: ParamSchema['type'],
  value: Readonly<Record<string, unknown>>,
): Pick<ParamSchema, Bound> | Rejection {
  const bounds: { [key in Bound]?: number } = {};
  for (const key of ['minimum', 'maximum', 'minLength', 'maxLength'] as const) {
    const bound = own(value, key);
    if (bound === undefined) continue;
    if (!isBound(type, key, bound)) return fault(`${path}.${key}`, `a bound for type ${type}`);
    bounds[key] = bound;
  }
  if (isAbove(bounds.minimum, bounds.maximum)) return fault(`${path}.minimum`, 'at most maximum');
  if (isAbove(bounds.minLength, bounds.maxLength)) {
    return fault(`${path}.minLength`, 'at most maxLength');
  }
  return bounds;
}

function isBound(type: ParamSchema['type'], key: Bound, value: unknown): value is number {
  if (typeof value !== 'number') return false;
  if (key === 'minLength' || key === 'maxLength') {
    const isLength = Number.isSafeInteger(value) && value >= 0 && value <= STRING_LENGTH_MAX;
    return type === 'string' && isLength;
  }
  return (type === 'integer' || type === 'number') && hasType(type, value);
}

function isAbove(low: number | undefined, high: number | undefined): boolean {
  return low !== undefined && high !== undefined && low > high;
}

function own(value: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

/** The same members with an index signature, which an interface lacks. */
function canonical(
  properties: Readonly<Record<string, ParamSchema>>,
): Record<string, Record<string, string | number | readonly ParamValue[] | undefined>> {
  const copies: Record<
    string,
    Record<string, string | number | readonly ParamValue[] | undefined>
  > = {};
  for (const name of Object.keys(properties)) copies[name] = { ...properties[name]! };
  return copies;
}

function fault(path: string, expected: string): Rejection {
  return reject('TEMPLATE_SCHEMA_INVALID', { path, expected });
}
