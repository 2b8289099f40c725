// Named components: every schema with a title, and every closed set with a name, is lifted out of its place.

import { setNameOf } from './set-names.ts';

export type Json = Record<string, unknown>;

/** What the document collects while it is made. */
export type Components = {
  readonly schemas: Map<string, Json>;
  readonly responses: Map<string, Json>;
};

/** A reference to the response, shared with every operation that fails in the same way. */
export function share(status: number, response: Json, responses: Map<string, Json>): Json {
  const text = JSON.stringify(response);
  let name = `Error${status}`;
  for (let version = 2; responses.has(name); version += 1) {
    if (JSON.stringify(responses.get(name)) === text) break;
    name = `Error${status}v${version}`;
  }
  responses.set(name, response);
  return { $ref: `#/components/responses/${name}` };
}

/**
 * The schema as plain JSON, with each titled part replaced by a `$ref` and put into `schemas`.
 * Two different schemas under one title would silently lose one of them, hence the check.
 */
export function lift(schema: object, schemas: Map<string, Json>): Json {
  const node = plain(schema);
  const set = liftSet(node, schemas);
  if (set !== null) return set;
  const lifted = Object.fromEntries(
    Object.entries(node).map(([keyword, value]) => [keyword, liftValue(keyword, value, schemas)]),
  );
  const { title } = node;
  if (typeof title !== 'string') return lifted;
  const known = schemas.get(title);
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(lifted)) {
    throw new Error(`two different schemas have the title ${title}`);
  }
  schemas.set(title, lifted);
  return { $ref: `#/components/schemas/${title}` };
}

/**
 * A reference to the named set of the node's values, beside what the node says of its own; a set that
 * may be null is a choice between the two. Null where the node is no set with a name.
 */
function liftSet(node: Json, schemas: Map<string, Json>): Json | null {
  const { enum: values, type, ...own } = node;
  if (!Array.isArray(values) || 'title' in node) return null;
  const words = values.filter((value) => value !== null);
  const name = setNameOf(words);
  if (name === undefined) return null;
  schemas.set(name, { title: name, type: 'string', enum: words });
  const reference = { $ref: `#/components/schemas/${name}` };
  if (words.length < values.length) return { ...own, anyOf: [reference, { type: 'null' }] };
  // JSON Schema as AsyncAPI has it sees nothing beside a reference.
  return Object.keys(own).length === 0 ? reference : { ...own, allOf: [reference] };
}

function liftValue(keyword: string, value: unknown, schemas: Map<string, Json>): unknown {
  switch (keyword) {
    case 'properties':
      return Object.fromEntries(
        Object.entries(plain(value)).map(([name, child]) => [name, lift(plain(child), schemas)]),
      );
    case 'items':
    case 'additionalProperties':
      if (typeof value === 'boolean') return value;
      return lift(plain(value), schemas);
    case 'anyOf':
      return Array.isArray(value) ? value.map((child) => lift(plain(child), schemas)) : value;
    default:
      return value;
  }
}

/** The name of a model made of an id of the interface: place_order, placeOrder and order.placed alike. */
export function modelName(id: string, kind: string): string {
  const words = id.split(/[._]|(?<=[a-z0-9])(?=[A-Z])/);
  const parts = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase());
  return `${parts.join('')}${kind}`;
}

function plain(value: unknown): Json {
  if (typeof value !== 'object' || value === null) throw new Error('a schema must be an object');
  return Object.fromEntries(Object.entries(value));
}
