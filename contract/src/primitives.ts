// The small schemas everything else is made of: money, ids, times, enums, paging.

import {
  type Static,
  type TInteger,
  type TSchema,
  type TString,
  type TUnsafe,
  Type,
} from 'typebox';
import { limits } from './limits.ts';

/** A closed set of words, emitted as a real `enum` (a union of literals would be an `anyOf`). */
export function oneOf<const Values extends readonly string[]>(
  values: Values,
  options: { readonly description?: string; readonly default?: Values[number] } = {},
): TUnsafe<Values[number]> {
  return Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], ...options });
}

/**
 * The schema or null. Scalars become a type list, which serialises without trying branches; records
 * keep their name behind an `anyOf`.
 */
export function nullable<Schema extends TSchema>(
  schema: Schema,
  description?: string,
): TUnsafe<Static<Schema> | null> {
  const { title, ...plain }: Record<string, unknown> = Object.fromEntries(Object.entries(schema));
  const note = description === undefined ? {} : { description };
  if (typeof plain.type !== 'string' || plain.type === 'object') {
    return Type.Unsafe<Static<Schema> | null>({ anyOf: [schema, { type: 'null' }], ...note });
  }
  const values = Array.isArray(plain.enum) ? { enum: [...plain.enum, null] } : {};
  return Type.Unsafe<Static<Schema> | null>({
    ...plain,
    ...values,
    ...note,
    type: [plain.type, 'null'],
  });
}

/** An object whose keys this interface does not fix, such as template parameters. */
export function openObject(description: string): TUnsafe<Record<string, unknown>> {
  return Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description,
  });
}

const moneyPattern = '^-?[0-9]+(\\.[0-9]{1,18})?$';

/** A decimal string: an amount, a price or a number of shares. Never a JSON number. */
export const Money = Type.String({
  title: 'Money',
  pattern: moneyPattern,
  description: 'Decimal string; USDT has up to 6 places, BTC 8, ETH 18.',
});

/** Money with a description of its own; it stands in its place instead of under the shared name. */
export function moneyOf(description: string): TString {
  return Type.String({ pattern: moneyPattern, description });
}

/** Money as clients send it: the same form, bounded so that nobody sends a kilometre of digits. */
export function moneyInput(description: string): TString {
  return Type.String({
    pattern: moneyPattern,
    maxLength: limits.moneyLengthMax,
    'x-expected': 'a decimal number as a string, such as "0.55"',
    description,
  });
}

/** 9999-12-31T23:59:59.999Z: later instants have no four-digit year and break ISO 8601 clients. */
const lastInstantMs = 253_402_300_799_999;

export function epochMs(description: string): TInteger {
  return Type.Integer({ format: 'int64', minimum: 0, maximum: lastInstantMs, description });
}

type TimePair<Name extends string> = Record<Name, TString> & Record<`${Name}_ms`, TInteger>;
type NullableTimePair<Name extends string> = Record<Name, TUnsafe<string | null>> &
  Record<`${Name}_ms`, TUnsafe<number | null>>;

/** The two fields of one instant: `x_at` as ISO 8601 in UTC and `x_at_ms` as epoch milliseconds. */
export function instant<const Name extends `${string}_at`>(
  name: Name,
  description: string,
): TimePair<Name> {
  // A computed key widens to an index signature; the two keys are exactly those of the type.
  return {
    [name]: Type.String({ format: 'date-time', description }),
    [`${name}_ms`]: epochMs(description),
  } as TimePair<Name>;
}

/** As `instant`, for a moment that may not have come yet. */
export function nullableInstant<const Name extends `${string}_at`>(
  name: Name,
  description: string,
): NullableTimePair<Name> {
  return {
    [name]: nullable(Type.String({ format: 'date-time', description })),
    [`${name}_ms`]: nullable(epochMs(description)),
  } as NullableTimePair<Name>;
}
