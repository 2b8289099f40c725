// What an operation asks for, as fields of a form: read from its schema, so that no operation needs a form of its own.
import { type AnyOperation, labelOf } from '@sibyl/contract/console';
import { fieldWords } from './field-words.ts';
import { type Unit, unitOf, withoutUnit } from './units.ts';

export type FieldKind =
  | 'choice'
  | 'choices'
  | 'flag'
  | 'number'
  | 'decimal'
  | 'time'
  | 'text'
  | 'long'
  | 'lines'
  | 'secret'
  | 'json'
  | 'rows';

export interface ActField {
  /** With the records that it is in: `template.fee_schedule.maker_bps`. */
  readonly name: string;
  readonly part: 'params' | 'body';
  readonly label: string;
  /** Labels of the records that it is in. */
  readonly group: readonly string[];
  readonly kind: FieldKind;
  readonly isRequired: boolean;
  /** Records around it that may be left out: then it is required only if one of their fields is filled in. */
  readonly within: readonly string[];
  /** Null may be said: there is none, rather than nothing is changed. */
  readonly isNullable: boolean;
  readonly hint: string | null;
  /** Of a number that is typed and shown in a unit. */
  readonly unit: Unit | null;
  /** Shown at the end of the field. */
  readonly suffix: string | null;
  readonly choices: readonly string[];
  /** Of a field for programs, what it may look like. */
  readonly example: string | null;
  /** What each row asks for. */
  readonly fields: readonly ActField[];
}

export type Typed = string | readonly string[] | readonly Draft[];

/** What is typed: text for most, words for what several of may be chosen, drafts for rows. */
export interface Draft {
  readonly [name: string]: Typed;
}

export interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly maxLength?: number;
  readonly title?: string;
  readonly description?: string;
  readonly 'x-expected'?: string;
}

/** Schemas of open records by their names, for a page that knows what belongs into them. */
export type Shapes = Readonly<Record<string, Schema>>;

/** Lane and reason stand in every form by themselves. */
const OF_EVERY_FORM: ReadonlySet<string> = new Set(['lane', 'reason']);

const LONG_FROM = 300;

interface Place {
  readonly operation: AnyOperation;
  readonly shapes: Shapes;
  readonly part: ActField['part'];
  readonly path: string;
  readonly group: readonly string[];
  readonly within: readonly string[];
  /** The rows that it is in: names inside of them begin anew, what they are called depends on it. */
  readonly rows: string;
  /** Titles in a shape are labels; in the contract they are names of types. */
  readonly isShape: boolean;
}

export function fieldsOf(operation: AnyOperation, shapes: Shapes = {}): readonly ActField[] {
  return (['params', 'body'] as const).flatMap((part) => {
    const shape: Schema | null = operation.input[part];
    if (shape === null) return [];
    const others = Object.entries(shape.properties ?? {}).filter(
      ([name]) => !OF_EVERY_FORM.has(name),
    );
    const place = {
      operation,
      shapes,
      part,
      path: '',
      group: [],
      within: [],
      rows: '',
      isShape: false,
    };
    return fieldsIn({ ...shape, properties: Object.fromEntries(others) }, place);
  });
}

export function hasLane({ input }: AnyOperation): boolean {
  return input.body?.properties.lane !== undefined;
}

export function hasReason({ input }: AnyOperation): boolean {
  return input.body?.properties.reason !== undefined;
}

function fieldsIn({ properties = {}, required = [] }: Schema, place: Place): readonly ActField[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = place.path === '' ? name : `${place.path}.${name}`;
    const shape = place.shapes[path];
    const record = shape ?? recordOf(schema);
    const isRequired = required.includes(name);
    if (record === null) return [fieldOf({ ...place, path }, name, schema, isRequired)];
    return fieldsIn(record, {
      ...place,
      path,
      isShape: shape !== undefined,
      group: [...place.group, shape?.title ?? labelIn({ ...place, path }, name, schema)],
      within: isRequired ? place.within : [...place.within, path],
    });
  });
}

