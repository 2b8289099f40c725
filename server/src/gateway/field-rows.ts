// A JSON Schema as rows of a table: every field with its path, its type and what it means.

export interface FieldRow {
  /** Dots lead into records, [] into lists. */
  readonly path: string;
  readonly type: string;
  readonly text: string;
}

type Node = Readonly<Record<string, unknown>>;

export function fieldRows(schema: unknown, path = ''): readonly FieldRow[] {
  if (!isNode(schema)) return [];
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const properties = isNode(schema.properties) ? Object.entries(schema.properties) : [];
  return properties.flatMap(([name, child]) => {
    const at = path === '' ? name : `${path}.${name}`;
    const type = `${typeOf(child)}${required.has(name) ? '' : ', optional'}`;
    const text = isNode(child) && typeof child.description === 'string' ? child.description : '';
    return [{ path: at, type, text }, ...inner(child, at)];
  });
}

/** The fields of a record, of the records of a list, or of the one record that may also be null. */
function inner(node: unknown, path: string): readonly FieldRow[] {
  if (!isNode(node)) return [];
  if (isNode(node.items)) return inner(node.items, `${path}[]`);
  const own = fieldRows(node, path);
  return own.length > 0 ? own : branches(node).flatMap((branch) => inner(branch, path));
}

function typeOf(node: unknown): string {
  if (!isNode(node)) return '';
  const options = branches(node);
  if (options.length > 0) return options.map(typeOf).join(' or ');
  if (Array.isArray(node.enum)) return node.enum.map((one) => JSON.stringify(one)).join(', ');
  if (isNode(node.items)) return `list of ${typeOf(node.items)}`;
  const types = [node.type].flat().filter((type) => typeof type === 'string');
  return types.map((type) => (type === 'object' ? 'record' : type)).join(' or ');
}

function branches(node: Node): readonly unknown[] {
  return Array.isArray(node.anyOf)
    ? node.anyOf.filter((branch) => isNode(branch) && 'type' in branch)
    : [];
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
