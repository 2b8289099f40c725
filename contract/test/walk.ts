// Walks a JSON Schema and reports every property in it, for the checks of names and types.

export type Property = { readonly path: string; readonly name: string; readonly schema: Node };
export type Node = Readonly<Record<string, unknown>>;

/** Every named property below the schema, with the names of its siblings. */
export function* propertiesOf(
  schema: unknown,
  path: string,
): Generator<Property & { readonly siblings: readonly string[] }> {
  if (!isNode(schema)) return;
  const properties = isNode(schema.properties) ? schema.properties : {};
  const siblings = Object.keys(properties);
  for (const [name, child] of Object.entries(properties)) {
    if (isNode(child)) yield { path: `${path}.${name}`, name, schema: child, siblings };
    yield* propertiesOf(child, `${path}.${name}`);
  }
  yield* propertiesOf(schema.items, `${path}[]`);
  const branches = schema.anyOf;
  if (Array.isArray(branches)) for (const branch of branches) yield* propertiesOf(branch, path);
}

/** Every schema node, the root included. */
export function* nodesOf(schema: unknown, path: string): Generator<readonly [string, Node]> {
  if (Array.isArray(schema)) {
    for (const [index, child] of schema.entries()) yield* nodesOf(child, `${path}[${index}]`);
    return;
  }
  if (!isNode(schema)) return;
  yield [path, schema];
  for (const [key, child] of Object.entries(schema)) yield* nodesOf(child, `${path}.${key}`);
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What stands there; nothing may be missing on the way. */
export function at(node: Node, ...steps: readonly string[]): Node {
  return steps.reduce<Node>((current, step) => {
    const next = current[step];
    if (!isNode(next)) throw new Error(`nothing at ${steps.join(' / ')}`);
    return next;
  }, node);
}