function wordsIn({ rows, path }: Place): ReturnType<typeof fieldWords> {
  return fieldWords(rows === '' ? path : `${rows}.${path}`);
}

/** A record with fields of its own, also one that may be null; an open one is none. */
function recordOf(schema: Schema): Schema | null {
  const branches = schema.anyOf ?? [schema];
  return branches.find(({ properties }) => properties !== undefined) ?? null;
}

function labelIn(place: Place, name: string, { title }: Schema): string {
  if (place.isShape) return title ?? labelOf(withoutUnit(name));
  return wordsIn(place).label;
}

function fieldOf(place: Place, name: string, schema: Schema, isRequired: boolean): ActField {
  const { part, path, group, within, operation } = place;
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  const isNullable =
    types.includes('null') || (schema.anyOf?.some(({ type }) => type === 'null') ?? false);
  const kind = kindOf(name, schema, types);
  const unit = kind === 'number' ? unitOf(name) : null;
  const rows = place.rows === '' ? path : `${place.rows}.${path}`;
  const rowPlace = { ...place, path: '', group: [], within: [], rows };
  return {
    name: path,
    part,
    label: labelIn(place, name, schema),
    group,
    kind,
    isRequired,
    within,
    isNullable,
    hint: (place.isShape ? null : wordsIn(place).hint) ?? hintOf(schema, kind, unit),
    unit,
    suffix: unit?.suffix ?? (isAmount(schema) ? amountSuffix(operation, name) : null),
    choices: (schema.enum ?? schema.items?.enum ?? []).filter((word) => typeof word === 'string'),
    example: kind === 'json' ? exampleOf(operation, path) : null,
    fields: kind === 'rows' ? fieldsIn(schema.items ?? {}, rowPlace) : [],
  };
}

function hintOf(schema: Schema, kind: FieldKind, unit: Unit | null): string | null {
  if (kind === 'time') return `Local time, ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`;
  const said = schema.description ?? schema['x-expected'] ?? null;
  if (unit === null || unit.suffix !== null) return said;
  return said === null ? 'For example 90 s, 2 h or 7 d.' : `${said} For example 90 s, 2 h or 7 d.`;
}

function kindOf(name: string, schema: Schema, types: readonly string[]): FieldKind {
  if (schema.enum !== undefined) return 'choice';
  if (types.includes('array')) {
    if (schema.items?.enum !== undefined) return 'choices';
    if (schema.items?.type === 'string') return 'lines';
    return schema.items?.properties === undefined ? 'json' : 'rows';
  }
  if (types.includes('boolean')) return 'flag';
  if (types.includes('integer')) {
    return schema.format === 'int64' || name.endsWith('_at_ms') ? 'time' : 'number';
  }
  if (types.includes('number')) return 'decimal';
  if (!types.includes('string')) return 'json';
  if (name.includes('password')) return 'secret';
  const isLong = (schema.maxLength ?? 0) > LONG_FROM && schema.format !== 'uri';
  return isLong ? 'long' : 'text';
}

const AMOUNT_EXPECTED = /decimal number as a string/;
const SUFFIXES: Readonly<Record<string, string>> = {
  min_size: 'shares',
  tick_size: 'USDT a share',
  price_band: 'USDT a share',
  payout: 'USDT a share',
};

function isAmount(schema: Schema): boolean {
  return AMOUNT_EXPECTED.test(schema['x-expected'] ?? '');
}

/** An amount whose asset is a field of the form has its unit there. */
function amountSuffix({ input }: AnyOperation, name: string): string | null {
  if (input.body?.properties.asset !== undefined) return null;
  return SUFFIXES[name] ?? 'USDT';
}

function exampleOf({ example }: AnyOperation, path: string): string | null {
  const { body } = example as { readonly body?: unknown };
  const value = path.split('.').reduce<unknown>(valueIn, body);
  return value === undefined ? null : JSON.stringify(value, null, 2);
}

function valueIn(record: unknown, name: string): unknown {
  if (typeof record !== 'object' || record === null) return undefined;
  return Object.hasOwn(record, name) ? record[name as keyof typeof record] : undefined;
}
