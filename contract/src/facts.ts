// A record as people read it, in the console and in letters alike: the names of its fields in plain letters, and what stands in them in words.

export interface Fact {
  readonly label: string;
  readonly value: FactValue;
}

export type FactValue =
  | string
  | { readonly facts: readonly Fact[] }
  | { readonly list: readonly FactValue[] };

type PlainRecord = Readonly<Record<string, unknown>>;

const INSTANT = /_at_ms$/;

export function factsOf(record: PlainRecord): readonly Fact[] {
  return Object.entries(record)
    .map(([name, value]): [string, unknown] => [name, value ?? wordForNone(name)])
    .filter(([name, value]) => value !== null && !isTwin(record, name))
    .map(([name, value]) => ({ label: labelOf(name), value: factValue(name, value) }));
}

/** What people read where nothing is told, if that says something: null for most fields. */
export function wordForNone(name: string): string | null {
  return name === 'last_used_at' ? 'never' : null;
}

/** `closes_at_ms` as a person would call it. */
export function labelOf(name: string): string {
  const words = name.replace(INSTANT, '_at').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Of a time that is given twice, people read the one with a date. */
function isTwin(record: PlainRecord, name: string): boolean {
  return name.endsWith('_ms') && Object.hasOwn(record, name.replace(/_ms$/, ''));
}

/** What is given for programs alone, as a count of milliseconds, is a date as well. */
function factValue(name: string, value: unknown): FactValue {
  const isInstant = INSTANT.test(name) && typeof value === 'number';
  const date = new Date(isInstant ? value : Number.NaN);
  return Number.isNaN(date.getTime()) ? wordsOf(value) : date.toISOString();
}

function wordsOf(value: unknown): FactValue {
  if (Array.isArray(value)) return listed(value);
  if (isRecord(value)) {
    const facts = factsOf(value);
    return facts.length === 0 ? 'none' : { facts };
  }
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return value === null ? 'none' : String(value);
}

function listed(list: readonly unknown[]): FactValue {
  if (list.length === 0) return 'none';
  const values = list.map(wordsOf);
  return values.every((value) => typeof value === 'string') ? values.join(', ') : { list: values };
}

function isRecord(value: unknown): value is PlainRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
