// What an operation asks for, as fields of a form: read from its schema, so that no operation needs a form of its own.
import { type AnyOperation, labelOf } from '@sibyl/contract/console';

export type FieldKind =
  | 'choice'
  | 'choices'
  | 'flag'
  | 'number'
  | 'time'
  | 'text'
  | 'long'
  | 'lines'
  | 'secret'
  | 'json';

export interface ActField {
  readonly name: string;
  readonly part: 'params' | 'body';
  readonly label: string;
  readonly kind: FieldKind;
  readonly isRequired: boolean;
  /** Null may be said: there is none, rather than nothing is changed. */
  readonly isNullable: boolean;
  readonly hint: string | null;
  readonly choices: readonly string[];
  /** Of a field for programs, what it may look like. */
  readonly example: string | null;
}

/** What is typed: text for most, words for what several of may be chosen. */
export type Draft = Readonly<Record<string, string | readonly string[]>>;

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly maxLength?: number;
  readonly description?: string;
  readonly 'x-expected'?: string;
}

/** Lane and reason stand in every form by themselves. */
const OF_EVERY_FORM: ReadonlySet<string> = new Set(['lane', 'reason']);

const LONG_FROM = 300;

export function fieldsOf(operation: AnyOperation): readonly ActField[] {
  return (['params', 'body'] as const).flatMap((part) => {
    const shape = operation.input[part];
    if (shape === null) return [];
    const required: readonly string[] = shape.required ?? [];
    return Object.entries(shape.properties as Readonly<Record<string, Schema>>)
      .filter(([name]) => !OF_EVERY_FORM.has(name))
      .map(([name, schema]) => fieldOf(operation, part, name, schema, required.includes(name)));
  });
}

export function hasLane({ input }: AnyOperation): boolean {
  return input.body?.properties.lane !== undefined;
}

export function hasReason({ input }: AnyOperation): boolean {
  return input.body?.properties.reason !== undefined;
}

function fieldOf(
  operation: AnyOperation,
  part: ActField['part'],
  name: string,
  schema: Schema,
  isRequired: boolean,
): ActField {
  const isNullable = Array.isArray(schema.type)
    ? schema.type.includes('null')
    : 'anyOf' in schema && JSON.stringify(schema.anyOf).includes('"null"');
  const kind = kindOf(name, schema);
  return {
    name,
    part,
    label: labelOf(name),
    kind,
    isRequired,
    isNullable,
    hint: schema.description ?? schema['x-expected'] ?? null,
    choices: (schema.enum ?? schema.items?.enum ?? []).filter((word) => typeof word === 'string'),
    example: kind === 'json' ? exampleOf(operation, name) : null,
  };
}

function kindOf(name: string, schema: Schema): FieldKind {
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  if (schema.enum !== undefined) return 'choice';
  if (types.includes('array') && schema.items?.enum !== undefined) return 'choices';
  if (types.includes('array') && schema.items?.type === 'string') return 'lines';
  if (types.includes('boolean')) return 'flag';
  if (types.includes('integer')) return name.endsWith('_at_ms') ? 'time' : 'number';
  if (!types.includes('string')) return 'json';
  if (name.includes('password')) return 'secret';
  return (schema.maxLength ?? 0) > LONG_FROM ? 'long' : 'text';
}

function exampleOf({ example }: AnyOperation, name: string): string | null {
  const { body } = example as { readonly body?: Readonly<Record<string, unknown>> };
  const value = body?.[name];
  return value === undefined ? null : JSON.stringify(value, null, 2);
}
