// Answers as text, by schemas as the serializer wants them: written without asking of each value which branch it is.
import { type AnyOperation, envelopeOf } from '@sibyl/contract';
import build from 'fast-json-stringify';

type Write = (answer: unknown) => string;

// Kept for the whole process: an operation has an address in each lane, and more than one app may serve it.
const schemas = new WeakMap<AnyOperation, object>();
const writers = new WeakMap<object, Write>();

/** What the operation answers; the same object each time. */
export function answerSchemaOf(operation: AnyOperation): object {
  const known = schemas.get(operation) ?? copyOf(envelopeOf(operation));
  schemas.set(operation, known);
  return known;
}

/** Compiled with the first answer that is written, like the checks of what comes in: all at once would hold up every start. */
export function writerOf(schema: object): Write {
  const known = writers.get(schema);
  if (known !== undefined) return known;
  let compiled: Write | null = null;
  const write: Write = (answer) => {
    compiled ??= build(schema);
    return compiled(answer);
  };
  writers.set(schema, write);
  return write;
}

/**
 * An object that may be null is a union in the contract, and a union makes the serializer validate every value against
 * its branches first. As one schema that allows null it is only written.
 */
export function serializedAs(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(serializedAs);
  if (typeof schema !== 'object' || schema === null) return schema;
  const object = nullableObject(schema);
  if (object !== null) return { ...copyOf(object), nullable: true };
  return copyOf(schema);
}

function copyOf(schema: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schema).map(([word, value]) => [word, serializedAs(value)]),
  );
}

/** The object of `object or null`, of which nothing else is said. */
function nullableObject(schema: object): object | null {
  if (!('anyOf' in schema) || !Array.isArray(schema.anyOf) || schema.anyOf.length !== 2)
    return null;
  const [first, second]: unknown[] = schema.anyOf;
  if (typeof first !== 'object' || first === null) return null;
  return isOfType(first, 'object') && isOfType(second, 'null') ? first : null;
}

function isOfType(schema: unknown, type: string): boolean {
  return typeof schema === 'object' && schema !== null && 'type' in schema && schema.type === type;
}
