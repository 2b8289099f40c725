// Checks the params of a market against its template's schema: as given, never coerced.
import type { ParamValue } from '../state/command.ts';
import { type Rejection, reject } from '../state/reject.ts';
import { hasType, lengthOf, propertyOf } from './schema.ts';
import type { ParamSchema, ParamsSchema } from './template.ts';

export type Params = Readonly<Record<string, ParamValue>>;

/** The first fault in ascending order of names; unknown names come last. */
export function checkParams(
  schema: ParamsSchema,
  params: Readonly<Record<string, unknown>>,
): Rejection | null {
  const required = new Set(schema.required);
  for (const name of Object.keys(schema.properties).sort()) {
    const property = propertyOf(schema, name);
    if (property === undefined) continue;
    const expected = Object.hasOwn(params, name)
      ? expectation(property, params[name])
      : required.has(name)
        ? 'a value'
        : null;
    if (expected !== null) return paramInvalid(name, expected);
  }
  for (const name of Object.keys(params).sort()) {
    if (propertyOf(schema, name) === undefined) return paramInvalid(name, 'no such param');
  }
  return null;
}

/** The value of a param, or undefined: own properties only. */
export function paramOf(params: Params, name: string): ParamValue | undefined {
  return Object.hasOwn(params, name) ? params[name] : undefined;
}

export function paramInvalid(param: string, expected: string): Rejection {
  return reject('MARKET_TEMPLATE_PARAM_INVALID', { param, expected });
}

/** What the value fails to be, or null. */
function expectation(schema: ParamSchema, value: unknown): string | null {
  const { type, minimum, maximum, minLength, maxLength } = schema;
  if (!hasType(type, value)) return `a value of type ${type}`;
  if (schema.enum !== undefined && !schema.enum.includes(value)) return 'one of the listed values';
  if (typeof value === 'number') {
    if (minimum !== undefined && value < minimum) return `at least ${minimum}`;
    if (maximum !== undefined && value > maximum) return `at most ${maximum}`;
  }
  if (typeof value === 'string') {
    const length = lengthOf(value);
    if (minLength !== undefined && length < minLength) return `at least ${minLength} characters`;
    if (maxLength !== undefined && length > maxLength) return `at most ${maxLength} characters`;
  }
  return null;
}
