// A schema made strict: for checks of our own answers, where an undeclared field is a mistake.

import { type TSchema, Type } from 'typebox';

/**
 * The same schema with every object closed. Published schemas stay open, because fields may be added
 * inside a major version; the server's own answers must still hold nothing that is not declared.
 */
export function closedSchema(schema: TSchema): TSchema {
  return Type.Unsafe(close(schema));
}

function close(node: unknown): object {
  if (!isRecord(node)) return {};
  const closed = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, closeValue(key, value)]),
  );
  const isOpen = 'properties' in node && !('additionalProperties' in node);
  return isOpen ? { ...closed, additionalProperties: false } : closed;
}

function closeValue(keyword: string, value: unknown): unknown {
  if (keyword === 'properties' && isRecord(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, close(child)]));
  }
  if (keyword === 'items') return close(value);
  if (keyword === 'anyOf' && Array.isArray(value)) return value.map(close);
  return value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
