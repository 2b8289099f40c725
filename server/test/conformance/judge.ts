// What the contract demands of every answer, whatever was asked: the list of what is wrong with one.
import {
  type AnyOperation,
  closedSchema,
  ErrorEnvelope,
  envelopeOf,
  errors,
  isErrorCode,
  OAuthError,
  responseHeaders,
} from '@sibyl/contract';
import { Ajv, type ValidateFunction } from 'ajv';
import type { Answer } from './http.ts';

const ajv = new Ajv({
  strict: false,
  formats: {
    int64: true,
    email: true,
    uri: /^https?:\/\//,
    'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  },
});
const checkError = ajv.compile(closedSchema(ErrorEnvelope));
const checkOAuthError = ajv.compile(closedSchema(OAuthError));
const answerChecks = new Map<string, ValidateFunction>();
const headerChecks = Object.entries(responseHeaders).map(([name, { when, schema }]) => {
  const isNumber = 'type' in schema && schema.type === 'integer';
  return { name: name.toLowerCase(), when, isNumber, check: ajv.compile(schema) };
});

/** `ok`, the code of the error, or a note on what it is instead. */
export function verdictOf({ body, status }: Answer): string {
  if (!isRecord(body)) return `no envelope, status ${status}`;
  if (body.ok === true) return 'ok';
  if (typeof body.error === 'string') return String(body.code);
  return isRecord(body.error) ? String(body.error.code) : 'no error';
}

/** Empty if the answer keeps every promise. Without an operation no code counts as undeclared. */
export function faultsOf(operation: AnyOperation | null, answer: Answer): readonly string[] {
  const { body } = answer;
  const faults = headerFaults(answer);
  if (!isRecord(body)) return [...faults, `no envelope: ${answer.text.slice(0, 200)}`];
  if (body.ok !== true) return [...faults, ...errorFaults(operation, answer)];
  if (answer.status !== 200) faults.push(`ok with status ${answer.status}`);
  if (operation === null) return faults;
  const check = answerCheck(operation);
  if (!check(body)) faults.push(`answer: ${ajv.errorsText(check.errors)}`);
  return faults;
}

export function dataOf(answer: Answer): Record<string, unknown> {
  const { body } = answer;
  if (!isRecord(body) || body.ok !== true) throw new Error(`refused: ${answer.text}`);
  return isRecord(body.data) ? body.data : {};
}

export function listOf(answer: Answer): readonly Record<string, unknown>[] {
  const { body } = answer;
  if (!isRecord(body) || !Array.isArray(body.data)) throw new Error(`no list: ${answer.text}`);
  return body.data.filter(isRecord);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function headerFaults({ headers, body }: Answer): string[] {
  const faults: string[] = [];
  for (const { name, when, isNumber, check } of headerChecks) {
    const value = headers[name];
    if (value === undefined) {
      if (when === 'always') faults.push(`header ${name} is absent`);
    } else if (!check(isNumber ? Number(value) : value)) {
      faults.push(`header ${name}: ${value}`);
    }
  }
  if (!/^application\/json/.test(String(headers['content-type']))) {
    faults.push(`content-type ${headers['content-type']}`);
  }
  const meta = isRecord(body) && isRecord(body.meta) ? body.meta : {};
  const isOAuthError = isRecord(body) && typeof body.error === 'string';
  const requestId = isOAuthError ? body.trace_id : meta.request_id;
  if (requestId !== headers['x-request-id']) faults.push('the id of the request is another');
  return faults;
}

function errorFaults(operation: AnyOperation | null, answer: Answer): readonly string[] {
  const { body, status, headers } = answer;
  const isOAuthError = isRecord(body) && typeof body.error === 'string';
  const check = isOAuthError ? checkOAuthError : checkError;
  if (!check(body)) return [`error: ${ajv.errorsText(check.errors)}`];
  if (isOAuthError && operation?.takesForms !== true) return ['an OAuth error outside of OAuth'];
  const { code, message, details = {}, trace_id } = refusalIn(body as Refused);
  if (!isErrorCode(code)) return [`unknown code ${code}`];
  const faults: string[] = [];
  if (errors[code].status !== status) faults.push(`${code} with status ${status}`);
  if (trace_id !== headers['x-request-id']) faults.push('trace_id is another');
  for (const name of isOAuthError ? [] : errors[code].details) {
    if (!(name in details)) faults.push(`${code} without details.${name}`);
  }
  const isChallenged = headers['www-authenticate'] !== undefined;
  if (status === 401 && !isOAuthError && !isChallenged) faults.push('401 without WWW-Authenticate');
  for (const text of [message, 'expected' in details ? String(details.expected) : '']) {
    if (isRaw(text)) faults.push(`words of a schema library: ${text}`);
  }
  const saysWhen = status === 429 || code === 'MAINTENANCE';
  if (saysWhen && headers['retry-after'] === undefined) faults.push(`${code} without Retry-After`);
  const isUnexplained = code === 'SERVICE_UNAVAILABLE' && message === errors[code].message;
  if (isUnexplained) faults.push(`${code} without a reason in its message`);
  if (operation !== null && !operation.errors.includes(code)) {
    faults.push(`${operation.id} does not declare ${code}`);
  }
  return faults;
}

interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly details?: object;
  readonly trace_id: string;
}

type Refused =
  | { readonly error: Refusal }
  | (Omit<Refusal, 'message'> & { readonly error: string; readonly error_description: string });

function refusalIn(body: Refused): Refusal {
  return 'error_description' in body ? { ...body, message: body.error_description } : body.error;
}

const RAW: readonly RegExp[] = [
  /\bmust (NOT|have|match|contain|pass)\b/,
  /\bmust be (string|number|integer|boolean|array|object|null|equal|multiple|[<>=])/,
  /\b(any|one|all)Of\b/,
  // A pattern.
  /\^[[(\\\w]|\]\{\d|\$$/,
];

/** Whether a text is what a library says of a schema, or a pattern, instead of words for people. */
export function isRaw(text: string): boolean {
  return RAW.some((form) => form.test(text));
}

function answerCheck(operation: AnyOperation): ValidateFunction {
  const known = answerChecks.get(operation.id);
  if (known !== undefined) return known;
  const check = ajv.compile(closedSchema(envelopeOf(operation)));
  answerChecks.set(operation.id, check);
  return check;
}
