// What PostgreSQL and its connections say when something fails, in words that hold no value, no statement and no password.
import { StoreUnavailable } from '../../ports/store-unavailable.ts';

/** A statement was refused. The message has names of our own tables only: what was in them may be somebody's. */
class StatementRefused extends Error {
  override readonly name = 'StatementRefused';
  /** The five characters of the SQL standard. */
  readonly code: string;

  constructor(code: string, constraint: string | undefined) {
    super(`PostgreSQL refused a statement (${code}${constraint ? ` by ${constraint}` : ''})`);
    this.code = code;
  }
}

/** Another transaction was in the way: the same may be tried again at once. */
export function isConflict(error: unknown): boolean {
  return error instanceof StatementRefused && CONFLICTS.has(error.code);
}

/** Serialization failure and deadlock. */
const CONFLICTS: ReadonlySet<string> = new Set(['40001', '40P01']);

/** Connections lost, no resources left, and a server that is stopping or starting. */
const UNAVAILABLE = /^(08|53|57P)/;

const SQL_STATE = /^[0-9A-Z]{5}$/;

export function told(error: unknown): Error {
  if (error instanceof StatementRefused || error instanceof StoreUnavailable) return error;
  const { code, constraint } = fieldsOf(error);
  if (code === undefined || !SQL_STATE.test(code)) {
    return new StoreUnavailable(`the database cannot be reached (${code ?? 'no answer'})`);
  }
  if (UNAVAILABLE.test(code)) return new StoreUnavailable(`the database refuses work (${code})`);
  return new StatementRefused(code, constraint);
}

/** Of the errors of `pg` and of Node's sockets. */
export function fieldsOf(error: unknown): { readonly code?: string; readonly constraint?: string } {
  if (typeof error !== 'object' || error === null) return {};
  const { code, constraint } = error as { readonly code?: unknown; readonly constraint?: unknown };
  return {
    ...(typeof code === 'string' && { code }),
    ...(typeof constraint === 'string' && { constraint }),
  };
}
