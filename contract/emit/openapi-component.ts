// Named components: every schema with a title is lifted out of its place and referred to.

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

function liftValue(keyword: string, value: unknown, schemas: Map<string, Json>): unknown {
  switch (keyword) {
    case 'properties':
      return Object.fromEntries(
        Object.entries(plain(value)).map(([name, child]) => [name, lift(plain(child), schemas)]),
      );
    case 'items':
      return lift(plain(value), schemas);
    case 'anyOf':
      return Array.isArray(value) ? value.map((child) => lift(plain(child), schemas)) : value;
    default:
      return value;
  }
}

function plain(value: unknown): Json {
  if (typeof value !== 'object' || value === null) throw new Error('a schema must be an object');
  return Object.fromEntries(Object.entries(value));
}
