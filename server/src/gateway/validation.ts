// Schemas of the contract as compiled checks, and what fails them as codes of the contract.
import { isVisible } from '@sibyl/contract';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { type ApiError, fail } from '../handling/handler.ts';
import { distinguishing, expectationOf } from './expectation.ts';
import { idCheck } from './path-id.ts';

export type Check = (data: unknown) => true | { readonly error: ApiError };

/** Only what comes in a URL is text by nature and may be read as a number or a boolean. */
const checkers = {
  body: createAjv(false),
  querystring: createAjv(true),
  params: createAjv(true),
} as const;

export type HttpPart = keyof typeof checkers;

export function compileCheck(schema: object, part: HttpPart): Check {
  // Compiled with the first that is checked: all of them at once would hold up every start.
  let validate: ValidateFunction | null = null;
  const checkIds = part === 'params' ? idCheck(schema) : null;
  return (data) => {
    const wrongId = checkIds?.(data) ?? null;
    if (wrongId !== null) return { error: wrongId };
    validate ??= checkers[part].compile(schema);
    return validate(data) ? true : { error: errorOf(validate) };
  };
}

function createAjv(coerceTypes: boolean): Ajv {
  const ajv = new Ajv({
    coerceTypes,
    useDefaults: true,
    removeAdditional: false,
    allErrors: false,
    // Errors carry the value, by which the branch of a union that was meant is found.
    verbose: true,
    // The contract annotates its schemas with words of its own.
    strict: false,
  });
  ajv.addKeyword({ keyword: 'x-visible', type: 'string', validate: isVisibleWhereAsked });
  ajv.addFormat('email', { type: 'string', validate: isEmail });
  ajv.addFormat('uri', { type: 'string', validate: isHttpUri });
  ajv.addFormat('date-time', true);
  ajv.addFormat('int64', true);
  return ajv;
}

function isVisibleWhereAsked(isAsked: boolean, text: string): boolean {
  return !isAsked || isVisible(text);
}

/** One @ with something on both sides and no spaces: whether it exists, only a message can tell. */
function isEmail(text: string): boolean {
  return /^[^\s@"(),:;<>[\\\]]{1,64}@[^\s@"(),:;<>[\\\].]+(\.[^\s@"(),:;<>[\\\].]+)+$/.test(text);
}

function isHttpUri(text: string): boolean {
  return /^https?:\/\/[^\s"<>\\^`{|}]+$/.test(text) && URL.canParse(text);
}

function errorOf(validate: ValidateFunction): ApiError {
  const { code, details } = faultOf(validate.errors ?? [], 'body');
  return fail(code, details);
}

export interface Fault {
  readonly code: 'MISSING_FIELD' | 'VALIDATION_FAILED';
  readonly details: { readonly field: string; readonly expected?: string };
}

/** Absent is MISSING_FIELD, present but wrong is VALIDATION_FAILED; both name the field, or the whole. */
export function faultOf(errors: readonly ErrorObject[], whole: string): Fault {
  const found = mostTelling(errors);
  if (found === undefined) return { code: 'VALIDATION_FAILED', details: { field: whole } };
  const at = fieldName(found.instancePath);
  if (found.keyword === 'required') {
    const field = joined(at, String(found.params.missingProperty));
    return { code: 'MISSING_FIELD', details: { field } };
  }
  if (found.keyword === 'additionalProperties') {
    const field = joined(at, String(found.params.additionalProperty));
    return { code: 'VALIDATION_FAILED', details: { field, expected: 'no such field' } };
  }
  const field = at === '' ? whole : at;
  return { code: 'VALIDATION_FAILED', details: { field, expected: expectationOf(found) } };
}

/** A union reports one failure of every branch; the one worth telling is that of the branch meant. */
function mostTelling(errors: readonly ErrorObject[]): ErrorObject | undefined {
  const union = errors.find((error) => error.keyword === 'anyOf');
  if (union === undefined) return errors[0];
  const meant = meantBranch(union);
  return errors.find(({ schemaPath }) => schemaPath.includes(`/anyOf/${meant}/`)) ?? union;
}

/** The branch whose distinguishing words the value carries; of what may be null, the one that is not. */
function meantBranch({ data, schema }: ErrorObject): number {
  const branches: readonly unknown[] = Array.isArray(schema) ? schema : [];
  if (branches.length === 2 && isNullSchema(branches[1])) return 0;
  const value = new Map<string, unknown>(Object.entries(data ?? {}));
  return branches.findIndex((branch) => {
    const words = distinguishing(branch);
    return words.length > 0 && words.every(([name, word]) => value.get(name) === word);
  });
}

function isNullSchema(schema: unknown): boolean {
  return (
    typeof schema === 'object' && schema !== null && 'type' in schema && schema.type === 'null'
  );
}

/** `/items/0/order/price` as people write it: `items[0].order.price`. */
function fieldName(instancePath: string): string {
  return instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : joined(path, part)), '');
}

/** Names that clients made up may be of any length; enough of one is told to find it again. */
const NAME_LENGTH_MAX = 64;

function joined(path: string, name: string): string {
  const shown = name.length > NAME_LENGTH_MAX ? `${name.slice(0, NAME_LENGTH_MAX)}…` : name;
  return path === '' ? shown : `${path}.${shown}`;
}
