// What a value should have been, in words: a schema's own, or those of the rule that it broke.
import type { ErrorObject } from 'ajv';

export function expectationOf(error: ErrorObject): string {
  const words = Object.hasOwn(ofRule, error.keyword) ? ofRule[error.keyword] : undefined;
  // A length or a list of words says more than what the value is in general.
  if (words !== undefined && !GENERAL.has(error.keyword)) return words(error);
  return ownWords(error) ?? words?.(error) ?? 'another value';
}

/** Rules that the schema's own words cover. */
const GENERAL: ReadonlySet<string> = new Set(['type', 'format', 'minimum', 'maximum']);

const ofRule: Readonly<Record<string, (error: ErrorObject) => string>> = {
  type: ({ params }) => listed([params.type].flat().map(typeWords)),
  enum: ({ params }) => `one of ${wordsIn(params.allowedValues).join(', ')}`,
  format: ({ params }) => FORMATS.get(params.format) ?? 'another form',
  minimum: ({ params }) => `at least ${params.limit}`,
  maximum: ({ params }) => `at most ${params.limit}`,
  minLength: ({ params }) => `at least ${counted(params.limit, 'character')}`,
  maxLength: ({ params }) => `at most ${counted(params.limit, 'character')}`,
  minItems: ({ params }) => `at least ${counted(params.limit, 'entry', 'entries')}`,
  maxItems: ({ params }) => `at most ${counted(params.limit, 'entry', 'entries')}`,
  uniqueItems: () => 'no entry twice',
  minProperties: ({ parentSchema, params }) => {
    const names = Object.keys(parentSchema?.properties ?? {});
    return names.length === 0
      ? `at least ${counted(params.limit, 'field')}`
      : `at least ${params.limit} of ${names.join(', ')}`;
  },
  maxProperties: ({ params }) => `at most ${counted(params.limit, 'field')}`,
  anyOf: ({ schema }) => unionWords(wordsIn(schema)),
};

const FORMATS: ReadonlyMap<unknown, string> = new Map([
  ['email', 'an email address'],
  ['uri', 'a URL that begins with http:// or https://'],
]);

const TYPES: ReadonlyMap<unknown, string> = new Map([
  ['string', 'a string'],
  ['integer', 'a whole number'],
  ['number', 'a number'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['object', 'an object'],
]);

function typeWords(type: unknown): string {
  return TYPES.get(type) ?? String(type);
}

function ownWords({ parentSchema }: ErrorObject): string | undefined {
  const words: unknown = parentSchema?.['x-expected'];
  return typeof words === 'string' ? words : undefined;
}

/** Branches are told apart by a field that has one word in each, such as the action of a batch item. */
function unionWords(branches: readonly unknown[]): string {
  const words = new Map<string, unknown[]>();
  for (const branch of branches) {
    for (const [name, word] of distinguishing(branch)) {
      words.set(name, [...(words.get(name) ?? []), word]);
    }
  }
  const [first] = words;
  return first === undefined
    ? 'one of the forms that the reference shows'
    : `an object whose ${first[0]} is ${listed(first[1])}`;
}

/** Fields of a branch that can have one word only. */
export function distinguishing(branch: unknown): readonly (readonly [string, unknown])[] {
  if (typeof branch !== 'object' || branch === null || !('properties' in branch)) return [];
  return Object.entries(branch.properties ?? {}).flatMap(([name, { enum: words }]) =>
    words?.length === 1 ? [[name, words[0]] as const] : [],
  );
}

function wordsIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function listed(words: readonly unknown[]): string {
  const last = words.at(-1);
  return words.length < 2 ? String(last) : `${words.slice(0, -1).join(', ')} or ${last}`;
}

function counted(count: number, one: string, more = `${one}s`): string {
  return `${count} ${count === 1 ? one : more}`;
}
